"""What a session's record proves: `paicli verify` judges it, `paicli bugreport` packs it into one file that replays."""

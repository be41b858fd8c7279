"""What a person reads where something is decided: may it run, may it be used, does it go on, may it cost that."""

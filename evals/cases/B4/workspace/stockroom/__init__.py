"""What lies on which shelf."""

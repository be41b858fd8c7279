"""paicli against a real server and a real, very small model: `make smoke`."""

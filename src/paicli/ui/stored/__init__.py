"""Sessions that lie on disk, as the person sees them."""

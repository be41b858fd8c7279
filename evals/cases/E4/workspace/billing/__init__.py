"""What an invoice comes to."""

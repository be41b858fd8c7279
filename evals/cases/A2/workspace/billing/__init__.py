"""Invoices and what becomes of them."""

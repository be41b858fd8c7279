"""The first start: from a provider to a model that answers and is kept."""

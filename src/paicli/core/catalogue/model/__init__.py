"""What a model reads in short: code → text, Chinese in both interface languages, one module per subject. Data only."""

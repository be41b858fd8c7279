"""What a person reads: code → (zh, en), one module per subject. Data only; `lookup` puts the tables together."""

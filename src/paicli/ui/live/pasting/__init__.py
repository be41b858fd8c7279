"""What is pasted into the input: long texts and pictures, each kept aside behind a short placeholder."""

"""The person's side of snapshots: what a restore would change is shown, then asked, then done."""

"""The tracker plane's ops, one file each."""

"""The tracker plane's tables. Applied files never change."""

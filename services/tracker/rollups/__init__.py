"""Daily roll-ups of CI runs: what is asked of a source for them, and how they are kept and read."""

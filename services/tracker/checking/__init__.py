"""The duplicate check over live reads: legs, fits, vectors, and the verdicts of several trackers as one."""

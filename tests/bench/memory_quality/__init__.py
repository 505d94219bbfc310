"""Quality of memory search on a labelled set of our own: `python -m tests.bench.memory_quality`."""

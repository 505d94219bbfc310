"""Speed, side by side with an alternative: `python -m tests.bench`, printed as tables. Nothing here asserts on time."""

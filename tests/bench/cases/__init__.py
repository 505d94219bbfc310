"""One module per table or two; each has `run(options) -> list[Table]`."""

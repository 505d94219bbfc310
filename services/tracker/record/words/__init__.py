"""Words that the demo record is put together from, as data."""

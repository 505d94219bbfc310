"""The demo record: the tracker of an invented product, made by a seeded generator."""

"""Rows into a local record through `tracker.load`: what `loom tracker` and `loom serve --demo` are made of."""

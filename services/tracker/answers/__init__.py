"""Templates of tracker.answer: one file each, with its name, the anchors that it needs, its statement and its wording."""

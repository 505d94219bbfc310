"""A record in Loom's own engine: the demo's, or one read from a team's exports."""

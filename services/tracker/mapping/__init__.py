"""How a team's own tables and columns become those of the contract: saved with a source, never code."""

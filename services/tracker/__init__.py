"""The tracker plane: answers out of a team's own record of issues, pull requests, incidents and CI runs, read live."""

"""Reading a team's exports into rows of the contract."""

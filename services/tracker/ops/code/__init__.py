"""Questions of people who change code, over the trackers of their repository."""

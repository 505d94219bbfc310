"""Roles by name. What makes up a caller's own is said once for all planes, in runtime/roles.py."""

NONE, ADMIN = "", "admin"

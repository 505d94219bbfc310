"""Backup and restore: every table of every plane as files, with a manifest that says what must come back.

`write.py` takes a copy of all tables at one moment and writes them; `load.py` checks a backup and puts it into an
installation; `pack.py` knows the two forms, a folder and a tar file. Keys and secrets are never part of it.
"""

from standalone.backup.errors import BackupError

__all__ = ["BackupError"]

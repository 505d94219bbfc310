"""What makes a backup or a restore end."""


class BackupError(RuntimeError):
    """Nothing was written, or what was written is not a backup; the message says why and what to do."""

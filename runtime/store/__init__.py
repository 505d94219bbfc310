"""The storage seam: one SQL dialect over chDB in the process or a ClickHouse server over HTTP.

Only this package imports `clickhouse_connect`. Planes see `Store` (statements), `GroupCommit` (fast durable writes) and
`migrate` (the schema).
"""

from runtime.store.behind import Behind, journal_folder
from runtime.store.config import StoreConfig
from runtime.store.faults import RowsRefused
from runtime.store.folder import DataFolderBusy
from runtime.store.group import GroupCommit
from runtime.store.locks import LockLost
from runtime.store.migrations import MigrationError, migrate
from runtime.store.store import Store

__all__ = [
    "Behind",
    "DataFolderBusy",
    "GroupCommit",
    "LockLost",
    "MigrationError",
    "RowsRefused",
    "Store",
    "StoreConfig",
    "journal_folder",
    "migrate",
]

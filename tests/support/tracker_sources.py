"""Sources as the tracker plane registers them, for tests that need no server behind them."""

from datetime import UTC, datetime

from services.tracker.rows import ACTIVE, CLICKHOUSE, SourceNamespace, SourceRow


def source_row(name: str = "team", *, org: str = "dev", kind: str = CLICKHOUSE, **changes: object) -> SourceRow:
    """An active source with one tracker namespace over `Org/repo`; `changes` are fields of the row."""
    fields: dict[str, object] = {
        "org": org,
        "name": name,
        "id": f"id-{name}",
        "kind": kind,
        "host": "127.0.0.1",
        "port": 8123,
        "secure": False,
        "database": "team",
        "login": "",
        "key_id": "",
        "mapping": "",
        "namespaces": (SourceNamespace(f"{name}-ns", f"{name}-ns", ("Org/repo",), False),),
        "state": ACTIVE,
        "added_by": "local",
        "added_at": datetime(2026, 1, 1, tzinfo=UTC),
        "version": 1,
    }
    return SourceRow(**{**fields, **changes})  # type: ignore[arg-type]

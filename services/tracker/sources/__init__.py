"""Sources: teams' ClickHouse servers, read live with a read-only login."""

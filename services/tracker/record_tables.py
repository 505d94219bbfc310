"""Where a local record lies: a database of its own beside Loom's tables, with the contract's names."""

import hashlib
from collections.abc import Container

from services.tracker.contract.tables import TABLES
from services.tracker.mapping.model import MappedTable, Mapping, SourceTable

PREFIX = "loom_record_"


def database_of(org: str, storage: str) -> str:
    """The database of a tracker namespace's local record; the name says nothing that could break a statement."""
    return PREFIX + hashlib.sha256(f"{org}\0{storage}".encode()).hexdigest()[:16]


def local_mapping(database: str) -> Mapping:
    """Every table of the contract, in the record's database."""
    return Mapping({name: MappedTable(SourceTable(name, database)) for name in TABLES})


def loaded(mapping: Mapping, described: Container[str]) -> Mapping:
    """The part of a local record's mapping whose tables were loaded: no file had the others, which is no fault."""
    return Mapping({name: table for name, table in mapping.tables.items() if table.source.key in described})

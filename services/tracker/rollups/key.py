"""Which runs a roll-up is of: the relation of `checks` and the repositories that it was read through."""

import hashlib

from services.tracker.reads import NamespaceBinding

CHECKS, REPO = "checks", "repo"


def checks_key(source_id: str, binding: NamespaceBinding) -> str:
    """The same for namespaces that see the same runs; empty where the source offers no runs of tests.

    A mapping that changes, or repositories that do where runs are filtered by them, make another key: what was rolled
    before is not read any more.
    """
    relation = binding.relations.get(CHECKS)
    if relation is None or not relation.columns.issuperset({"test_name", "check_start_time", "test_status"}):
        return ""
    repos = sorted(binding.scope.prefixes()) if REPO in relation.columns else []
    text = "\0".join([source_id, relation.sql, *repos])
    return hashlib.sha256(text.encode()).hexdigest()[:32]

"""What a migration file may leave to the installation: engines, durability, cluster.

`{{engine:ReplacingMergeTree(version)}}` becomes the engine, or its replicated form on a cluster (with the server's
default path and replica name); `{{durable}}` the two fsync settings of a table; `{{on_cluster}}` the clause or nothing.
"""

import re

from runtime.store.config import StoreConfig, identifier

_MACRO = re.compile(r"\{\{(\w+)(?::([^{}]*))?\}\}")
_ENGINE = re.compile(r"(\w*MergeTree)(\(.*\))?")


def statements(text: str, config: StoreConfig) -> list[str]:
    """The statements of a migration file, which end with `;` at the end of a line, with the macros filled in.

    Lines that are comments (`--`) are dropped. ValueError for a macro that is not one of the above.
    """
    lines = [line.rstrip() for line in text.splitlines() if not line.lstrip().startswith("--")]
    parts = re.split(r";$", "\n".join(lines), flags=re.MULTILINE)
    return [expand(part.strip(), config) for part in parts if part.strip()]


def expand(text: str, config: StoreConfig) -> str:
    """`text` with its macros filled in."""
    return _MACRO.sub(lambda match: _value(match[1], match[2], config), text)


def _value(macro: str, argument: str | None, config: StoreConfig) -> str:
    if macro == "engine" and argument and (engine := _ENGINE.fullmatch(argument.strip())):
        return ("Replicated" if config.cluster else "") + engine[1] + (engine[2] or "()")
    if macro == "durable" and argument is None:
        return f"fsync_after_insert = {config.fsync:d}, fsync_part_directory = {config.fsync:d}"
    if macro == "on_cluster" and argument is None:
        return f"ON CLUSTER `{identifier(config.cluster, 'the cluster name')}`" if config.cluster else ""
    raise ValueError(f"the migration uses an unknown macro: {macro}")

"""Writes the generated references: `python -m tools.docs`, a part of `make gen`.

docs/operations.md from the contract, docs/errors.md from the registry of errors, docs/settings.md from the settings
classes, docs/trackers from the record contract and the ready mappings. The output is committed;
tests/contract/test_docs.py fails when it differs.
"""

from importlib import import_module
from itertools import groupby
from pathlib import Path

from runtime.errors import REGISTRY, Code
from runtime.optable import load_ops
from runtime.settings import SettingInfo, describe
from tools import trackers
from tools.markdown import code, codes, page, prose, table
from tools.operations import operations

DOCS = Path(__file__).resolve().parent.parent / "docs"

# Heading, module and name of every settings class, in the order of the page.
SETTINGS = [
    ("Every process", "runtime.process", "ProcessSettings"),
    ("Storage engine", "runtime.process", "StoreSettings"),
    ("A plane in its own process", "runtime.serve_plane", "ListenSettings"),
    ("Gateway", "gateway.settings", "GatewaySettings"),
    ("Edge (Envoy)", "gateway.envoy.settings", "EnvoySettings"),
    ("Observe plane", "services.observe.settings", "ObserveSettings"),
    ("Memory plane", "services.memory.settings", "MemorySettings"),
    ("Memory plane: embedder", "runtime.embedding.settings", "EmbedderSettings"),
    ("Extraction of memories", "services.memory.workers.settings", "ExtractionSettings"),
    ("Tracker plane", "services.tracker.settings", "TrackerSettings"),
    ("Tracker plane: live reads", "services.tracker.sources.settings", "LiveSettings"),
    ("Tracker plane: credentials of sources", "services.tracker.sources.settings", "SecretSettings"),
    ("Tracker plane: bisect candidates", "services.tracker.settings", "BisectSettings"),
    ("Tracker plane: background passes", "services.tracker.workers.settings", "WorkerSettings"),
    ("Tracker plane: the language model that judges", "services.tracker.checking.judge_settings", "JudgeSettings"),
]

ENVELOPE = """```json
{"detail": {"code": "MISSING_FIELD", "category": "invalid", "message": "tool_name is required", "retryable": false,
            "retry_after_s": null, "request_id": "0123456789abcdef", "metadata": {"field": "tool_name"}}}
```"""
ON_EVERY_DOOR = (
    "A failure has this shape on every door: it is the body of an HTTP answer, the structured content of a failed MCP "
    "tool result, and over gRPC a `google.rpc.Status` whose `ErrorInfo` carries code and metadata, with `RetryInfo` "
    "and `BadRequest` where they apply. `message` never contains what the caller sent. `Retry-After` goes with "
    "`retry_after_s`. Programs should decide by `code`, then by `category`; a client that meets a code which it does "
    "not know can rely on `category` and `retryable`."
)
ENVIRONMENT = (
    "Settings are environment variables. They are read once, at start; everything that is wrong with them is reported "
    "together, without the values. An empty variable is the default, except for free text and lists, where it is the "
    "empty text or list. A secret may instead stand in a file that `<variable>_FILE` names."
)


def pages() -> dict[str, str]:
    """File name -> text of every generated page."""
    own = {"operations.md": operations(load_ops()), "errors.md": errors(), "settings.md": settings()}
    return {**own, **trackers.pages()}


def errors() -> str:
    """The registry, by category."""
    families = groupby(sorted(REGISTRY.values(), key=_family), key=lambda known: known.category)
    sections = [f"## {category}\n\n{_codes(list(members))}" for category, members in families]
    return page("Errors", ON_EVERY_DOOR, ENVELOPE, *sections)


def _family(known: Code) -> tuple[int, str, str]:
    order = list(dict.fromkeys(other.category for other in REGISTRY.values()))
    return order.index(known.category), f"{known.http}", known.name


def _codes(members: list[Code]) -> str:
    rows = (
        [code(known.name), str(known.http), known.grpc, "yes" if known.retryable else "no", prose(known.hint)]
        for known in members
    )
    return table(["code", "HTTP", "gRPC", "retryable", "what to do"], rows)


def settings() -> str:
    """Every settings class, variable by variable."""
    sections = [
        f"## {heading}\n\n{_variables(describe(getattr(import_module(module), name)))}"
        for heading, module, name in SETTINGS
    ]
    return page("Settings", ENVIRONMENT, *sections)


def _variables(described: list[SettingInfo]) -> str:
    rows = ([code(info.env), _takes(info), code(info.default), prose(info.help)] for info in described)
    return table(["variable", "takes", "default", "meaning"], rows)


def _takes(info: SettingInfo) -> str:
    return prose(info.takes) + (f" (secret; or {codes([info.env + '_FILE'])})" if info.secret else "")


def main() -> None:
    for name, text in pages().items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

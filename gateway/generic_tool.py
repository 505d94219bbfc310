"""The tool `loom_op`: calls any op by name, and searches them."""

from collections.abc import Mapping
from typing import Any

import mcp_types as types

from gateway.schema import request_schema
from runtime.errors import LoomError, invalid_field
from runtime.optable import Op, OpTable

NAME = "loom_op"
HELP = "help"
MOST = 10

TOOL = types.Tool(
    name=NAME,
    description=(
        "Calls any op of Loom by name, including those that are not listed as tools. "
        'op="help" with arguments {"query": "words"} finds ops and shows what they take.'
    ),
    input_schema={
        "type": "object",
        "properties": {
            "op": {"type": "string", "description": "Name of the op, such as `observe.list`, or `help`."},
            "arguments": {"type": "object", "description": "The op's arguments.", "default": {}},
        },
        "required": ["op"],
    },
    annotations=types.ToolAnnotations(read_only_hint=False, open_world_hint=False),
)


def parse(arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Op name and inner arguments. Raises LoomError."""
    name, inner = arguments.get("op"), arguments.get("arguments")
    if not isinstance(name, str) or not name:
        raise LoomError("MISSING_FIELD", "op is required: the name of an op, or `help`", field="op")
    if inner is not None and not isinstance(inner, dict):
        raise invalid_field("arguments", "an object")
    return name, inner or {}


def search(table: OpTable, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The ops whose name or description has most of the query's words; without a query all names."""
    query = arguments.get("query", "")
    if not isinstance(query, str):
        raise invalid_field("arguments.query", "a string")
    words = query.lower().replace(".", " ").replace("_", " ").split()
    if not words:
        return {"ops": [{"op": op.name, "description": op.doc} for op in table]}
    scored = sorted(((_score(op, words), op.name, op) for op in table), key=lambda row: (-row[0], row[1]))
    found = [op for score, _, op in scored if score > 0][:MOST]
    return {"ops": [{"op": op.name, "description": op.doc, "arguments": request_schema(op.request)} for op in found]}


def _score(op: Op, words: list[str]) -> int:
    name, doc = op.name.replace("_", " "), op.doc.lower()
    return sum(2 * (word in name) + (word in doc) for word in words)

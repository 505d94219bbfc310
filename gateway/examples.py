"""Example arguments for any op, derived from its schema: the documents and the page to try ops from start with them."""

import re
from typing import Any

from gateway.codec.fields import rules_of
from gateway.schema import Schema, request_schema
from runtime.optable import Op

SUCH_AS = re.compile(r"such as `([^`]+)`")
# What a field's comment says about its text, and a text that fits.
FORMATS = {"YYYY-MM-DD": "2026-01-31", "RFC 3339": "2026-01-31T09:30:00Z"}
ANY_JSON = {"key": "value"}


def example_request(op: Op) -> dict[str, Any]:
    """The required arguments; where there are none, the first one that the caller's identity does not fill."""
    schema = request_schema(op.request)
    names = schema.get("required") or [f.name for f in op.request.DESCRIPTOR.fields if not rules_of(f).identity][:1]
    return {name: example(name, schema["properties"][name]) for name in names}


def example(name: str, schema: Schema) -> Any:
    """A value that fits the schema. A comment that says "such as `x`" makes x the example."""
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    kinds = schema.get("type")
    match kinds[0] if isinstance(kinds, list) else kinds:
        case "string":
            return _text(name, schema)
        case "boolean":
            return True
        case "integer" | "number":
            return min(max(1, schema.get("minimum", 1)), schema.get("maximum", 1))
        case "array":
            return [example(name, {"description": schema.get("description", ""), **schema["items"]})]
        case "object" if "properties" in schema:
            return {key: example(key, schema["properties"][key]) for key in schema.get("required", [])}
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return {"key": example("value", schema["additionalProperties"])}
    return ANY_JSON


def _text(name: str, schema: Schema) -> str:
    if schema.get("contentEncoding") == "base64":
        return "AAAA"
    comment = schema.get("description", "")
    if named := SUCH_AS.search(comment):
        return named[1]
    text = next((text for word, text in FORMATS.items() if word in comment), name.replace("_", "-"))
    return text[: schema.get("maxLength")]

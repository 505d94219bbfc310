"""docs/operations.md: every op with its facts, fields, errors and an example call, from the contract alone."""

import json
import shlex
from collections.abc import Iterator

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gateway.codec.fields import SAFE_INTEGER, rules_of
from gateway.examples import example_request
from gateway.openapi import codes_of
from gateway.schema import Schema, request_schema, response_schema
from runtime.errors import REGISTRY
from runtime.optable import Op, OpTable, comment_of
from tools.markdown import code, codes, page, prose, table

ADDRESS = "http://127.0.0.1:7777"
INTRODUCTION = (
    "Every op can be called in three ways: `POST` with a JSON object to the path in its example (`/v1/<op>` is served "
    "for each), the MCP tool named below, and gRPC. "
    "Names, fields and answers are the same. Where tokens are in use, add `-H 'Authorization: Bearer <token>'` to the "
    "examples. Arguments that Loom does not know are served and listed as dotted paths in `ignored_args` of the "
    "answer, which is left out when there are none. An optional output that is not set is `null`; every other output "
    "is always there. Unless a field says otherwise, leaving it out, `null` and its empty value mean the same."
)

Row = tuple[str, FieldDescriptor, Schema]


def operations(ops: OpTable) -> str:
    """The page."""
    shared = [name for name, known in REGISTRY.items() if all(known in codes_of(op) for op in ops)]
    failures = f"Every op may fail with {codes(shared)}. [errors.md](errors.md) says what the codes mean."
    index = table(["op", "what it does"], ([f"[{op.name}](#{_anchor(op.name)})", _summary(op)] for op in ops))
    return page("Operations", INTRODUCTION, failures, index, *(_operation(op, shared) for op in ops))


def _operation(op: Op, shared: list[str]) -> str:
    own = [known.name for known in codes_of(op) if known.name not in shared]
    return "\n\n".join(
        [
            f"## {op.name}",
            prose(op.doc),
            table(["role", "kind", "idempotent", "deadline", "MCP tool", "toolset"], [_facts(op)]),
            f"gRPC: `{op.path}`",
            f"Input: {_decapitalised(comment_of(op.request.DESCRIPTOR.full_name))}",
            _inputs(op),
            f"Output: {_decapitalised(comment_of(op.response.DESCRIPTOR.full_name))}",
            _outputs(op),
            f"Errors besides those of every op: {codes(own) or 'none'}.",
            f"```sh\n{_curl(op)}\n```",
        ]
    ).replace("\n\n\n\n", "\n\n")


def _facts(op: Op) -> list[str]:
    kind, idempotent = "write" if op.writes else "read", "yes" if op.idempotent else "no"
    tool = code(op.tool) + ("" if op.listed else " (not listed)")
    return [op.role, kind, idempotent, f"{op.deadline_s:g} s", tool, op.toolset]


def _inputs(op: Op) -> str:
    rows = list(fields(op.request.DESCRIPTOR, request_schema(op.request)))
    cells = ([code(path), type_of(schema), _default(field, schema), _meaning(schema)] for path, field, schema in rows)
    return table(["field", "type", "default", "meaning"], cells) if rows else ""


def _outputs(op: Op) -> str:
    rows = list(fields(op.response.DESCRIPTOR, response_schema(op.response)))
    cells = ([code(path), type_of(schema), _meaning(schema)] for path, _, schema in rows)
    return table(["field", "type", "meaning"], cells) if rows else ""


def fields(message: Descriptor, schema: Schema, prefix: str = "") -> Iterator[Row]:
    """Each field at any depth under its dotted path; entries of a list are marked with `[]`."""
    for field in message.fields:
        own = schema["properties"][field.name]
        inner = own["items"] if field.is_repeated and "items" in own else own
        path = prefix + field.name + ("[]" if inner is not own and "properties" in inner else "")
        yield path, field, own
        if "properties" in inner:
            yield from fields(field.message_type, inner, path + ".")


def type_of(schema: Schema) -> str:
    """What a field takes, for a person."""
    kinds = schema.get("type", "any JSON")
    kind, *null = kinds if isinstance(kinds, list) else [kinds]
    return _kind(kind, schema) + " or null" * bool(null)


def _kind(kind: str, schema: Schema) -> str:
    if "enum" in schema:
        return f"one of {codes(word for word in schema['enum'] if word)}"
    if kind == "array":
        return f"list{_at_most(schema, 'maxItems')} of {type_of(schema['items'])}"
    if "additionalProperties" in schema:
        return f"map{_at_most(schema, 'maxProperties')} of {type_of(schema['additionalProperties'])}"
    if "minimum" in schema and schema["maximum"] < SAFE_INTEGER:
        return f"{kind} from {schema['minimum']:,} to {schema['maximum']:,}"
    return kind + _at_most(schema, "maxLength", " characters")


def _at_most(schema: Schema, keyword: str, unit: str = "") -> str:
    return f" (at most {schema[keyword]:,}{unit})" if keyword in schema else ""


def _default(field: FieldDescriptor, schema: Schema) -> str:
    rules = rules_of(field)
    given = code(json.dumps(schema["default"])) if "default" in schema else ""
    if rules.identity:
        return "the caller's" + (f", else {given}" if given else "")
    return "**required**" if rules.required else given


def _meaning(schema: Schema) -> str:
    return prose(schema["description"])


def _curl(op: Op) -> str:
    arguments = shlex.quote(json.dumps(example_request(op)))
    return f"curl -sS {ADDRESS}/v1/{op.http_path} -H 'Content-Type: application/json' \\\n  -d {arguments}"


def _summary(op: Op) -> str:
    return prose(op.doc.partition(". ")[0].rstrip(".") + ".")


def _anchor(heading: str) -> str:
    """The anchor that Markdown renderers give the heading."""
    return heading.replace(".", "")


def _decapitalised(text: str) -> str:
    return prose(text[:1].lower() + text[1:])

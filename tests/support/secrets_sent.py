"""Private text in every form that a caller may write it, in every place where a record takes text.

Each case has secrets of its own, so that a leak tells where it came from, and public words around them, so that a test
can see that it looked at what was stored.
"""

import json
from dataclasses import dataclass
from typing import Any

PUBLIC = "publicword"

# `S` stands for the secret. A form without a closer hides the rest of its field.
TEXT_FORMS = {
    "closed": "<private>S</private>",
    "unclosed": "<private>S",
    "nested": "<private>S<private>S</private>S</private>",
    "nested and unclosed": "<private>S<private>S</private>S",
    "attributed": "<private reason=\"a > b\" by='</private>' x=1>S</private>",
    "upper case": "<PRIVATE>S</Private>",
    "spaced": "<  private\t>S</  private  >",
    "over lines": "<private\n>S\nS</\nprivate>",
    "self-closed": "<private/>S</private>",
    "without an end": "<private S",
    "escaped": r"\u003cprivate\u003eS\u003c/private\u003e",
    "escaped twice": r"\\u003cprivate\\u003eS\\u003c\/private\\u003e",
    "as entities": "&lt;private&gt;S&lt;/private&gt;",
    "as numbers": "&#60;private&#x3e;S&#x3c;/private&#62;",
    "made of a closer": "<pri</private>vate>S</private>",
    "in Chinese": "私<private>S密</private>密",
}
# Values that only input and output take: a region may span strings, numbers and keys.
VALUE_FORMS: dict[str, Any] = {
    "over a list": ["a <private>S", "S", 17, {"S": "S"}, "S</private>"],
    "over an object": {"a": "<private>", "b": "S", "c": ["S", {"S": None}], "d": "</private>"},
    "in a key": {"<private>S</private>": 1},
    "a key that opens": {"<private>": "S", "x": ["S"]},
    "deep": {"a": [{"b": [{"c": "<private>S</private>"}]}]},
    "JSON in a string": json.dumps({"log": json.dumps({"text": "<private>S</private>"})}),
    "JSON that escapes": r'{"log": "\u003cprivate\u003eS"}',
    "lines of output": {"stdout": "one\n<private>\nS\nS\n</private>\n", "stderr": "<private>S"},
}
VALUE_FIELDS = ("tool_input", "tool_output")
TEXT_FIELDS = ("error", "action_type", "tool_name", "tags", "file_paths")
HIDDEN_FIELDS = ("metadata",)


@dataclass(frozen=True)
class Case:
    """One record. `secrets` must be nowhere afterwards."""

    name: str
    record: dict[str, Any]
    secrets: tuple[str, ...]


def cases(prefix: str) -> list[Case]:
    """Every form in every field; secrets begin with `prefix`, letters and digits alone."""
    forms = [(name, form, f"{prefix}x{number}") for number, (name, form) in enumerate(TEXT_FORMS.items())]
    found = []
    for name, form, secret in forms:
        for field in (*VALUE_FIELDS, *TEXT_FIELDS, *HIDDEN_FIELDS):
            own = secret + field.replace("_", "")
            found.append(Case(f"{field}: {name}", _record(field, form.replace("S", own)), (own,)))
    for number, (name, value) in enumerate(VALUE_FORMS.items()):
        for field in VALUE_FIELDS:
            own = f"{prefix}v{number}{field.replace('_', '')}"
            text = json.dumps(value).replace("S", own)
            found.append(Case(f"{field}: {name}", {"tool_name": "Bash", field: json.loads(text)}, (own,)))
    return found


def _record(field: str, text: str) -> dict[str, Any]:
    record: dict[str, Any] = {"tool_name": "Bash"}
    if field == "metadata":
        return {**record, "metadata": {"note": text}}
    if field == "file_paths":
        return {**record, "file_paths": [f"/src/{text}", "/src/app.py"]}
    if field == "tags":
        return {**record, "tags": [text, "kept"]}
    if field == "action_type":
        return {**record, "action_type": text[:128]}
    return {**record, field: f"{PUBLIC} {text}"}

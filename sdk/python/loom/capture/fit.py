"""Cuts a record that is too large for the server's body limit, so that it is kept and says what it lost."""

from typing import Any

from loom.capture import jsontext

# The server takes 1 MiB by default; the rest is room for the batch that a record may travel in.
MAX_BYTES = 900_000
CUT_TAG = "capture:cut"

# Characters kept of one field: output goes first, being the least of the three to be missed.
STEPS = (200_000, 20_000, 2_000, 200)
FIELDS = ("tool_output", "tool_input", "error")


def fit(record: dict[str, Any], limit: int = MAX_BYTES) -> dict[str, Any]:
    """`record`, or a copy cut until its JSON has at most `limit` bytes and tagged `capture:cut`.

    The same record is always cut the same way, since its key hashes what is sent.
    """
    if size(record) <= limit:
        return record
    cut = dict(record, tags=[*record.get("tags", []), CUT_TAG])
    for keep in STEPS:
        for field in FIELDS:
            if size(cut) <= limit:
                return cut
            if field in cut:
                cut[field] = shorten(cut[field], keep)
    if size(cut) > limit:
        cut.pop("file_paths", None)
    return cut


def size(value: Any) -> int:
    """Bytes of the value's JSON."""
    return len(jsontext.dumps(value))


def shorten(value: Any, keep: int) -> Any:
    """`value` with at most about `keep` characters; long strings inside it are cut first, which keeps its shape."""
    if isinstance(value, str):
        return cut_text(value, keep)
    text = jsontext.dumps(value).decode()
    if len(text) <= keep:
        return value
    try:
        slim = _leaves_cut(value, max(keep // 20, 40))
    except RecursionError:  # too deep to walk, though not too deep to read
        return cut_text(text, keep)
    slim_text = jsontext.dumps(slim).decode()
    return slim if len(slim_text) <= keep else cut_text(slim_text, keep)


def cut_text(text: str, keep: int) -> str:
    """The first `keep` characters and a mark that says so; `text` when it is no longer."""
    if len(text) <= keep:
        return text
    return f"{text[:keep]}… [cut by loom capture: {keep:,} of {len(text):,} characters kept]"


def _leaves_cut(value: Any, keep: int) -> Any:
    if isinstance(value, dict):
        return {name: _leaves_cut(inner, keep) for name, inner in value.items()}
    if isinstance(value, list):
        return [_leaves_cut(inner, keep) for inner in value]
    return cut_text(value, keep) if isinstance(value, str) else value

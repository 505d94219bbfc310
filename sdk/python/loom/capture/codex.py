"""Rollouts of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl`.

A line wraps an item, `{"timestamp", "type": "response_item", "payload": {…}}`; old versions wrote the item bare. Calls
are items of a type that ends in `_call`, results of one that ends in `_call_output`.
"""

from collections.abc import Iterator
from typing import Any

from loom.capture import jsontext
from loom.capture.payloads import CODEX
from loom.capture.steps import Context, Finished, Started, flat, text
from loom.capture.times import rfc3339

# Calls that the model's provider runs itself: no result is written, the call is the whole of it.
WITHOUT_RESULT = {"web_search_call": "web_search", "image_generation_call": "image_generation"}


def steps(line: dict[str, Any], context: Context, number: int) -> Iterator[Started | Finished]:
    """The calls and results in a line; none when it is in another format."""
    payload = line.get("payload")
    item = payload if isinstance(payload, dict) else line
    kind = text(item.get("type"))
    if line.get("type") in ("session_meta", "turn_context") or (not kind and number == 1):
        context.session = context.session or text(item.get("id")) or text(item.get("session_id"))
        context.run = text(item.get("turn_id")) or context.run
        context.cwd = text(item.get("cwd")) or context.cwd
    elif kind.endswith("_call_output"):
        yield _finished(item)
    elif kind.endswith("_call") and line.get("type") in ("response_item", kind):
        started = _started(item, kind, context, rfc3339(line.get("timestamp")), number)
        yield started
        if kind in WITHOUT_RESULT:
            yield Finished(started.call_id, None)


def _started(item: dict[str, Any], kind: str, context: Context, at: str, number: int) -> Started:
    return Started(
        agent=CODEX,
        session=context.session,
        run=context.run,
        call_id=text(item.get("call_id")) or text(item.get("id")) or f"line-{number}",
        tool=text(item.get("name")) or WITHOUT_RESULT.get(kind, kind.removesuffix("_call")),
        given=_given(item),
        cwd=context.cwd,
        at=at,
    )


def _given(item: dict[str, Any]) -> Any:
    for name in ("arguments", "input", "action"):
        if item.get(name) is not None:
            return _parsed(item[name]) if name == "arguments" else item[name]
    return None


def _finished(item: dict[str, Any]) -> Finished:
    output = flat(item.get("output"))
    parsed = _parsed(output)
    if isinstance(parsed, dict) and "output" in parsed and "metadata" in parsed:
        output = parsed  # the exit code stands in the metadata
    failed = isinstance(output, dict) and output.get("success") is False
    return Finished(text(item.get("call_id")) or text(item.get("id")), output, failed)


def _parsed(value: Any) -> Any:
    try:
        return jsontext.loads(value) if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") else value
    except ValueError:
        return value

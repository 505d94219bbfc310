"""Messages of the contract to what ops take, and what ops answer to messages."""

from collections.abc import Iterable, Mapping
from typing import Any

from loom.common.v1 import error_pb2
from loom.memory.v1 import memory_pb2 as pb
from runtime.call import Call
from runtime.errors import LoomError, invalid_field
from runtime.validation import validator_for
from services.instants import format_instant
from services.memory.identity import Scope
from services.memory.model import Draft
from services.memory.ops.drafts import SaveInput, checked_key, draft_of, imported_draft, instant, public_text
from services.memory.ops.save import Answer
from services.memory.ops.search import SearchInput
from services.memory.ops.transfer import Record
from services.memory.ops.views import Compact, Whole
from services.memory.sessions import Session
from services.memory.store import Filters
from services.memory.tokens import decode, list_of
from services.memory.types import SUMMARY, Types


def scope(request: Any) -> Scope:
    return Scope(request.org, request.namespace, request.user_id)


def save_input(request: pb.SaveRequest | pb.SaveItem) -> SaveInput:
    return SaveInput(
        content=request.content,
        type=request.type,
        title=request.title,
        topic_key=optional(request, "topic_key"),
        observed_at=request.observed_at,
    )


def optional(message: Any, field: str) -> Any:
    """The field's value; None where it was not given."""
    return getattr(message, field) if message.HasField(field) else None


def saved(answer: Answer) -> dict[str, Any]:
    """The output fields of one save."""
    return {
        "id": answer.saved.id,
        "outcome": answer.saved.outcome,
        "session_id": answer.session_id,
        "topic_key": answer.saved.topic_key or None,
        "notice": answer.saved.notice,
        "similar": [
            pb.SimilarMemory(id=like.id, title=like.title, topic_key=like.topic_key or None, similarity=like.similarity)
            for like in answer.similar
        ],
    }


def save_item(item: pb.SaveItem, index: int, types: Types) -> Draft | LoomError:
    """One item of a batch, or why it cannot be saved."""
    path = f"items[{index}]."
    try:
        validator_for(pb.SaveItem)(item, path)
    except LoomError as error:
        return error
    try:
        return draft_of(save_input(item), types)
    except LoomError as error:
        return error.under(path)


def import_item(record: pb.MemoryRecord, index: int, types: Types) -> list[Draft] | LoomError:
    """The texts of one exported memory, or why it cannot be brought in."""
    path = f"records[{index}]."
    try:
        validator_for(pb.MemoryRecord)(record, path)
    except LoomError as error:
        return error
    drafts = []
    topic_key = optional(record, "topic_key")
    try:
        key = "" if topic_key is None else checked_key(topic_key)
    except LoomError as error:
        return error.under(path)
    for number, text in enumerate(record.revisions):
        try:
            drafts.append(imported_draft(text, types, key, record.evidence))
        except LoomError as error:
            return error.under(f"{path}revisions[{number}].")
    return drafts


def detail(error: LoomError, call: Call) -> error_pb2.ErrorDetail:
    return error_pb2.ErrorDetail(**error.detail(call.request_id))


def search_input(request: pb.SearchRequest, types: Types) -> SearchInput:
    """Raises INVALID_FIELD."""
    if request.types and request.types_exclude:
        raise invalid_field("types_exclude", "empty where types is given")
    return SearchInput(
        query=public_text("query", request.query),
        limit=request.limit,
        types=tuple(known_types("types", request.types, types)),
        types_exclude=tuple(known_types("types_exclude", request.types_exclude, types)),
        since=instant("since", request.since),
        until=instant("until", request.until),
        as_of=instant("as_of", request.as_of),
        min_score=score("min_score", request.min_score),
    )


def score(field: str, value: float) -> float:
    if not 0 <= value <= 1:
        raise invalid_field(field, "between 0 and 1")
    return value


def known_types(field: str, names: Iterable[str], types: Types) -> list[str]:
    """The kinds of a filter. Raises INVALID_FIELD: a slip would look like an empty memory."""
    found = list(names)
    for place, name in enumerate(found):
        if not types.may_be_asked_for(name):
            raise invalid_field(f"{field}[{place}]", f"{types.expected}, or {SUMMARY}")
    return found


def filters(request: pb.ListRequest, types: Types) -> Filters:
    """Raises INVALID_FIELD, also for a page token of another user's list or one with other filters."""
    since, until = instant("since", request.since), instant("until", request.until)
    kinds = known_types("types", request.types, types)
    listed = list_of("list", *scope(request), request.session_id, str(since), str(until), *sorted({*kinds}))
    return Filters(
        types=kinds,
        session_id=request.session_id,
        since=since,
        until=until,
        after=decode(request.page_token, listed),
        listed=listed,
    )


def compact(rows: Iterable[Compact]) -> list[pb.CompactMemory]:
    return [
        pb.CompactMemory(
            id=row.id,
            type=row.type,
            title=row.title,
            topic_key=row.topic_key or None,
            score=row.score,
            snippet=row.snippet,
            updated_at=format_instant(row.updated_at),
        )
        for row in rows
    ]


def memory(row: Whole) -> pb.Memory:
    return pb.Memory(
        id=row.id,
        session_id=row.session_id,
        user_id=row.user_id,
        type=row.type,
        title=row.title,
        content=row.content,
        topic_key=row.topic_key or None,
        revision_count=row.revision_count,
        created_at=format_instant(row.created_at),
        updated_at=format_instant(row.updated_at),
        source=row.source,
        evidence=row.evidence,
    )


def revision(number: int, row: Mapping[str, Any]) -> pb.Revision:
    return pb.Revision(
        revision=number,
        said_at=format_instant(row["said_at"]),
        **{name: row[name] for name in ("type", "title", "content", "session_id", "source")},
    )


def session_context(session: Session) -> pb.SessionContext:
    return pb.SessionContext(
        session_id=session.session_id,
        date=format_instant(session.ended_at or session.last_active_at),
        summary=session.summary,
        is_auto_generated=session.is_auto_generated,
    )


def record(found: Record) -> pb.MemoryRecord:
    return pb.MemoryRecord(
        id=found.id,
        topic_key=found.topic_key or None,
        evidence=found.evidence,
        revisions=[
            pb.RevisionRecord(
                said_at=format_instant(text["said_at"]),
                **{name: text[name] for name in ("type", "title", "content", "session_id")},
            )
            for text in found.texts
        ],
    )

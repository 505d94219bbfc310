"""The servicer of tracker.source.* and tracker.load: request to op, result to response."""

from dataclasses import dataclass
from typing import Any

from loom.tracker.v1 import source_pb2 as pb
from runtime.call import Call
from services.instants import format_instant
from services.tracker.ops.inspect import InspectSource
from services.tracker.ops.load import LoadRecord, Wish, rows_of
from services.tracker.ops.source_rules import Address, Wanted, port_of
from services.tracker.ops.sources import (
    AddSource,
    CheckSource,
    ListSources,
    RemapSource,
    RemoveSource,
    RotateSource,
    Seen,
)
from services.tracker.plain import plain
from services.tracker.service import caller


@dataclass(frozen=True, slots=True)
class SourceOps:
    """What the rpcs are served by."""

    inspect: InspectSource
    add: AddSource
    check: CheckSource
    remap: RemapSource
    rotate: RotateSource
    list: ListSources
    remove: RemoveSource
    load: LoadRecord


class SourceService:
    """Public rpcs; each is an op."""

    def __init__(self, ops: SourceOps) -> None:
        self._ops = ops

    async def InspectSource(self, request: pb.InspectSourceRequest, call: Call) -> pb.InspectSourceResponse:
        found = await self._ops.inspect.execute(request.org, address(request), caller(call))
        return pb.InspectSourceResponse(**plain(found))

    async def AddSource(self, request: pb.AddSourceRequest, call: Call) -> pb.AddSourceResponse:
        spaces = [Wanted(s.namespace, tuple(s.repos), s.restricted, s.join_policy) for s in request.namespaces]
        added, found = await self._ops.add.execute(
            request.org,
            request.name,
            address(request),
            spaces,
            given(request, "mapping"),
            request.dry_run,
            caller(call),
        )
        return pb.AddSourceResponse(added=added, verdict=plain(found))

    async def CheckSource(self, request: pb.CheckSourceRequest, call: Call) -> pb.CheckSourceResponse:
        found = await self._ops.check.execute(request.org, request.name, caller(call))
        return pb.CheckSourceResponse(verdict=plain(found))

    async def RemapSource(self, request: pb.RemapSourceRequest, call: Call) -> pb.RemapSourceResponse:
        changed, found = await self._ops.remap.execute(
            request.org, request.name, given(request, "mapping"), request.dry_run, caller(call)
        )
        return pb.RemapSourceResponse(changed=changed, verdict=plain(found))

    async def RotateSource(self, request: pb.RotateSourceRequest, call: Call) -> pb.RotateSourceResponse:
        changed, found = await self._ops.rotate.execute(
            request.org, request.name, request.user, request.password, caller(call)
        )
        return pb.RotateSourceResponse(changed=changed, verdict=plain(found))

    async def ListSources(self, request: pb.ListSourcesRequest, call: Call) -> pb.ListSourcesResponse:
        seen = await self._ops.list.execute(request.org, caller(call))
        return pb.ListSourcesResponse(sources=[source(each) for each in seen])

    async def RemoveSource(self, request: pb.RemoveSourceRequest, call: Call) -> pb.RemoveSourceResponse:
        return pb.RemoveSourceResponse(removed=await self._ops.remove.execute(request.org, request.name, caller(call)))

    async def LoadRecord(self, request: pb.LoadRecordRequest, call: Call) -> pb.LoadRecordResponse:
        wish = Wish(
            request.table,
            rows_of(given(request, "rows")),
            list(request.repos),
            request.load_id,
            request.finish,
            request.replace,
        )
        loaded = await self._ops.load.execute(request.org, request.namespace, wish, caller(call))
        return pb.LoadRecordResponse(**plain(loaded))


def address(request: Any) -> Address:
    """Where to log in; messages of two ops have these fields."""
    port = request.port if request.HasField("port") else None
    return Address(
        host=request.host,
        port=port_of(port, request.secure),
        secure=request.secure,
        database=request.database,
        user=request.user,
        password=request.password,
    )


def given(request: Any, field: str) -> str | None:
    """JSON text that may be left out; a JSON null is left out too."""
    text = getattr(request, field) if request.HasField(field) else ""
    return None if text.strip() in ("", "null") else text


def source(seen: Seen) -> pb.Source:
    row = seen.row
    spaces = [
        pb.SourceNamespace(namespace=each.namespace, repos=each.repos, restricted=each.restricted)
        for each in seen.namespaces
    ]
    return pb.Source(
        name=row.name,
        kind=row.kind,
        host=row.host,
        port=row.port,
        secure=row.secure,
        database=row.database,
        namespaces=spaces,
        mapped=bool(row.mapping),
        state=seen.state,
        added_by=row.added_by,
        added_at=format_instant(row.added_at),
        key_id=row.key_id,
    )

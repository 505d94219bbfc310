"""The servicer of code.repo.*: request to op, result to response."""

from dataclasses import dataclass

from loom.code.v1 import repo_pb2 as pb
from runtime.call import Call
from services.instants import format_instant
from services.tracker.ops.repos import AddBranch, AddRepo, ListRepos, SetAccess, SetSource, Shown
from services.tracker.service import caller


@dataclass(frozen=True, slots=True)
class RepoOps:
    """What the rpcs are served by."""

    add: AddRepo
    add_branch: AddBranch
    set_access: SetAccess
    list: ListRepos
    set_source: SetSource


class RepoService:
    """Public rpcs; each is an op."""

    def __init__(self, ops: RepoOps) -> None:
        self._ops = ops

    async def AddRepo(self, request: pb.AddRepoRequest, call: Call) -> pb.AddRepoResponse:
        made = await self._ops.add.execute(
            request.org,
            request.namespace,
            request.repo,
            request.branch,
            request.join_policy,
            request.restricted,
            caller(call),
        )
        return pb.AddRepoResponse(created=repo(made))

    async def AddBranch(self, request: pb.AddBranchRequest, call: Call) -> pb.AddBranchResponse:
        made = await self._ops.add_branch.execute(
            request.org, request.namespace, request.root, request.branch, caller(call)
        )
        return pb.AddBranchResponse(created=repo(made))

    async def SetAccess(self, request: pb.SetAccessRequest, call: Call) -> pb.SetAccessResponse:
        holds = await self._ops.set_access.execute(request.org, call.namespace, request.join_policy, caller(call))
        return pb.SetAccessResponse(join_policy=holds)

    async def ListRepos(self, request: pb.ListReposRequest, call: Call) -> pb.ListReposResponse:
        return pb.ListReposResponse(
            repos=[repo(each) for each in await self._ops.list.execute(request.org, caller(call))]
        )

    async def SetSource(self, request: pb.SetSourceRequest, call: Call) -> pb.SetSourceResponse:
        trackers, uncovered = await self._ops.set_source.execute(
            request.org, call.namespace, list(request.trackers), caller(call)
        )
        return pb.SetSourceResponse(trackers=trackers, not_covering=uncovered)


def repo(shown: Shown) -> pb.Repo:
    row = shown.row
    return pb.Repo(
        namespace=row.name,
        repo=row.repo,
        branch=row.branch,
        root=row.root,
        trackers=shown.trackers,
        linked_by=shown.linked_by,
        created_by=row.created_by,
        created_at=format_instant(row.created_at),
    )

"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

import builtins

from loom._generated import table
from loom._generated.models import code as code_models
from loom._op import AsyncSend, Send


class CodeRepo:
    """The ops `code.repo.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def add(
        self,
        *,
        namespace: str,
        repo: str,
        org: str | None = None,
        branch: str | None = None,
        join_policy: str | None = None,
        restricted: bool | None = None,
    ) -> code_models.AddRepoResponse:
        """Registers a repository as a code namespace; the caller becomes its first admin.

        Role: member. Writes; not idempotent.

        Args:
            namespace: The code namespace to make, such as `core-main`. Limit: 128 characters.
            repo: The repository, such as `Org/repo`. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            branch: Name of its default branch; empty means the repository as a whole. Limit: 256 characters.
            join_policy: How people join: `open` at once, `approval` by its admins. One of `open`, `approval`.
                Default `"open"`.
            restricted: True when access needs a token that names it and a direct grant too.

        Returns:
            The repository that was registered.
        """
        return self._send(
            table.CODE_REPO_ADD,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "branch": branch,
                "join_policy": join_policy,
                "restricted": restricted,
            },
        )

    def add_branch(
        self, *, namespace: str, root: str, branch: str, org: str | None = None
    ) -> code_models.AddBranchResponse:
        """Registers a branch of a repository as a code namespace of its own. It reads its root's trackers: live where
        the operator linked the root, else a copy of the links as they are now.

        Role: member. Writes; not idempotent.

        Args:
            namespace: The code namespace to make, such as `core-2.4`. Limit: 128 characters.
            root: Code namespace of the repository that it is a branch of, such as `core-main`. Limit: 128
                characters.
            branch: Name of the branch, such as `release/2.4`. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The branch that was registered.
        """
        return self._send(
            table.CODE_REPO_ADD_BRANCH, {"org": org, "namespace": namespace, "root": root, "branch": branch}
        )

    def list(self, *, org: str | None = None) -> code_models.ListReposResponse:
        """Lists the repositories that the caller can see, with their trackers.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The repositories.
        """
        return self._send(table.CODE_REPO_LIST, {"org": org})

    def set_access(
        self, *, join_policy: str, org: str | None = None, namespace: str | None = None
    ) -> code_models.SetAccessResponse:
        """Sets how people join a repository's namespace.

        Role: admin. Writes; idempotent.

        Args:
            join_policy: How people join: `open` at once, `approval` by its admins. One of `open`, `approval`.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.

        Returns:
            What holds now.
        """
        return self._send(table.CODE_REPO_SET_ACCESS, {"org": org, "namespace": namespace, "join_policy": join_policy})

    def set_source(
        self, *, org: str | None = None, namespace: str | None = None, trackers: builtins.list[str] | None = None
    ) -> code_models.SetSourceResponse:
        """Links trackers to a repository, in order; the first is the primary. Links are never guessed and never cross
        organisations.

        Role: admin. Writes; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            trackers: Tracker namespaces, such as `core-issues`, primary first; none unlinks all. Limit: 10 entries
                of 128 characters.

        Returns:
            What is linked now.
        """
        return self._send(table.CODE_REPO_SET_SOURCE, {"org": org, "namespace": namespace, "trackers": trackers})


class Code:
    """The ops `code.*`."""

    __slots__ = (
        "_send",
        "repo",
    )

    def __init__(self, send: Send) -> None:
        self._send = send
        self.repo = CodeRepo(send)

    def backport_gap(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        issue_number: int | None = None,
        pr_number: int | None = None,
        branches: list[str] | None = None,
    ) -> code_models.BackportGapResponse:
        """Says for each release branch whether it has the fix of an issue or a pull request: present, in flight,
        missing or not needed, with the evidence.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            issue_number: Number of the issue (below 2^53). From 1 to 9,007,199,254,740,991.
            pr_number: Number of the pull request that fixes it (below 2^53). From 1 to 9,007,199,254,740,991.
            branches: Release branches to look at, besides those that the record names. Limit: 50 entries of 256
                characters.

        Returns:
            Where the fix is.
        """
        return self._send(
            table.CODE_BACKPORT_GAP,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "issue_number": issue_number,
                "pr_number": pr_number,
                "branches": branches,
            },
        )

    def backport_gaps(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        pr_numbers: list[int] | None = None,
        days: int | None = None,
        branches: list[str] | None = None,
        limit: int | None = None,
    ) -> code_models.BackportGapsResponse:
        """The board of backports over many fixes: the ones that are named, or those that were merged lately.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            pr_numbers: Pull requests that fix something (each below 2^53), at most 50; empty means those merged
                lately that close an issue. From 1 to 9,007,199,254,740,991. Limit: 50 entries.
            days: Days back that fixes were merged, when no numbers are given. From 1 to 365. Default `30`.
            branches: Release branches to look at, besides those that the record names. Limit: 50 entries of 256
                characters.
            limit: Fixes to show, newest first. From 1 to 50. Default `20`.

        Returns:
            The board.
        """
        return self._send(
            table.CODE_BACKPORT_GAPS,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "pr_numbers": pr_numbers,
                "days": days,
                "branches": branches,
                "limit": limit,
            },
        )

    def bisect_candidates(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        issue_number: int | None = None,
        good: list[str] | None = None,
        bad: list[str] | None = None,
        text: str | None = None,
        frames: list[str] | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        component: str | None = None,
        top_k: int | None = None,
    ) -> code_models.BisectCandidatesResponse:
        """Ranks the pull requests that may have brought a defect in: those merged between a good and a bad state, by
        the frames, paths, symbols and words of the report. Ranking only: nothing is reproduced.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            issue_number: Number of the issue (below 2^53). From 1 to 9,007,199,254,740,991.
            good: Versions, commits or days (YYYY-MM-DD) that are known to be good, besides those of the issue.
                Limit: 20 entries of 128 characters.
            bad: Versions, commits or days that are known to be bad, besides those of the issue. Limit: 20 entries of
                128 characters.
            text: The report in words, such as an error message; goes before the issue's own. Limit: 20,000
                characters.
            frames: Stack frames, top first. Limit: 100 entries of 1,024 characters.
            paths: Paths of files that are suspected, or directories. Limit: 50 entries of 1,024 characters.
            symbols: Names in code that are suspected. Limit: 50 entries of 1,024 characters.
            component: Component; empty means the issue's. Limit: 256 characters.
            top_k: Candidates to return. From 1 to 50. Default `10`.

        Returns:
            The ranking.
        """
        return self._send(
            table.CODE_BISECT_CANDIDATES,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "issue_number": issue_number,
                "good": good,
                "bad": bad,
                "text": text,
                "frames": frames,
                "paths": paths,
                "symbols": symbols,
                "component": component,
                "top_k": top_k,
            },
        )

    def context_pack(
        self,
        *,
        issue_number: int,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        max_chars: int | None = None,
    ) -> code_models.ContextPackResponse:
        """Bundles what an agent needs to start on an issue: the item and its graph, links, signals of its tests,
        backports and the bisect window, as text within a budget of characters; what was left out is named.

        Role: viewer. Reads; idempotent.

        Args:
            issue_number: Number of the issue (below 2^53). From 1 to 9,007,199,254,740,991.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            max_chars: Characters of `pack` at most. From 1,000 to 100,000. Default `12000`.

        Returns:
            The bundle.
        """
        return self._send(
            table.CODE_CONTEXT_PACK,
            {"org": org, "namespace": namespace, "repo": repo, "issue_number": issue_number, "max_chars": max_chars},
        )

    def first_build(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        pr_number: int | None = None,
        sha: str | None = None,
    ) -> code_models.FirstBuildResponse:
        """Says which build and which release of each branch is the first that contains a pull request or a commit.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            pr_number: Number of the pull request (below 2^53). From 1 to 9,007,199,254,740,991.
            sha: Commit, 7 to 40 hexadecimal digits. Limit: 40 characters.

        Returns:
            Where it is in.
        """
        return self._send(
            table.CODE_FIRST_BUILD,
            {"org": org, "namespace": namespace, "repo": repo, "pr_number": pr_number, "sha": sha},
        )

    def history(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        days: int | None = None,
        limit: int | None = None,
    ) -> code_models.HistoryResponse:
        """Lists pull requests and issues that touched paths or symbols, newest first.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            paths: Paths of files or directories; the end of a path is enough. Limit: 20 entries of 1,024 characters.
            symbols: Names in code, such as `Cache::insert`. Limit: 20 entries of 256 characters.
            days: Days back. From 1 to 3,650. Default `365`.
            limit: Entries to return. From 1 to 100. Default `20`.

        Returns:
            What touched them.
        """
        return self._send(
            table.CODE_HISTORY,
            {"org": org, "namespace": namespace, "paths": paths, "symbols": symbols, "days": days, "limit": limit},
        )

    def pr_check(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        title: str | None = None,
        body: str | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        frames: list[str] | None = None,
        component: str | None = None,
        issue_numbers: list[int] | None = None,
        days: int | None = None,
        top_k: int | None = None,
    ) -> code_models.PrCheckResponse:
        """Says whether an open or merged pull request already addresses what a draft is about.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            title: Title of the draft. Limit: 1,000 characters.
            body: Text of the draft. Limit: 60,000 characters.
            paths: Paths that the draft touches or is about. Limit: 50 entries of 1,024 characters.
            symbols: Names in code that it is about. Limit: 50 entries of 256 characters.
            frames: Stack frames, top first. Limit: 100 entries of 1,024 characters.
            component: Component; empty when unknown. Limit: 256 characters.
            issue_numbers: Issues that the draft is about (each below 2^53). From 1 to 9,007,199,254,740,991. Limit:
                20 entries.
            days: Days back that merged pull requests are looked at; open ones always are. From 1 to 3,650. Default
                `180`.
            top_k: Pull requests to return. From 1 to 50. Default `10`.

        Returns:
            Pull requests that are about the same.
        """
        return self._send(
            table.CODE_PR_CHECK,
            {
                "org": org,
                "namespace": namespace,
                "title": title,
                "body": body,
                "paths": paths,
                "symbols": symbols,
                "frames": frames,
                "component": component,
                "issue_numbers": issue_numbers,
                "days": days,
                "top_k": top_k,
            },
        )


class AsyncCodeRepo:
    """The ops `code.repo.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def add(
        self,
        *,
        namespace: str,
        repo: str,
        org: str | None = None,
        branch: str | None = None,
        join_policy: str | None = None,
        restricted: bool | None = None,
    ) -> code_models.AddRepoResponse:
        """Registers a repository as a code namespace; the caller becomes its first admin.

        Role: member. Writes; not idempotent.

        Args:
            namespace: The code namespace to make, such as `core-main`. Limit: 128 characters.
            repo: The repository, such as `Org/repo`. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            branch: Name of its default branch; empty means the repository as a whole. Limit: 256 characters.
            join_policy: How people join: `open` at once, `approval` by its admins. One of `open`, `approval`.
                Default `"open"`.
            restricted: True when access needs a token that names it and a direct grant too.

        Returns:
            The repository that was registered.
        """
        return await self._send(
            table.CODE_REPO_ADD,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "branch": branch,
                "join_policy": join_policy,
                "restricted": restricted,
            },
        )

    async def add_branch(
        self, *, namespace: str, root: str, branch: str, org: str | None = None
    ) -> code_models.AddBranchResponse:
        """Registers a branch of a repository as a code namespace of its own. It reads its root's trackers: live where
        the operator linked the root, else a copy of the links as they are now.

        Role: member. Writes; not idempotent.

        Args:
            namespace: The code namespace to make, such as `core-2.4`. Limit: 128 characters.
            root: Code namespace of the repository that it is a branch of, such as `core-main`. Limit: 128
                characters.
            branch: Name of the branch, such as `release/2.4`. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The branch that was registered.
        """
        return await self._send(
            table.CODE_REPO_ADD_BRANCH, {"org": org, "namespace": namespace, "root": root, "branch": branch}
        )

    async def list(self, *, org: str | None = None) -> code_models.ListReposResponse:
        """Lists the repositories that the caller can see, with their trackers.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The repositories.
        """
        return await self._send(table.CODE_REPO_LIST, {"org": org})

    async def set_access(
        self, *, join_policy: str, org: str | None = None, namespace: str | None = None
    ) -> code_models.SetAccessResponse:
        """Sets how people join a repository's namespace.

        Role: admin. Writes; idempotent.

        Args:
            join_policy: How people join: `open` at once, `approval` by its admins. One of `open`, `approval`.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.

        Returns:
            What holds now.
        """
        return await self._send(
            table.CODE_REPO_SET_ACCESS, {"org": org, "namespace": namespace, "join_policy": join_policy}
        )

    async def set_source(
        self, *, org: str | None = None, namespace: str | None = None, trackers: builtins.list[str] | None = None
    ) -> code_models.SetSourceResponse:
        """Links trackers to a repository, in order; the first is the primary. Links are never guessed and never cross
        organisations.

        Role: admin. Writes; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            trackers: Tracker namespaces, such as `core-issues`, primary first; none unlinks all. Limit: 10 entries
                of 128 characters.

        Returns:
            What is linked now.
        """
        return await self._send(table.CODE_REPO_SET_SOURCE, {"org": org, "namespace": namespace, "trackers": trackers})


class AsyncCode:
    """The ops `code.*`."""

    __slots__ = (
        "_send",
        "repo",
    )

    def __init__(self, send: AsyncSend) -> None:
        self._send = send
        self.repo = AsyncCodeRepo(send)

    async def backport_gap(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        issue_number: int | None = None,
        pr_number: int | None = None,
        branches: list[str] | None = None,
    ) -> code_models.BackportGapResponse:
        """Says for each release branch whether it has the fix of an issue or a pull request: present, in flight,
        missing or not needed, with the evidence.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            issue_number: Number of the issue (below 2^53). From 1 to 9,007,199,254,740,991.
            pr_number: Number of the pull request that fixes it (below 2^53). From 1 to 9,007,199,254,740,991.
            branches: Release branches to look at, besides those that the record names. Limit: 50 entries of 256
                characters.

        Returns:
            Where the fix is.
        """
        return await self._send(
            table.CODE_BACKPORT_GAP,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "issue_number": issue_number,
                "pr_number": pr_number,
                "branches": branches,
            },
        )

    async def backport_gaps(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        pr_numbers: list[int] | None = None,
        days: int | None = None,
        branches: list[str] | None = None,
        limit: int | None = None,
    ) -> code_models.BackportGapsResponse:
        """The board of backports over many fixes: the ones that are named, or those that were merged lately.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            pr_numbers: Pull requests that fix something (each below 2^53), at most 50; empty means those merged
                lately that close an issue. From 1 to 9,007,199,254,740,991. Limit: 50 entries.
            days: Days back that fixes were merged, when no numbers are given. From 1 to 365. Default `30`.
            branches: Release branches to look at, besides those that the record names. Limit: 50 entries of 256
                characters.
            limit: Fixes to show, newest first. From 1 to 50. Default `20`.

        Returns:
            The board.
        """
        return await self._send(
            table.CODE_BACKPORT_GAPS,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "pr_numbers": pr_numbers,
                "days": days,
                "branches": branches,
                "limit": limit,
            },
        )

    async def bisect_candidates(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        issue_number: int | None = None,
        good: list[str] | None = None,
        bad: list[str] | None = None,
        text: str | None = None,
        frames: list[str] | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        component: str | None = None,
        top_k: int | None = None,
    ) -> code_models.BisectCandidatesResponse:
        """Ranks the pull requests that may have brought a defect in: those merged between a good and a bad state, by
        the frames, paths, symbols and words of the report. Ranking only: nothing is reproduced.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            issue_number: Number of the issue (below 2^53). From 1 to 9,007,199,254,740,991.
            good: Versions, commits or days (YYYY-MM-DD) that are known to be good, besides those of the issue.
                Limit: 20 entries of 128 characters.
            bad: Versions, commits or days that are known to be bad, besides those of the issue. Limit: 20 entries of
                128 characters.
            text: The report in words, such as an error message; goes before the issue's own. Limit: 20,000
                characters.
            frames: Stack frames, top first. Limit: 100 entries of 1,024 characters.
            paths: Paths of files that are suspected, or directories. Limit: 50 entries of 1,024 characters.
            symbols: Names in code that are suspected. Limit: 50 entries of 1,024 characters.
            component: Component; empty means the issue's. Limit: 256 characters.
            top_k: Candidates to return. From 1 to 50. Default `10`.

        Returns:
            The ranking.
        """
        return await self._send(
            table.CODE_BISECT_CANDIDATES,
            {
                "org": org,
                "namespace": namespace,
                "repo": repo,
                "issue_number": issue_number,
                "good": good,
                "bad": bad,
                "text": text,
                "frames": frames,
                "paths": paths,
                "symbols": symbols,
                "component": component,
                "top_k": top_k,
            },
        )

    async def context_pack(
        self,
        *,
        issue_number: int,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        max_chars: int | None = None,
    ) -> code_models.ContextPackResponse:
        """Bundles what an agent needs to start on an issue: the item and its graph, links, signals of its tests,
        backports and the bisect window, as text within a budget of characters; what was left out is named.

        Role: viewer. Reads; idempotent.

        Args:
            issue_number: Number of the issue (below 2^53). From 1 to 9,007,199,254,740,991.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            max_chars: Characters of `pack` at most. From 1,000 to 100,000. Default `12000`.

        Returns:
            The bundle.
        """
        return await self._send(
            table.CODE_CONTEXT_PACK,
            {"org": org, "namespace": namespace, "repo": repo, "issue_number": issue_number, "max_chars": max_chars},
        )

    async def first_build(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        repo: str | None = None,
        pr_number: int | None = None,
        sha: str | None = None,
    ) -> code_models.FirstBuildResponse:
        """Says which build and which release of each branch is the first that contains a pull request or a commit.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, such as `acme/app`, where the tracker covers several; empty means any of them. Limit:
                256 characters.
            pr_number: Number of the pull request (below 2^53). From 1 to 9,007,199,254,740,991.
            sha: Commit, 7 to 40 hexadecimal digits. Limit: 40 characters.

        Returns:
            Where it is in.
        """
        return await self._send(
            table.CODE_FIRST_BUILD,
            {"org": org, "namespace": namespace, "repo": repo, "pr_number": pr_number, "sha": sha},
        )

    async def history(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        days: int | None = None,
        limit: int | None = None,
    ) -> code_models.HistoryResponse:
        """Lists pull requests and issues that touched paths or symbols, newest first.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            paths: Paths of files or directories; the end of a path is enough. Limit: 20 entries of 1,024 characters.
            symbols: Names in code, such as `Cache::insert`. Limit: 20 entries of 256 characters.
            days: Days back. From 1 to 3,650. Default `365`.
            limit: Entries to return. From 1 to 100. Default `20`.

        Returns:
            What touched them.
        """
        return await self._send(
            table.CODE_HISTORY,
            {"org": org, "namespace": namespace, "paths": paths, "symbols": symbols, "days": days, "limit": limit},
        )

    async def pr_check(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        title: str | None = None,
        body: str | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        frames: list[str] | None = None,
        component: str | None = None,
        issue_numbers: list[int] | None = None,
        days: int | None = None,
        top_k: int | None = None,
    ) -> code_models.PrCheckResponse:
        """Says whether an open or merged pull request already addresses what a draft is about.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Code or tracker namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            title: Title of the draft. Limit: 1,000 characters.
            body: Text of the draft. Limit: 60,000 characters.
            paths: Paths that the draft touches or is about. Limit: 50 entries of 1,024 characters.
            symbols: Names in code that it is about. Limit: 50 entries of 256 characters.
            frames: Stack frames, top first. Limit: 100 entries of 1,024 characters.
            component: Component; empty when unknown. Limit: 256 characters.
            issue_numbers: Issues that the draft is about (each below 2^53). From 1 to 9,007,199,254,740,991. Limit:
                20 entries.
            days: Days back that merged pull requests are looked at; open ones always are. From 1 to 3,650. Default
                `180`.
            top_k: Pull requests to return. From 1 to 50. Default `10`.

        Returns:
            Pull requests that are about the same.
        """
        return await self._send(
            table.CODE_PR_CHECK,
            {
                "org": org,
                "namespace": namespace,
                "title": title,
                "body": body,
                "paths": paths,
                "symbols": symbols,
                "frames": frames,
                "component": component,
                "issue_numbers": issue_numbers,
                "days": days,
                "top_k": top_k,
            },
        )

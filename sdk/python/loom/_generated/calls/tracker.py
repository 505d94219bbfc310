"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

import builtins
from collections.abc import Mapping

from loom._generated import table
from loom._generated.models import tracker as tracker_models
from loom._op import AsyncSend, JsonValue, Send


class TrackerSource:
    """The ops `tracker.source.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def add(
        self,
        *,
        name: str,
        host: str,
        user: str,
        namespaces: builtins.list[tracker_models.SourceNamespaceInput],
        org: str | None = None,
        port: int | None = None,
        secure: bool | None = None,
        database: str | None = None,
        password: str | None = None,
        mapping: Mapping[str, JsonValue] | None = None,
        dry_run: bool | None = None,
    ) -> tracker_models.AddSourceResponse:
        """Registers a ClickHouse as a source of tracker namespaces, after checking it against the record contract; the
        caller becomes the first admin of those namespaces. With `dry_run` it only says what it found, with a draft
        view per table that fails.

        Role: member. Writes; not idempotent.

        Args:
            name: Name of the source within the organisation, such as `core`. Limit: 128 characters.
            host: Host name or address, such as `clickhouse.example.com`. Limit: 255 characters.
            user: User of a read-only login, such as `loom_reader`. Limit: 256 characters.
            namespaces: Tracker namespaces that read the source, each with its repositories. Limit: 20 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            port: Port of the HTTP interface; null means 8443 where `secure`, else 8123. From 1 to 65,535.
            secure: True to speak TLS. Default `true`.
            database: Database; empty means the login's own. Limit: 256 characters.
            password: Its password. It is stored encrypted, and never logged, traced or returned. Limit: 1,024
                characters.
            mapping: Mapping of the source's tables onto the contract; null means that its names are the contract's,
                or aliases of them. Limit: 200,000 characters.
            dry_run: True to check and store nothing.

        Returns:
            What was found, and whether it was stored.
        """
        return self._send(
            table.TRACKER_SOURCE_ADD,
            {
                "org": org,
                "name": name,
                "host": host,
                "port": port,
                "secure": secure,
                "database": database,
                "user": user,
                "password": password,
                "namespaces": namespaces,
                "mapping": mapping,
                "dry_run": dry_run,
            },
        )

    def check(self, *, name: str, org: str | None = None) -> tracker_models.CheckSourceResponse:
        """Checks a source again: reachable, really read-only, contract, features, row counts, clock skew and latency.

        Role: member. Reads; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was found.
        """
        return self._send(table.TRACKER_SOURCE_CHECK, {"org": org, "name": name})

    def inspect(
        self,
        *,
        host: str,
        user: str,
        org: str | None = None,
        port: int | None = None,
        secure: bool | None = None,
        database: str | None = None,
        password: str | None = None,
    ) -> tracker_models.InspectSourceResponse:
        """Looks at a ClickHouse: databases, tables, columns and row counts, and proposes a mapping onto the record
        contract with a confidence per column. Stores nothing.

        Role: member. Reads; idempotent.

        Args:
            host: Host name or address, such as `clickhouse.example.com`. Limit: 255 characters.
            user: User of a read-only login, such as `loom_reader`. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            port: Port of the HTTP interface; null means 8443 where `secure`, else 8123. From 1 to 65,535.
            secure: True to speak TLS. Default `true`.
            database: Database to look at first; empty means the login's own. Limit: 256 characters.
            password: Its password. It is used for this call and not kept. Limit: 1,024 characters.

        Returns:
            What is there.
        """
        return self._send(
            table.TRACKER_SOURCE_INSPECT,
            {
                "org": org,
                "host": host,
                "port": port,
                "secure": secure,
                "database": database,
                "user": user,
                "password": password,
            },
        )

    def list(self, *, org: str | None = None) -> tracker_models.ListSourcesResponse:
        """Lists the sources whose namespaces the caller can see, without credentials.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The sources.
        """
        return self._send(table.TRACKER_SOURCE_LIST, {"org": org})

    def remap(
        self,
        *,
        name: str,
        org: str | None = None,
        mapping: Mapping[str, JsonValue] | None = None,
        dry_run: bool | None = None,
    ) -> tracker_models.RemapSourceResponse:
        """Gives a source another mapping, once it was checked.

        Role: member. Writes; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            mapping: Mapping of the source's tables onto the contract; null means that its names are the contract's,
                or aliases of them. Limit: 200,000 characters.
            dry_run: True to check and store nothing.

        Returns:
            What was found with it.
        """
        return self._send(
            table.TRACKER_SOURCE_REMAP, {"org": org, "name": name, "mapping": mapping, "dry_run": dry_run}
        )

    def remove(self, *, name: str, org: str | None = None) -> tracker_models.RemoveSourceResponse:
        """Removes a source: its credentials and everything derived from it are erased. Its namespaces stay, unbound.

        Role: member. Writes; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was removed.
        """
        return self._send(table.TRACKER_SOURCE_REMOVE, {"org": org, "name": name})

    def rotate(
        self, *, name: str, org: str | None = None, user: str | None = None, password: str | None = None
    ) -> tracker_models.RotateSourceResponse:
        """Gives a source other credentials, once they were checked.

        Role: member. Writes; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            user: User of a read-only login; empty means the same as before. Limit: 256 characters.
            password: Its password. Limit: 1,024 characters.

        Returns:
            What was found with them.
        """
        return self._send(table.TRACKER_SOURCE_ROTATE, {"org": org, "name": name, "user": user, "password": password})


class Tracker:
    """The ops `tracker.*`."""

    __slots__ = (
        "_send",
        "source",
    )

    def __init__(self, send: Send) -> None:
        self._send = send
        self.source = TrackerSource(send)

    def answer(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        question: str | None = None,
        anchors: tracker_models.AnchorsInput | None = None,
        explain_only: bool | None = None,
        limit: int | None = None,
    ) -> tracker_models.AnswerResponse:
        """Answers a question in words by named templates that its anchors and intent pick, with citations, and says
        what was searched. With `explain_only` it returns the plan and reads nothing.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            question: The question in words, such as `Which PR fixed #42?`. Limit: 4,000 characters.
            anchors: Things that the question is about, beside those that its words name.
            explain_only: True to return the plan alone, with the shape of the SQL, and to read nothing.
            limit: Most items per template. From 1 to 50. Default `10`.

        Returns:
            The answer.
        """
        return self._send(
            table.TRACKER_ANSWER,
            {
                "org": org,
                "namespace": namespace,
                "question": question,
                "anchors": anchors,
                "explain_only": explain_only,
                "limit": limit,
            },
        )

    def binding(self, *, org: str | None = None, namespace: str | None = None) -> tracker_models.BindingResponse:
        """Says what a namespace resolves to: its trackers, primary first, and the templates of tracker.answer that the
        caller may run. Unbound, refused and no tracker answer alike.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.

        Returns:
            What it resolves to.
        """
        return self._send(table.TRACKER_BINDING, {"org": org, "namespace": namespace})

    def component(
        self, *, component: str, org: str | None = None, namespace: str | None = None, limit: int | None = None
    ) -> tracker_models.ComponentResponse:
        """Reads a component: its risk snapshot, its open issues, most severe first, and recent incidents.

        Role: viewer. Reads; idempotent.

        Args:
            component: The component, such as `storage`; its case does not matter. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            limit: Most issues and most incidents to return. From 1 to 50. Default `10`.

        Returns:
            The component.
        """
        return self._send(
            table.TRACKER_COMPONENT, {"org": org, "namespace": namespace, "component": component, "limit": limit}
        )

    def contract(self, *, org: str | None = None) -> tracker_models.ContractResponse:
        """Returns the record contract: tables, columns, types, aliases, features, and a view template per table. Needs
        no source.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The record contract.
        """
        return self._send(table.TRACKER_CONTRACT, {"org": org})

    def duplicate_check(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        title: str | None = None,
        body: str | None = None,
        frames: list[str] | None = None,
        component: str | None = None,
        version: str | None = None,
        mentions: list[str] | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        issue_number: int | None = None,
        top_k: int | None = None,
        as_of: str | None = None,
        related_prs: bool | None = None,
        rerank: bool | None = None,
        namespaces: list[str] | None = None,
        repo: str | None = None,
    ) -> tracker_models.DuplicateCheckResponse:
        """Says whether a draft of a report exists already, and how far to trust the answer: `duplicate_of`, `related`
        or `none`.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            title: Title of the draft. Limit: 2,000 characters.
            body: Text of the draft. Limit: 200,000 characters.
            frames: Stack frames of the draft, innermost first; those that its text holds are found by themselves.
                Limit: 200 entries of 1,024 characters.
            component: Component that the draft is about. Limit: 256 characters.
            version: Version that the draft is about. Limit: 128 characters.
            mentions: Items that the draft names, such as `#12` or `Org/repo#12`; those in its text are found by
                themselves. Limit: 50 entries of 300 characters.
            paths: Paths of files that the draft is about. Limit: 50 entries of 1,024 characters.
            symbols: Names of functions or classes that the draft is about. Limit: 50 entries of 256 characters.
            issue_number: An issue of the record (below 2^53) to check in place of a draft; fields that are given too
                replace its own. From 1 to 9,007,199,254,740,991.
            top_k: Most items to return. From 1 to 50. Default `5`.
            as_of: Instant, RFC 3339: the record is read as it was then. Empty means now, or when `issue_number` was
                filed. Limit: 64 characters.
            related_prs: False to leave out pull requests that may be about the draft. Default `true`.
            rerank: True to let a language model order `nearest`, where one is configured.
            namespaces: Linked tracker namespaces to read, at most four, of which the first linked one has
                `issue_number`; each must be linked. None means all that are linked, up to four. Limit: 10 entries of
                128 characters.
            repo: Repository, `Org/repo`, of `issue_number` and of bare numbers, where the namespace covers several.
                Limit: 256 characters.

        Returns:
            Whether the draft exists already.
        """
        return self._send(
            table.TRACKER_DUPLICATE_CHECK,
            {
                "org": org,
                "namespace": namespace,
                "title": title,
                "body": body,
                "frames": frames,
                "component": component,
                "version": version,
                "mentions": mentions,
                "paths": paths,
                "symbols": symbols,
                "issue_number": issue_number,
                "top_k": top_k,
                "as_of": as_of,
                "related_prs": related_prs,
                "rerank": rerank,
                "namespaces": namespaces,
                "repo": repo,
            },
        )

    def flaky(
        self,
        *,
        test_name: str,
        org: str | None = None,
        namespace: str | None = None,
        include_signal: bool | None = None,
    ) -> tracker_models.FlakyResponse:
        """Says whether a test is known as flaky by an issue that names it.

        Role: viewer. Reads; idempotent.

        Args:
            test_name: The test's name as CI reports it, such as `tests/test_merge.py::test_order`. Limit: 1,024
                characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            include_signal: True to also judge its CI runs of the last 30 days; empty means false.

        Returns:
            What issues say of it.
        """
        return self._send(
            table.TRACKER_FLAKY,
            {"org": org, "namespace": namespace, "test_name": test_name, "include_signal": include_signal},
        )

    def item(
        self, *, numbers: list[int], org: str | None = None, namespace: str | None = None, repo: str | None = None
    ) -> tracker_models.ItemResponse:
        """Reads the record of issues and pull requests by number: component, severity, state, tests, affected branches,
        the CI of their pull requests, backports, and the graph of fixes and causes two steps around them.

        Role: viewer. Reads; idempotent.

        Args:
            numbers: Numbers of issues or pull requests (each below 2^53), 1 to 10. From 1 to 9,007,199,254,740,991.
                Limit: 10 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, `Org/repo`, where the namespace covers several; empty means any of them. Limit: 256
                characters.

        Returns:
            The record of each.
        """
        return self._send(table.TRACKER_ITEM, {"org": org, "namespace": namespace, "numbers": numbers, "repo": repo})

    def links(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        issue_number: int | None = None,
        pr_number: int | None = None,
        repo: str | None = None,
    ) -> tracker_models.LinksResponse:
        """Links between an issue and pull requests: those that the tracker has in writing first, then recovered ones
        with score and evidence.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            issue_number: Number of an issue (below 2^53). From 1 to 9,007,199,254,740,991.
            pr_number: Number of a pull request (below 2^53). From 1 to 9,007,199,254,740,991.
            repo: Repository, `Org/repo`, where the namespace covers several; empty means any of them. Limit: 256
                characters.

        Returns:
            The links.
        """
        return self._send(
            table.TRACKER_LINKS,
            {"org": org, "namespace": namespace, "issue_number": issue_number, "pr_number": pr_number, "repo": repo},
        )

    def load(
        self,
        *,
        namespace: str,
        org: str | None = None,
        table: str | None = None,
        rows: JsonValue = None,
        repos: list[str] | None = None,
        load_id: str | None = None,
        finish: bool | None = None,
        replace: bool | None = None,
    ) -> tracker_models.LoadRecordResponse:
        """Puts rows into the local record of a tracker namespace, a database beside Loom's own. Calls with one
        `load_id` are one load: nothing of it is seen before the call that has `finish`, which shows all of it. A
        call without is a load by itself. Of two rows of one item the one updated later stays, so that loading twice
        adds nothing. For single-user mode and admins of the organisation; what `loom tracker load` calls.

        Role: member. Writes; idempotent.

        Args:
            namespace: Tracker namespace, such as `core-issues`; made on the first call, with the caller as its
                admin. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            table: Contract table of the rows; empty where there are none. Limit: 64 characters.
            rows: Rows, a JSON array of objects whose keys are the contract's columns or aliases of them. At most
                20,000.
            repos: Repositories that the namespace covers once the load is shown, beside those that it covers
                already, `Org/repo` each. A new record needs one at least, by the call that shows it. Limit: 100
                entries of 256 characters.
            load_id: Name of a load of several calls, chosen by the caller; empty means that the call is a load by
                itself. A load that nothing was added to for an hour is given up. Limit: 128 characters.
            finish: True to show what the load has brought, the rows of this call among it, and to end the load.
            replace: True for a record that is this load alone: rows, tables and repositories from before are gone
                once it is shown.

        Returns:
            What was stored.
        """
        return self._send(
            table.TRACKER_LOAD,
            {
                "org": org,
                "namespace": namespace,
                "table": table,
                "rows": rows,
                "repos": repos,
                "load_id": load_id,
                "finish": finish,
                "replace": replace,
            },
        )

    def release(
        self, *, version: str, org: str | None = None, namespace: str | None = None
    ) -> tracker_models.ReleaseResponse:
        """Says whether a release can ship: blockers with their status, the latest health snapshot, what is missing, and
        fixes that wait for a backport.

        Role: viewer. Reads; idempotent.

        Args:
            version: Version, such as `2.4.0`; a leading `v` does not matter. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.

        Returns:
            Whether it can ship.
        """
        return self._send(table.TRACKER_RELEASE, {"org": org, "namespace": namespace, "version": version})

    def similar(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        text: str | None = None,
        issue_number: int | None = None,
        frames: list[str] | None = None,
        top_k: int | None = None,
        kinds: list[str] | None = None,
        repo: str | None = None,
    ) -> tracker_models.SimilarResponse:
        """Finds the issues and pull requests that are most like a text, an issue or stack frames, with the legs that
        found each.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            text: A text, such as a title and a description. Limit: 100,000 characters.
            issue_number: An issue of the record (below 2^53), whose title and text are looked for, among older and
                younger ones. From 1 to 9,007,199,254,740,991.
            frames: Stack frames, innermost first. Limit: 200 entries of 1,024 characters.
            top_k: Most items to return. From 1 to 50. Default `10`.
            kinds: Kinds of items, `issue` and `pr`; none means both. One of `issue`, `pr`. Limit: 2 entries.
            repo: Repository, `Org/repo`, of `issue_number`, where the namespace covers several; empty means any of
                them. Limit: 256 characters.

        Returns:
            What is like it.
        """
        return self._send(
            table.TRACKER_SIMILAR,
            {
                "org": org,
                "namespace": namespace,
                "text": text,
                "issue_number": issue_number,
                "frames": frames,
                "top_k": top_k,
                "kinds": kinds,
                "repo": repo,
            },
        )

    def test_signal(
        self,
        *,
        test_name: str,
        org: str | None = None,
        namespace: str | None = None,
        window_days: int | None = None,
        pr_number: int | None = None,
        branch: str | None = None,
    ) -> tracker_models.TestSignalResponse:
        """Says what the CI runs of a test tell: flaky, broken by a commit, the infrastructure's fault, or nothing, with
        the evidence. Silence is never a clean bill.

        Role: viewer. Reads; idempotent.

        Args:
            test_name: The test's name, as CI reports it. Limit: 1,024 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            window_days: Days back that runs are looked at. From 1 to 90. Default `30`.
            pr_number: Pull request (below 2^53) at whose head the test failed: its runs there are weighed against
                all others. From 1 to 9,007,199,254,740,991.
            branch: Branch to narrow to: runs on it, and of pull requests that go into it; empty means every branch.
                Limit: 256 characters.

        Returns:
            The verdict and what it rests on.
        """
        return self._send(
            table.TRACKER_TEST_SIGNAL,
            {
                "org": org,
                "namespace": namespace,
                "test_name": test_name,
                "window_days": window_days,
                "pr_number": pr_number,
                "branch": branch,
            },
        )


class AsyncTrackerSource:
    """The ops `tracker.source.*`."""

    __slots__ = ("_send",)

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def add(
        self,
        *,
        name: str,
        host: str,
        user: str,
        namespaces: builtins.list[tracker_models.SourceNamespaceInput],
        org: str | None = None,
        port: int | None = None,
        secure: bool | None = None,
        database: str | None = None,
        password: str | None = None,
        mapping: Mapping[str, JsonValue] | None = None,
        dry_run: bool | None = None,
    ) -> tracker_models.AddSourceResponse:
        """Registers a ClickHouse as a source of tracker namespaces, after checking it against the record contract; the
        caller becomes the first admin of those namespaces. With `dry_run` it only says what it found, with a draft
        view per table that fails.

        Role: member. Writes; not idempotent.

        Args:
            name: Name of the source within the organisation, such as `core`. Limit: 128 characters.
            host: Host name or address, such as `clickhouse.example.com`. Limit: 255 characters.
            user: User of a read-only login, such as `loom_reader`. Limit: 256 characters.
            namespaces: Tracker namespaces that read the source, each with its repositories. Limit: 20 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            port: Port of the HTTP interface; null means 8443 where `secure`, else 8123. From 1 to 65,535.
            secure: True to speak TLS. Default `true`.
            database: Database; empty means the login's own. Limit: 256 characters.
            password: Its password. It is stored encrypted, and never logged, traced or returned. Limit: 1,024
                characters.
            mapping: Mapping of the source's tables onto the contract; null means that its names are the contract's,
                or aliases of them. Limit: 200,000 characters.
            dry_run: True to check and store nothing.

        Returns:
            What was found, and whether it was stored.
        """
        return await self._send(
            table.TRACKER_SOURCE_ADD,
            {
                "org": org,
                "name": name,
                "host": host,
                "port": port,
                "secure": secure,
                "database": database,
                "user": user,
                "password": password,
                "namespaces": namespaces,
                "mapping": mapping,
                "dry_run": dry_run,
            },
        )

    async def check(self, *, name: str, org: str | None = None) -> tracker_models.CheckSourceResponse:
        """Checks a source again: reachable, really read-only, contract, features, row counts, clock skew and latency.

        Role: member. Reads; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was found.
        """
        return await self._send(table.TRACKER_SOURCE_CHECK, {"org": org, "name": name})

    async def inspect(
        self,
        *,
        host: str,
        user: str,
        org: str | None = None,
        port: int | None = None,
        secure: bool | None = None,
        database: str | None = None,
        password: str | None = None,
    ) -> tracker_models.InspectSourceResponse:
        """Looks at a ClickHouse: databases, tables, columns and row counts, and proposes a mapping onto the record
        contract with a confidence per column. Stores nothing.

        Role: member. Reads; idempotent.

        Args:
            host: Host name or address, such as `clickhouse.example.com`. Limit: 255 characters.
            user: User of a read-only login, such as `loom_reader`. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            port: Port of the HTTP interface; null means 8443 where `secure`, else 8123. From 1 to 65,535.
            secure: True to speak TLS. Default `true`.
            database: Database to look at first; empty means the login's own. Limit: 256 characters.
            password: Its password. It is used for this call and not kept. Limit: 1,024 characters.

        Returns:
            What is there.
        """
        return await self._send(
            table.TRACKER_SOURCE_INSPECT,
            {
                "org": org,
                "host": host,
                "port": port,
                "secure": secure,
                "database": database,
                "user": user,
                "password": password,
            },
        )

    async def list(self, *, org: str | None = None) -> tracker_models.ListSourcesResponse:
        """Lists the sources whose namespaces the caller can see, without credentials.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The sources.
        """
        return await self._send(table.TRACKER_SOURCE_LIST, {"org": org})

    async def remap(
        self,
        *,
        name: str,
        org: str | None = None,
        mapping: Mapping[str, JsonValue] | None = None,
        dry_run: bool | None = None,
    ) -> tracker_models.RemapSourceResponse:
        """Gives a source another mapping, once it was checked.

        Role: member. Writes; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            mapping: Mapping of the source's tables onto the contract; null means that its names are the contract's,
                or aliases of them. Limit: 200,000 characters.
            dry_run: True to check and store nothing.

        Returns:
            What was found with it.
        """
        return await self._send(
            table.TRACKER_SOURCE_REMAP, {"org": org, "name": name, "mapping": mapping, "dry_run": dry_run}
        )

    async def remove(self, *, name: str, org: str | None = None) -> tracker_models.RemoveSourceResponse:
        """Removes a source: its credentials and everything derived from it are erased. Its namespaces stay, unbound.

        Role: member. Writes; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            What was removed.
        """
        return await self._send(table.TRACKER_SOURCE_REMOVE, {"org": org, "name": name})

    async def rotate(
        self, *, name: str, org: str | None = None, user: str | None = None, password: str | None = None
    ) -> tracker_models.RotateSourceResponse:
        """Gives a source other credentials, once they were checked.

        Role: member. Writes; idempotent.

        Args:
            name: Name of the source, such as `core`. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            user: User of a read-only login; empty means the same as before. Limit: 256 characters.
            password: Its password. Limit: 1,024 characters.

        Returns:
            What was found with them.
        """
        return await self._send(
            table.TRACKER_SOURCE_ROTATE, {"org": org, "name": name, "user": user, "password": password}
        )


class AsyncTracker:
    """The ops `tracker.*`."""

    __slots__ = (
        "_send",
        "source",
    )

    def __init__(self, send: AsyncSend) -> None:
        self._send = send
        self.source = AsyncTrackerSource(send)

    async def answer(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        question: str | None = None,
        anchors: tracker_models.AnchorsInput | None = None,
        explain_only: bool | None = None,
        limit: int | None = None,
    ) -> tracker_models.AnswerResponse:
        """Answers a question in words by named templates that its anchors and intent pick, with citations, and says
        what was searched. With `explain_only` it returns the plan and reads nothing.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            question: The question in words, such as `Which PR fixed #42?`. Limit: 4,000 characters.
            anchors: Things that the question is about, beside those that its words name.
            explain_only: True to return the plan alone, with the shape of the SQL, and to read nothing.
            limit: Most items per template. From 1 to 50. Default `10`.

        Returns:
            The answer.
        """
        return await self._send(
            table.TRACKER_ANSWER,
            {
                "org": org,
                "namespace": namespace,
                "question": question,
                "anchors": anchors,
                "explain_only": explain_only,
                "limit": limit,
            },
        )

    async def binding(self, *, org: str | None = None, namespace: str | None = None) -> tracker_models.BindingResponse:
        """Says what a namespace resolves to: its trackers, primary first, and the templates of tracker.answer that the
        caller may run. Unbound, refused and no tracker answer alike.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.

        Returns:
            What it resolves to.
        """
        return await self._send(table.TRACKER_BINDING, {"org": org, "namespace": namespace})

    async def component(
        self, *, component: str, org: str | None = None, namespace: str | None = None, limit: int | None = None
    ) -> tracker_models.ComponentResponse:
        """Reads a component: its risk snapshot, its open issues, most severe first, and recent incidents.

        Role: viewer. Reads; idempotent.

        Args:
            component: The component, such as `storage`; its case does not matter. Limit: 256 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            limit: Most issues and most incidents to return. From 1 to 50. Default `10`.

        Returns:
            The component.
        """
        return await self._send(
            table.TRACKER_COMPONENT, {"org": org, "namespace": namespace, "component": component, "limit": limit}
        )

    async def contract(self, *, org: str | None = None) -> tracker_models.ContractResponse:
        """Returns the record contract: tables, columns, types, aliases, features, and a view template per table. Needs
        no source.

        Role: member. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.

        Returns:
            The record contract.
        """
        return await self._send(table.TRACKER_CONTRACT, {"org": org})

    async def duplicate_check(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        title: str | None = None,
        body: str | None = None,
        frames: list[str] | None = None,
        component: str | None = None,
        version: str | None = None,
        mentions: list[str] | None = None,
        paths: list[str] | None = None,
        symbols: list[str] | None = None,
        issue_number: int | None = None,
        top_k: int | None = None,
        as_of: str | None = None,
        related_prs: bool | None = None,
        rerank: bool | None = None,
        namespaces: list[str] | None = None,
        repo: str | None = None,
    ) -> tracker_models.DuplicateCheckResponse:
        """Says whether a draft of a report exists already, and how far to trust the answer: `duplicate_of`, `related`
        or `none`.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            title: Title of the draft. Limit: 2,000 characters.
            body: Text of the draft. Limit: 200,000 characters.
            frames: Stack frames of the draft, innermost first; those that its text holds are found by themselves.
                Limit: 200 entries of 1,024 characters.
            component: Component that the draft is about. Limit: 256 characters.
            version: Version that the draft is about. Limit: 128 characters.
            mentions: Items that the draft names, such as `#12` or `Org/repo#12`; those in its text are found by
                themselves. Limit: 50 entries of 300 characters.
            paths: Paths of files that the draft is about. Limit: 50 entries of 1,024 characters.
            symbols: Names of functions or classes that the draft is about. Limit: 50 entries of 256 characters.
            issue_number: An issue of the record (below 2^53) to check in place of a draft; fields that are given too
                replace its own. From 1 to 9,007,199,254,740,991.
            top_k: Most items to return. From 1 to 50. Default `5`.
            as_of: Instant, RFC 3339: the record is read as it was then. Empty means now, or when `issue_number` was
                filed. Limit: 64 characters.
            related_prs: False to leave out pull requests that may be about the draft. Default `true`.
            rerank: True to let a language model order `nearest`, where one is configured.
            namespaces: Linked tracker namespaces to read, at most four, of which the first linked one has
                `issue_number`; each must be linked. None means all that are linked, up to four. Limit: 10 entries of
                128 characters.
            repo: Repository, `Org/repo`, of `issue_number` and of bare numbers, where the namespace covers several.
                Limit: 256 characters.

        Returns:
            Whether the draft exists already.
        """
        return await self._send(
            table.TRACKER_DUPLICATE_CHECK,
            {
                "org": org,
                "namespace": namespace,
                "title": title,
                "body": body,
                "frames": frames,
                "component": component,
                "version": version,
                "mentions": mentions,
                "paths": paths,
                "symbols": symbols,
                "issue_number": issue_number,
                "top_k": top_k,
                "as_of": as_of,
                "related_prs": related_prs,
                "rerank": rerank,
                "namespaces": namespaces,
                "repo": repo,
            },
        )

    async def flaky(
        self,
        *,
        test_name: str,
        org: str | None = None,
        namespace: str | None = None,
        include_signal: bool | None = None,
    ) -> tracker_models.FlakyResponse:
        """Says whether a test is known as flaky by an issue that names it.

        Role: viewer. Reads; idempotent.

        Args:
            test_name: The test's name as CI reports it, such as `tests/test_merge.py::test_order`. Limit: 1,024
                characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            include_signal: True to also judge its CI runs of the last 30 days; empty means false.

        Returns:
            What issues say of it.
        """
        return await self._send(
            table.TRACKER_FLAKY,
            {"org": org, "namespace": namespace, "test_name": test_name, "include_signal": include_signal},
        )

    async def item(
        self, *, numbers: list[int], org: str | None = None, namespace: str | None = None, repo: str | None = None
    ) -> tracker_models.ItemResponse:
        """Reads the record of issues and pull requests by number: component, severity, state, tests, affected branches,
        the CI of their pull requests, backports, and the graph of fixes and causes two steps around them.

        Role: viewer. Reads; idempotent.

        Args:
            numbers: Numbers of issues or pull requests (each below 2^53), 1 to 10. From 1 to 9,007,199,254,740,991.
                Limit: 10 entries.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            repo: Repository, `Org/repo`, where the namespace covers several; empty means any of them. Limit: 256
                characters.

        Returns:
            The record of each.
        """
        return await self._send(
            table.TRACKER_ITEM, {"org": org, "namespace": namespace, "numbers": numbers, "repo": repo}
        )

    async def links(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        issue_number: int | None = None,
        pr_number: int | None = None,
        repo: str | None = None,
    ) -> tracker_models.LinksResponse:
        """Links between an issue and pull requests: those that the tracker has in writing first, then recovered ones
        with score and evidence.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            issue_number: Number of an issue (below 2^53). From 1 to 9,007,199,254,740,991.
            pr_number: Number of a pull request (below 2^53). From 1 to 9,007,199,254,740,991.
            repo: Repository, `Org/repo`, where the namespace covers several; empty means any of them. Limit: 256
                characters.

        Returns:
            The links.
        """
        return await self._send(
            table.TRACKER_LINKS,
            {"org": org, "namespace": namespace, "issue_number": issue_number, "pr_number": pr_number, "repo": repo},
        )

    async def load(
        self,
        *,
        namespace: str,
        org: str | None = None,
        table: str | None = None,
        rows: JsonValue = None,
        repos: list[str] | None = None,
        load_id: str | None = None,
        finish: bool | None = None,
        replace: bool | None = None,
    ) -> tracker_models.LoadRecordResponse:
        """Puts rows into the local record of a tracker namespace, a database beside Loom's own. Calls with one
        `load_id` are one load: nothing of it is seen before the call that has `finish`, which shows all of it. A
        call without is a load by itself. Of two rows of one item the one updated later stays, so that loading twice
        adds nothing. For single-user mode and admins of the organisation; what `loom tracker load` calls.

        Role: member. Writes; idempotent.

        Args:
            namespace: Tracker namespace, such as `core-issues`; made on the first call, with the caller as its
                admin. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            table: Contract table of the rows; empty where there are none. Limit: 64 characters.
            rows: Rows, a JSON array of objects whose keys are the contract's columns or aliases of them. At most
                20,000.
            repos: Repositories that the namespace covers once the load is shown, beside those that it covers
                already, `Org/repo` each. A new record needs one at least, by the call that shows it. Limit: 100
                entries of 256 characters.
            load_id: Name of a load of several calls, chosen by the caller; empty means that the call is a load by
                itself. A load that nothing was added to for an hour is given up. Limit: 128 characters.
            finish: True to show what the load has brought, the rows of this call among it, and to end the load.
            replace: True for a record that is this load alone: rows, tables and repositories from before are gone
                once it is shown.

        Returns:
            What was stored.
        """
        return await self._send(
            table.TRACKER_LOAD,
            {
                "org": org,
                "namespace": namespace,
                "table": table,
                "rows": rows,
                "repos": repos,
                "load_id": load_id,
                "finish": finish,
                "replace": replace,
            },
        )

    async def release(
        self, *, version: str, org: str | None = None, namespace: str | None = None
    ) -> tracker_models.ReleaseResponse:
        """Says whether a release can ship: blockers with their status, the latest health snapshot, what is missing, and
        fixes that wait for a backport.

        Role: viewer. Reads; idempotent.

        Args:
            version: Version, such as `2.4.0`; a leading `v` does not matter. Limit: 128 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.

        Returns:
            Whether it can ship.
        """
        return await self._send(table.TRACKER_RELEASE, {"org": org, "namespace": namespace, "version": version})

    async def similar(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        text: str | None = None,
        issue_number: int | None = None,
        frames: list[str] | None = None,
        top_k: int | None = None,
        kinds: list[str] | None = None,
        repo: str | None = None,
    ) -> tracker_models.SimilarResponse:
        """Finds the issues and pull requests that are most like a text, an issue or stack frames, with the legs that
        found each.

        Role: viewer. Reads; idempotent.

        Args:
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            text: A text, such as a title and a description. Limit: 100,000 characters.
            issue_number: An issue of the record (below 2^53), whose title and text are looked for, among older and
                younger ones. From 1 to 9,007,199,254,740,991.
            frames: Stack frames, innermost first. Limit: 200 entries of 1,024 characters.
            top_k: Most items to return. From 1 to 50. Default `10`.
            kinds: Kinds of items, `issue` and `pr`; none means both. One of `issue`, `pr`. Limit: 2 entries.
            repo: Repository, `Org/repo`, of `issue_number`, where the namespace covers several; empty means any of
                them. Limit: 256 characters.

        Returns:
            What is like it.
        """
        return await self._send(
            table.TRACKER_SIMILAR,
            {
                "org": org,
                "namespace": namespace,
                "text": text,
                "issue_number": issue_number,
                "frames": frames,
                "top_k": top_k,
                "kinds": kinds,
                "repo": repo,
            },
        )

    async def test_signal(
        self,
        *,
        test_name: str,
        org: str | None = None,
        namespace: str | None = None,
        window_days: int | None = None,
        pr_number: int | None = None,
        branch: str | None = None,
    ) -> tracker_models.TestSignalResponse:
        """Says what the CI runs of a test tell: flaky, broken by a commit, the infrastructure's fault, or nothing, with
        the evidence. Silence is never a clean bill.

        Role: viewer. Reads; idempotent.

        Args:
            test_name: The test's name, as CI reports it. Limit: 1,024 characters.
            org: Organisation; filled by the transport when empty. Limit: 128 characters. The agent's own when not
                given.
            namespace: Tracker or code namespace; filled by the transport when empty. Limit: 128 characters. The
                agent's own when not given.
            window_days: Days back that runs are looked at. From 1 to 90. Default `30`.
            pr_number: Pull request (below 2^53) at whose head the test failed: its runs there are weighed against
                all others. From 1 to 9,007,199,254,740,991.
            branch: Branch to narrow to: runs on it, and of pull requests that go into it; empty means every branch.
                Limit: 256 characters.

        Returns:
            The verdict and what it rests on.
        """
        return await self._send(
            table.TRACKER_TEST_SIGNAL,
            {
                "org": org,
                "namespace": namespace,
                "test_name": test_name,
                "window_days": window_days,
                "pr_number": pr_number,
                "branch": branch,
            },
        )

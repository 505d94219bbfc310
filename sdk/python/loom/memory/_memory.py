"""`Memory`: the eight methods, over one client whatever is behind it."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from loom._http import NotJson
from loom._retry import RetryPolicy
from loom.memory import _embedded, _read
from loom.memory._failures import told
from loom.memory._models import Observation, SaveResult, SearchResult, Session, StartedSession, Stats, Timeline
from loom.sync import SyncAgent

Instant = str | datetime


class Memory:
    """What one program remembers for its users. `Memory.from_path` opens a folder, `Memory.connect` a server.

    All arguments of the eight methods are by keyword. `user_id` says whose memories; `-` means those that the whole
    namespace shares. `org` and `namespace` of a call stand before those of the constructor; what is set nowhere is the
    installation's to fill. Instants that are given may be datetimes with a zone, or texts (RFC 3339 with any offset).

    Every method raises ValueError for an argument that cannot be, naming it; RuntimeError where the storage or the
    server fails or is not reached, the caller is not let in, or the memory is closed; and TypeError for one that is
    missing. The `LoomError` behind it is its `__cause__`, with code and request id. No message holds what was sent.

    Threads may share one. Use it in `with`, or `close` it at the end.
    """

    def __init__(self, agent: SyncAgent) -> None:
        """On a client of one's own, which `close` closes; identity that a call leaves out is the client's."""
        self._agent = agent
        self._closed = False

    @classmethod
    def from_path(
        cls,
        path: str | os.PathLike[str],
        *,
        org: str | None = None,
        namespace: str | None = None,
        timeout: float = 30.0,
        clock: _embedded.Now | None = None,
    ) -> Self:
        """Opens the folder `path`, made where it is missing, without a server; settings are those of `loom serve`.

        One process at a time has a folder, and one folder at a time a process; a folder may be opened several times in
        it. `timeout` bounds a call in seconds. `clock` gives the time, with its zone, in the place of the system's.

        Raises RuntimeError where the application is not installed, the folder is in use or cannot be used, or a setting
        is wrong; ValueError for an empty path.
        """
        if not os.fspath(path):
            raise ValueError("path must name a folder")
        installation = _embedded.opener()(str(Path(path).expanduser().absolute()), clock)
        try:
            return cls(
                SyncAgent(
                    org=org,
                    namespace=namespace,
                    base_url=_embedded.BASE_URL,
                    timeout=timeout,
                    transport=_embedded.InProcess(installation),
                )
            )
        except BaseException:
            installation.close()
            raise

    @classmethod
    def connect(
        cls,
        base_url: str,
        *,
        token: str | None = None,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> Self:
        """Uses the server at `base_url`; nothing is sent yet. The other arguments are those of `loom.SyncAgent`.

        `token` defaults to LOOM_API_KEY, else none. Raises ValueError for an argument that cannot work.
        """
        if not base_url:
            raise ValueError("base_url must be the address of a server")
        return cls(
            SyncAgent(
                org=org,
                namespace=namespace,
                agent=agent,
                base_url=base_url,
                api_key=token,
                timeout=timeout,
                retry=retry,
                transport=transport,
            )
        )

    def mem_session_start(
        self, *, user_id: str, org: str | None = None, namespace: str | None = None
    ) -> StartedSession:
        """Goes on with the user's active session, or starts one: with past summaries and the top memories.

        A session in which nothing happened for 24 hours (LOOM_MEMORY_SESSION_TIMEOUT_HOURS) is over: it gets a
        generated summary, flagged as such, and a new one begins.

        Raises ValueError for a user_id that is too long; RuntimeError as the class says.
        """
        with self._call(user_id):
            return _read.started(self._agent.memory.session_start(user_id=user_id, org=org, namespace=namespace))

    def mem_session_end(
        self, *, user_id: str, summary: str, org: str | None = None, namespace: str | None = None
    ) -> Session:
        """Ends the active session with a summary.

        Raises ValueError for a blank summary, LookupError where no session is active; RuntimeError as the class says.
        """
        with self._call(user_id):
            return _read.ended(
                self._agent.memory.session_end(user_id=user_id, summary=summary, org=org, namespace=namespace)
            )

    def mem_session_summary(
        self, *, user_id: str, summary: str, org: str | None = None, namespace: str | None = None
    ) -> SaveResult:
        """Saves a summary of the session so far as a memory of type `summary`; the session goes on.

        Raises ValueError for a blank summary; RuntimeError as the class says.
        """
        with self._call(user_id):
            return _read.saved(
                self._agent.memory.session_summary(user_id=user_id, summary=summary, org=org, namespace=namespace)
            )

    def mem_save(
        self,
        *,
        user_id: str,
        type: str,
        title: str,
        content: str,
        topic_key: str | None = None,
        observed_at: Instant | None = None,
        org: str | None = None,
        namespace: str | None = None,
    ) -> SaveResult:
        """Saves one memory, in the active session or one that this opens.

        `type` is `profile`, `preference`, `decision`, `pattern` or `discovery`, or what LOOM_MEMORY_TYPES says. Under a
        `topic_key` another text replaces the stored one, which stays as a revision (`updated`); the same text again
        changes nothing (`deduped`). `observed_at` is when it was said, for text that is brought in later.

        Raises ValueError for a blank title, content or topic_key, a type that is unknown or reserved, a text over its
        limit, or an instant that is none; RuntimeError as the class says.
        """
        with self._call(user_id):
            return _read.saved(
                self._agent.memory.save(
                    user_id=user_id,
                    type=type,
                    title=title,
                    content=content,
                    topic_key=topic_key,
                    observed_at=_instant(observed_at),
                    org=org,
                    namespace=namespace,
                )
            )

    def mem_search(
        self,
        *,
        user_id: str,
        query: str,
        limit: int = 10,
        types: Sequence[str] | None = None,
        types_exclude: Sequence[str] | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
        as_of: Instant | None = None,
        min_score: float = 0.0,
        org: str | None = None,
        namespace: str | None = None,
    ) -> SearchResult:
        """Finds memories by what they say, in any language, best first. Nothing in `query` is an operator.

        `limit` is 1 to 100. Only `types`, or all but `types_exclude`, never both. `since` and `until` bound when the
        text was said; `as_of` asks for what was current then. `min_score` in [0, 1] leaves out what fits less.

        Raises ValueError for a blank query, a limit out of range, an unknown type, both lists of types, or an instant
        that is none; RuntimeError as the class says.
        """
        with self._call(user_id):
            return _read.searched(
                self._agent.memory.search(
                    user_id=user_id,
                    query=query,
                    limit=limit,
                    types=_listed("types", types),
                    types_exclude=_listed("types_exclude", types_exclude),
                    since=_instant(since),
                    until=_instant(until),
                    as_of=_instant(as_of),
                    min_score=min_score,
                    org=org,
                    namespace=namespace,
                )
            )

    def mem_get_observation(
        self, *, user_id: str, observation_id: int, org: str | None = None, namespace: str | None = None
    ) -> Observation | None:
        """The memory of that id, whole; None where this user has none, whoever else may have.

        Raises ValueError for an id below 1; RuntimeError as the class says.
        """
        with self._call(user_id):
            return _read.observation(
                self._agent.memory.get_observation(
                    user_id=user_id, observation_id=observation_id, org=org, namespace=namespace
                )
            )

    def mem_timeline(
        self,
        *,
        user_id: str,
        observation_id: int,
        before: int = 5,
        after: int = 5,
        org: str | None = None,
        namespace: str | None = None,
    ) -> Timeline:
        """The memory among those that were first said around it; empty where this user has no such memory.

        Raises ValueError for an id below 1, or a number of neighbours out of range; RuntimeError as the class says.
        """
        with self._call(user_id):
            return _read.timeline(
                self._agent.memory.timeline(
                    user_id=user_id,
                    observation_id=observation_id,
                    before=before,
                    after=after,
                    org=org,
                    namespace=namespace,
                )
            )

    def mem_stats(self, *, user_id: str, org: str | None = None, namespace: str | None = None) -> Stats:
        """Counts the user's memories and sessions. Raises ValueError and RuntimeError as the class says."""
        with self._call(user_id):
            return _read.stats(self._agent.memory.stats(user_id=user_id, org=org, namespace=namespace))

    def close(self) -> None:
        """Closes the folder or the connections; everything that was answered is on disk. Twice is harmless."""
        self._closed = True
        self._agent.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Memory({'closed' if self._closed else self._agent!r})"

    @contextmanager
    def _call(self, user_id: str) -> Iterator[None]:
        if self._closed:
            raise RuntimeError("the memory is closed")
        if not isinstance(user_id, str):
            # None would be left out of the call, and so mean the memories that all users of the namespace share.
            raise ValueError("user_id must be a text; `-` means the memories that the namespace shares")
        with told():
            yield


def _instant(given: Instant | None) -> str | None:
    return given.isoformat() if isinstance(given, datetime) else given


def _listed(name: str, given: Sequence[str] | None) -> list[str] | None:
    # A text is a sequence of texts too, and would be asked for letter by letter; as it stands the server refuses it.
    if given is None or isinstance(given, str):
        return given  # type: ignore[return-value]
    if not isinstance(given, Iterable):
        raise NotJson(f"{name} must be a list")
    return list(given)

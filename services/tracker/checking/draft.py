"""The draft of a check: what was given, or an issue of the record as it was filed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil
from typing import Any

from services.tracker.names import repo_of
from services.tracker.similar.model import Draft

FAR = 4102444800000  # 2100-01-01 in milliseconds: everything is older


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check is asked for. `as_of` (aware) is None for now."""

    title: str = ""
    body: str = ""
    frames: tuple[str, ...] = ()
    component: str = ""
    version: str = ""
    mentions: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    as_of: datetime | None = None
    repo: str = ""
    number: int = 0

    def draft(self, row: Mapping[str, Any] | None, repos: Sequence[str]) -> Draft:
        """The draft; `row` is the issue that `number` names. A repository is known where there is just one."""
        own = [repo for repo in repos if "/" in repo and not repo.endswith("/")]
        given = Draft(
            title=self.title,
            body=self.body,
            created_at=self.as_of,
            repo=self.repo or (own[0] if len(own) == 1 and len(repos) == 1 else ""),
            number=0,
            component=self.component,
            version=self.version,
            frames=self.frames,
            mentions=self.mentions,
        )
        return given if row is None else _filed(given, row)


def _filed(given: Draft, row: Mapping[str, Any]) -> Draft:
    """The issue as it was filed, with what was given in the place of its own."""
    return replace(
        given,
        title=given.title or row["title"],
        body=given.body or row["body"],
        created_at=given.created_at or row["created_at"],
        repo=repo_of(row["source_id"]),
        number=row["number"],
        component=given.component or row["component"] or "",
        version=given.version or row["version"] or "",
        error_codes=tuple(row["error_codes"] or ()),
        frames=given.frames or tuple(row["frames"] or ()),
    )


def before_ms(draft: Draft) -> int:
    """Reports after this instant (milliseconds, rounded up) are none that the draft could repeat."""
    return FAR if draft.created_at is None else ceil(draft.created_at.timestamp() * 1000)

"""What the demo record is planned as, before it has numbers and texts. Times are days relative to now (negative)."""

from dataclasses import dataclass, field
from enum import StrEnum

from services.tracker.record.demo.vocabulary import HOST, Component, Symptom, Three


class Kind(StrEnum):
    """Of issues and changes."""

    BUG = "bug"
    DUPLICATE = "duplicate"
    TWIN = "twin"
    REGRESSION = "regression"
    FLAKY = "flaky"
    FEATURE = "feature"
    QUESTION = "question"
    PROCESS = "process"
    FIX = "fix"
    BACKPORT = "backport"
    CHORE = "chore"


@dataclass(frozen=True, slots=True)
class Defect:
    """A fault of the product. Reports of one defect tell of the same thing in different words."""

    component: Component
    symptom: Symptom
    trigger: Three
    platform: str
    salt: int
    cause: str
    fix: str


@dataclass(slots=True, eq=False)
class Item:
    """What issues and changes have in common."""

    kind: Kind
    component: Component
    created: float
    author: str
    defect: Defect | None = None
    subject: str = ""
    updated: float = 0.0
    private: bool = False
    number: int = 0

    @property
    def repo(self) -> str:
        return self.component.repo

    @property
    def source_id(self) -> str:
        return f"{self.repo}#{self.number}"


@dataclass(slots=True, eq=False)
class Issue(Item):
    """`wording` is which of the three phrasings its author uses, `root` what it repeats."""

    wording: int = 0
    version: str = ""
    severity: str = ""
    closed: float | None = None
    reason: str = ""
    root: "Issue | None" = None
    earlier: "Issue | None" = None
    twin: "Issue | None" = None
    fixes: list["Change"] = field(default_factory=list)
    causes: list["Change"] = field(default_factory=list)
    linked: bool = True
    milestone: str = ""
    test: str = ""
    bisected: bool = False

    @property
    def url(self) -> str:
        return f"{HOST}/{self.repo}/issues/{self.number}"


@dataclass(slots=True, eq=False)
class Change(Item):
    """A pull request. `closed` is when it was merged, or given up."""

    state: str = "open"
    closed: float | None = None
    base: str = "main"
    fixes: list[Issue] = field(default_factory=list)
    linked: bool = True
    backport_of: "Change | None" = None
    backports: dict[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    head_sha: str = ""
    merge_sha: str = ""

    @property
    def merged(self) -> bool:
        return self.state == "merged"

    @property
    def url(self) -> str:
        return f"{HOST}/{self.repo}/pull/{self.number}"

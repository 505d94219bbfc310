"""What a source may be registered as: names, repositories, hosts, mapping. Messages never contain what was sent."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from runtime.errors import LoomError, invalid_field, missing_field
from services.tracker.mapping.model import EMPTY, Mapping
from services.tracker.mapping.parse import parse_text
from services.tracker.mapping.problems import MappingError
from services.tracker.names import SOURCE, is_source
from services.tracker.reads import Scope, ScopeError
from services.tracker.sources.hosts import HostRefused, HostRules

OPEN, APPROVAL = "open", "approval"
SHOWN = 5


def refuse_elsewhere(served: str, org: str) -> None:
    """Raises FEATURE_DISABLED where `org` is not the organisation whose trackers are served."""
    if not served:
        raise LoomError(
            "FEATURE_DISABLED",
            "no tracker is served here, since LOOM_TRACKER_ORG is empty: set it to the organisation, and start again",
        )
    if org != served:
        raise LoomError(
            "FEATURE_DISABLED",
            "trackers of another organisation are served here: name that one as org, or set LOOM_TRACKER_ORG",
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A namespace that a source is to serve."""

    namespace: str
    repos: tuple[str, ...]
    restricted: bool
    join_policy: str


@dataclass(frozen=True, slots=True)
class Address:
    """Where a source is and how to log in there."""

    host: str
    port: int
    secure: bool
    database: str
    user: str
    password: str = field(repr=False)


def port_of(port: int | None, secure: bool) -> int:
    """ClickHouse's own default ports of its HTTP interface."""
    return port if port is not None else 8443 if secure else 8123


def check_name(name: str) -> None:
    if not is_source(name):
        raise invalid_field("name", SOURCE)


def check_host(rules: HostRules, host: str) -> None:
    """As far as a name can be judged; every address that it resolves to is checked when it is connected to."""
    try:
        rules.host(host)
    except HostRefused as error:
        raise LoomError("INVALID_FIELD", f"host: {error}", field="host") from None


def wanted(found: Sequence[Wanted]) -> list[Wanted]:
    """The namespaces with their join policies filled in. Raises INVALID_FIELD, MISSING_FIELD."""
    names = [each.namespace for each in found]
    if len(set(names)) < len(names):
        raise invalid_field("namespaces", "namespaces, each named once")
    return [_filled(each, f"namespaces[{index}]") for index, each in enumerate(found)]


def _filled(each: Wanted, place: str) -> Wanted:
    if not each.repos:
        raise missing_field(f"{place}.repos")
    try:
        Scope(each.repos, each.restricted)
    except ScopeError as error:
        raise LoomError("INVALID_FIELD", f"{place}.{error}", field=f"{place}.repos") from None
    if each.restricted and each.join_policy == OPEN:
        raise invalid_field(f"{place}.join_policy", "approval where the namespace is restricted")
    policy = each.join_policy or (APPROVAL if each.restricted else OPEN)
    return Wanted(each.namespace, tuple(dict.fromkeys(each.repos)), each.restricted, policy)


def read_mapping(text: str | None) -> Mapping:
    """Raises INVALID_FIELD with the place and the fix of what is wrong first, and how much more is."""
    if not text:
        return EMPTY
    try:
        return parse_text(text)
    except MappingError as error:
        shown = "; ".join(str(problem) for problem in error.problems[:SHOWN])
        more = len(error.problems) - SHOWN
        message = f"mapping: {shown}" + (f"; and {more} more" if more > 0 else "")
        raise LoomError("INVALID_FIELD", message, field="mapping") from None

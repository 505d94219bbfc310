"""Who may register sources, and which organisation's namespaces read trackers."""

from types import SimpleNamespace
from typing import Any

import pytest

from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.identity import Caller
from services.tracker.ops.sources import Sources
from services.tracker.settings import TrackerSettings


def sources(org: str = "acme", **settings: Any) -> Sources:
    nothing: Any = SimpleNamespace()
    return Sources(
        *(nothing,) * 6, None, nothing, TrackerSettings(**{**DEFAULTS, **settings}), ManualClock(), org, nothing
    )


DEFAULTS = {
    "self_service_enabled": True,
    "self_service_max_sources": 10,
    "require_read_only": False,
    "code_namespace_bindings_json": "",
    "local_records": True,
}


def caller(*, org_admin: bool = False) -> Caller:
    return Caller("acme", "ann", "user", {}, "token", org_admin)


def test_members_register_sources_only_while_self_service_is_on() -> None:
    sources().refuse_self_service(caller())
    sources(self_service_enabled=False).refuse_self_service(caller(org_admin=True))
    with pytest.raises(LoomError) as refused:
        sources(self_service_enabled=False).refuse_self_service(caller())
    assert refused.value.code.name == "FEATURE_DISABLED"


@pytest.mark.parametrize(("of", "asked"), [("", "acme"), ("", ""), ("acme", "other")])
def test_another_organisation_than_the_trackers_one_registers_nothing(of: str, asked: str) -> None:
    with pytest.raises(LoomError) as refused:
        sources(of).refuse_elsewhere(asked)
    assert refused.value.code.name == "FEATURE_DISABLED"
    sources("acme").refuse_elsewhere("acme")

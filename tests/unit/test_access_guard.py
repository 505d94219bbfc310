"""The mode of an installation, as its settings say: and what a process needs to be in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gateway.settings import GatewaySettings
from runtime.call import AUTHORIZATION, Call
from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.guard import Guard, guard_of, internal_metadata, minter_of
from runtime.identity import SingleUser
from runtime.jwks import JWKS
from runtime.keys import INTERNAL, InternalKey, new_key
from runtime.logs import REQUEST_ID, bind_request
from runtime.optable import load_ops
from runtime.process import ProcessSettings
from runtime.serve_plane import ListenSettings, refuse_unguarded
from runtime.settings import SettingsError, load_all
from runtime.transport import Late
from tests.support.access import FakeDirectory
from tests.support.ops import op_of_proto


def common(**environ: str) -> ProcessSettings:
    return load_all([ProcessSettings], {f"LOOM_{name.upper()}": value for name, value in environ.items()})[
        ProcessSettings
    ]


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    folder = tmp_path / "keys"
    new_key(folder)
    return folder


def test_without_a_key_folder_the_mode_is_single_user() -> None:
    guard = guard_of(common(), ManualClock())
    assert guard.authenticator.mode == "single_user"
    assert minter_of(common(), ManualClock()) is None
    assert internal_metadata(common()) == {}


def test_with_keys_calls_need_tokens(keys: Path) -> None:
    settings = common(keys_dir=str(keys))
    assert guard_of(settings, ManualClock()).authenticator.mode == "tokens"
    minter = minter_of(settings, ManualClock())
    assert minter is not None and minter.mint("acme", "bot", "service", [], 60).jti
    assert internal_metadata(settings) == {AUTHORIZATION: InternalKey.read(keys).header}


@pytest.mark.parametrize("name", [JWKS, INTERNAL])
def test_a_key_folder_that_cannot_be_used_opens_nothing(keys: Path, name: str) -> None:
    (keys / name).unlink()
    with pytest.raises(SettingsError, match="LOOM_KEYS_DIR"):
        guard_of(common(keys_dir=str(keys)), ManualClock())


async def test_the_directory_of_the_process_is_asked_as_soon_as_it_is_there(keys: Path) -> None:
    guard = guard_of(common(keys_dir=str(keys)), ManualClock())
    await guard.start()
    directory = FakeDirectory()
    await guard.bind(directory)
    assert directory.metadata == [{AUTHORIZATION: InternalKey.read(keys).header}]
    await guard.bind(FakeDirectory())
    await guard.close()
    assert len(directory.metadata) == 1


async def test_the_first_question_leaves_no_request_id_to_whoever_starts_the_guard(keys: Path) -> None:
    class Binding(FakeDirectory):
        async def call(self, *args: Any) -> Any:
            bind_request("of-the-question")
            return await super().call(*args)

    guard = guard_of(common(keys_dir=str(keys)), ManualClock())
    await guard.bind(Binding())
    assert REQUEST_ID.get() != "of-the-question"
    await guard.close()


async def test_a_named_directory_goes_before_the_processs_own(keys: Path) -> None:
    guard = guard_of(common(keys_dir=str(keys), directory="127.0.0.1:1"), ManualClock())
    own = FakeDirectory()
    await guard.bind(own)
    await guard.close()
    assert not own.metadata


async def test_a_single_users_guard_starts_and_ends_without_a_directory() -> None:
    guard = Guard(SingleUser("dev", "local"))
    await guard.start()
    await guard.bind(FakeDirectory())
    await guard.close()


async def test_an_unbound_transport_does_not_answer() -> None:
    op = load_ops().by_name["ops.health"]
    with pytest.raises(LoomError) as refusal:
        await Late().call(op, op.request(), {}, 1.0)
    assert refusal.value.code.name == "UPSTREAM_UNAVAILABLE"
    await Late().close()


@pytest.mark.parametrize(
    ("environ", "allowed"),
    [({}, False), ({"LOOM_ALLOW_INSECURE": "1"}, True), ({"LOOM_KEYS_DIR": "keys", "LOOM_DIRECTORY": "d:1"}, True)],
)
def test_beyond_loopback_is_listened_on_with_keys_or_on_purpose_alone(
    environ: Mapping[str, str], allowed: bool
) -> None:
    loaded = load_all(
        [ProcessSettings, GatewaySettings, ListenSettings],
        {"LOOM_HOST": "0.0.0.0", "LOOM_GRPC_LISTEN": "0.0.0.0:7700", **environ},
    )
    rules = (
        lambda: loaded[GatewaySettings].refuse_open_listener(allowed=loaded[ProcessSettings].may_listen_anywhere),
        lambda: refuse_unguarded("observe", loaded),
    )
    for rule in rules:
        if allowed:
            rule()
        else:
            with pytest.raises(SettingsError, match="single-user mode"):
                rule()


def test_a_plane_with_keys_has_to_know_its_directory() -> None:
    loaded = load_all([ProcessSettings, ListenSettings], {"LOOM_KEYS_DIR": "keys"})
    with pytest.raises(SettingsError, match="LOOM_DIRECTORY"):
        refuse_unguarded("observe", loaded)
    refuse_unguarded("directory", loaded)


def call(op: str, **fields: str) -> Call:
    row = load_ops().by_name[op]
    return Call(row, row.request(**fields), {}, "http")


async def test_in_single_user_mode_the_caller_is_local_and_administers_the_org_of_the_request() -> None:
    single = SingleUser("dev", "local")
    for given, org in (("", "dev"), ("acme", "acme")):
        one = call("namespace.list", org=given)
        await single.identify(one)
        assert (one.caller.org, one.caller.subject, one.caller.org_admin) == (org, "local", True)
        assert one.caller.mode == "single_user"


@pytest.mark.parametrize(
    ("name", "org"), [("code.search", "trackers"), ("tracker.find", "trackers"), ("notes.x", "dev")]
)
async def test_ops_on_code_and_trackers_use_the_trackers_org(name: str, org: str) -> None:
    op = op_of_proto("string org = 1 [(loom.options.v1.field) = {identity: IDENTITY_ORG}];")
    object.__setattr__(op, "name", name)
    one = Call(op, op.request(), {}, "http")
    identity = await SingleUser("dev", "local", "trackers").identify(one)
    assert (identity.fields[1], one.caller.org) == (org, org)
    # Where no tracker is served, an op on one is refused for that, and not for an organisation that nobody has to name.
    identity = await SingleUser("dev", "local").identify(one)
    assert (identity.fields[1], one.caller.org) == ("dev", "dev")

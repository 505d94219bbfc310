"""Settings: what a variable may hold, what is said about a wrong one, and what is never shown."""

import json
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.settings import SettingsError, describe, load, load_all, redacted, redacted_all, setting, settings


@settings(prefix="LOOM_DEMO_")
class Demo:
    name: str = setting("loom", help="A free text.")
    level: str = setting("info", help="A word out of a set.", choices=["debug", "info"])
    rows: int = setting(10, help="A bounded count.", min=1, max=5000)
    ratio: float = setting(0.5, help="A bounded number.", min=0.0, max=1.0)
    floor: int = setting(3, help="A count with a floor.", min=2)
    roof: float = setting(1.5, help="A number with a roof.", max=2.5)
    enabled: bool = setting(True, help="A switch.")
    hosts: tuple[str, ...] = setting(("a",), help="A list.")
    tools: tuple[str, ...] = setting((), help="A list out of a set.", choices=["core", "memory"])
    folder: Path = setting(Path("data"), help="A path.")
    dsn: str = setting("chdb://", help="Where rows go.", env="LOOM_DSN")
    key: str = setting("", help="A key.", secret=True)
    pin: int = setting(0, help="A number that is secret.", secret=True, min=0, max=9999)


@settings()
class Other:
    org: str = setting("dev", help="The organisation.")
    port: int = setting(7777, help="The port.", min=1, max=65535)


SECRET = "hunter2-s3cr3t"

BAD = [
    ("LOOM_DEMO_LEVEL", "loud", "LOOM_DEMO_LEVEL must be one of debug, info"),
    ("LOOM_DEMO_ROWS", "many", "LOOM_DEMO_ROWS must be a whole number from 1 to 5,000"),
    ("LOOM_DEMO_ROWS", "1.0", "LOOM_DEMO_ROWS must be a whole number from 1 to 5,000"),
    ("LOOM_DEMO_ROWS", "1_000", "LOOM_DEMO_ROWS must be a whole number from 1 to 5,000"),
    ("LOOM_DEMO_ROWS", "0", "LOOM_DEMO_ROWS must be a whole number from 1 to 5,000"),
    ("LOOM_DEMO_ROWS", "5001", "LOOM_DEMO_ROWS must be a whole number from 1 to 5,000"),
    ("LOOM_DEMO_RATIO", "half", "LOOM_DEMO_RATIO must be a number from 0 to 1"),
    ("LOOM_DEMO_RATIO", "nan", "LOOM_DEMO_RATIO must be a number from 0 to 1"),
    ("LOOM_DEMO_RATIO", "1.01", "LOOM_DEMO_RATIO must be a number from 0 to 1"),
    ("LOOM_DEMO_FLOOR", "1", "LOOM_DEMO_FLOOR must be a whole number, at least 2"),
    ("LOOM_DEMO_ROOF", "2.6", "LOOM_DEMO_ROOF must be a number, at most 2.5"),
    ("LOOM_DEMO_ROOF", "inf", "LOOM_DEMO_ROOF must be a number, at most 2.5"),
    ("LOOM_DEMO_ENABLED", "maybe", "LOOM_DEMO_ENABLED must be on or off"),
    ("LOOM_DEMO_HOSTS", '["a"', "LOOM_DEMO_HOSTS must be a list: JSON, or texts with commas or line ends between"),
    ("LOOM_DEMO_HOSTS", "[1]", "LOOM_DEMO_HOSTS must be a list: JSON, or texts with commas or line ends between"),
    ("LOOM_DEMO_TOOLS", "core,loud", "LOOM_DEMO_TOOLS must be a list out of core, memory"),
    ("LOOM_DEMO_PIN", "12345", "LOOM_DEMO_PIN must be a whole number from 0 to 9,999"),
    (
        "LOOM_DEMO_KEY_FILE",
        "/nonexistent/key",
        "LOOM_DEMO_KEY_FILE must name a file of UTF-8 text that this process can read",
    ),
    (
        "LOOM_DEMO_FLOOR",
        "tcp://10.0.0.7:7777",
        "LOOM_DEMO_FLOOR must be a whole number, at least 2"
        " (it holds a Kubernetes service link: set enableServiceLinks to false on the pod)",
    ),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD)
def test_a_wrong_variable_is_named_with_what_it_takes(name: str, text: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(Demo, {name: text})
    assert caught.value.problems == (message,)
    assert str(caught.value) == f"a setting is wrong:\n  {message}"


def test_every_mistake_of_every_class_is_reported_at_once() -> None:
    environ = {"LOOM_DEMO_ROWS": "x", "LOOM_DEMO_ENABLED": "x", "LOOM_PORT": "0"}
    with pytest.raises(SettingsError) as caught:
        load_all([Demo, Other], environ)
    assert str(caught.value).splitlines() == [
        "3 settings are wrong:",
        "  LOOM_DEMO_ROWS must be a whole number from 1 to 5,000",
        "  LOOM_DEMO_ENABLED must be on or off",
        "  LOOM_PORT must be a whole number from 1 to 65,535",
    ]


@pytest.mark.parametrize("name", ["LOOM_DEMO_ROWS", "LOOM_DEMO_PIN", "LOOM_DEMO_ENABLED", "LOOM_DEMO_TOOLS"])
def test_a_secret_in_the_wrong_variable_is_not_shown(name: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(Demo, {name: SECRET})
    assert SECRET not in "".join(traceback.format_exception(caught.value))


GOOD = [
    ("LOOM_DEMO_NAME", " two words ", "name", " two words "),
    ("LOOM_DEMO_NAME", "", "name", ""),
    ("LOOM_DEMO_LEVEL", "debug", "level", "debug"),
    ("LOOM_DEMO_LEVEL", "", "level", "info"),
    ("LOOM_DEMO_ROWS", " 42\n", "rows", 42),
    ("LOOM_DEMO_ROWS", "", "rows", 10),
    ("LOOM_DEMO_RATIO", "1e-3", "ratio", 0.001),
    ("LOOM_DEMO_RATIO", "1", "ratio", 1.0),
    ("LOOM_DEMO_ENABLED", "OFF", "enabled", False),
    ("LOOM_DEMO_ENABLED", "no", "enabled", False),
    ("LOOM_DEMO_ENABLED", "1", "enabled", True),
    ("LOOM_DEMO_ENABLED", "", "enabled", True),
    ("LOOM_DEMO_HOSTS", "a, b\nc,,", "hosts", ("a", "b", "c")),
    ("LOOM_DEMO_HOSTS", '["a,b", "c"]', "hosts", ("a,b", "c")),
    ("LOOM_DEMO_HOSTS", "", "hosts", ()),
    ("LOOM_DEMO_TOOLS", "memory", "tools", ("memory",)),
    ("LOOM_DEMO_FOLDER", "/data/loom", "folder", Path("/data/loom")),
    ("LOOM_DEMO_FOLDER", "", "folder", Path("data")),
    ("LOOM_DSN", "http://h:8123/db", "dsn", "http://h:8123/db"),
]


@pytest.mark.parametrize(("name", "text", "field", "value"), GOOD)
def test_a_variable_sets_its_field(name: str, text: str, field: str, value: object) -> None:
    assert getattr(load(Demo, {name: text}), field) == value


def test_nothing_set_means_the_defaults() -> None:
    assert load(Demo, {}) == Demo()


def test_settings_do_not_change_after_loading() -> None:
    with pytest.raises(AttributeError):
        load(Demo, {}).rows = 5  # type: ignore[misc]


@given(st.lists(st.text()))
def test_a_list_written_as_json_is_read_back(members: list[str]) -> None:
    assert load(Demo, {"LOOM_DEMO_HOSTS": json.dumps(members)}).hosts == tuple(members)


@given(st.integers(1, 5000), st.floats(0, 1), st.booleans())
def test_numbers_and_switches_are_read_back(rows: int, ratio: float, enabled: bool) -> None:
    environ = {"LOOM_DEMO_ROWS": str(rows), "LOOM_DEMO_RATIO": repr(ratio), "LOOM_DEMO_ENABLED": str(enabled)}
    loaded = load(Demo, environ)
    assert (loaded.rows, loaded.ratio, loaded.enabled) == (rows, ratio, enabled)


@given(st.dictionaries(st.sampled_from([info.env for info in describe(Demo)]), st.text()))
def test_any_text_is_taken_or_refused_with_settings_error(environ: dict[str, str]) -> None:
    try:
        load_all([Demo], environ)
    except SettingsError as error:
        assert all(problem.split()[0] in environ for problem in error.problems)


def test_a_secret_is_read_from_a_mounted_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(f"{SECRET}\n")
    (tmp_path / "pin").write_text("0042\n")
    environ = {"LOOM_DEMO_KEY_FILE": str(tmp_path / "key"), "LOOM_DEMO_PIN_FILE": str(tmp_path / "pin")}
    loaded = load_all([Demo], environ)
    assert (loaded[Demo].key, loaded[Demo].pin, loaded.warnings) == (SECRET, 42, ())


def test_a_file_that_holds_the_wrong_thing_is_named(tmp_path: Path) -> None:
    (tmp_path / "pin").write_text(SECRET)
    with pytest.raises(SettingsError) as caught:
        load(Demo, {"LOOM_DEMO_PIN_FILE": str(tmp_path / "pin")})
    assert caught.value.problems == ("LOOM_DEMO_PIN_FILE must name a file that holds a whole number from 0 to 9,999",)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="LOOM_DEMO_KEY_FILE must name a file of UTF-8 text"):
        load(Demo, {"LOOM_DEMO_KEY_FILE": str(tmp_path / "key")})


def test_a_secret_and_its_file_together_are_refused() -> None:
    with pytest.raises(SettingsError) as caught:
        load(Demo, {"LOOM_DEMO_KEY": SECRET, "LOOM_DEMO_KEY_FILE": "/run/key"})
    assert caught.value.problems == ("LOOM_DEMO_KEY and LOOM_DEMO_KEY_FILE are both set: set one of them",)


def test_only_secrets_have_a_file_variant() -> None:
    assert load(Demo, {"LOOM_DEMO_NAME_FILE": "/nonexistent"}).name == "loom"


MISSPELT = [
    ("LOOM_DEMO_ROW", "LOOM_DEMO_ROWS"),
    ("LOOM_DEMO_ENABELD", "LOOM_DEMO_ENABLED"),
    ("Loom_Demo_Ratio", "LOOM_DEMO_RATIO"),
    ("LOOM_DEMO_KEYFILE", "LOOM_DEMO_KEY_FILE"),
    ("LOOM_OGR", "LOOM_ORG"),
]


@pytest.mark.parametrize(("name", "nearest"), MISSPELT)
def test_a_variable_that_nearly_matches_is_warned_about(name: str, nearest: str) -> None:
    loaded = load_all([Demo, Other], {name: SECRET})
    assert loaded.warnings == (f"{name} is not a setting; {nearest} is",)


@pytest.mark.parametrize("name", ["LOOM_MEMORY_ROWS", "LOOM_UNRELATED", "DEMO_ROWS", "PATH"])
def test_a_variable_of_another_process_is_no_reason_to_warn(name: str) -> None:
    assert load_all([Demo, Other], {name: "1"}).warnings == ()


LOGINS = [
    ("https://bob:hunter2@db:8443/loom", "https://bob:***@db:8443/loom"),
    ("https://bob:hun@ter/2@db:8443/loom", "https://bob:***@db:8443/loom"),
    ("https://ghp_token@forge/x", "https://***@forge/x"),
    ("https://:hunter2@db/", "https://***@db/"),
    ("http://db:8123/loom?user=bob&password=hunter2&x=1", "http://db:8123/loom?user=bob&password=***&x=1"),
    ("http://db:8123/loom?access_token=hunter2", "http://db:8123/loom?access_token=***"),
    ("http://db:8123/loom", "http://db:8123/loom"),
    ("chdb:///data", "chdb:///data"),
]


@pytest.mark.parametrize(("dsn", "shown"), LOGINS)
def test_logins_inside_urls_are_masked(dsn: str, shown: str) -> None:
    loaded = load(Demo, {"LOOM_DSN": dsn, "LOOM_DEMO_HOSTS": json.dumps([dsn])})
    assert redacted(loaded)["dsn"] == shown
    assert redacted(loaded)["hosts"] == [shown]


def test_the_redacted_form_shows_everything_but_secrets() -> None:
    shown = redacted(Demo(key=SECRET, pin=1234, folder=Path("/data")))
    assert shown == {
        "name": "loom",
        "level": "info",
        "rows": 10,
        "ratio": 0.5,
        "floor": 3,
        "roof": 1.5,
        "enabled": True,
        "hosts": ["a"],
        "tools": [],
        "folder": "/data",
        "dsn": "chdb://",
        "key": "***",
        "pin": "***",
    }
    assert json.loads(json.dumps(shown)) == shown


def test_all_loaded_settings_are_shown_by_variable() -> None:
    shown = redacted_all(load_all([Demo, Other], {"LOOM_PORT": "80", "LOOM_DEMO_KEY": SECRET}))
    assert (shown["LOOM_PORT"], shown["LOOM_DEMO_KEY"], shown["LOOM_DSN"]) == (80, "***", "chdb://")
    assert len(shown) == len(describe(Demo)) + len(describe(Other))


def test_an_unset_secret_is_seen_to_be_unset() -> None:
    assert redacted(Demo())["key"] == ""


def test_printing_settings_shows_no_secret() -> None:
    printed = repr(Demo(key=SECRET, dsn=f"http://bob:{SECRET}@db"))
    assert SECRET not in printed
    assert "bob" in printed


def test_every_setting_describes_itself() -> None:
    infos = {info.env: info for info in describe(Demo)}
    assert list(infos)[:3] == ["LOOM_DEMO_NAME", "LOOM_DEMO_LEVEL", "LOOM_DEMO_ROWS"]
    assert (infos["LOOM_DEMO_ROWS"].type, infos["LOOM_DEMO_ROWS"].default) == ("whole number", "10")
    assert infos["LOOM_DEMO_ROWS"].takes == "a whole number from 1 to 5,000"
    assert infos["LOOM_DEMO_ENABLED"].default == "on"
    assert infos["LOOM_DEMO_HOSTS"].default == "a"
    assert infos["LOOM_DSN"].help == "Where rows go."
    assert infos["LOOM_DEMO_KEY"].secret


def test_the_description_shows_no_default_of_a_secret() -> None:
    @settings()
    class Risky:
        key: str = setting(SECRET, help="A key with a default.", secret=True)

    assert describe(Risky)[0].default == ""


def test_a_default_outside_its_own_bounds_is_refused_at_the_declaration() -> None:
    with pytest.raises(TypeError, match="rows: the default must be a whole number from 1 to 2"):

        @settings()
        class _Wrong:
            rows: int = setting(3, help="x", min=1, max=2)


def test_a_field_without_help_is_refused_at_the_declaration() -> None:
    with pytest.raises(TypeError, match="rows: declare it with"):

        @settings()
        class _Wrong:
            rows: int = setting(3, help="")


def test_a_type_that_settings_do_not_know_is_refused_at_the_declaration() -> None:
    with pytest.raises(TypeError, match="rows: declare it with"):

        @settings()
        class _Wrong:
            rows: complex = setting(3, help="x")


def test_bounds_on_a_text_are_refused_at_the_declaration() -> None:
    with pytest.raises(TypeError, match="only numbers have bounds"):

        @settings()
        class _Wrong:
            name: str = setting("", help="x", max=3)


def test_two_fields_with_one_variable_are_refused_at_the_declaration() -> None:
    with pytest.raises(TypeError, match="two settings share a variable"):

        @settings()
        class _Wrong:
            key: str = setting("", help="x", secret=True)
            key_file: str = setting("", help="x")


def test_what_the_client_library_reads_is_not_taken_for_a_misspelt_setting() -> None:
    @settings(prefix="LOOM_LLM_")
    class Near:
        base_url: str = setting("", help="Near the client's own variable.")

    assert load_all([Near], {"LOOM_BASE_URL": "http://127.0.0.1:7777"}).warnings == ()

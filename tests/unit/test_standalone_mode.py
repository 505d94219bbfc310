"""What `loom serve` and `loom doctor` say of the mode that they are in."""

import json
import re
import shlex
from pathlib import Path

import pytest

from runtime.keys import new_key, retire_key
from runtime.process import ProcessSettings
from runtime.settings import SettingsError
from services.tracker.record.demo.landmarks import LANDMARKS
from standalone.banner import banner
from standalone.checks.keys import mode
from standalone.loading.first_start import Demo
from standalone.serve import settings_from


def mcp_of(text: str) -> dict:
    return json.loads(re.search(r"MCP +(\{.*\})", text)[1])["mcpServers"]["loom"]


def test_the_banner_shows_where_the_token_goes_in_token_mode_alone() -> None:
    text = banner("127.0.0.1", 7777, 7778, tokens=True)
    assert 'curl -s http://127.0.0.1:7777/v1/observe.record -H "Authorization: Bearer $LOOM_API_KEY"' in text
    assert mcp_of(text)["headers"] == {"Authorization": "Bearer ${LOOM_API_KEY}"}
    plain = banner("127.0.0.1", 7777, 7778)
    assert "LOOM_API_KEY" not in plain
    assert mcp_of(plain) == {"type": "http", "url": "http://127.0.0.1:7777/mcp"}


def test_the_banner_asks_the_demo_record_where_it_is_there_and_says_why_it_is_not() -> None:
    text = banner("127.0.0.1", 7777, None, demo=Demo.THERE)
    body = json.loads(shlex.split(re.search(r"curl -s .*", text)[0])[-1])
    assert body["namespace"] == "code-demo" and LANDMARKS.release_with_blockers in body["question"]
    without = banner("127.0.0.1", 7777, None, tokens=True, demo=Demo.TOKENS)
    assert Demo.TOKENS.value in without and "observe.record" in without


@pytest.mark.parametrize(
    ("environ", "org"),
    [
        ({}, "dev"),
        ({"LOOM_ORG": "acme"}, "acme"),
        ({"LOOM_ORG": "acme", "LOOM_TRACKER_ORG": "other"}, "other"),
        ({"LOOM_TRACKER_ORG": ""}, ""),
        ({"LOOM_KEYS_DIR": "keys"}, ""),
    ],
)
def test_trackers_are_of_ones_own_organisation_unless_the_setting_says_otherwise(
    environ: dict[str, str], org: str
) -> None:
    assert settings_from(environ)[ProcessSettings].tracker_org == org


def test_the_doctor_tells_the_mode(tmp_path: Path) -> None:
    found = mode(settings_from({}))
    assert (found.ok, found.fact) == (True, "single-user: no tokens, loopback only")
    settings = settings_from({"LOOM_KEYS_DIR": str(tmp_path / "keys")})
    assert "loom keys new" in mode(settings).advice
    kid = new_key(tmp_path / "keys")
    assert "1 keys" in mode(settings).fact and "can mint" in mode(settings).fact
    (tmp_path / "keys" / f"{kid}.pem").unlink()
    assert (mode(settings).ok, "no private key here" in mode(settings).fact) == (True, True)
    retire_key(tmp_path / "keys", kid)
    assert mode(settings).advice == "run `loom keys new`"


def test_keys_beside_the_data_are_not_forgotten(tmp_path: Path) -> None:
    environ = {"LOOM_DATA_DIR": str(tmp_path)}
    settings_from(environ)
    new_key(tmp_path / "keys")
    with pytest.raises(SettingsError, match="LOOM_KEYS_DIR: there are keys in"):
        settings_from(environ)
    settings_from(environ | {"LOOM_KEYS_DIR": str(tmp_path / "keys")})


@pytest.mark.parametrize("keys", ["", "somewhere"])
def test_an_open_listener_needs_keys(keys: str) -> None:
    environ = {"LOOM_HOST": "0.0.0.0", "LOOM_KEYS_DIR": keys}
    if keys:
        settings_from(environ)
    else:
        with pytest.raises(Exception, match="single-user mode"):
            settings_from(environ)

"""What `loom serve` and `loom doctor` say of the mode that they are in."""

import json
import re
from pathlib import Path

import pytest

from runtime.keys import new_key, retire_key
from runtime.settings import SettingsError
from standalone.banner import banner
from standalone.doctor import mode
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

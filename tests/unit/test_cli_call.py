"""`loom call`: any op, JSON out, plain exit codes."""

import io
import json

import pytest

from loom.cli import main
from loom.cli.call import arguments, value_of
from loom.cli.door import Door, UnreachableError
from loom.cli.options import api_key
from loom.cli.terminal import UsageError
from tests.support.capture_home import isolated
from tests.support.stub_server import failing, serving, unused_url


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    isolated(monkeypatch, tmp_path)
    return tmp_path


def test_an_answer_is_printed_as_json_and_the_code_is_0(capsys):
    with serving(lambda sent: (200, {"memory_key": "k", "tags": ["ä"]})) as server:
        assert main(["call", "observe.record", "tool_name=Bash", "--base-url", server.url]) == 0
    assert capsys.readouterr().out == '{"memory_key":"k","tags":["ä"]}\n'
    assert server.sent[0].op == "observe.record"
    assert server.sent[0].headers["Content-Type"] == "application/json"


def test_at_a_terminal_json_is_indented_unless_asked_for(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    with serving(lambda sent: (200, {"a": 1})) as server:
        main(["call", "ops.health", "--base-url", server.url])
        assert capsys.readouterr().out == '{\n  "a": 1\n}\n'
        main(["call", "ops.health", "--base-url", server.url, "--json"])
        assert capsys.readouterr().out == '{"a":1}\n'


def test_a_failed_call_prints_the_envelope_on_standard_error_and_the_code_is_1(capsys):
    answer = failing(400, "MISSING_FIELD", "invalid", metadata={"field": "tool_name"})
    with serving(lambda sent: answer) as server:
        assert main(["call", "observe.record", "--base-url", server.url]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert json.loads(said.err) == answer[1]


@pytest.mark.parametrize("answer", [(502, b"<html>"), (200, b"<html>"), (404, b""), (500, b'{"detail": "x"}')])
def test_an_answer_that_is_not_looms_is_told_as_such(capsys, answer):
    with serving(lambda sent: answer) as server:
        assert main(["call", "observe.record", "--base-url", server.url]) == 1
    assert f"HTTP {answer[0]} from {server.url}" in capsys.readouterr().err


def test_no_server_is_code_3_and_names_the_address(capsys):
    url = unused_url()
    assert main(["call", "observe.record", "secret=hunter2", "--base-url", url]) == 3
    said = capsys.readouterr()
    assert url in said.err
    assert "hunter2" not in said.err


def test_values_are_json_where_they_parse_else_text(home):
    (home / "note.md").write_text("# Title\n")
    (home / "value.json").write_text('{"a": [1]}')
    assert arguments(
        ["a=1", 'b="1"', "c=x=y", "d=", "e=null", "f=[1,2]", "g=@note.md", "h=@value.json", "i=1.5", 'j="@x"']
    ) == {
        "a": 1,
        "b": "1",
        "c": "x=y",
        "d": "",
        "e": None,
        "f": [1, 2],
        "g": "# Title\n",
        "h": {"a": [1]},
        "i": 1.5,
        "j": "@x",
    }


def test_where_the_op_takes_a_string_a_value_is_one_whatever_it_looks_like():
    given = ["version=3.2", "namespace=2024", "zz=3.2"]
    assert arguments(given, "tracker.release") == {"version": "3.2", "namespace": "2024", "zz": 3.2}
    assert arguments(["password=123456", "port=8443", "user=null"], "tracker.source.inspect") == {
        "password": "123456",
        "port": 8443,
        "user": "null",
    }
    assert arguments(['version="3.2"'], "tracker.release") == {"version": "3.2"}
    assert arguments(["numbers=[3]"], "tracker.item") == {"numbers": [3]}


def test_a_big_integer_is_sent_as_it_is():
    with serving(lambda sent: (200, {})) as server:
        main(["call", "x.y", "n=9007199254740993", "--base-url", server.url])
    assert server.sent[0].body == {"n": 9007199254740993}


def test_standard_input_gives_an_object_to_which_arguments_add(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO('{"a": 1, "b": 2}'))
    assert arguments(["-", "b=3"]) == {"a": 1, "b": 3}


@pytest.mark.parametrize("text", ["", "[]", "3", "{"])
def test_standard_input_that_is_no_object_is_wrong_usage(monkeypatch, capsys, text):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["call", "x.y", "-"]) == 2
    assert "JSON object" in capsys.readouterr().err


@pytest.mark.parametrize("item", ["novalue", "=x", "key=@/none/there"])
def test_an_argument_of_another_form_is_wrong_usage_and_its_value_is_not_shown(capsys, item):
    assert main(["call", "x.y", "a=hunter2", item]) == 2
    assert "hunter2" not in capsys.readouterr().err


def test_text_nested_too_deep_is_text():
    assert value_of("[" * 100_000).startswith("[[")


@pytest.mark.parametrize("url", ["nonsense", "ftp://x", "http://", "http://[::1", "http://x:port"])
def test_a_base_url_that_is_none_is_wrong_usage(url, capsys):
    assert main(["call", "x.y", "--base-url", url]) == 2
    assert "base URL" in capsys.readouterr().err


def test_the_address_comes_from_the_environment_and_may_have_a_path(monkeypatch):
    with serving(lambda sent: (200, {})) as server:
        monkeypatch.setenv("LOOM_BASE_URL", server.url + "/loom/")
        assert main(["call", "x.y"]) == 0
    assert server.sent[0].op == "x.y"


def test_the_address_shown_has_no_password_in_it():
    assert Door("http://user:hunter2@host:1/x").address == "http://host:1/x"


def test_the_key_comes_from_environment_or_file_and_never_from_an_argument(home, monkeypatch, capsys):
    assert api_key({"LOOM_API_KEY": " k1 "}) == "k1"
    (home / "key").write_text("k2\n")
    assert api_key({"LOOM_API_KEY_FILE": str(home / "key")}) == "k2"
    (home / ".config" / "loom").mkdir(parents=True)
    (home / ".config" / "loom" / "api_key").write_text("k3\n")
    assert api_key({"HOME": str(home)}) == "k3"
    assert api_key({"XDG_CONFIG_HOME": str(home / ".config"), "HOME": "/none"}) == "k3"
    assert api_key({"HOME": "/none"}) == ""
    assert main(["call", "x.y", "--api-key", "k"]) == 2
    assert "k4" not in capsys.readouterr().err


@pytest.mark.parametrize("env", [{"LOOM_API_KEY": "a\nb"}, {"LOOM_API_KEY": "é"}, {"LOOM_API_KEY_FILE": "/none"}])
def test_a_key_that_cannot_be_sent_is_wrong_usage_and_is_not_shown(env):
    with pytest.raises(UsageError) as told:
        api_key(env)
    assert not any(value in str(told.value) for value in env.values())


def test_a_kept_connection_that_the_server_closed_is_opened_again():
    with serving(lambda sent: (200, {})) as server:
        door = Door(server.url)
        assert door.post("x.y", b"{}").ok
        assert door._connection is not None
        door._connection.sock.shutdown(2)
        assert door.post("x.y", b"{}").ok
    with pytest.raises(UnreachableError):
        door.post("x.y", b"{}", 5)


def test_a_server_that_is_silent_is_unreachable():
    with serving(lambda sent: server.let_go.wait(10) and None) as server, pytest.raises(UnreachableError):
        Door(server.url).post("x.y", b"{}", 0.05)


def test_options_may_stand_between_the_op_and_its_arguments(capsys):
    with serving(lambda sent: (200, {"a": 1})) as server:
        assert main(["call", "observe.list", "--base-url", server.url, "session_id=s"]) == 0
    assert server.sent[0].body == {"session_id": "s"}

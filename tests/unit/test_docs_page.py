"""The page to try ops from: self-contained, bound by its policy, and harmless whatever it is given to show."""

import base64
import hashlib
import json
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.docs_page import page

HTML = page()[0].decode()
HEADERS = page()[1]
SCRIPT = HTML.partition("<script>")[2].partition("</script>")[0]
NODE = Path(sysconfig.get_path("scripts")) / "node"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def policy() -> dict[str, str]:
    rules = [rule.partition(" ") for rule in HEADERS["content-security-policy"].split("; ")]
    return {name: value for name, _, value in rules}


def node(script: str, stdin: str = "") -> str:
    result = subprocess.run([NODE, "-e", script], input=stdin, capture_output=True, text=True, check=True)
    return result.stdout


def test_the_page_fetches_nothing_from_elsewhere() -> None:
    assert not re.search(r"https?:|//[a-z]|@import|url\(|<link(?! rel=\"icon\" href=\"data:,\")| src=", HTML)


def test_the_page_calls_beside_itself_so_that_it_works_under_a_prefix() -> None:
    assert 'fetch("openapi.json"' in SCRIPT
    assert "fetch(op.path.slice(1)" in SCRIPT


@pytest.mark.parametrize("tag", ["script", "style"])
def test_the_policy_allows_the_inline_block_by_its_hash_alone(tag: str) -> None:
    [block] = re.findall(rf"<{tag}>(.*?)</{tag}>", HTML, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()
    assert policy()[f"{tag}-src"] == f"'sha256-{digest}'"


def test_the_policy_forbids_all_else() -> None:
    assert "unsafe" not in HEADERS["content-security-policy"]
    for rule in ("default-src", "base-uri", "form-action", "frame-ancestors", "trusted-types"):
        assert policy()[rule] == "'none'"
    assert policy()["connect-src"] == "'self'"
    assert policy()["require-trusted-types-for"] == "'script'"


def test_the_headers_tell_browsers_what_the_page_is() -> None:
    assert HEADERS["content-type"] == "text/html; charset=utf-8"
    assert HEADERS["x-content-type-options"] == "nosniff"
    assert HEADERS["referrer-policy"] == "no-referrer"


def test_nothing_in_the_markup_would_be_refused_by_the_policy() -> None:
    markup = HTML.replace(SCRIPT, "")
    assert not re.search(r"\son[a-z]+=|\sstyle=|javascript:", markup)


def test_text_never_becomes_markup() -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", SCRIPT)


def test_the_token_is_kept_nowhere() -> None:
    assert not re.search(r"localStorage|sessionStorage|indexedDB|document\.cookie", SCRIPT)
    assert SCRIPT.count('byId("token")') == 1
    assert 'id="token" type="password" autocomplete="off"' in HTML


def test_every_control_has_a_label() -> None:
    for control in re.findall(r"<(?:input|textarea)[^>]*\bid=\"(\w+)\"", HTML.replace(SCRIPT, "")):
        assert f'<label for="{control}">' in HTML
    assert 'htmlFor: "body"' in SCRIPT


def test_both_colour_schemes_define_the_same_colours() -> None:
    light, dark = re.findall(r":root \{(.*?)\}", HTML, re.DOTALL)
    assert set(re.findall(r"--\w+", light)) == set(re.findall(r"--\w+", dark))


def test_the_script_is_valid() -> None:
    subprocess.run([NODE, "--check", "-"], input=SCRIPT, text=True, check=True, capture_output=True)


INDENT = "function indent" + SCRIPT.partition("function indent")[2].partition("\nfunction ")[0]
PRINT_INDENTED = (
    INDENT
    + ';const all = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(JSON.stringify(all.map(indent)))'
)


@settings(max_examples=5, deadline=None)
@given(st.lists(JSON, min_size=20, max_size=40))
def test_answers_are_indented_without_a_change_to_them(values: list[object]) -> None:
    sent = [json.dumps(value, separators=(",", ":"), ensure_ascii=False) for value in values]
    shown = json.loads(node(PRINT_INDENTED, json.dumps(sent)))
    assert [json.loads(text) for text in shown] == values


def test_answers_are_shown_one_member_a_line() -> None:
    sent = '{"big":12345678901234567890123,"none":[],"list":[1,{"a":"b,{}"}]}'
    [shown] = json.loads(node(PRINT_INDENTED, json.dumps([sent])))
    assert shown.splitlines() == [
        "{",
        '  "big": 12345678901234567890123,',
        '  "none": [],',
        '  "list": [',
        "    1,",
        "    {",
        '      "a": "b,{}"',
        "    }",
        "  ]",
        "}",
    ]

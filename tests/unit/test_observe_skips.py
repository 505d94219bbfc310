"""Calls that leave a row without content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.skips import Blacklist, self_referential

DEFAULT = Blacklist()


@pytest.mark.parametrize(
    "name",
    [
        *(
            "loom",
            "loom_memory_search",
            "Loom",
            "LOOM_OP",
            "mcp__loom__mem_save",
            "MCP__Loom__observe_record",
            "loom.op",
        ),
        *("mcp__loom-prod__mem_save", "mcp_loom_mem_save", "mcp__plugin_loom_loom__mem_save"),
    ],
)
def test_looms_own_tools_are_self_referential(name):
    assert self_referential(name)


@pytest.mark.parametrize(
    "name",
    [
        *("TodoWrite", "TodoRead", "Task", "Agent", "ExitPlanMode", "EnterPlanMode", "ToolSearch", "TaskCreate"),
        *(
            "TaskUpdate",
            "TaskList",
            "TaskGet",
            "TaskOutput",
            "exit_plan_mode",
            "update_plan",
            "spawn_agent",
            "tool_search",
        ),
        *("todo_write", "write_todos", "todowrite", "todoread", "task", "plan_exit", "manage_todo_list", "new_task"),
        *("runSubagent", "delegate_to_agent", "switch_mode", "update_todo_list"),
    ],
)
def test_tools_by_which_agents_steer_themselves_are_self_referential(name):
    assert self_referential(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Bash", "Read", "Edit", "WebSearch", "apply_patch", "mcp__github__create_issue", "AskUserQuestion", "Skill"),
        *(
            "bloom_filter",
            "mcp__heirloom__x",
            "mcp__jira__task",
            "multitask",
            "agent_status",
            "planner",
            "",
            "save_memory",
        ),
    ],
)
def test_other_tools_are_not_self_referential(name):
    assert not self_referential(name)


CREDENTIALS = [
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----",
    "PuTTY-User-Key-File-2: ssh-rsa",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    '"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"',
    "ghp_" + "a1" * 18,
    "ghs_" + "B2" * 18,
    "github_pat_" + "11ABCDEFG0_abcdefghij",
    "glpat-" + "abcdefghij0123456789",
    "xoxb-" + "123456789012-abcdef",
    "https://hooks.slack.com/services/" + "T00000000/B00000000/XXXXXXXXXXXXXXXX",
    "AIza" + "b" * 35,
    "ya29." + "a0AfB_byC" * 4,
    "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "sk-proj-" + "abcdefghij1234567890",
    "sk-" + "a1" * 24,
    "sk-ant-" + "api03-abcdefghijklmno",
    "npm_" + "a" * 36,
    "//registry.example.org/:_authToken=abcdef-12345",
    "pypi-AgE" + "IcHlwaS5vcmcCJDU0",
    "hf_" + "aB" * 17,
    "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + "Ab1/" * 21 + "Ag==",
    "https://x.blob.core.windows.net/c?sv=1&sig=" + "aB3%2F" * 8,
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0.abcdefghijkl",
    "Authorization: Bearer abcdef123456",
    "authorization: bearer s3cr3t-t0ken-value",
    "curl -H 'Authorization: token abcdef0123456'",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    '{\\"Authorization\\": \\"Bearer abcdefghijklmnopqrs\\"}',
    "use Bearer 0123456789abcdef0123456789abcdef",
    "X-Api-Key: 0123456789abcdef",
    "Set-Cookie: sessionid=abc123abc123abc123abc123; Path=/",
    "https://user:hunter2@example.com/x",
    "postgres://app:s3cret@db:5432/x",
    "redis://:pw123@cache",
    "curl -u admin:hunter22 http://example.com",
    "DB_PASSWORD=hunter2\nDEBUG=true\n",
    "DEBUG=true\n\n# the key\nexport API_KEY='abc123'",
    "     1→HOST=a\n     2→SECRET_KEY=xyz12\n",
    ".env:1:HOST=a\n.env:2:SMTP_PASS=xyz12\n",
    "+HOST=a\n+GITHUB_TOKEN=abcde\n",
    "HOST=a\r\nDB_PASSWORD=hunter2\r\n",
    "HOST=a\\nDB_PASSWORD=hunter2\\n",
    "HOST=a DB_PASSWORD=hunter2 ./run",
    "API_KEY=abcdef0123456789",
    '"client_secret": "abcdef0123456789abcdef"',
]


@pytest.mark.parametrize("text", CREDENTIALS)
def test_credentials_are_blacklisted_wherever_they_stand(text):
    assert DEFAULT.matches(text)
    assert DEFAULT.matches("", f"first line\n{text}\nlast line")
    assert DEFAULT.matches({"stdout": [{"text": text}]})
    assert DEFAULT.matches({text: None})
    assert DEFAULT.matches("x" * 100_000 + "\n" + text)


@pytest.mark.parametrize(
    "value",
    [
        {"headers": {"Authorization": "Bearer abcdefghijkl"}},
        {"aws_secret_access_key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
        {"Env": ["HOST=a", "DB_PASSWORD=hunter2"]},
        {"api_key": '"abcdef0123456789abcdef"'},
    ],
)
def test_credentials_whose_name_is_the_key_of_a_value_are_blacklisted(value):
    assert DEFAULT.matches(value)


@pytest.mark.parametrize(
    "text",
    [
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "the password is wrong, try another password",
        "Bearer <token>",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer ${TOKEN}",
        "Authorization: Bearer YOUR_API_TOKEN",
        'headers["Authorization"] = f"Bearer {token}"',
        "bearer responsibilities are many",
        "authorization is required",
        "https://example.com:8080/a@b",
        "git@github.com:org/repo.git",
        "https://user@host/x",
        "https://user:$PASS@host/",
        "https://user:<password>@host",
        "https://user:***@host",
        "MAX_TOKENS=4096\nTEMPERATURE=1",
        "PWD=/home/x\nOLDPWD=/tmp\nPATH=/bin",
        "API_KEY=$OTHER\nX=1",
        "API_KEY=\nX=1",
        "API_KEY=<your key>\nX=1",
        "TESTS_PASS=3\nTESTS_FAIL=0",
        "PASSWORD_HASHERS=x\nA=1",
        "PASSWORD = os.environ['X']\nUSER = 1",
        "token = get_token()",
        "api_key: str",
        "sk-fading-circle-loader-animation",
        "docker run -u 1000:1000 image",
        "class TokenizerFast: pass",
        "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
        "-----BEGIN CERTIFICATE-----\nMIID",
        "-----BEGIN PUBLIC KEY-----",
        "AKIA is the prefix of a key id",
        "npm_config_registry=https://example.com",
        "hf_hub_download(repo)",
        "set ghp_ tokens in the settings",
        "2001:db8::1 http://[::1]:80/",
    ],
)
def test_names_places_and_placeholders_of_credentials_are_not_blacklisted(text):
    assert not DEFAULT.matches(text)
    assert not DEFAULT.matches({"text": [text]})


def test_an_org_adds_its_own_patterns_to_the_default_ones():
    blacklist = Blacklist([r"(?i)project\s+nightfall", r'^internal="[^"]+"$', r"\b\d{16}\b"])

    assert blacklist.matches("about Project  Nightfall")
    assert blacklist.matches({"note": 'internal="x"'}) is False  # `^` is the start of the text, not of a line
    assert blacklist.matches('internal="x"')
    assert blacklist.matches({"card": 4111111111111111})
    assert blacklist.matches("ghp_" + "a1" * 18)
    assert not blacklist.matches("about project daylight 411111111111")


def test_own_patterns_may_use_groups_of_the_same_name():
    blacklist = Blacklist(["a(?P<x>1)", "b(?P<x>2)"])

    assert blacklist.matches("a1")
    assert blacklist.matches("b2")
    assert not blacklist.matches("a2")


def test_alternatives_and_flags_of_one_own_pattern_stay_within_it():
    blacklist = Blacklist(["(?i)alpha|beta", "GAMMA"])

    assert blacklist.matches("BETA")
    assert not blacklist.matches("gamma")


@pytest.mark.parametrize(
    "pattern", ["(", "a)|(b", "(?=x)", r"(a)\1", "x{5000}", "", "  ", "a*", "|a", "((((x{100}){100}){100}))"]
)
def test_an_unusable_pattern_is_refused_with_its_index_and_without_its_text(pattern):
    with pytest.raises(ValueError, match="blacklist pattern 1 ") as refused:
        Blacklist(["fine", pattern])

    assert not pattern.strip() or pattern not in str(refused.value)


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "A",
        "-----BEGIN",
        "A=",
        "A=1\n",
        "://a:b",
        "bearer ",
        "cookie:token",
        "\n1:1:",
        "TOKEN_",
        "curl -u ",
        "(a+)+$",
    ],
)
def test_a_mebibyte_built_to_stall_a_backtracking_engine_is_searched_to_its_end(unit):
    text = unit * (1_048_576 // len(unit))
    blacklist = Blacklist(["(a+)+$b", "(.*)*needle"])

    assert not blacklist.matches(text)
    assert blacklist.matches(text + " ghp_" + "a1" * 18)
    assert blacklist.matches(text + " needle")


def test_lone_surrogates_and_deep_values_are_searched_too():
    value = "\ud800 ghp_" + "a1" * 18
    for _ in range(5_000):
        value = [value]

    assert DEFAULT.matches(value)


@given(st.recursive(st.one_of(st.text(), st.none(), st.booleans(), st.integers()), st.lists, max_leaves=5))
def test_any_json_value_can_be_searched(value):
    assert DEFAULT.matches(value) in (True, False)


def test_nothing_at_all_is_not_blacklisted():
    assert not DEFAULT.matches()
    assert not DEFAULT.matches("", None, [], {})

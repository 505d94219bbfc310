"""Generated files: the committed ones are what the generators write, and the references say what they should."""

import ast
import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from gateway.examples import example_request
from gateway.schema import Schema
from runtime.errors import REGISTRY, Code
from runtime.optable import Op, OpTable, load_ops
from runtime.settings import describe, setting, settings
from tools import docs, gen
from tools.markdown import code, codes, page, prose, table
from tools.operations import operations, type_of

ROOT = Path(__file__).resolve().parents[2]
OPERATIONS = operations(load_ops())


def section(op: Op) -> str:
    return OPERATIONS.partition(f"\n## {op.name}\n")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the generator makes of the contract now."""
    out = tmp_path_factory.mktemp("generated")
    gen.generate(out)
    return out


def generated(folder: Path) -> dict[str, str]:
    """The contract's code and comments under a folder, by path."""
    files = [*folder.rglob("*_pb2.py"), *folder.rglob("*_pb2.pyi"), *folder.rglob("*_pb2_grpc.py")]
    files.append(folder / "loom" / "contract.json")
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_the_contracts_code_is_what_make_gen_writes(fresh: Path) -> None:
    written, committed = generated(fresh), generated(gen.OUT)
    assert written.keys() == committed.keys()
    assert [path for path in written if written[path] != committed[path]] == []


def test_every_generated_module_is_in_a_package(fresh: Path) -> None:
    inits = [path.relative_to(fresh) for path in fresh.rglob("__init__.py")]
    assert inits
    assert [path for path in inits if not (gen.OUT / path).exists()] == []


def test_files_without_services_have_no_stub_module(fresh: Path) -> None:
    assert (fresh / "loom/observe/v1/observe_pb2_grpc.py").exists()
    assert not (fresh / "loom/options/v1/options_pb2_grpc.py").exists()


def test_comments_are_kept_by_full_name_in_one_line(fresh: Path) -> None:
    comments = json.loads((fresh / "loom" / "contract.json").read_text())
    assert comments["loom.observe.v1.Observation.tags"] == "Tags."
    assert not any("\n" in comment for comment in comments.values())
    assert [*comments] == sorted(comments)


@pytest.mark.parametrize(
    "name", ["operations.md", "errors.md", "settings.md", "trackers/contract.md", "trackers/mappings.md"]
)
def test_a_reference_is_what_make_gen_writes(name: str) -> None:
    assert docs.pages()[name] == (docs.DOCS / name).read_text(encoding="utf-8"), "run `make gen`"


def test_make_gen_writes_every_reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "DOCS", tmp_path / "docs")
    docs.main()
    files = [path for path in (tmp_path / "docs").rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path / "docs").as_posix(): path.read_text() for path in files} == docs.pages()


def test_the_ready_mappings_in_the_documentation_are_the_ones_that_are_shipped() -> None:
    shown = {path.name: path.read_text() for path in (docs.DOCS / "trackers").glob("*.json")}
    pages = {name: text for name, text in docs.pages().items() if name.endswith(".json")}
    assert {f"trackers/{name}": text for name, text in shown.items()} == pages, "run `make gen`"


def test_references_come_out_the_same_each_time() -> None:
    assert docs.pages() == docs.pages()


@pytest.mark.parametrize("op", list(load_ops()), ids=lambda op: op.name)
def test_an_op_is_described_with_each_of_its_fields(op: Op) -> None:
    described = section(op)
    for message in (op.request, op.response):
        for field in message.DESCRIPTOR.fields:
            assert f"| `{field.name}" in described
    for fact in (op.role, op.tool, op.path, op.toolset, f"{op.deadline_s:g} s"):
        assert fact in described
    assert f"/v1/{op.http_path} " in described
    assert json.dumps(example_request(op)) in described
    assert f"[{op.name}](#{op.name.replace('.', '')})" in OPERATIONS


def test_a_field_says_where_its_value_comes_from_when_none_is_sent() -> None:
    described = section(load_ops().by_name["observe.record"])
    assert "| `tool_name` | string (at most 256 characters) | **required** |" in described
    assert "| `org` | string (at most 128 characters) | the caller's |" in described
    assert '| `user_id` | string (at most 256 characters) | the caller\'s, else `"-"` |' in described
    assert "| `metadata` | object | `{}` |" in described
    assert "| `tool_input` | any JSON |  |" in described


def test_fields_of_nested_messages_stand_under_dotted_paths() -> None:
    described = section(load_ops().by_name["observe.record_batch"])
    assert "| `records[].tool_name` |" in described
    assert "| `results[].detail.retry_after_s` | number or null |" in described


def test_codes_that_every_op_may_answer_stand_once() -> None:
    assert OPERATIONS.count("`STORAGE_UNAVAILABLE`") == 1
    assert "`MISSING_FIELD`" in section(load_ops().by_name["observe.record"])
    assert "Errors besides those of every op: none." in section(load_ops().by_name["ops.health"])


def test_an_op_that_mcp_does_not_list_says_so() -> None:
    unlisted = replace(load_ops().by_name["ops.health"], listed=False)
    assert "`loom_ops_health` (not listed)" in operations(OpTable([unlisted]))


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({}, "any JSON"),
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"], "maxLength": 5000}, "string (at most 5,000 characters) or null"),
        ({"type": "string", "enum": ["a", "b", ""]}, "one of `a`, `b`"),
        ({"type": ["string", "null"], "enum": ["a", "", None]}, "one of `a` or null"),
        ({"type": "integer", "minimum": 1, "maximum": 10000}, "integer from 1 to 10,000"),
        ({"type": "integer", "minimum": -(2**53) + 1, "maximum": 2**53 - 1}, "integer"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 5}, "list (at most 5) of string"),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 5},
            "map (at most 5) of integer",
        ),
    ],
)
def test_types_are_told_in_words(schema: Schema, text: str) -> None:
    assert type_of(schema) == text


def test_every_code_is_in_the_reference_of_errors() -> None:
    text = docs.errors()
    for known in REGISTRY.values():
        assert f"| `{known.name}` | {known.http} | {known.grpc} |" in text
        assert f"## {known.category}\n" in text


def test_a_family_of_codes_stands_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTRY, "LATE", Code("LATE", "INVALID_ARGUMENT", 400, "invalid", False, "Take `a` | `b`."))
    assert docs.errors().count("## invalid\n") == 1
    assert "Take `a` \\| `b`." in docs.errors()


def test_every_settings_class_is_in_the_reference() -> None:
    found = set()
    for folder in ("runtime", "gateway", "services", "standalone"):
        for path in (ROOT / folder).rglob("*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found |= {(module, name) for name in _settings_classes(path)}
    assert found == {(module, name) for _, module, name in docs.SETTINGS}


def _settings_classes(path: Path) -> list[str]:
    classes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]
    decorated = [(node.name, ast.unparse(decorator)) for node in classes for decorator in node.decorator_list]
    return [name for name, decorator in decorated if decorator.startswith("settings(")]


def test_every_setting_is_in_the_reference_and_none_twice() -> None:
    text = docs.settings()
    for _, module, name in docs.SETTINGS:
        for info in describe(getattr(import_module(module), name)):
            assert text.count(f"| `{info.env}` |") == 1
            assert prose(info.help).replace("|", "\\|") in text


def test_a_secret_shows_no_default_and_names_its_file() -> None:
    @settings(prefix="LOOM_")
    class Secretive:
        key: str = setting("hidden", help="A key.", secret=True)
        port: int = setting(7, help="A port.", min=1, max=9)

    rows = docs._variables(describe(Secretive)).splitlines()[2:]
    assert rows == [
        "| `LOOM_KEY` | text (secret; or `LOOM_KEY_FILE`) |  | A key. |",
        "| `LOOM_PORT` | a whole number from 1 to 9 | `7` | A port. |",
    ]


def test_markdown_shows_text_as_it_is() -> None:
    assert page("T", "a", "b").startswith("# T\n\n<!-- Generated")
    assert table(["a", "b"], [["1|2", ""]]) == "| a | b |\n| --- | --- |\n| 1\\|2 |  |"
    assert (code("a"), code(""), codes(["a", "b"])) == ("`a`", "", "`a`, `b`")
    assert prose("a <b> `c <d>` <e>") == "a \\<b> `c <d>` \\<e>"

"""The contract under buf: style, format, and no change that breaks callers of the committed image."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2 as pb

from loom.options.v1 import options_pb2
from tools import image
from tools.promises import broken_promises

RECORD = "proto/loom/observe/v1/observe.proto"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The contract and its image in a folder of the test's own."""
    shutil.copytree(image.ROOT / "proto", tmp_path / "proto")
    shutil.copy(image.ROOT / "buf.yaml", tmp_path)
    return tmp_path


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / RECORD
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_contract_keeps_the_style() -> None:
    result = image.buf("lint")
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_contract_is_formatted() -> None:
    result = image.buf("format", "--diff", "--exit-code")
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_contract_breaks_nothing_that_the_image_promises() -> None:
    assert image.breaking() == []


def test_a_deleted_field_is_breaking(copy: Path) -> None:
    edit(copy, "  string observed_at = 16 [(loom.options.v1.field) = {max_chars: 64}];\n", "")
    assert any("observed_at" in line for line in image.breaking(copy))


def test_a_renumbered_field_is_breaking(copy: Path) -> None:
    edit(copy, "string observed_at = 16", "string observed_at = 17")
    assert image.breaking(copy)


def test_a_renamed_op_is_breaking_though_the_rpc_keeps_its_name(copy: Path) -> None:
    edit(copy, 'name: "observe.stats"', 'name: "observe.counts"')
    assert image.breaking(copy) == ["observe.stats: the op is gone"]


def test_an_added_field_and_a_reworded_comment_are_not_breaking(copy: Path) -> None:
    edit(copy, "message RecordRequest {\n", "message RecordRequest {\n  // New.\n  string novel = 99;\n")
    edit(copy, "// One tool call of an agent.", "// A tool call.")
    assert image.breaking(copy) == []


def test_a_contract_that_does_not_compile_has_no_image(copy: Path) -> None:
    edit(copy, "string observed_at = 16", "strin observed_at = 16")
    with pytest.raises(RuntimeError):
        image.build(copy / "new.binpb", copy)


def test_the_image_is_not_moved_over_a_breaking_change_unless_it_is_meant(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(copy, 'name: "observe.stats"', 'name: "observe.counts"')
    before = (copy / image.IMAGE).read_bytes()
    assert image.main([], copy) == 1
    assert (copy / image.IMAGE).read_bytes() == before
    assert "observe.stats" in capsys.readouterr().err
    assert image.main(["--accept-breaking"], copy) == 0
    assert (copy / image.IMAGE).read_bytes() != before
    assert image.breaking(copy) == []


Change = Callable[[options_pb2.Op, options_pb2.Field], object]


def contract(change: Change = lambda op, field: None) -> pb.FileDescriptorSet:
    """One op with one field, changed."""
    file = pb.FileDescriptorProto(name="a.proto", package="a")
    field = file.message_type.add(name="M").field.add(name="f", number=1)
    method = file.service.add(name="S").method.add(name="R")
    op, rules = method.options.Extensions[options_pb2.op], field.options.Extensions[options_pb2.field]
    op.MergeFrom(options_pb2.Op(name="a.r", role=options_pb2.ROLE_VIEWER, idempotent=True))
    rules.MergeFrom(
        options_pb2.Field(
            identity=options_pb2.IDENTITY_ORG,
            max_chars=10,
            max_items=10,
            min=1,
            max=9,
            has_range=True,
            default_json="5",
        )
    )
    rules.words.extend(["a", "b"])
    change(op, rules)
    return pb.FileDescriptorSet(file=[file])


def sets(**values: object) -> Change:
    """Sets options of the field."""

    def change(op: options_pb2.Op, field: options_pb2.Field) -> None:
        for name, value in values.items():
            if name == "words":
                del field.words[:]
                field.words.extend(value)  # type: ignore[arg-type]
            else:
                setattr(field, name, value)

    return change


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (sets(required=True), ["a.M.f: is required now"]),
        (
            sets(required=True, identity=options_pb2.IDENTITY_UNSPECIFIED),
            ["a.M.f: is no longer filled from the caller's identity", "a.M.f: is required now"],
        ),
        (sets(default_json="6"), ["a.M.f: has another default"]),
        (sets(json_text=True), ["a.M.f: takes other JSON values"]),
        (sets(max_chars=9), ["a.M.f: takes less than before"]),
        (sets(max_items=9), ["a.M.f: takes less than before"]),
        (sets(min=2), ["a.M.f: takes less than before"]),
        (sets(max=8), ["a.M.f: takes less than before"]),
        (sets(words=["a"]), ["a.M.f: no longer takes all its words"]),
        (lambda op, field: setattr(op, "role", options_pb2.ROLE_WRITER), ["a.r: needs a greater role"]),
        (lambda op, field: setattr(op, "idempotent", False), ["a.r: is no longer idempotent"]),
        (lambda op, field: setattr(op, "name", "a.s"), ["a.r: the op is gone"]),
    ],
)
def test_an_option_that_asks_more_of_callers_is_breaking(change: Change, broken: list[str]) -> None:
    assert broken_promises(contract(), contract(change)) == broken


@pytest.mark.parametrize(
    "change",
    [
        sets(),
        sets(max_chars=11, max_items=0, min=0, max=10),
        sets(has_range=False),
        sets(words=["a", "b", "c"]),
        sets(words=[]),
        lambda op, field: setattr(op, "role", options_pb2.ROLE_PUBLIC),
        lambda op, field: setattr(op, "listed", True),
        lambda op, field: setattr(op, "deadline_ms", 5),
    ],
)
def test_an_option_that_asks_less_or_only_shows_is_not_breaking(change: Change) -> None:
    assert broken_promises(contract(), contract(change)) == []

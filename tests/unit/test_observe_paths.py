"""Paths that a call concerns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.observe.paths import LONGEST, MOST, find_paths


def test_the_callers_paths_come_first_then_those_of_the_input_then_those_of_the_narrative():
    assert find_paths(["z.py"], {"file_path": "/y.py"}, "see src/x.py and z.py") == ["z.py", "/y.py", "src/x.py"]


def test_repeats_are_dropped_and_the_order_of_first_sight_is_kept():
    assert find_paths(["b/b.py", "a/a.py", "b/b.py"], {"path": "a/a.py"}, "b/b.py c/c.py a/a.py") == [
        "b/b.py",
        "a/a.py",
        "c/c.py",
    ]


@pytest.mark.parametrize(
    "key",
    [
        *(
            "file_path",
            "filePath",
            "path",
            "paths",
            "file",
            "files",
            "filename",
            "fileName",
            "notebook_path",
            "notebookPath",
        ),
        *("absolute_path", "target_file", "relative_workspace_path", "dir_path", "directory", "file-path", "FILE_PATH"),
        *("old_path", "newPath", "output_file", "file_paths", "filenames", "target_directories"),
    ],
)
def test_values_of_path_like_keys_are_paths(key):
    assert find_paths([], {key: "notes"}, "") == ["notes"]
    assert find_paths([], {key: ["notes", "more"]}, "") == ["notes", "more"]


@pytest.mark.parametrize(
    "key", ["command", "cwd", "profile", "pathology", "max_files_count", "content", "url_path", "xpath"]
)
def test_values_of_other_keys_are_not_paths(key):
    assert find_paths([], {key: "notes"}, "") == []


def test_path_like_keys_are_found_at_any_depth():
    value = {"path": "deep.py"}
    for _ in range(5000):
        value = [{"more": value}]

    assert find_paths([], {"edits": value, "files": [{"path": "a.py"}, {"filePath": "b.py"}]}, "") == [
        "deep.py",
        "a.py",
        "b.py",
    ]


@pytest.mark.parametrize(
    "value", ["", "  ", ".", "/", "https://x.y/a.py", "file:///a.py", "src/**/*.py", "two\nlines", None, 5, True]
)
def test_values_that_name_no_file_are_not_paths(value):
    assert find_paths([], {"path": value, "files": [value]}, "") == []


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/repo/src/a.py",
            "/tmp/x",
            "/etc/hosts",
            "/setup.py",
            "/home/u/.bashrc",
            "/repo/v1.2/a.py",
            "/opt/a+b/c@d/e~f.txt",
        ),
        *(
            "src/a.py",
            "a/b/c.test.ts",
            "./run",
            "../y",
            "../../y/z.rs",
            "docker/Dockerfile",
            "LICENSES/LICENSE",
            "lib/x.c",
        ),
        *(
            ".github/workflows/ci.yml",
            ".venv/bin/python",
            "node_modules/@scope/pkg/index.js",
            "src//a.py",
            "2026/01/02.md",
        ),
        *("~/notes.md", "~/.config/app/settings.json", "~/bin"),
        *(
            r"C:\x\y.py",
            r"c:\Users\u\a.txt",
            "C:/x/y.py",
            r"\\server\share\f.txt",
            r"..\x\y.py",
            r".\run.bat",
            "D:\\data",
        ),
        *("src/été.py", "文档/说明.md", "src/a_b-c.d.py"),
    ],
)
@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "see {} now",
        "({})",
        "'{}'",
        '"{}"',
        "`{}`",
        "in {}, and",
        "in {}.",
        "{}:12:5: error",
        "--file={}",
        '{{"p":"{}"}}',
        "[{}]",
        "x\n{}\ny",
    ],
)
def test_paths_in_free_text_are_found_in_every_frame(path, frame):
    assert find_paths([], None, frame.format(path)) == [path]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "and/or",
            "1/2",
            "text/html",
            "application/json; charset=utf-8",
            "application/vnd.ms-excel",
            "image/x-icon.v2",
        ),
        *(
            "2026/01/02",
            "n/a",
            "TCP/IP",
            "w/o",
            "I/O",
            "HTTP/1.1",
            "python/3.11",
            "3.x/4.x",
            "10.5/3.2",
            "read/write/execute",
        ),
        *(
            "https://a.com/x/y.py",
            "http://localhost:8080/a/b.html",
            "ftp://h/a.txt",
            "file:///a/b.py",
            "www.example.com/a/b.html",
        ),
        *("git@github.com:org/repo.git", "github.com/org/repo/a.py", "user@example.com/x.py", "localhost:8080/x.html"),
        *("s3://bucket/key.json", "postgres://u@h/db.sql", "see (https://a.com/x/y.py)", "<a href='http://x/y.js'>"),
        *(
            "</div>",
            "<br/>",
            "//comment/x.py",
            "/help",
            "/v1/users",
            "/dev/null",
            "/",
            "..",
            ".",
            "../..",
            "~",
            "~/",
            "./",
        ),
        *(
            "s/foo.bar/baz.qux/g",
            "src/**/*.py",
            "src/{a,b}.py",
            "/tmp/$X.py",
            "$HOME/x/y.py",
            "${A}/b.py",
            "<dir>/a.py",
        ),
        *("@scope/pkg/x.js", "/api/x.json?y=1", "src/lo…", "src/cut.p…", "100%/a.py", r"a\nb.py", r"\d+\.py", ""),
    ],
)
def test_urls_fractions_types_and_templates_are_not_paths(text):
    assert find_paths([], None, text) == []
    assert find_paths([], None, f"x {text} y") == []


def test_the_files_of_a_patch_are_found_without_the_marks_of_diffs():
    text = "diff --git a/src/x.py b/src/x.py\nindex 1..2\n--- a/src/x.py\n+++ b/src/x.py\n@@\n-import a\n+import b\n"

    assert find_paths([], None, text) == ["src/x.py"]


def test_every_file_of_a_patch_in_the_input_is_found_however_long_the_patch():
    body = "".join(f"*** Update File: f{number}.py\n@@\n-{'x' * 500}\n+y\n" for number in range(20))
    patch = f"*** Begin Patch\n*** Add File: my new.py\n+x\n{body}*** Delete File: old.py\n*** End Patch"

    found = find_paths([], {"command": ["apply_patch", patch]}, "")

    assert found == ["my new.py", *(f"f{number}.py" for number in range(20)), "old.py"]


def test_a_quoted_windows_path_may_hold_blanks():
    assert find_paths([], None, r'run "C:\Program Files\a b\c.exe" now') == [r"C:\Program Files\a b\c.exe"]


def test_the_pieces_of_a_known_path_with_blanks_are_not_paths_of_their_own():
    assert find_paths([], {"file_path": "/repo/my docs/a.md"}, "Read: /repo/my docs/a.md") == ["/repo/my docs/a.md"]


def test_at_most_64_are_kept():
    caller = [f"c{number}.py" for number in range(40)]
    given_paths = {"files": [f"i{number}.py" for number in range(40)]}

    found = find_paths(caller, given_paths, "src/x.py")

    assert len(found) == MOST == 64
    assert found == [*caller, *given_paths["files"]][:64]
    assert len(find_paths([], None, " ".join(f"d/{number}.py" for number in range(100)))) == 64


def test_of_a_path_too_long_the_end_is_kept_and_the_cut_shown():
    path = "/repo/" + "d/" * 2000 + "name.py"

    (kept,) = find_paths([path], {"path": path}, "")

    assert len(kept) == LONGEST
    assert kept.startswith("…")
    assert kept.endswith("d/name.py")


def test_control_characters_and_half_surrogates_are_cleaned_out():
    assert find_paths(["a\x00b.py", " c.py "], {"path": "d\ud800.py"}, "") == ["ab.py", "c.py", "d\ufffd.py"]


@pytest.mark.parametrize(
    "unit",
    [
        *("/", "a/", "../", "~/", "a.b/", "\\", "C:\\", "\\\\a\\", "://", "w.", "./", "--- a/", "*** ", "a/a.b,"),
        *("a.", "a@", "a-a@a.", "x:/", "aaaa", '"C:\\'),
    ],
)
def test_hostile_repetition_is_walked_to_its_end(unit):
    assert find_paths([], None, unit * 50_000 + "\nend/x.py")[-1] == "end/x.py"


@given(
    st.lists(st.text(max_size=20), max_size=70),
    st.text(),
    st.text(st.sampled_from("ab./\\~:C \"'*-+\n@…"), max_size=200),
)
def test_whatever_comes_in_what_comes_out_keeps_the_limits(explicit, value, text):
    found = find_paths(explicit, {"path": value, "x": [{"files": [value, text]}]}, text)

    assert len(found) <= MOST
    assert len(set(found)) == len(found)
    assert all(0 < len(path) <= LONGEST and "\n" not in path and path.strip() == path for path in found)

"""When a result counts as a failure."""

import pytest

from loom.capture.outcomes import ERROR_CHARS, error_of, failure, text_of


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ({"is_error": True, "content": [{"type": "text", "text": "no such table"}]}, "no such table"),
        ({"isError": True, "content": "broken"}, "broken"),
        ({"isError": True}, "the tool call failed"),
        ({"success": False, "message": "denied"}, "denied"),
        ({"error": "denied"}, "denied"),
        ({"error": {"message": "denied", "type": "auth"}}, "denied"),
        ({"stdout": "", "stderr": "", "interrupted": True}, "the tool call was interrupted"),
        ({"exit_code": 2, "stderr": "bad flag"}, "exit code 2\nbad flag"),
        ({"exitCode": -9}, "exit code -9"),
        ({"output": "Error 2", "metadata": {"exit_code": 2}}, "exit code 2\nError 2"),
        ('{"output":"Error 2","metadata":{"exit_code":2}}', "exit code 2\nError 2"),
        ("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno", "exit code 1"),
        ("Chunk ID: 3f\nWall time: 0.4 seconds\nProcess exited with code 127\nOutput:\nno", "exit code 127"),
    ],
)
def test_a_result_that_says_it_failed_gives_an_error(output, error):
    assert (error_of(output) or "").startswith(error)


@pytest.mark.parametrize(
    "output",
    [
        None,
        "",
        "fine",
        7,
        [],
        {},
        {"success": True, "error": None},
        {"is_error": False, "content": "fine"},
        {"error": ""},
        {"stdout": "x", "stderr": "a warning", "interrupted": False},
        {"exit_code": 0},
        {"exit_code": True},
        {"exit_code": "1"},
        {"metadata": {"exit_code": 0}, "output": "x"},
        "Exit code: 0\nOutput:\nfine",
        "the log says:\nProcess exited with code 1",
        "Output:\nExit code 1",
        '{"exit_code": not json',
    ],
)
def test_a_result_that_does_not_say_so_is_a_success(output):
    assert error_of(output) is None


def test_the_first_words_that_are_there_become_the_error():
    assert failure("", None, {"text": "found"}, "later") == "found"
    assert failure() == "the tool call failed"


def test_an_error_text_is_cut_and_says_so():
    text = text_of("x" * (ERROR_CHARS + 1))
    assert text.startswith("x" * ERROR_CHARS)
    assert f"{ERROR_CHARS:,} of {ERROR_CHARS + 1:,} characters kept" in text


def test_a_result_nested_without_end_has_no_text_and_raises_nothing():
    nested: object = "deep"
    for _ in range(50):
        nested = [{"content": nested}]
    assert text_of(nested) == ""

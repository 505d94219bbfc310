"""What a person can mend ends a program with a sentence and exit code 1; a defect keeps its traceback."""

import errno

import pytest

from runtime import program
from runtime.errors import LoomError
from runtime.settings import SettingsError
from runtime.store import DataFolderBusy, LockLost, MigrationError


async def raising(error: Exception | None) -> None:
    if error:
        raise error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SettingsError(["LOOM_X must be a number"]), "a setting is wrong:\n  LOOM_X must be a number"),
        (DataFolderBusy("the folder is in use by process 7"), "the folder is in use by process 7"),
        (MigrationError("run a newer one"), "run a newer one"),
        (LockLost("another process keeps migrating"), "another process keeps migrating"),
        (LoomError("STORAGE_UNAVAILABLE", "the storage engine does not answer"), "the storage engine does not answer"),
        (OSError(errno.EADDRINUSE, "127.0.0.1:7: taken"), "cannot start: 127.0.0.1:7: taken"),
        (OSError("cannot listen on 127.0.0.1:7"), "cannot start: cannot listen on 127.0.0.1:7"),
    ],
)
def test_what_a_person_can_mend_is_a_sentence(capsys: pytest.CaptureFixture[str], error: Exception, said: str) -> None:
    assert program.run("loom serve", raising(error)) == 1
    assert capsys.readouterr().err == f"loom serve: {said}\n"


def test_a_stop_in_good_order_is_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.run("loom serve", raising(None)) == 0
    assert capsys.readouterr().err == ""


def test_a_defect_is_not_hidden() -> None:
    with pytest.raises(KeyError):
        program.run("loom serve", raising(KeyError("x")))

import logging

import pytest
from clickhouse_connect.driver.exceptions import DatabaseError, OperationalError, ProgrammingError, StreamFailureError

from runtime.breaker import is_failure
from runtime.errors import LoomError
from runtime.store.faults import RowsRefused, StatementRefused, translate

SECRET = "the narrative of a row"


def database_error(code):
    return DatabaseError(f"Code: {code}. DB::Exception: near '{SECRET}'", code=code, name="SOME_NAME")


@pytest.mark.parametrize("code", [159, 160])
def test_a_statement_that_ran_out_of_time_is_late(code):
    assert translate(database_error(code), "x").code.name == "DEADLINE_EXCEEDED"
    assert translate(TimeoutError(), "x").code.name == "DEADLINE_EXCEEDED"


@pytest.mark.parametrize("code", [74, 75, 76, 202, 204, 209, 210, 225, 241, 242, 246, 252, 319, 497, 516, 999, 1001])
def test_failing_surroundings_are_storage_unavailable(code):
    fault = translate(database_error(code), "x", insert=True)
    assert (fault.code.name, fault.retry_after_s) == ("STORAGE_UNAVAILABLE", 1.0)


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("Network Error: no route"),
        DatabaseError("HTTP driver received HTTP status 502"),
        StreamFailureError("Stream ended unexpectedly"),
        OSError(5, "Input/output error"),
        ConnectionResetError(),
    ],
)
def test_no_answer_is_storage_unavailable(error):
    assert translate(error, "x").code.name == "STORAGE_UNAVAILABLE"


@pytest.mark.parametrize(
    "error",
    [
        database_error(243),
        DatabaseError("Cannot write to file, errno: 28, strerror: No space left on device", code=75, name="X"),
        DatabaseError("Cannot write to file, errno: 122, strerror: Disk quota exceeded", code=75, name="X"),
        OSError(28, "No space left on device"),
        OSError(27, "File too large"),
    ],
)
def test_a_store_without_room_is_well_and_says_so(error):
    fault = translate(error, "x", insert=True)
    assert (fault.code.name, fault.retry_after_s) == ("STORAGE_FULL", 5.0)
    assert not is_failure(fault)


def test_a_write_that_fails_for_another_reason_is_no_full_disk():
    error = DatabaseError("Cannot write to file, errno: 5, strerror: Input/output error", code=75, name="X")
    assert translate(error, "x").code.name == "STORAGE_UNAVAILABLE"


@pytest.mark.parametrize("code", [27, 38, 41, 53, 72, 117, 321, 376, 469])
def test_rows_at_fault_are_told_apart_in_an_insert_only(code):
    assert isinstance(translate(database_error(code), "x", insert=True), RowsRefused)
    assert isinstance(translate(database_error(code), "x"), StatementRefused)


@pytest.mark.parametrize("error", [database_error(62), database_error(60), ProgrammingError("no"), KeyError("x")])
def test_a_wrong_statement_is_a_defect_of_ours(error):
    assert translate(error, "x", insert=True).code.name == "INTERNAL"
    assert not isinstance(translate(error, "x", insert=True), RowsRefused)


def test_a_refused_statement_keeps_its_clickhouse_code():
    assert translate(database_error(57), "x").clickhouse_code == 57


def test_an_error_of_ours_passes():
    error = LoomError("OVERLOADED", "full")
    assert translate(error, "x") is error


@pytest.mark.parametrize(
    "error",
    [
        database_error(27),
        database_error(62),
        database_error(159),
        DatabaseError(SECRET),
        ProgrammingError(SECRET),
        ValueError(SECRET),
        OSError(5, SECRET),
    ],
)
def test_neither_the_log_nor_the_message_quotes_the_engine(error, caplog):
    with caplog.at_level(logging.DEBUG, "loom.store"):
        fault = translate(error, "recall", insert=True)
    assert "recall" in caplog.text
    assert SECRET not in caplog.text + str(fault) + str(fault.metadata)


def test_the_log_names_the_clickhouse_error(caplog):
    translate(database_error(62), "recall")
    assert "recall: ClickHouse error 62 SOME_NAME" in caplog.text

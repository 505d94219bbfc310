import gc
from collections.abc import Iterator

import pytest

from runtime.tuning import THRESHOLDS, tune_for_serving


@pytest.fixture
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_what_lives_as_long_as_the_process_is_kept_from_the_collector(collector: None) -> None:
    gc.unfreeze()
    tune_for_serving()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == THRESHOLDS


def test_garbage_that_comes_later_is_still_collected(collector: None) -> None:
    tune_for_serving()
    loop: list[object] = []
    loop.append(loop)
    del loop
    assert gc.collect() > 0

"""How the interpreter is set once a process has started and begins to serve."""

import gc

# Young objects before the collector looks at them. A call makes a few hundred, nearly all freed by reference counts;
# the default of 700 looks after every few calls, in the middle of 64 running ones, and finds nothing.
THRESHOLDS = (5_000, 20, 20)


def tune_for_serving() -> None:
    """Keeps the collector off what lives as long as the process: modules, descriptors, compiled plans.

    Walking those again and again was about a sixth of the CPU time of `observe.record` (docs/bench.md).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)

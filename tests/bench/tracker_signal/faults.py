"""What goes wrong: fills the matrix of a world."""

import numpy as np
from numpy.typing import NDArray

from tests.bench.tracker_signal.rates import Rates
from tests.bench.tracker_signal.world import CLASSES, DAYS, MACHINES, START, Job, Shape, World, plan

RERUN_PULL, RERUN_TRUNK = 0.6, 0.3  # how often a red job is run again


def build(seed: int, rates: Rates, shape: Shape) -> World:
    rng = np.random.default_rng(seed)
    jobs = plan(rng)
    kinds = shape.kinds()
    chance = probabilities(rng, jobs, kinds, rates)
    storms = storm_chances(rng, jobs, len(kinds))
    pulls = pull_failures(rng, jobs, kinds)
    few = [index for index, kind in enumerate(kinds) if kind == "few"]
    runs = np.ones(chance.shape, bool)
    for test in few:
        runs[test] = False
        runs[test, rng.permutation(len(jobs))[: int(rng.integers(2, 8))]] = True
    stormy = {jobs[column].at // 3600 for column in np.flatnonzero(storms.any(axis=0))}
    calm = [column for column, job in enumerate(jobs) if job.at // 3600 not in stormy]
    crashed = rng.permutation(calm)[:3]  # jobs whose machines die halfway
    crash = np.zeros(chance.shape, bool)
    crash[:, crashed] = rng.random((len(kinds), len(crashed))) < rng.uniform(0.1, 0.6, len(crashed))
    own = rng.random(chance.shape) < chance
    storm = rng.random(chance.shape) < storms
    failed = own | storm | pulls | crash
    outcomes = np.where(runs, failed.astype(np.int8), np.int8(-1))
    skipped = rng.random(chance.shape) < 0.01
    outcomes[skipped & runs] = 2
    during = np.array([job.at // 3600 in stormy for job in jobs])  # nobody can tell a broken head's run there
    alone = pulls.any(axis=1) & ~((outcomes == 1) & (crash | pulls & during)).any(axis=1)
    mass = {int(test) for test in np.flatnonzero(alone)}
    world = World(
        seed,
        jobs,
        outcomes,
        kinds,
        ((outcomes == 1) & storm & ~own & ~pulls).sum(axis=1),
        ((outcomes == 1) & own & ~storm).sum(axis=1),
        seed % 2 == 1,
        mass,
    )
    return rerun(rng, world, chance, storms, pulls)


def probabilities(rng: np.random.Generator, jobs: list[Job], kinds: list[str], rates: Rates) -> NDArray[np.float64]:
    """tests x jobs: chance of failing by the test's own fault."""
    chance = np.zeros((len(kinds), len(jobs)))
    at = np.array([(job.at - START) / (DAYS * 86_400) for job in jobs])
    kind_of = np.array([job.kind for job in jobs])
    machine = np.array([job.kind * MACHINES + job.machine for job in jobs])
    contains = np.array([job.trunk for job in jobs])
    landed = int(contains.max())
    for test, kind in enumerate(kinds):
        rate = rates.flaky[int(rng.integers(len(rates.flaky)))]
        if kind == "flaky" or (kind == "few" and rng.random() < 0.5):
            chance[test] = rate
        elif kind == "drift":
            first, last = max(rate, 0.01), min(0.6, max(rate, 0.01) * rng.uniform(3, 10))
            chance[test] = np.interp(at, (0, 1), (first, last) if rng.random() < 0.5 else (last, first))
        elif kind == "regression":
            chance[test, contains >= int(landed * rng.uniform(0.3, 0.97))] = 1.0
        elif kind == "reverted":
            since = int(landed * rng.uniform(0.1, 0.8))
            chance[test, (contains >= since) & (contains < since + rng.integers(1, 9))] = 1.0
        elif kind == "platform":
            since = rng.choice((0.0, rng.uniform(0, 0.6)))
            chance[test, (kind_of == rng.integers(len(CLASSES))) & (at >= since)] = rng.choice((1.0, 1.0, 0.8, 0.4))
        elif kind == "machine":
            chance[test, machine == seed_machine(kinds)] = 0.9
    return chance


def seed_machine(kinds: list[str]) -> int:
    """One machine is bad for all tests of that kind."""
    return len(kinds) % (len(CLASSES) * MACHINES)


def storm_chances(rng: np.random.Generator, jobs: list[Job], tests: int) -> NDArray[np.float64]:
    """Windows of an hour to three, over all classes or one, in which a part of the tests fails often.

    Only windows in which at least three changes ran: with fewer, nobody could tell a storm from a broken change.
    """
    chance = np.zeros((tests, len(jobs)))
    at, kind_of = np.array([job.at for job in jobs]), np.array([job.kind for job in jobs])
    wanted = int(rng.integers(3, 6))
    while wanted:
        start = START + int(rng.integers(DAYS)) * 86_400 + int(rng.uniform(9, 16) * 3600)
        inside = (at >= start) & (at < start + int(rng.uniform(1, 3) * 3600))
        if rng.random() < 0.3:
            inside &= kind_of == rng.integers(len(CLASSES))
        if len({jobs[column].pr or jobs[column].sha for column in np.flatnonzero(inside)}) < 3:
            continue
        struck = rng.random(tests) < rng.uniform(0.05, 0.4)
        chance[np.ix_(struck, inside)] = rng.uniform(0.4, 0.95)
        wanted -= 1
    return chance


def pull_failures(rng: np.random.Generator, jobs: list[Job], kinds: list[str]) -> NDArray[np.bool_]:
    """Pull requests that break tests on their first heads and mend them with a later one; three of them break many."""
    failed = np.zeros((len(kinds), len(jobs)), bool)
    healthy = np.array([index for index, kind in enumerate(kinds) if kind == "healthy"])
    numbers = sorted({job.pr for job in jobs if job.pr})
    for place, number in enumerate(rng.permutation(numbers)[:20]):
        size = int(rng.integers(12, 60)) if place < 3 else int(rng.integers(1, 6))
        broken = rng.permutation(healthy)[:size]
        heads = sorted({job.sha for job in jobs if job.pr == number})
        bad = heads[: max(1, len(heads) - 1)]
        columns = [column for column, job in enumerate(jobs) if job.sha in bad]
        failed[np.ix_(broken, columns)] = True
    return failed


def rerun(
    rng: np.random.Generator,
    world: World,
    chance: NDArray[np.float64],
    storms: NDArray[np.float64],
    pulls: NDArray[np.bool_],
) -> World:
    """Red jobs are run again some time later: the failed tests alone, on any machine of the class."""
    jobs, columns = list(world.jobs), [world.outcomes]
    bad = np.array([kind == "machine" for kind in world.kinds])
    red = np.flatnonzero((world.outcomes == 1).any(axis=0))
    for column in red:
        job = world.jobs[column]
        if rng.random() > (RERUN_PULL if job.pr else RERUN_TRUNK):
            continue
        again = world.outcomes[:, column] == 1
        wait = int(rng.uniform(600, 10_800))
        stormy = storms[:, column] if wait < 1800 else np.zeros(len(again))
        machine = int(rng.integers(MACHINES))
        likely = np.where(bad, 0.9 * (job.kind * MACHINES + machine == seed_machine(world.kinds)), chance[:, column])
        own, storm = rng.random(len(again)) < likely, rng.random(len(again)) < stormy
        failed = own | storm | pulls[:, column]
        world.storm_fails += again & storm & ~own & ~pulls[:, column]
        world.own_fails += again & own & ~storm
        outcome = np.where(again, failed.astype(np.int8), np.int8(-1))[:, None]
        columns.append(outcome)
        jobs.append(job._replace(at=job.at + wait, machine=machine, attempt=1))
    world.jobs, world.outcomes = jobs, np.concatenate(columns, axis=1)
    return world

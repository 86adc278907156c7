"""Runs in the company of others: processes, event loops, many in a row, libraries of bandits."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import resource
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import kleroterion as kl
from test_people import QUOTAS, many_kinds, people


class Half:
    def act(self, view: kl.View) -> bool:
        return view.uniform() < 0.5


GRID = {"rules.until.accepted": [10, 20], "seed": [1, 2]}


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_sweep_is_played_by_processes(small: dict[str, Any], start: Any) -> None:
    here = kl.sweep(small, GRID, policies={"half": Half}, replications=5)
    assert [point.set["seed"] for point in here.points] == [1, 2, 1, 2]
    context = multiprocessing.get_context(start)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        there = kl.sweep(small, GRID, executor=pool, policies={"half": Half}, replications=5)
    assert there.points == here.points
    rows = here.table().to_dict()
    assert rows["rules.until.accepted"][0] == 10 and "half" in rows["policy"]


def test_several_threads_run_at_once(small: dict[str, Any]) -> None:
    with ThreadPoolExecutor(3) as pool:
        runs = list(
            pool.map(lambda _: kl.run(small, policies={"half": Half}).summary_json, range(6))
        )
    assert len(set(runs)) == 1


def test_an_event_loop_goes_on(small: dict[str, Any]) -> None:
    async def both() -> int:
        run = asyncio.create_task(asyncio.to_thread(kl.run, small, replications=2_000))
        ticks = 0
        while not run.done():
            ticks += 1
            await asyncio.sleep(0.002)
        assert run.result().answer
        return ticks

    assert asyncio.run(both()) > 5


class Ticks:
    """A thread that counts while another works."""

    def __enter__(self) -> Ticks:
        self.many, self.over = 0, threading.Event()
        self.thread = threading.Thread(target=self.count)
        self.thread.start()
        return self

    def count(self) -> None:
        while not self.over.wait(0.002):
            self.many += 1

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


def busy(small: dict[str, Any]) -> dict[str, Callable[[], object]]:
    """Work that takes a while."""
    rows, quotas = many_kinds()
    table = {"policy": ["a", "b"] * 60_000, "replication": [n // 2 for n in range(120_000)]}
    table["value"] = [n % 7 for n in range(120_000)]
    return {
        "built in": lambda: kl.run(small, replications=3_000),
        "in Python": lambda: kl.run(small, policies={"half": Half}, replications=1_000),
        "lottery": lambda: kl.lottery(rows[:600], dict(list(quotas.items())[:3]), 126),
        "compare": lambda: kl.compare(table, metric="value", range=(0, 6)),
    }


@pytest.mark.parametrize("work", ["built in", "in Python", "lottery", "compare"])
def test_another_thread_goes_on(small: dict[str, Any], work: str) -> None:
    do = busy(small)[work]
    with Ticks() as ticks:
        do()
    assert ticks.many > 5


def in_a_child(report: Any, small: dict[str, Any]) -> None:
    """What a child process can do."""
    run = kl.run(small, policies={"half": Half})
    report.put((run.summary_json, kl.lottery(people(), QUOTAS, 5).chances))


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_child_does_what_its_parent_did_before(small: dict[str, Any], start: Any) -> None:
    run = kl.run(small, policies={"half": Half})
    due = (run.summary_json, kl.lottery(people(), QUOTAS, 5).chances)
    context = multiprocessing.get_context(start)
    report = context.Queue()
    child = context.Process(target=in_a_child, args=(report, small))
    child.start()
    try:
        assert report.get(timeout=60) == due
    finally:
        child.join(10)
        child.kill()
    assert child.exitcode == 0


def resident() -> int:
    """The memory of this process in KB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def growth(small: dict[str, Any], keeps: bool) -> int:
    """How much memory 25 runs take, in KB."""
    kept: list[object] = []

    def play() -> int:
        run = kl.run(small, policies={"half": Half}, replications=20, decisions="all")
        tables = [run.decisions(), run.replications()]
        # The memory of an export is that of the table, until both are dropped.
        exported = [table.__arrow_c_stream__() for table in tables]
        kept.append((run, tables, exported) if keeps else len(tables[0]))
        del run, tables, exported
        gc.collect()
        return resident()

    for _ in range(5):
        play()
    before = play()
    for _ in range(25):
        after = play()
    return after - before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("keeps", [False, True])
def test_memory_is_flat_over_25_runs(small: dict[str, Any], keeps: bool) -> None:
    # A new process has no memory to take again.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        more = pool.submit(growth, small, keeps).result()
    # What is kept is seen, so a leak would be.
    assert (more > 6_000) == keeps, f"{more} KB more after 25 runs"


def test_a_model_of_scikit_learn_scores_whole_batches() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    numpy = pytest.importorskip("numpy")

    class Ridge:
        """Learns from outcomes, and takes who is predicted best."""

        def __init__(self, brief: kl.Brief) -> None:
            self.model = linear_model.Ridge(alpha=0.1)
            self.x: list[list[float]] = []
            self.y: list[float] = []

        def act(self, view: kl.View) -> list[int]:
            if len(self.y) < 5:
                return [view.below(len(view))]
            self.model.fit(numpy.array(self.x), numpy.array(self.y))
            return [int(self.model.predict(numpy.array(view.features)).argmax())]

        def learn(self, outcome: kl.Outcome) -> None:
            self.x.append(outcome.candidate.features)
            self.y.append(outcome.value)

    changes = {"rules.until.rounds": 40, "report.at": [40]}
    run = kl.run("grazzi2022-fig1", policies={"ridge": Ridge}, replications=2, set=changes)
    assert run.policies["ridge"]["endings"] == {"horizon": 2}


def test_a_model_of_river_decides_and_learns() -> None:
    river = pytest.importorskip("river.linear_model")

    class Online:
        def __init__(self, brief: kl.Brief) -> None:
            self.model, self.names = river.LinearRegression(), brief.features

        def act(self, view: kl.View) -> list[int]:
            best = [self.model.predict_one(dict(zip(self.names, x))) for x in view.features]
            return [max(range(len(view)), key=best.__getitem__)]

        def learn(self, outcome: kl.Outcome) -> None:
            self.model.learn_one(dict(zip(self.names, outcome.candidate.features)), outcome.value)

    changes = {"rules.until.rounds": 40, "report.at": [40]}
    run = kl.run("grazzi2022-fig1", policies={"online": Online}, replications=2, set=changes)
    assert run.policies["online"]["endings"] == {"horizon": 2}

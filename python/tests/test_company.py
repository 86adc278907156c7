"""Runs in the company of others: processes, event loops, many in a row, libraries of bandits."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import resource
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

import kleroterion as kl


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


def test_memory_is_flat_over_25_runs(small: dict[str, Any]) -> None:
    def play() -> int:
        kl.run(small, policies={"half": Half}, replications=50, decisions=True).decisions()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(5):
        play()
    before = play()
    for _ in range(25):
        after = play()
    assert after - before < 8_000, f"{after - before} KB more after 25 runs"


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

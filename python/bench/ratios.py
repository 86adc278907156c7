"""The ratios of speed that the package is to keep, in one run, each with its peer.

    python python/bench/ratios.py [--quick]

Needs a release build of the package; `klero` (KLERO_PROGRAM or PATH) and sortition-algorithms for
their rows. A row that lacks its peer says so. Times are the best of three.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import kleroterion as kl
from kleroterion.compat import sortition

SEAT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","name":"all","protocol":1}', flush=True)
    elif message["type"] == "slate":
        print(json.dumps({"type": "select", "round": message["round"], "chosen": [0]}), flush=True)
    elif message["type"] == "bye":
        break
"""


def config(rounds: int) -> dict[str, Any]:
    """People one by one, of whom any may be taken."""
    return {
        "seed": 1,
        "source": {"type": "categorical", "shares": {"gender": {"M": 0.6, "F": 0.4}}},
        "target": {"gender": {"M": 0.5, "F": 0.5}},
        "rules": {"choose": "at_most_one", "until": {"rounds": rounds}},
    }


class Everybody:
    def act(self, view: kl.View) -> bool:
        return True


class Scores:
    def score(self, codes: Any, features: Any) -> list[float]:
        return [1.0] * len(codes)


class Balance:
    """Takes who is of the group that has no more than its share."""

    def __init__(self, brief: kl.Brief) -> None:
        self.taken = [0] * len(brief.attributes["gender"])

    def act(self, view: kl.View) -> bool:
        code = view[0].codes[0]
        accept = 2 * self.taken[code] <= sum(self.taken)
        self.taken[code] += accept
        return accept


def balance_without_klero(rounds: int, replications: int) -> None:
    """The same algorithm as a plain loop, with its own people and its own account."""
    for replication in range(replications):
        rng, taken, seen, losses = random.Random(replication), [0, 0], [0, 0], 0.0
        for _ in range(rounds):
            person = {"gender": 0 if rng.random() < 0.6 else 1}
            seen[person["gender"]] += 1
            code = person["gender"]
            if 2 * taken[code] <= sum(taken):
                taken[code] += 1
            if sum(taken):
                losses = abs(taken[0] / sum(taken) - 0.5)
        assert losses <= 0.5


def best(work: Callable[[], object], times: int = 3) -> float:
    """The least seconds that the work takes."""
    found = []
    for _ in range(times):
        before = time.perf_counter()
        work()
        found.append(time.perf_counter() - before)
    return min(found)


def decision(rounds: int, replications: int, **policy: Any) -> float:
    """Nanoseconds a decision of a run with one lane."""
    tree = config(rounds)
    if "kind" in policy:
        tree["policy"] = [{"label": "one"} | policy]
        policy = {}
    else:
        policy = {"policies": {"one": policy["python"]}}
    play = lambda: kl.run(tree, replications=replications, threads=1, progress=False, **policy)
    return best(play) / (rounds * replications) * 1e9


def people(many: int) -> list[dict[str, str]]:
    rng = random.Random(4)
    words = {"sex": "FM", "age": "abcd", "town": "xyz", "school": "uvw"}
    rows = range(many)
    return [{"id": str(n)} | {key: rng.choice(value) for key, value in words.items()} for n in rows]


def quotas() -> dict[str, dict[str, tuple[int, int]]]:
    return {
        "sex": dict.fromkeys("FM", (19, 21)),
        "age": dict.fromkeys("abcd", (9, 11)),
        "town": dict.fromkeys("xyz", (12, 15)),
        "school": dict.fromkeys("uvw", (12, 15)),
    }


Row = tuple[str, str, str]


def runs(quick: bool) -> Iterator[Row]:
    replications = 20 if quick else 1000
    klero = os.environ.get("KLERO_PROGRAM") or shutil.which("klero")
    if klero is None:
        yield "main job against the command line", "no program klero", "<= 1.05"
    else:
        words = [klero, "run", "-q", "--format", "json", "--replications", str(replications)]
        theirs = best(lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL))
        ours = best(lambda: kl.run(replications=replications, progress=False))
        yield "main job against the command line", f"{ours / theirs:.2f}x", "<= 1.05"


def decisions(quick: bool) -> Iterator[Row]:
    rounds, replications = 2_000, 2 if quick else 100
    built_in = decision(rounds, replications, kind="accept_all")
    trivial = decision(rounds, replications, python=Everybody)
    scored = decision(rounds, replications, python=Scores)
    balance = decision(rounds, replications, python=Balance)
    plain = best(lambda: balance_without_klero(rounds, replications))
    plain *= 1e9 / (rounds * replications)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "seat.py")
        program.write_text(SEAT)
        command = [sys.executable, str(program)]
        seat = decision(200 if quick else rounds, 1 if quick else 5, kind="exec", command=command)
    yield "built-in decision", f"{built_in:.0f} ns", "-"
    yield "trivial policy over built-in", f"{trivial - built_in:.0f} ns", "<= 250 ns"
    yield "the same algorithm against a plain loop", f"{balance / plain:.2f}x", "<= 0.85"
    yield "the seat against a Python policy", f"{seat / trivial:.0f}x", ">= 20x"
    yield "score against built-in", f"{scored / built_in:.2f}x", "<= 1.1"


def lotteries(quick: bool) -> Iterator[Row]:
    try:
        import sortition_algorithms as peer
        from sortition_algorithms import features, settings
        from sortition_algorithms import people as peers
    except ImportError:
        yield "lottery against sortition-algorithms", "not installed", ">= 1000x"
        return
    rows, wanted = people(60 if quick else 300), quotas()
    for kind in ("maximin", "leximin"):
        chosen = settings.Settings(id_column="id", columns_to_keep=[], selection_algorithm=kind)
        table = [
            {"feature": name, "value": value, "min": str(least), "max": str(most)}
            for name, values in wanted.items()
            for value, (least, most) in values.items()
        ]
        collection, *_ = features.read_in_features(["feature", "value", "min", "max"], table)
        persons, _ = peers.read_in_people(list(rows[0]), rows, collection, chosen)
        theirs = best(lambda: peer.run_stratification(collection, persons, 40, chosen), times=1)
        ours = best(lambda: sortition.run_stratification(collection, persons, 40, chosen))
        said = f"{theirs / ours:.0f}x ({theirs:.1f} s to {ours * 1e3:.1f} ms)"
        yield f"lottery ({kind}) against sortition-algorithms", said, ">= 1000x"


def python(code: str) -> str:
    """What a new interpreter prints."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def others(quick: bool) -> Iterator[Row]:
    del quick
    timed = "import time; t = time.perf_counter(); import kleroterion; print(time.perf_counter() - t)"
    listed = "import sys; b = set(sys.modules); import kleroterion; print(*{*sys.modules} - b)"
    all_of_them = python(listed).split()
    needed = ", ".join(name for name in all_of_them if name.split(".")[0] != "kleroterion")
    for name, before, wanted in (
        ("import", "", "-"),
        ("import, with the standard library's modules loaded", f"import {needed}; ", "<= 5 ms"),
    ):
        seconds = min(float(python(before + timed)) for _ in range(5))
        yield name, f"{seconds * 1e3:.1f} ms", wanted
    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, interrupt).start()
    try:
        kl.run(replications=1_000_000, keep="folds", progress=False)
    except KeyboardInterrupt:
        yield "Ctrl-C", f"{(time.perf_counter() - sent) * 1e3:.0f} ms", "<= 50 ms"


def desk() -> dict[str, Any]:
    """A live run without an end, of people from the program."""
    tree = config(1)
    tree["source"] = {
        "type": "memory",
        "id": "id",
        "attributes": {"gender": {"column": "gender", "values": {"M": "M", "F": "F"}}},
    }
    tree["rules"]["until"] = {"rounds": 1_000_000_000}
    tree["policy"] = [{"label": "queue", "kind": "virtual_queue"}]
    return tree


def streams(quick: bool) -> Iterator[Row]:
    sent, fed = (200, 2_000) if quick else (5_000, 200_000)
    comers = [{"id": f"p{n}", "gender": "MF"[n % 2]} for n in range(sent + fed)]
    with tempfile.TemporaryDirectory() as folder:
        for name, out, wanted in (
            ("without a journal", None, ">= 1,000,000 people/s"),
            ("with a journal", str(Path(folder, "desk")), ">= 100,000 people/s"),
        ):
            with kl.Stream(desk(), acting="queue", out=out) as stream:
                before = time.perf_counter()
                for person in comers[:sent]:
                    stream.send(person)
                middle = time.perf_counter()
                stream.feed(comers[sent:])
                after = time.perf_counter()
            yield f"Stream.send {name}", f"{(middle - before) / sent * 1e6:.0f} us", "<= 30 us"
            yield f"Stream.feed {name}", f"{fed / (after - middle):,.0f} people/s", wanted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    quick = parser.parse_args().quick
    for rows in (runs, decisions, lotteries, streams, others):
        for name, found, wanted in rows(quick):
            print(f"{name:50} {found:>34}   {wanted}", flush=True)


if __name__ == "__main__":
    main()

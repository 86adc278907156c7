"""What is wrong is said with its place, its cause and its remedy, in each function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kleroterion as kl
from conftest import tree
from test_people import QUOTAS, people

BOTH = ("old", "new")
SCORES = [{"q": n, "model": m, "right": n % 3 == 0} for n in range(9) for m in BOTH]
ASKED: dict[str, Any] = {"metric": "right", "policy": "model", "pair": "q"}
TWO = {"category": ["sex"], "name": ["F"]}
SHARES = {"type": "categorical", "shares": {"gender": {"M": 0.6, "F": 0.6}}}


def run(**arguments: Any) -> Callable[[Path], object]:
    return lambda _: kl.run(tree(), **arguments)


def ran(**changes: Any) -> Callable[[Path], object]:
    return lambda _: kl.run(tree() | changes)


def compared(**changes: Any) -> Callable[[Path], object]:
    return lambda _: kl.compare(SCORES, **ASKED | changes)


def drawn(quotas: Any = QUOTAS, size: Any = 5, **more: Any) -> Callable[[Path], object]:
    asked = {"randomness": "3 14 15"} | more
    return lambda path: kl.draw(people(), quotas, size, out=path / "new", **asked)


def added(case: Any) -> Callable[[Path], object]:
    return lambda _: kl.Comparing(["a", "b"], range=(0, 1)).add(case)


def lot(quotas: Any = QUOTAS, size: Any = 5, **more: Any) -> Callable[[Path], object]:
    return lambda _: kl.lottery(people(), quotas, size, **more)


WRONG: dict[str, tuple[Callable[[Path], object], str, str, str]] = {
    # What is done, and the place, the cause and the remedy that are said.
    "a preset": (
        lambda _: kl.run("committee-syn7"),
        "config",
        "no config",
        "did you mean the preset",
    ),
    "a config of another type": (lambda _: kl.run(3), "config", "type int", "a path"),  # type: ignore[arg-type]
    "a text": (lambda _: kl.run("seed = \n"), "config", "a value is missing", "after the `=`"),
    "a key": (ran(sead=3), "sead", "unknown key", "did you mean `seed`"),
    "a kind": (
        ran(policy=[{"label": "a", "kind": "acept_all"}]),
        "policy[0].kind",
        "acept_all",
        "accept_all",
    ),
    "an object in a config": (
        ran(policy=[{"kind": object()}]),
        "policy[0].kind",
        "type object",
        "give text",
    ),
    "shares": (ran(source=SHARES), "source.shares.gender", "sum to 1.2", "sum to 1"),
    "a sweep in a run": (ran(sweep={"seed": [1, 2]}), "sweep", "of a sweep", "kleroterion.sweep"),
    "replications": (run(replications=0), "replications", "0 is out of range", "from 1"),
    "replications in words": (
        run(replications="many"),
        "replications",
        "found 'many'",
        "whole number",
    ),
    "a seed": (run(seed=2**70), "seed", "out of range", "below 2**63"),
    "threads": (run(threads=-1), "threads", "-1 is out of range", "from 1"),
    "until": (run(until="sure"), "until", "unknown word", "decided"),
    "until of a mapping": (run(until={"accept": 3}), "until", "unknown key `accept`", "`accepted`"),
    "a change": (run(set={"rules.chose": "any"}), 'set["rules.chose"]', "unknown key", "`choose`"),
    "a change's value": (run(set={"seed": -3}), 'set["seed"]', "found -3", "give a whole number"),
    "a change's object": (run(set={"seed": object()}), 'set["seed"]', "type object", "a number"),
    "only": (run(only="qeue"), "only", "no policy", "everybody, queue"),
    "keep": (run(keep="some"), "keep", "unknown word", "judged, all, folds"),
    "on_error": (run(on_error="ignore"), "on_error", "'ignore'", "raise, end"),
    "a folder that is taken": (
        lambda path: kl.run(tree(), out=path / "run"),
        "out",
        "already holds a run",
        "force=",
    ),
    "people who are no table": (run(people=3), "people", "type int", "rows as mappings"),
    "people of another source": (
        run(people=[{"sex": "F"}]),
        "people",
        "unknown key `path`",
        "known keys",
    ),
    "two policies of one label": (
        run(policies={"queue": lambda view: True}),
        "policy[2].label",
        "two policies",
        "label of its own",
    ),
    "a policy of another type": (run(policies={"x": 3}), "policies['x']", "type int", "a function"),
    "policies without labels": (run(policies=[str]), "policies", "found list", "by label"),
    "check": (
        lambda _: kl.check(tree() | {"rules": {"choose": "at_most_one"}}),
        "rules",
        "missing key `until`",
        "accepted",
    ),
    "a change of a check": (
        lambda _: kl.check(tree(), set={"report.baseline": "none"}),
        'set["report.baseline"]',
        "no policy of this run",
        "everybody, queue",
    ),
    "config": (lambda _: kl.config("nowhere.toml"), "config", "no config", "the path of a config"),
    "a folder without a run": (
        lambda path: kl.open(path),
        "folder",
        "no finished run",
        "kl.resume",
    ),
    "nothing to go on with": (
        lambda path: kl.resume(path / "no"),
        "folder",
        "holds no run",
        "out=",
    ),
    "a finished run": (lambda path: kl.resume(path / "run"), "folder", "is finished", "kl.open"),
    "a key of a sweep": (
        lambda _: kl.sweep(tree(), {"rules.untl": [3]}),
        'set["rules.untl"]',
        "unknown key",
        "`until`",
    ),
    "a value of a sweep": (
        lambda _: kl.sweep(tree(), {"seed": 3}),
        "grid['seed']",
        "no list",
        "a list",
    ),  # type: ignore[dict-item]
    "no value of a sweep": (
        lambda _: kl.sweep(tree(), {"seed": []}),
        "grid['seed']",
        "no value",
        "one value",
    ),
    "a measure": (compared(metric="rigth"), "table", "no column `rigth`", "`right`"),
    "no measure": (compared(metric=()), "metric", "no measure", "metric="),
    "a range": (compared(range=3), "range", "found 3", "(0, 1)"),
    "alpha": (compared(alpha="five"), "alpha", "found 'five'", "give a number"),
    "a table of another type": (lambda _: kl.compare(3), "table", "type int", "rows as mappings"),
    "columns of two lengths": (
        lambda _: kl.compare({"q": [1, 2], "model": ["a"]}, **ASKED),
        "table",
        "has 1 cells",
        "for each row",
    ),
    "one policy": (
        lambda _: kl.Comparing(["a"], range=(0, 1)),
        "policies",
        "only policy",
        "two policies",
    ),
    "a value out of range": (
        added({"a": 3, "b": 0}),
        "case",
        "outside of the declared range",
        "begin again",
    ),
    "a label of a case": (added({"a": 1, "c": 0}), "case", "`c` is not among", "policies: a, b"),
    "a value in words": (added({"a": "x", "b": 0}), "case['a']", "found 'x'", "give a number"),
    "a case without labels": (added([1, 0]), "case", "found [1, 0]", "of each policy"),
    "bounds": (
        lot({"sex": {"F": (3, 2), "M": (2, 3)}}),
        "quotas",
        "`min` 3 is over",
        "lower the one",
    ),
    "bounds in words": (lot({"sex": {"F": "two"}}), "quotas['sex']['F']", "found 'two'", "(4, 6)"),
    "quotas without values": (lot({"sex": 3}), "quotas['sex']", "found 3", "of each value"),
    "a size": (lot(size=-1), "size", "-1 is out of range", "from 1"),
    "a column of ids": (lot(id="ID2"), "respondents", "no column `ID2`", "`id`"),
    "a column of households": (lot(unique="hoem"), "respondents", "no column `hoem`", "`home`"),
    "a kind of lottery": (lot(kind="max"), "kind", "unknown word", "leximin"),
    "members without households": (
        lot(unique="home", already=[{"h": 1}]),
        "already",
        "no column `home`",
        "unique=",
    ),
    "a cell": (
        lambda _: kl.explain([*people(), {"id": "x", "sex": "X", "age": "old"}], QUOTAS, 5),
        "respondents",
        "no value 'X'",
        "F, M",
    ),
    "an assurance": (
        lambda _: kl.letters("organiser", sure=2),
        "sure",
        "no such probability",
        "0.95",
    ),
    "letters without a rate": (
        lambda _: kl.letters("committee-syn6"),
        "config",
        "how many answer",
        "[letters]",
    ),
    "no randomness": (drawn(randomness=None), "randomness", "neither", "number="),
    "randomness that is no file": (
        drawn(randomness=Path("no")),
        "randomness",
        "can't be read",
        "the path",
    ),
    "a number without panels": (
        drawn(randomness=None, number=3),
        "number",
        "only numbered",
        "out=",
    ),
    "a folder with a draw": (
        lambda path: kl.draw(people(), QUOTAS, 5, randomness="4", out=path / "panel"),
        "out",
        "already holds a draw",
        "another out=",
    ),
    "a folder without a commitment": (
        lambda path: kl.draw(out=path, randomness="4"),
        "respondents",
        "who can be drawn",
        "quotas and size",
    ),
    "no draw before": (drawn(after="no", keep=["p1"]), "after", "holds no draw", "the draw before"),
    "who stays of no draw": (
        drawn(keep=["p1"]),
        "after",
        "which draw was before",
        "name its folder",
    ),
    "no one stays": (
        lambda path: kl.draw(after=path / "panel", randomness="4", out=path / "new"),
        "keep",
        "who stays",
        "ids",
    ),
    "a title": (drawn(title=" "), "title", "the title is empty", "title="),
    "other draws": (drawn(chances=1), "chances", "1 is out of range", "from 2"),
    "no quotas": (drawn(None), "quotas", "not given", "the fewest"),
    "a commitment to nothing": (
        lambda path: kl.commit(randomness="an urn", out=path / "new"),
        "respondents",
        "who can be drawn",
        "after=",
    ),
    "a commitment without a name": (
        lambda path: kl.commit(people(), QUOTAS, 5, randomness=" ", out=path / "new"),
        "randomness",
        "no name",
        "say where and when",
    ),
    "no panels": (
        lambda path: kl.numbered(people(), QUOTAS, 5, randomness="urn", panels=0, out=path / "new"),
        "panels",
        "0 is out of range",
        "10,000",
    ),
    "no draw to verify": (lambda path: kl.verify(path), "folder", "holds no draw", "the folder"),
    "quotas without bounds": (
        lambda _: kl.init(people(), TWO),
        "quotas",
        "min, max",
        "category, name",
    ),
    "places": (lambda _: kl.init(people(), places=0), "places", "0 is out of range", "from 1"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run and a draw."""
    folder = tmp_path_factory.mktemp("made")
    kl.run(tree(), replications=2, out=folder / "run")
    kl.draw(people(), QUOTAS, 5, randomness="3 14 15", out=folder / "panel")
    return folder


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_has_its_place_cause_and_remedy(what: str, made: Path) -> None:
    do, place, cause, remedy = WRONG[what]
    with pytest.raises(kl.ConfigError) as caught:
        do(made)
    problem = caught.value.problems[0]
    assert (problem.place, caught.value.__cause__) == (place, None)
    assert cause in problem.what and remedy in (problem.help or ""), problem
    assert "--" not in str(problem) and "\0" not in str(problem)
    assert str(problem) in str(caught.value)
    assert not (made / "new").exists()


def test_a_class_that_is_no_policy_is_named() -> None:
    class Nothing:
        pass

    with pytest.raises(kl.PolicyError, match="Nothing has neither") as caught:
        kl.run(tree(), policies={"mine": Nothing}, replications=1)
    assert (caught.value.policy, caught.value.replication) == ("mine", 0)

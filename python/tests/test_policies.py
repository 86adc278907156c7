"""Policies in Python: what they may answer, learn, draw, and get wrong."""

from __future__ import annotations

import json
import traceback
from pathlib import Path
from typing import Any

import pytest

import kleroterion as kl

POLICY = {"label": "ours", "kind": "accept_all", "role": "policy"}


def replaced(summary_json: str) -> dict[str, Any]:
    """A summary without the name of the kind."""
    summary = json.loads(summary_json)
    del summary["policies"]["ours"]["kind"]
    return dict(summary)


class Everybody:
    def act(self, view: kl.View) -> bool:
        return True


def everybody(view: kl.View) -> bool:
    return True


class EverybodyByScore:
    def score(self, codes: Any, features: Any) -> Any:
        return [1.0] * len(codes)


@pytest.mark.parametrize(
    "policy", [Everybody, Everybody(), everybody, EverybodyByScore, EverybodyByScore()]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_policy_decides_as_the_built_in_one(
    small: dict[str, Any], policy: object, threads: int
) -> None:
    built_in = kl.run(small | {"policy": [*small["policy"], POLICY]})
    ours = kl.run(small, policies={"ours": policy}, threads=threads)
    assert replaced(ours.summary_json) == replaced(built_in.summary_json)


class VirtualQueue:
    """The first attribute's `virtual_queue`, rewritten: it takes who fills the larger gap."""

    def __init__(self, brief: kl.Brief) -> None:
        assert brief.target is not None
        self.values = brief.attributes["gender"]
        self.target = brief.target["gender"]
        self.taken = dict.fromkeys(self.values, 0)

    def act(self, view: kl.View) -> kl.Select:
        value = view[0]["gender"]
        accepted = sum(self.taken.values())
        accept = self.taken[value] <= self.target[value] * accepted
        self.taken[value] += accept
        return kl.Select(accept, reason={"taken": self.taken[value]})


def test_a_class_knows_its_brief_and_beats_everybody(small: dict[str, Any]) -> None:
    run = kl.run(small, replications=100, policies={"ours": VirtualQueue}, decisions=True)
    [verdict] = [one for one in run.verdicts if one.a == "ours"]
    assert verdict.verdict == "better"
    rows = run.decisions().to_dict()
    reasons = [text for label, text in zip(rows["policy"], rows["reason"]) if label == "ours"]
    assert all("taken" in text for text in reasons) and reasons


def test_an_instance_is_new_in_each_replication(small: dict[str, Any]) -> None:
    class First:
        def __init__(self) -> None:
            self.seen = 0

        def act(self, view: kl.View) -> bool:
            self.seen += 1
            view.measure("seen", self.seen)
            return True

    mine = First()
    run = kl.run(small, policies={"ours": mine})
    assert mine.seen == 0
    assert run.policies["ours"]["metrics"]["seen"]["max"] == 20


@pytest.mark.parametrize("by", ["view", "brief"])
def test_random_policies_give_the_same_bytes_on_any_threads(small: dict[str, Any], by: str) -> None:
    class Lot:
        def __init__(self, brief: kl.Brief) -> None:
            self.rng = brief.rng

        def act(self, view: kl.View) -> kl.Select:
            draw = view.uniform() if by == "view" else self.rng.random()
            return kl.Select(draw < 0.5, p=0.5)

    runs = [
        kl.run(small, policies={"lot": Lot}, threads=threads).summary_json for threads in (1, 2, 3)
    ]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0] != kl.run(small, policies={"lot": Lot}, seed=8).summary_json


def test_the_resolved_config_names_class_and_source(small: dict[str, Any]) -> None:
    text = kl.config(small, policies={"ours": Everybody})
    assert 'kind = "host"' in text and f'class = "{__name__}.Everybody"' in text
    assert 'source = "sha256:' in text


def test_a_run_with_a_policy_of_python_is_opened(small: dict[str, Any], tmp_path: Any) -> None:
    run = kl.run(small, policies={"ours": Everybody}, out=tmp_path / "run")
    opened = kl.open(tmp_path / "run")
    assert opened.table() == run.table()
    assert "<svg" in opened.report()


SLATES = {
    "replications": 4,
    "source": {
        "type": "people",
        "shares": {"sex": {"F": 0.5, "M": 0.5}},
        "score": {"law": "beta", "a": 2.0, "b": 3.0},
    },
    "rules": {"slate": 5, "choose": {"exactly": 2}, "until": {"rounds": 10}},
}


@pytest.mark.parametrize(
    "answer",
    [
        [0, 1],
        (0, 1),
        [True, True, False, False, False],
        kl.Select([1, 0]),
        kl.Select([True, True, False, False, False], p=1.0),
    ],
)
def test_choices_on_a_slate(answer: object) -> None:
    def ours(view: kl.View) -> object:
        assert len(view) == 5 and view.least == view.most == 2
        return answer

    def first(view: kl.View) -> object:
        return [0, 1]

    a, b = (
        kl.run(SLATES, policies={"ours": one}, decisions="all").decisions().to_dict()
        for one in (ours, first)
    )
    assert [set(x) for x in a["chosen"]] == [set(x) for x in b["chosen"]]
    assert all(set(chosen) == set(shown[:2]) for chosen, shown in zip(a["chosen"], a["shown"]))


def test_score_chooses_the_highest(small: dict[str, Any]) -> None:
    numbers = SLATES | {
        "source": {
            "type": "people",
            "shares": {"sex": {"F": 0.5, "M": 0.5}},
            "features": {"x": {"law": "normal", "mean": 0.0, "sd": 1.0}},
        }
    }

    class ByFeature:
        def score(self, codes: Any, features: Any) -> list[float]:
            return [row[0] for row in features.tolist()]

    def by_hand(view: kl.View) -> list[int]:
        slots = sorted(range(len(view)), key=lambda slot: -view.features[slot][0])
        return slots[: view.most]

    try:
        kl.check(numbers, policies={"ours": by_hand})
    except kl.ConfigError as error:
        pytest.skip(f"no such source: {error}")
    a, b = (
        kl.run(numbers, policies={"ours": one}, decisions="all").decisions().to_dict()
        for one in (ByFeature, by_hand)
    )
    assert [set(x) for x in a["chosen"]] == [set(x) for x in b["chosen"]]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (1, "slate of one"),
        ("yes", "str"),
        ([True, False], "2 bools"),
        (3.5, "float"),
        (kl.Interview(0, "call"), "no kind"),
    ],
)
def test_wrong_answers_are_errors_of_the_policy(
    small: dict[str, Any], answer: object, said: str
) -> None:
    with pytest.raises(kl.PolicyError) as caught:
        kl.run(small, policies={"ours": lambda view: answer})
    error = caught.value
    assert (error.policy, error.round) == ("ours", 1)
    assert said in str(error.__cause__) or isinstance(error.__cause__, TypeError)


def test_a_foul_raises(small: dict[str, Any]) -> None:
    with pytest.raises(kl.PolicyFoul) as caught:
        kl.run(small, policies={"ours": lambda view: [7]})
    assert caught.value.policy == "ours" and "round 1" in str(caught.value)


class Bug:
    def act(self, view: kl.View) -> bool:
        if view.round == 3:
            return {}["missing"]  # type: ignore[no-any-return]
        return True


def test_an_exception_ends_in_the_users_line(
    small: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(kl.PolicyError) as caught:
        kl.run(small, policies={"ours": Bug}, threads=1)
    error = caught.value
    assert (error.policy, error.replication, error.round) == ("ours", 0, 3)
    assert isinstance(error.__cause__, KeyError)
    last = traceback.extract_tb(error.__cause__.__traceback__)[-1]
    assert last.line == 'return {}["missing"]  # type: ignore[no-any-return]'
    assert capfd.readouterr().err == ""


def test_on_error_end_ends_the_lane_alone(
    small: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    run = kl.run(small, policies={"ours": Bug}, on_error="end")
    assert run.policies["ours"]["endings"] == {"panicked": 20}
    assert run.policies["queue"]["endings"] == {"filled": 20}
    assert capfd.readouterr().err == ""


def test_a_policy_that_cannot_begin_is_an_error(small: dict[str, Any]) -> None:
    class NoModel:
        def __init__(self, brief: kl.Brief) -> None:
            raise FileNotFoundError("model.bin")

        def act(self, view: kl.View) -> bool:
            return True

    with pytest.raises(kl.PolicyError) as caught:
        kl.run(small, policies={"ours": NoModel})
    assert isinstance(caught.value.__cause__, FileNotFoundError)
    with pytest.raises(kl.ConfigError):
        kl.run(small, policies={"ours": 3})


def test_a_view_may_be_kept(small: dict[str, Any]) -> None:
    kept: list[kl.View] = []

    def ours(view: kl.View) -> bool:
        kept.append(view)
        return True

    kl.run(small, policies={"ours": ours}, replications=2, threads=1)
    assert len(kept) == 40
    assert kept[0].round == 1 and kept[0][0]["gender"] in {"M", "F"}
    assert kept[0][0].codes in ([0], [1]) and kept[0][0].id == 0
    with pytest.raises(IndexError):
        kept[0][1]
    with pytest.raises(KeyError):
        kept[0][0]["age"]


def test_interviews_are_bought_and_answered() -> None:
    log: list[str] = []

    class Asks:
        def act(self, view: kl.View) -> object:
            if not view.answers:
                log.append("asked")
                return kl.Interview(list(range(len(view))))
            assert [answer.slot for answer in view.answers] == list(range(len(view)))
            assert all(file.looks == 1 for file in view.files)
            assert view.files[0].mean == view.answers[0].value
            log.append("chose")
            best = sorted(range(len(view)), key=lambda slot: -view.files[slot].mean)
            return best[: view.most]

    run = kl.run("schumann2019-t2", policies={"asks": Asks}, replications=3, threads=1)
    assert log == ["asked", "chose"] * 3
    assert run.policies["asks"]["endings"] == {"horizon": 3}
    assert run.policies["asks"]["metrics"]["cost"]["mean"] > 0


def test_outcomes_are_learnt() -> None:
    class Learns:
        def __init__(self, brief: kl.Brief) -> None:
            self.learnt = 0
            assert brief.rules["choose"] and brief.features

        def act(self, view: kl.View) -> object:
            view.measure("learnt", self.learnt)
            return [view.below(len(view))]

        def learn(self, outcome: kl.Outcome) -> None:
            assert outcome.round >= 1 and outcome.value == outcome.value
            assert len(outcome.candidate.features) > 0
            self.learnt += 1

    changes = {"rules.until.rounds": 50, "report.at": [50]}
    policies = {"learns": Learns}
    run = kl.run("grazzi2022-fig1", policies=policies, replications=2, set=changes, threads=1)
    assert run.policies["learns"]["metrics"]["learnt"]["min"] == 49


def test_who_raises_in_learn_is_an_error() -> None:
    class Learns:
        def act(self, view: kl.View) -> object:
            return [0]

        def learn(self, outcome: kl.Outcome) -> None:
            raise ArithmeticError

    with pytest.raises(kl.PolicyError) as caught:
        kl.run("grazzi2022-fig1", policies={"learns": Learns}, replications=1)
    assert isinstance(caught.value.__cause__, ArithmeticError)


def test_stall_ends_a_lane(small: dict[str, Any]) -> None:
    run = kl.run(small, policies={"ours": lambda view: kl.STALL})
    assert run.policies["ours"]["endings"] == {"stalled": 20}


def test_klero_reports_a_run_with_a_policy_of_python(
    klero: Any, small: dict[str, Any], tmp_path: Any
) -> None:
    kl.run(small, policies={"ours": Everybody}, out=tmp_path / "run")
    klero("report", tmp_path / "run")
    assert (tmp_path / "run" / "report.html").is_file()


@pytest.mark.parametrize("line", ["(", "def half(", "  x\n y"])
def test_a_policy_whose_source_is_no_longer_there_plays(
    small: dict[str, Any], tmp_path: Path, line: str
) -> None:
    """A file may have changed since it was run, and lines of a notebook are in no file."""
    path = tmp_path / "policy.py"
    path.write_text(line)
    names: dict[str, Any] = {}
    exec(compile("def half(view):\n    return view.uniform() < 0.5\n", str(path), "exec"), names)
    run = kl.run(small, policies={"half": names["half"]}, replications=2)
    assert run.policies["half"]["endings"] == {"filled": 2}

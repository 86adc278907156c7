"""Runs: what is played, shown, written, refused and interrupted."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import SMALL

import kleroterion as kl

Klero = Callable[..., str]


def test_a_run_has_an_answer_verdicts_policies_and_a_table(small: dict[str, Any]) -> None:
    run = kl.run(small, replications=200)
    assert run.frontier == ["queue"]
    assert "queue" in run.answer
    [verdict] = run.verdicts
    assert (verdict.a, verdict.b, verdict.verdict) == ("queue", "everybody", "better")
    assert verdict.lo <= verdict.mean <= verdict.hi < 0
    assert run.policies["queue"]["endings"] == {"filled": 200}
    assert "representation_loss" in run.table()
    assert "| " in run.table(width=None)
    assert 'kind = "virtual_queue"' in run.config
    assert run.answer in run._repr_html_() and "<svg" in run._repr_html_()
    assert "http" not in run._repr_html_()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_summary_has_the_bytes_of_the_command_line(
    klero: Klero, small: dict[str, Any], small_file: Path, threads: int
) -> None:
    said = klero("run", small_file, "--format", "json", "-q")
    for config in (small, SMALL, small_file, str(small_file)):
        assert kl.run(config, threads=threads).summary_json == said


PRESETS = [
    "committee-syn6",
    "committee-merit",
    "schumann2019-fig1",
    "grazzi2022-prop31",
    "grazzi2022-remark31",
    "pool-cohorts",
]


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_and_changes_give_the_bytes_of_the_command_line(
    klero: Klero, tmp_path: Path, preset: str
) -> None:
    words = ("-q", "--format", "json", "--replications", "3", "--seed", "5")
    said = klero("run", preset, *words, "--set", "report.alpha=0.1")
    asked: dict[str, Any] = {"replications": 3, "seed": 5, "set": {"report.alpha": 0.1}}
    for setting in ({}, {"threads": 1}, {"decisions": True}, {"out": tmp_path / "run"}):
        assert kl.run(preset, **asked, **setting).summary_json == said
    text = kl.config(preset, set=asked["set"])
    assert kl.run(text, replications=3, seed=5).summary_json == said


def test_a_run_is_saved_opened_and_reported(
    klero: Klero, small: dict[str, Any], tmp_path: Path
) -> None:
    run = kl.run(small)
    folder = run.save(tmp_path / "saved")
    opened = kl.open(folder)
    assert opened.summary_json == run.summary_json == (folder / "summary.json").read_text()
    assert opened.config == run.config
    assert opened.table() == run.table()
    assert opened.replications().to_dict() == run.replications().to_dict()
    page = run.report(tmp_path / "page.html")
    assert page == (tmp_path / "page.html").read_text() and "<svg" in page
    assert klero("report", folder)
    with pytest.raises(kl.ConfigError):
        run.save(folder)
    run.save(folder, force=True)


def test_a_run_is_played_into_a_folder(small: dict[str, Any], tmp_path: Path) -> None:
    run = kl.run(small, out=tmp_path / "run")
    assert (tmp_path / "run" / "summary.json").read_text() == run.summary_json
    assert run.folder == tmp_path / "run"


def test_all_problems_of_a_mapping_have_python_paths(small: dict[str, Any]) -> None:
    small["policy"][0]["kind"] = "acept_all"
    small["rules"]["chose"] = "any"
    with pytest.raises(kl.ConfigError) as caught:
        kl.check(small)
    problems = {problem.place: problem for problem in caught.value.problems}
    assert problems["policy[0].kind"].help == "did you mean `accept_all`?"
    assert any(place.startswith("rules") for place in problems)
    assert isinstance(caught.value, ValueError) and "accept_all" in str(caught.value)


def test_problems_of_a_text_have_lines_and_of_arguments_their_names() -> None:
    with pytest.raises(kl.ConfigError) as caught:
        kl.check(SMALL.replace("accept_all", "acept_all"))
    [problem] = caught.value.problems
    assert (problem.line, problem.place) == (14, "config")
    with pytest.raises(kl.ConfigError) as caught:
        kl.run(SMALL, set={"rules.chose": 3})
    assert caught.value.problems[0].place == 'set["rules.chose"]'
    with pytest.raises(kl.ConfigError) as caught:
        kl.run("comittee-syn6")
    assert "committee-syn6" in (caught.value.problems[0].help or "")


@pytest.mark.parametrize(
    "config", [{"seed": object()}, {"name": {1, 2}, "policy": 3}, {"a": {"b": [1, {"c": b"x"}]}}]
)
def test_what_no_config_holds_is_refused(config: dict[str, Any]) -> None:
    with pytest.raises(kl.ConfigError):
        kl.run(config)


def test_people_come_from_memory() -> None:
    config = {
        "replications": 3,
        "source": {
            "type": "file",
            "path": "people.csv",
            "order": "resampled",
            "attributes": {"sex": {"column": "sex"}},
        },
        "rules": {"choose": "at_most_one", "until": {"accepted": 2}},
        "policy": [{"label": "all", "kind": "accept_all"}],
    }
    people = {"sex": ["F", "M", "F", "M"], "age": [1, 2, None, 4]}
    run = kl.run(config, people=people)
    assert run.policies["all"]["endings"] == {"filled": 3}
    assert 'memory = "people"' in run.config and "sha256" in run.config
    rows = [{"sex": "F", "age": 1}, {"sex": "M", "age": 2}, {"sex": "F"}, {"sex": "M", "age": 4}]
    assert kl.run(config, people=rows).summary_json == run.summary_json


def test_a_config_of_a_sweep_is_refused() -> None:
    with pytest.raises(kl.ConfigError, match="sweep"):
        kl.run("do2021-example1", replications=1)


def test_progress_is_seen_and_may_stop_the_run(small: dict[str, Any]) -> None:
    seen: list[tuple[str, int, int]] = []
    kl.run(small, progress=lambda *said: seen.append(said))
    assert seen[-1][1:] == (20, 20)

    def stop(words: str, played: int, of: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError):
        kl.run(small, replications=100_000, progress=stop)


def interrupted_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_an_interrupt_ends_a_run_and_keeps_what_was_played(small: dict[str, Any]) -> None:
    timer = interrupted_after(0.3)
    with pytest.raises(KeyboardInterrupt) as caught:
        kl.run(small, replications=2_000_000, keep="folds")
    timer.join()
    run = caught.value.run  # type: ignore[attr-defined]
    assert 0 < sum(run.policies["queue"]["endings"].values()) < 2_000_000


def test_a_policy_that_never_returns_is_interrupted(small: dict[str, Any]) -> None:
    def stuck(view: kl.View) -> bool:
        while True:
            pass

    timer = interrupted_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        kl.run(small, policies={"stuck": stuck})
    timer.join()


def test_another_thread_goes_on_meanwhile(small: dict[str, Any]) -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    kl.run(small, replications=3_000)
    done.set()
    thread.join()
    assert ticks > 20


def changed(small: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    *before, last = path.split(".")
    table: Any = small
    for key in before:
        table = table[int(key) if isinstance(table, list) else key]
    table[int(last) if isinstance(table, list) else last] = value
    return small


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("seed", -1, "seed"),
        ("seed", "many", "seed"),
        ("seed", 1.5, "seed"),
        ("replications", 0, "replications"),
        ("replications", True, "replications"),
        ("source.type", "categoric", "source.type"),
        ("source.shares", {}, "source.shares"),
        ("source.shares.gender.M", -0.6, "source.shares.gender.M"),
        ("source.shares.gender.M", "half", "source.shares.gender.M"),
        ("source.shares.gender.M", float("nan"), "source.shares.gender.M"),
        ("source.share", {}, "source.share"),
        ("target.gendre", {"M": 1.0}, "target.gendre"),
        ("target.gender.X", 0.5, "target.gender"),
        ("rules.choose", "one", "rules.choose"),
        ("rules.until", {"accepted": 0}, "rules.until.accepted"),
        ("rules.until", {"acepted": 5}, "rules.until.acepted"),
        ("rules.slat", 1, "rules.slat"),
        ("policy.0.kind", "acept_all", "policy[0].kind"),
        ("policy.1.label", "everybody", "policy[1].label"),
        ("policy.1.tolerance", 0.1, "policy[1].tolerance"),
        ("policy.1.kind", 3, "policy[1].kind"),
        ("report.judge", ["representation_los"], "report.judge[0]"),
        ("report.baseline", "nobody", "report.baseline"),
        ("report.alpha", 2, "report.alpha"),
        ("report.alpah", 0.1, "report.alpah"),
        ("polices", [], "polices"),
    ],
)
def test_each_wrong_input_has_its_place_cause_and_remedy(
    small: dict[str, Any], path: str, value: object, place: str
) -> None:
    with pytest.raises(kl.ConfigError) as caught:
        kl.check(changed(small, path, value))
    places = [problem.place for problem in caught.value.problems]
    assert place in places
    for problem in caught.value.problems:
        assert problem.what and not problem.what.endswith(".")
        # What was expected is the remedy too.
        assert problem.help or problem.what.startswith("expected ")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"replications": 0}, kl.ConfigError),
        ({"replications": -1}, kl.ConfigError),
        ({"only": ["nobody"]}, kl.ConfigError),
        ({"set": {"rules.slat": 1}}, kl.ConfigError),
        ({"until": "bored"}, kl.ConfigError),
        ({"keep": "some"}, kl.ConfigError),
        ({"policies": {"queue": lambda view: True}}, kl.ConfigError),
        ({"policies": {"ours": "queue"}}, kl.ConfigError),
        ({"people": 3}, kl.ConfigError),
        ({"people": {"a": [1, 2], "b": [1]}}, kl.ConfigError),
        ({"on_error": "ignore"}, kl.ConfigError),
        ({"seed": "one"}, kl.ConfigError),
        ({"out": "/dev/null/run"}, kl.KleroError),
    ],
)
def test_wrong_arguments_are_refused(
    small: dict[str, Any], arguments: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        kl.run(small, **arguments)


def test_a_run_that_decides_differently_again_has_no_files(small: dict[str, Any]) -> None:
    count = 0

    def moody(view: kl.View) -> bool:
        nonlocal count
        count += 1
        return count % 3 == 0

    run = kl.run(small, policies={"moody": moody}, threads=1, replications=2)
    assert run.replications().to_dict()["policy"]
    count = 1
    with pytest.raises(kl.KleroError, match="differently"):
        run.report()


def interrupted_run(small: dict[str, Any], folder: Path, **more: Any) -> kl.Run:
    """A run that was stopped when some of its replications were played."""

    def stop(words: str, played: int, of: int) -> None:
        if played:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        kl.run(small, out=folder, progress=stop, **more)
    return caught.value.run  # type: ignore[attr-defined, no-any-return]


def test_a_stopped_run_goes_on_as_if_it_had_never_been(
    small: dict[str, Any], tmp_path: Path
) -> None:
    is_slow = True

    def half(view: kl.View) -> bool:
        if is_slow:
            time.sleep(0.001)
        return view.uniform() < 0.5

    asked: dict[str, Any] = {"policies": {"half": half}, "replications": 200}
    part = interrupted_run(small, tmp_path / "a", **asked)
    assert sum(part.policies["queue"]["endings"].values()) < 200
    with pytest.raises(kl.ConfigError, match="handed in"):
        kl.resume(tmp_path / "a")
    is_slow = False
    whole = part.resume()
    known = kl.run(small, **asked)
    assert whole.summary_json == known.summary_json
    assert kl.open(tmp_path / "a").summary_json == known.summary_json
    with pytest.raises(kl.KleroError):
        kl.resume(tmp_path / "a")
    with pytest.raises(kl.KleroError, match="out="):
        known.resume()
    with pytest.raises(kl.KleroError, match="kl.resume"):
        kl.open(tmp_path)


def test_a_finished_run_takes_more_replications(
    klero: Klero, small: dict[str, Any], tmp_path: Path
) -> None:
    def half(view: kl.View) -> bool:
        return view.uniform() < 0.5

    asked: dict[str, Any] = {"policies": {"half": half}, "keep": "all", "decisions": True}
    part = kl.run(small, out=tmp_path / "a", **asked)
    grown = part.resume(120)
    whole = kl.run(small, replications=120, out=tmp_path / "b", **asked)
    assert grown.summary_json == whole.summary_json
    files = sorted(path.name for path in (tmp_path / "b").iterdir())
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == files
    for name in set(files) - {"timing.json"}:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name

    with pytest.raises(kl.ConfigError, match="120 replications already") as caught:
        grown.resume(120)
    [problem] = caught.value.problems
    assert problem.place == "replications" and "above 120" in (problem.help or "")
    with pytest.raises(kl.ConfigError, match="handed in"):
        kl.resume(tmp_path / "a", replications=130)
    with pytest.raises(kl.KleroError, match="out="):
        kl.run(small, keep="all").resume(30)
    judged = kl.run(small, out=tmp_path / "c")
    with pytest.raises(kl.ConfigError, match="keep"):
        judged.resume(30)

    kl.run(small, keep="all", out=tmp_path / "d")
    assert kl.open(tmp_path / "d").resume(40).summary["replications"] == 40
    klero("resume", tmp_path / "d", "--replications", 60, "-q")
    assert kl.open(tmp_path / "d").summary_json == kl.run(small, replications=60).summary_json


def test_a_run_stopped_here_goes_on_at_the_command_line(
    klero: Klero, small: dict[str, Any], tmp_path: Path
) -> None:
    small["rules"]["until"]["accepted"] = 500
    interrupted_run(small, tmp_path / "a", replications=1_500, threads=1)
    klero("resume", tmp_path / "a", "-q")
    known = kl.run(small, replications=1_500)
    assert kl.open(tmp_path / "a").summary_json == known.summary_json


def test_a_run_says_why(klero: Klero, small: dict[str, Any], tmp_path: Path) -> None:
    run = kl.run(small, decisions=True, out=tmp_path / "run")
    decisions = run.decisions().to_dict()
    person = decisions["shown"][0][0]
    said = run.why(person)
    assert said == klero("trace", tmp_path / "run", "--candidate", person)
    assert "queue" in said and "everybody" in said
    assert "everybody" not in run.why(round=1, policy="queue")
    assert "never shown" in run.why("nobody")
    with pytest.raises(kl.ConfigError, match="policy"):
        run.why(person, policy="nobody")
    with pytest.raises(kl.KleroError, match="decisions=True"):
        kl.run(small).why(person)


def test_tables_have_formats(small: dict[str, Any], tmp_path: Path) -> None:
    run = kl.run(small, out=tmp_path / "run")
    assert run.table(format="markdown") == run.table(width=None)
    latex = run.table(format="latex")
    assert "\\begin{tabular}" in latex and kl.open(tmp_path / "run").table(format="latex") == latex
    with pytest.raises(ValueError, match="format"):
        run.table(format="html")  # type: ignore[arg-type]

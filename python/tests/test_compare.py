"""Verdicts on numbers of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kleroterion as kl

Klero = Callable[..., str]


def scores() -> list[dict[str, Any]]:
    """Right and wrong answers of two models to 80 questions, as in docs/verdicts.md."""
    rows: list[dict[str, Any]] = []
    for n in range(1, 81):
        rows.append({"question": n, "model": "old", "right": int(n % 3 == 0)})
        rows.append({"question": n, "model": "new", "right": int(n % 4 > 0)})
    return rows


ASKED: dict[str, Any] = {
    "metric": "right",
    "policy": "model",
    "pair": "question",
    "range": (0, 1),
}
WORDS = ("--metric", "right", "--policy", "model", "--pair", "question", "--range", "0..1")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    rows = scores()
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_has_the_bytes_of_the_command_line(klero: Klero, file: Path) -> None:
    ours = kl.compare(file, **ASKED)
    assert ours.summary_json == klero("compare", file, *WORDS, "--format", "json")
    assert ours.table(format="markdown") == klero("compare", file, *WORDS, "--format", "markdown")
    assert ours.table(format="latex") == klero("compare", file, *WORDS, "--format", "latex")
    more: dict[str, Any] = ASKED | {"baseline": "old", "margin": 0.02, "alpha": 0.1}
    more["direction"] = {"right": "lower"}
    options = ("--baseline", "old", "--margin", "0.02", "--alpha", "0.1", "--direction", "lower")
    said = klero("compare", file, *WORDS, *options, "--format", "json")
    assert kl.compare(str(file), **more).summary_json == said


def test_a_comparison_has_verdicts_an_answer_and_pictures(tmp_path: Path) -> None:
    found = kl.compare(scores(), **ASKED)
    [verdict] = found.verdicts
    assert (verdict.a, verdict.verdict, verdict.b, verdict.n) == ("new", "better", "old", 80)
    assert (
        verdict.mean == pytest.approx(0.425) and str(verdict) == "new is better than old by right"
    )
    assert verdict.lo is not None and 0 < verdict.lo < 0.425
    assert (found.cases, found.incomplete, found.frontier) == (80, 0, ["new"])
    assert found.policies["old"]["metrics"]["right"]["mean"] == pytest.approx(26 / 80)
    assert "new" in found.answer and found.answer in found.table() and len(found.notes) == 2
    assert found.answer in found._repr_html_() and "<svg" in found._repr_html_()
    page = found.report(tmp_path / "page.html")
    assert "<svg" in page and (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert "80 cases" in repr(found)


def test_tables_of_any_kind_have_the_same_verdicts(file: Path) -> None:
    rows = scores()
    known = kl.compare(file, **ASKED).summary["pairs"]
    truths = [row | {"right": bool(row["right"])} for row in rows]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for table in (rows, truths, columns):
        assert kl.compare(table, **ASKED).summary["pairs"] == known


def test_data_frames_have_the_same_verdicts() -> None:
    rows = scores()
    known = kl.compare(rows, **ASKED).summary["pairs"]
    for name in ("polars", "pandas"):
        frames = pytest.importorskip(name)
        assert kl.compare(frames.DataFrame(rows), **ASKED).summary["pairs"] == known


def test_a_column_for_each_policy() -> None:
    rows = scores()
    wide = {name: [row["right"] for row in rows if row["model"] == name] for name in ("old", "new")}
    found = kl.compare(wide, columns=["old", "new"], metric="right", range=(0, 1))
    [known] = kl.compare(rows, **ASKED).verdicts
    [verdict] = found.verdicts
    assert (verdict.mean, verdict.lo, verdict.hi) == (known.mean, known.lo, known.hi)


def test_a_runs_own_values_have_their_known_side_and_range(
    klero: Klero, small: dict[str, Any], tmp_path: Path
) -> None:
    run = kl.run(small, out=tmp_path / "run")
    words = ("--metric", "representation_loss", "--baseline", "everybody", "--format", "json")
    table = tmp_path / "run" / "replications.csv"
    asked = {"metric": "representation_loss", "baseline": "everybody"}
    assert kl.compare(table, **asked).summary_json == klero("compare", table, *words)
    [ours], [known] = kl.compare(run.replications(), **asked).verdicts, run.verdicts
    assert (ours.verdict, ours.mean, ours.n) == (known.verdict, known.mean, known.n)
    assert ours.more == kl.compare(table, **asked).verdicts[0].more


def test_case_by_case_as_all_at_once() -> None:
    rows = scores()
    known = kl.compare(rows, **ASKED).verdicts[0]
    comparing = kl.Comparing(["old", "new"], range=(0, 1), metric="right")
    cases = [
        {row["model"]: row["right"] for row in rows[at : at + 2]} for at in range(0, len(rows), 2)
    ]
    seen = [comparing.add(case).verdicts[0].verdict for case in cases[:40]]
    assert seen[0] == "undecided"
    found = comparing.extend(cases[40:])
    [verdict] = found.verdicts
    assert (verdict.mean, verdict.lo, verdict.hi) == (known.mean, known.lo, known.hi)
    assert (len(comparing), found.cases) == (80, 80)
    assert comparing.add({"old": 1}).incomplete == 1 and found.incomplete == 0


def test_a_wrong_case_is_not_added() -> None:
    comparing = kl.Comparing(["old", "new"], range=(0, 1))
    with pytest.raises(kl.ConfigError) as caught:
        comparing.add({"old": float("nan"), "mew": 0.5, "new": 2})
    assert len(caught.value.problems) == 3 and len(comparing) == 0
    assert all(problem.help for problem in caught.value.problems)
    with pytest.raises((TypeError, ValueError)):
        comparing.add({"old": "much"})  # type: ignore[dict-item]
    assert len(comparing) == 0


def test_faults_of_a_table_have_rows_and_columns(file: Path) -> None:
    rows = scores()
    rows[1]["right"] = "yes"
    rows[4]["right"] = 3
    rows[7]["model"] = None
    with pytest.raises(kl.ConfigError) as caught:
        kl.compare(rows, **ASKED)
    places = [(one.place, one.line, one.column) for one in caught.value.problems]
    assert places == [("table", 2, 3), ("table", 5, 3), ("table", 8, 2)]
    file.write_text(file.read_text().replace("\n1,new,1", "\n1,new,much"))
    with pytest.raises(kl.ConfigError) as caught:
        kl.compare(file, **ASKED)
    [problem] = caught.value.problems
    assert (problem.place, problem.line, problem.column) == (str(file), 3, 3)


@pytest.mark.parametrize(
    ("arguments", "place", "says"),
    [
        ({"metric": "wrong"}, "table", "no column `wrong`"),
        ({"metric": ()}, "metric", "no measure is named"),
        ({"metric": ["right", "right"]}, "metric", "named twice"),
        ({"policy": "modle"}, "table", "policy= names another"),
        ({"pair": "case"}, "table", "pair= names another"),
        ({"baseline": "olt"}, "baseline", "no policy `olt`"),
        ({"direction": "up"}, "direction", "higher, lower, none"),
        ({"direction": {"wrong": "lower"}}, "direction", "`wrong` is not compared"),
        ({"range": (1, 0)}, "range", "least value first"),
        ({"range": (0, 0.5)}, "table", "outside of the declared range"),
        ({"margin": -1}, "margin", "above 0"),
        ({"alpha": 1}, "alpha", "between 0 and 1"),
    ],
)
def test_each_wrong_argument_has_its_place_and_remedy(
    arguments: dict[str, Any], place: str, says: str
) -> None:
    with pytest.raises(kl.ConfigError) as caught:
        kl.compare(scores(), **ASKED | arguments)
    problem = caught.value.problems[0]
    assert problem.place == place and says in str(problem) and problem.help
    assert "--" not in str(problem)


def test_a_comparison_takes_two_policies() -> None:
    for labels in ([], ["a"], ["a", "a"]):
        with pytest.raises(kl.ConfigError):
            kl.Comparing(labels, range=(0, 1))
    with pytest.raises(kl.ConfigError, match="only policy"):
        kl.compare(scores()[::2], **ASKED)
    with pytest.raises(kl.ConfigError):
        kl.compare(3, **ASKED)
    with pytest.raises(ValueError, match="format"):
        kl.compare(scores(), **ASKED).table(format="html")  # type: ignore[arg-type]

"""The one real panel, first configs and letters."""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import kleroterion as kl
from test_people import QUOTAS, people

Klero = Callable[..., str]

TITLE = "Panel of the test"


def test_a_committed_draw_is_verified_and_found_to_be_changed(klero: Klero, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"unique": "home", "title": TITLE, "alternates": 3}
    folder = tmp_path / "panel"
    name = kl.commit(people(), QUOTAS, 5, randomness="a lottery", out=folder, **asked)
    assert len(name) == 64
    drawn = kl.draw(people(), QUOTAS, 5, randomness="3 14 15 26", out=folder, **asked)
    assert drawn.commitment == name and drawn.record["is_committed"]
    assert drawn.quotas_kept and drawn.record["title"] == TITLE
    by_id = {row["id"]: row for row in people()}
    members = [by_id[row["id"]] for row in drawn.members]
    assert len(members) == len({row["home"] for row in members}) == 5
    assert sum(row["age"] == "old" for row in members) == 3
    assert len(drawn.alternates) <= 3 and "quotas kept" in repr(drawn)
    checks = drawn.verify()
    assert checks and all(checks)
    assert klero("draw", "verify", folder)
    assert all(kl.verify(folder, commitment=name, randomness="3 14 15 26"))
    assert not all(kl.verify(folder, randomness="4 14 15 26"))
    assert not all(kl.verify(folder, commitment="0" * 64))
    panel = folder / "panel.csv"
    panel.write_text(panel.read_text().replace(members[0]["id"], "p999"))
    [wrong] = [check for check in kl.verify(folder) if not check]
    assert "panel.csv" in wrong.what and str(wrong).startswith("NO  ")


CONFIG = """\
name = "draw"
[source]
type = "respondents"
path = {people}
id = "id"
[target]
categories = {quotas}
[rules]
choose = "at_most_one"
until = {{ accepted = 5 }}
unique = ["home"]
[[policy]]
label = "leximin"
kind = "leximin"
"""
"""The config of the draws here, as it is written for the command line."""


def written(folder: Path, quoted: bool = False) -> tuple[Path, Path]:
    """The people and the quotas as files. Tables from memory have all cells in quotes."""
    bounds = [("sex", "F", 2, 3), ("sex", "M", 2, 3), ("age", "young", 1, 3), ("age", "old", 3, 3)]
    quotas = [dict(zip(("category", "name", "min", "max"), bound, strict=True)) for bound in bounds]
    paths = (folder / "people.csv", folder / "quotas.csv")
    for path, rows in zip(paths, (people(), quotas), strict=True):
        with path.open("w", newline="") as file:
            quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
            writer = csv.writer(file, lineterminator="\n", quoting=quoting)
            writer.writerows([[*rows[0]], *([*row.values()] for row in rows)])
    return paths


def files(folder: Path) -> dict[str, bytes]:
    """All files of a draw, by their paths in it.

    Lotteries are kept to be computed once. The last digits of their proofs depend on how the solver
    was compiled, and the program may be another build than the extension.
    """
    found = (path for path in folder.rglob("*") if path.is_file())
    named = ((path.relative_to(folder), path) for path in found)
    return {
        str(name): path.read_bytes() for name, path in named if name.parts[0] != "lotteries"
    }


@pytest.mark.parametrize("held", [False, True])
def test_a_draw_has_the_bytes_of_the_command_line(klero: Klero, tmp_path: Path, held: bool) -> None:
    table, quotas = written(tmp_path, quoted=held)
    config = tmp_path / "draw.toml"
    paths = {"people": f'"{table}"', "quotas": f'"{quotas}"'}
    config.write_text(CONFIG.format(**paths))
    words = ("--policy", "leximin", "--seed-from", "text:3 14 15", "--chances", "50")
    klero("draw", config, *words, "--alternates", "4", "--out", tmp_path / "theirs")
    asked: dict[str, Any] = {"randomness": "3 14 15", "unique": "home", "chances": 50}
    given = (people(), QUOTAS) if held else (table, quotas)
    kl.draw(*given, 5, out=tmp_path / "ours", alternates=4, **asked)
    ours, theirs = files(tmp_path / "ours"), files(tmp_path / "theirs")
    # What is from memory has no file to find it in.
    assert ours.get("original.txt") == (None if held else theirs["original.txt"])
    for name in theirs.keys() - {"original.txt"}:
        assert ours[name] == theirs[name], name
    assert len(ours) == len(theirs) - held and "panel.csv" in ours


def test_a_draw_from_memory_names_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    out = tmp_path / "panel"
    drawn = kl.draw(people(), QUOTAS, 5, randomness="3 14 15", out=out)
    second = tmp_path / "second"
    leaves = next(row for row in drawn.members if (row["sex"], row["age"]) == ("F", "old"))
    stays = [row for row in drawn.members if row != leaves]
    kl.draw(people(), QUOTAS, 5, after=out, keep=stays, randomness="16", out=second)
    for path, data in {**files(out), **files(second)}.items():
        assert b"temporary" not in data and b"original" not in path.encode(), path
    assert not list(folder.iterdir())


def test_a_second_draw_fills_the_places_of_who_left(klero: Klero, tmp_path: Path) -> None:
    table, quotas = written(tmp_path)
    first = kl.draw(table, quotas, 5, randomness="3 14 15", out=tmp_path / "first")
    stays, left = first.members[:3], first.members[3:]
    list_of = tmp_path / "staying.csv"
    list_of.write_text("".join(row["id"] + "\n" for row in stays))
    words = ("--keep", list_of, "--seed-from", "text:6 9 21", "--out", tmp_path / "theirs")
    klero("draw", "--after", tmp_path / "first", *words)
    asked: dict[str, Any] = {"after": tmp_path / "first", "randomness": "6 9 21"}
    again = kl.draw(keep=[row["id"] for row in stays], out=tmp_path / "again", **asked)
    assert files(tmp_path / "again") == files(tmp_path / "theirs")
    ids = {row["id"] for row in again.members}
    assert len(ids) == 5 and ids >= {row["id"] for row in stays}
    assert not ids & {row["id"] for row in left}
    assert all(kl.verify(tmp_path / "again", after=tmp_path / "first"))
    kl.draw(keep=stays, out=tmp_path / "frame", **asked)
    gone = [one for one in ids if one not in {row["id"] for row in stays}]
    rows = kl.draw(keep=stays, without=gone, out=tmp_path / "rows", **asked).members
    assert not {row["id"] for row in rows} & set(gone)
    for package in ("polars", "pandas"):
        if find_spec(package):
            frame = import_module(package).DataFrame(stays)
            kl.draw(keep=frame, out=tmp_path / package, **asked)
            assert files(tmp_path / package) == files(tmp_path / "frame")
    with pytest.raises(kl.ConfigError) as caught:
        kl.draw(keep=["p999"], out=tmp_path / "wrong", **asked)
    [problem] = caught.value.problems
    assert (problem.place, problem.line) == ("keep", 1) and problem.help
    out = tmp_path / "later"
    name = kl.commit(after=tmp_path / "first", keep=stays, randomness="an urn", out=out)
    later = kl.draw(out=out, randomness="1 2 3 4 5")
    assert later.commitment == name and len(later.members) == 5


@pytest.mark.parametrize("by_hand", [False, True])
def test_numbered_panels_are_those_of_the_command_line(
    klero: Klero, tmp_path: Path, by_hand: bool
) -> None:
    table, quotas = written(tmp_path)
    config = tmp_path / "draw.toml"
    config.write_text(CONFIG.format(people=f'"{table}"', quotas=f'"{quotas}"'))
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    words = ("--policy", "leximin", "--panels", "20", "--randomness", "an urn", "--out", theirs)
    klero("draw", "numbered", config, *words)
    asked: dict[str, Any] = {"unique": "home", "panels": 20, "randomness": "an urn"}
    made = kl.numbered(table, quotas, 5, out=ours, **asked)
    assert files(ours) == files(theirs)
    assert len(made) == 20 and made.commitment == made.record["commitment"]
    assert 0 <= made.difference < 1 / 20
    klero("draw", theirs, *(("--number", "7") if by_hand else ("--seed-from", "text:3 14 15 26")))
    by: dict[str, Any] = {"number": 7} if by_hand else {"randomness": "3 14 15 26"}
    drawn = kl.draw(out=ours, **by)
    assert files(ours) == files(theirs)
    assert drawn.number == (7 if by_hand else drawn.record["number"]["value"])
    assert drawn.quotas_kept and len(drawn.members) == 5 and all(drawn.verify())


def test_wrong_draws_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "panel"
    with pytest.raises(kl.ConfigError, match="empty"):
        kl.draw(people(), QUOTAS, 5, randomness=" \n", out=folder)
    with pytest.raises(kl.ConfigError, match="has no name"):
        kl.commit(people(), QUOTAS, 5, randomness=" ", out=folder)
    rows = people()
    rows[1]["sex"] = "X"
    with pytest.raises(kl.ConfigError) as caught:
        kl.draw(rows, QUOTAS, 5, randomness="3 14 15", out=folder)
    assert any((one.line, one.column) == (2, 2) for one in caught.value.problems)
    few = [row | {"sex": "F"} for row in people()]
    with pytest.raises(kl.NoPanel) as clash:
        kl.draw(few, QUOTAS, 5, randomness="3 14 15", out=folder)
    assert clash.value.clash == kl.explain(few, QUOTAS, 5)
    with pytest.raises(kl.ConfigError, match="known words: maximin"):
        kl.draw(people(), QUOTAS, 5, randomness="3 14 15", out=folder, kind="lot")  # type: ignore[arg-type]
    assert not folder.exists()
    with pytest.raises(kl.ConfigError, match="no folder"):
        kl.verify(tmp_path / "nowhere")
    kl.commit(people(), QUOTAS, 5, randomness="a lottery", out=folder)
    with pytest.raises(kl.ConfigError) as caught:
        kl.draw(people(), QUOTAS, 6, randomness="3 14 15", out=folder)
    assert all(problem.help for problem in caught.value.problems)


def test_a_first_config_runs_at_once(tmp_path: Path) -> None:
    config = kl.init(people(), QUOTAS)
    assert config.notes and not any("--" in note for note in config.notes)
    assert (
        "places=N" in "".join(config.notes)
        and 'memory = "people"' in config
        and 'memory = "quotas"' in config
    )
    run = kl.run(config, replications=3)
    assert run.answer and "<pre>" in config._repr_html_()
    assert kl.check(config)
    without = kl.init(people(), places=4)
    assert kl.run(without, replications=2).policies
    rows = people()
    path = tmp_path / "people.csv"
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    of_file = kl.init(path, QUOTAS)
    assert str(path) in of_file
    assert kl.run(of_file, replications=3).answer == run.answer


def test_a_first_config_says_what_is_wrong() -> None:
    with pytest.raises(kl.ConfigError):
        kl.init({"id": [], "sex": []})
    with pytest.raises(kl.ConfigError):
        kl.init(people(), {"category": ["sex"], "name": ["F"]})


def test_letters_are_those_of_the_command_line(
    klero: Klero, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    klero("show", "organiser", "--files", tmp_path)
    monkeypatch.chdir(tmp_path)
    plan = kl.letters("organiser", sure=0.9, simulations=50)
    words = ("--sure", "0.9", "--simulations", "50")
    # The command breaks its lines.
    assert plan.text.split() == klero("plan", "organiser", *words).split()
    assert plan.text == str(plan)
    assert plan.plan["letters"]
    with pytest.raises(kl.ConfigError, match="how many answer"):
        kl.letters("committee-syn6")
    with pytest.raises(kl.ConfigError, match="probability"):
        kl.letters("organiser", sure=1)
    with pytest.raises(kl.ConfigError, match="simulations"):
        kl.letters("organiser", simulations=0)


def test_a_record_that_the_program_wrote_is_read(klero: Klero, tmp_path: Path) -> None:
    klero("show", "organiser", "--files", tmp_path)
    folder = tmp_path / "panel"
    seed = ("--seed-from", "3 14 15", "--out", folder)
    klero("draw", tmp_path / "organiser.toml", "--policy", "look-ahead", *seed)
    assert all(kl.verify(folder, randomness="3 14 15"))

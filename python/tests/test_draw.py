"""The one real panel, first configs and letters."""

from __future__ import annotations

import csv
from collections.abc import Callable
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


def test_a_draw_has_the_panel_of_the_command_line(klero: Klero, tmp_path: Path) -> None:
    rows = people()
    table = tmp_path / "people.csv"
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    table.write_text("\n".join(lines) + "\n")
    lottery = tmp_path / "lotto.txt"
    lottery.write_text("3 14 15\n")
    ours = kl.draw(table, QUOTAS, 5, randomness=lottery, out=tmp_path / "ours")
    config = tmp_path / "ours" / "config.toml"
    words = ("--policy", "leximin", "--seed-from", lottery, "--out", tmp_path / "theirs")
    theirs = kl.draw(rows, QUOTAS, 5, randomness=b"3 14 15\n", out=tmp_path / "again")
    told = klero("draw", config, *words)
    assert f"commitment  {ours.commitment}" in told
    assert ours.members == theirs.members and len(ours.members) == 5
    with (tmp_path / "theirs" / "panel.csv").open() as file:
        ids = [row["id"] for row in csv.DictReader(file)]
    assert ids == [row["id"] for row in ours.members]


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
    assert plan.text == klero("plan", "organiser", *words) == str(plan)
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

"""Lotteries of people from memory."""

from __future__ import annotations

import random
import threading
from types import SimpleNamespace
from typing import Any

import pytest

import kleroterion as kl
from kleroterion.compat import sortition

QUOTAS = {"sex": {"F": (2, 3), "M": (2, 3)}, "age": {"young": (1, 3), "old": 3}}


def people(many: int = 40, seed: int = 1) -> list[dict[str, str]]:
    rng = random.Random(seed)
    return [
        {
            "id": f"p{n}",
            "sex": rng.choice("FFFM"),
            "age": rng.choice(["young", "old", "old"]),
            "home": f"h{n // 2}",
        }
        for n in range(many)
    ]


@pytest.mark.parametrize("kind", ["maximin", "leximin", "nash"])
def test_a_lottery_keeps_quotas_and_adds_up(kind: Any) -> None:
    rows = people()
    found = kl.lottery(rows, QUOTAS, 5, kind=kind, unique=["home"])
    by_id = {row["id"]: row for row in rows}
    assert abs(sum(panel.probability for panel in found.panels) - 1) < 1e-9
    for panel in found.panels:
        assert len(panel.members) == 5
        members = [by_id[member] for member in panel.members]
        assert 2 <= sum(member["sex"] == "F" for member in members) <= 3
        assert sum(member["age"] == "old" for member in members) == 3
        assert len({member["home"] for member in members}) == 5
    counted = dict.fromkeys(by_id, 0.0)
    for panel in found.panels:
        for member in panel.members:
            counted[member] += panel.probability
    assert counted == pytest.approx(found.chances)
    possible = [chance for name, chance in found.chances.items() if name not in found.impossible]
    assert min(possible) == pytest.approx(found.least) and found.least > 0
    assert found.gap < 1e-6 and found.certificate
    assert found.pick(0.0) == found.panels[0]
    assert "least chance" in found._repr_html_()


def test_tables_of_any_kind_give_the_same_lottery(tmp_path: Any) -> None:
    rows = people()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    chances = kl.lottery(rows, QUOTAS, 5).chances
    assert kl.lottery(columns, QUOTAS, 5).chances == chances
    path = tmp_path / "people.csv"
    lines = [",".join(columns), *(",".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines))
    assert kl.lottery(path, QUOTAS, 5).chances == chances


def test_data_frames_give_the_same_lottery() -> None:
    rows = people()
    chances = kl.lottery(rows, QUOTAS, 5).chances
    for name in ("polars", "pandas"):
        frames = pytest.importorskip(name)
        assert kl.lottery(frames.DataFrame(rows), QUOTAS, 5).chances == chances


def test_a_clash_is_data() -> None:
    quotas = {"sex": {"F": (0, 1), "M": (4, 5)}, "age": {"young": (0, 5), "old": (0, 5)}}
    few = [row | {"sex": "M" if row["id"] in {"p1", "p2"} else "F"} for row in people()]
    with pytest.raises(kl.NoPanel) as caught:
        kl.lottery(few, quotas, 5)
    clash = caught.value.clash
    assert any((one.value, one.side, one.seats) == ("M", "min", 4) for one in clash.bounds)
    assert clash.changes and "smallest change" in (caught.value.help or "")
    assert kl.explain(few, quotas, 5) == clash
    assert kl.explain(people(), QUOTAS, 5) is None


def test_faults_of_tables_have_rows_and_columns() -> None:
    rows = people()
    rows[1]["sex"] = "X"
    rows[3]["age"] = ""
    with pytest.raises(kl.ConfigError) as caught:
        kl.lottery(rows, QUOTAS, 5)
    places = [(one.place, one.line, one.column) for one in caught.value.problems]
    assert ("respondents", 2, 2) in places and ("respondents", 4, 3) in places
    with pytest.raises(kl.ConfigError, match="minimums"):
        kl.lottery(people(), {"sex": {"F": 5, "M": 5}}, 5)
    with pytest.raises(kl.ConfigError, match="leximin"):
        kl.lottery(people(), QUOTAS, 5, kind="lexmin")  # type: ignore[arg-type]
    with pytest.raises(kl.ConfigError):
        kl.lottery(3, QUOTAS, 5)


def test_who_lives_with_a_member_is_left_out() -> None:
    rows = people()
    found = kl.lottery(rows, QUOTAS, 5, unique="home", already=[{"home": "H3"}])
    assert "p6" not in found.chances and "p7" not in found.chances
    assert len(found.chances) == 38


def many_kinds() -> tuple[list[dict[str, str]], dict[str, dict[str, tuple[int, int]]]]:
    rng = random.Random(3)
    rows = [{"id": str(n)} | {f"a{k}": rng.choice("uvwxyz") for k in range(7)} for n in range(3000)]
    return rows, {f"a{k}": dict.fromkeys("uvwxyz", (19, 23)) for k in range(7)}


def test_a_lottery_is_cancelled() -> None:
    rows, quotas = many_kinds()
    event = threading.Event()
    threading.Timer(0.5, event.set).start()
    with pytest.raises(kl.Cancelled):
        kl.lottery(rows, quotas, 126, cancel=event)


def settings(**more: Any) -> Any:
    given = {
        "check_same_address": False,
        "check_same_address_columns": [],
        "selection_algorithm": "maximin",
        "random_number_seed": 7,
    }
    return SimpleNamespace(**given | more)


class Peers(dict[str, dict[str, str]]):
    def get_person_dict(self, key: str) -> dict[str, str]:
        return self[key]


FEATURES = {
    "sex": {"F": SimpleNamespace(min=2, max=3), "M": SimpleNamespace(min=2, max=3)},
    "age": {"young": SimpleNamespace(min=1, max=3), "old": SimpleNamespace(min=3, max=3)},
}


def test_run_stratification_has_the_peers_signature() -> None:
    peers = Peers({row["id"]: row for row in people()})
    said: list[str] = []
    reporter = SimpleNamespace(
        start_phase=lambda name, total=None, message=None: said.append(name),
        update=lambda current, message=None: None,
        end_phase=lambda: said.append("end"),
    )
    success, panels, report = sortition.run_stratification(
        FEATURES, peers, 5, settings(), number_selections=3, progress_reporter=reporter
    )
    assert success and len(panels) == 3 and all(len(panel) == 5 for panel in panels)
    assert said == ["lottery", "end"] and report.as_text()
    again = sortition.run_stratification(FEATURES, peers, 5, settings(), number_selections=3)
    assert again[1] == panels


def test_run_stratification_reports_errors_as_data() -> None:
    peers = Peers({row["id"]: row for row in people()})
    features = FEATURES | {
        "sex": {"F": SimpleNamespace(min=5, max=5), "M": SimpleNamespace(min=0, max=0)}
    }
    failed = sortition.run_stratification(features, Peers(list(peers.items())[:4]), 5, settings())
    assert failed[:2] == (False, []) and failed[2].error is not None
    failed = sortition.run_stratification(
        FEATURES, peers, 5, settings(selection_algorithm="legacy")
    )
    assert not failed[0] and "legacy" in failed[2].as_text()


def test_run_stratification_takes_the_peers_own_objects() -> None:
    peer = pytest.importorskip("sortition_algorithms")
    from sortition_algorithms import features
    from sortition_algorithms import people as peer_people
    from sortition_algorithms import settings as peer_settings

    rows = people()
    chosen = peer_settings.Settings(
        id_column="id",
        columns_to_keep=["home"],
        selection_algorithm="maximin",
        check_same_address=True,
        check_same_address_columns=["home"],
        random_number_seed=5,
    )
    table = [
        {"feature": f, "value": v, "min": str(q.min), "max": str(q.max)}
        for f, values in FEATURES.items()
        for v, q in values.items()
    ]
    collection, *_ = features.read_in_features(["feature", "value", "min", "max"], table)
    persons, _ = peer_people.read_in_people(list(rows[0]), rows, collection, chosen)
    ours = sortition.run_stratification(collection, persons, 5, chosen)
    theirs = peer.run_stratification(collection, persons, 5, chosen)
    assert ours[0] and theirs[0]
    assert len(ours[1][0]) == len(theirs[1][0]) == 5

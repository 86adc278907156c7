"""Tables: without any package, and in those that are installed."""

from __future__ import annotations

from typing import Any

import pytest

import kleroterion as kl
from kleroterion._klero import Columns


def test_columns_are_typed() -> None:
    table = kl.Table(Columns.of_csv("a,b,c,d\n1,1.5,x,\n2,2,,\n,3,1,\n"))
    assert table.to_dict() == {
        "a": [1, 2, None],
        "b": [1.5, 2.0, 3.0],
        "c": ["x", None, "1"],
        "d": [None] * 3,
    }
    assert table.columns == ["a", "b", "c", "d"] and len(table) == 3
    assert "<td>1.5</td>" in table._repr_html_()
    with pytest.raises(ValueError):
        Columns.of_csv("a,b\n1\n")


def test_names_are_escaped_in_notebooks() -> None:
    shown = kl.Table(Columns.of_csv("a\n<script>\n"))._repr_html_()
    assert "<script>" not in shown


def test_replications_are_rows(small: dict[str, Any]) -> None:
    table = kl.run(small).replications()
    rows = table.to_dict()
    assert set(rows["policy"]) == {"everybody", "queue"} and max(rows["replication"]) == 19


def test_decisions_are_kept_if_asked_for(small: dict[str, Any]) -> None:
    with pytest.raises(kl.KleroError, match="decisions=True"):
        kl.run(small).decisions()
    rows = kl.run(small, decisions=True).decisions().to_dict()
    assert set(rows["replication"]) == {0}
    assert all(len(shown) == 1 for shown in rows["shown"])
    everything = kl.run(small, decisions="all").decisions().to_dict()
    assert set(everything["replication"]) == set(range(20))


def test_courses_are_of_a_metric(small: dict[str, Any]) -> None:
    course = kl.run(small).course("representation_loss").to_dict()
    assert course["n"][-1] == 20 and set(course["metric"]) == {"representation_loss"}


def test_polars_reads_it(small: dict[str, Any]) -> None:
    polars = pytest.importorskip("polars")
    table = kl.run(small, decisions=True)
    frame = table.replications().pl()
    assert frame.columns == table.replications().columns
    assert frame.to_dict(as_series=False) == table.replications().to_dict()
    assert table.decisions().pl().schema["shown"] == polars.List(polars.String)


def test_pyarrow_reads_the_same_memory(small: dict[str, Any]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = kl.run(small).replications()
    first, second = table.arrow(), pyarrow.table(table)
    assert first.to_pydict() == table.to_dict()
    addresses = [one.column("value").chunk(0).buffers()[1].address for one in (first, second)]
    assert addresses[0] == addresses[1]


def test_pandas_reads_it(small: dict[str, Any]) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table = kl.run(small).replications()
    assert list(table.df().columns) == table.columns

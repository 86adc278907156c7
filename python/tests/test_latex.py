"""LaTeX of tables is whole, whatever letters labels and measures have."""

from __future__ import annotations

import re
from typing import Any

import pytest

import kleroterion as kl
from conftest import tree

ODD = r"a_b 5% & #1 $x {y} ^z ~w \n <é> [q]"


def of_a_run() -> str:
    config: dict[str, Any] = tree() | {"name": ODD}
    config["policy"][1]["label"] = ODD
    return kl.run(config, replications=5).table(full=True, format="latex")


def of_a_comparison() -> str:
    labels = (ODD, "[x]")
    rows = [{"replication": n, "policy": one, ODD: n % 3} for n in range(9) for one in labels]
    return kl.compare(rows, metric=ODD).table(format="latex")


@pytest.mark.parametrize("table", [of_a_run, of_a_comparison])
def test_latex_is_whole(table: Any) -> None:
    text = table()
    assert (
        r"a\_b 5\% \& \#1 \$x \{y\} \textasciicircum{}z \textasciitilde{}w \textbackslash{}n"
        in text
    )
    # What is left without commands and escaped letters is text, groups, cells and formulas.
    plain = re.sub(r"\\([A-Za-z]+|.)", "", text)
    assert not set("_%#^~\\") & set(plain)
    for line in plain.splitlines():
        assert line.count("$") % 2 == 0
        depth = 0
        for letter in line:
            depth += (letter == "{") - (letter == "}")
            assert depth >= 0, line
        assert depth == 0, line
    tables = re.findall(r"\\begin\{tabular\}\{(l*r*)\}\n(.*?)\\end\{tabular\}", text, re.DOTALL)
    assert len(tables) == text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") > 1
    for columns, body in tables:
        rows = [row for row in body.split("\\\\\n") if row.strip()]
        assert len(rows) > 1
        for row in rows:
            # A row that begins with a bracket would be the length of the one before.
            assert re.match(r"(\\hline\n)?\{\}", row), row
            assert len(re.findall(r"(?<!\\)&", row)) == len(columns) - 1, row

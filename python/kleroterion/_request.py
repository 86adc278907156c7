"""The arguments of functions, collected for the extension."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from ._arguments import placed, wrong
from ._policies import Prepared
from ._table import escaped

ConfigLike = str | os.PathLike[str] | Mapping[str, Any] | None
"""A preset's name, a path, a config as text or as a mapping; None for the main job."""


Tables = list[tuple[str, list[tuple[str, list[str | None]]]]]
"""Tables from memory: the name of each and its columns, with cells as text."""


class Config(str):
    """The text of a config, with the tables of people that it names."""

    notes: list[str]
    """What was found and assumed, in sentences."""
    tables: Tables
    """The tables from memory, by the names that the text has for them."""

    def __new__(cls, text: str, notes: Iterable[str] = (), tables: Tables | None = None) -> Self:
        made = super().__new__(cls, text)
        made.notes, made.tables = list(notes), list(tables or [])
        return made

    def _repr_html_(self) -> str:
        """The text, for notebooks."""
        return f"<pre>{escaped(self)}</pre>"


@dataclass
class Request:
    """What a function asks of the extension."""

    named: str | None = None
    text: str | None = None
    tree: Mapping[str, Any] | None = None
    more: str | None = None
    folder: str = "."
    data: str | None = field(default_factory=lambda: os.environ.get("KLERO_DATA"))
    set: list[str] = field(default_factory=list)
    only: list[str] = field(default_factory=list)
    seed: int | None = None
    replications: int | None = None
    keep: str | None = None
    tables: Tables = field(default_factory=list)
    policies: list[tuple[str, Any]] = field(default_factory=list)
    decisions: bool = False
    all_replications: bool = False
    out: str | None = None
    resumes: str | None = None
    force: bool = False
    threads: int | None = None
    keeps_tables: bool = False
    raises: bool = True


def request(
    config: ConfigLike,
    *,
    policies: Mapping[str, object] | None = None,
    set: Mapping[str, Any] | None = None,
    until: str | Mapping[str, Any] | None = None,
    people: object = None,
    only: Iterable[str] | None = None,
) -> Request:
    """The request for a config with its changes and policies."""
    made = Request()
    if not isinstance(policies, Mapping | None):
        help = 'give a mapping by label: {"mine": Mine}'
        raise wrong("policies", f"expected a mapping, found {type(policies).__name__}", help)
    prepared = [Prepared(label, given) for label, given in (policies or {}).items()]
    made.policies = [(one.label, one.factory) for one in prepared]
    if isinstance(config, Mapping):
        tables = [one.keys for one in prepared]
        own = config.get("policy", [])
        if not isinstance(own, list | tuple):
            raise wrong("policy", f"expected a list, found {own!r}", "give a list of mappings")
        listed = [*own, *tables]
        made.tree = {**config, "policy": listed} if tables else config
    elif not isinstance(config, str | os.PathLike | None):
        help = "give a preset's name, a path, the text of a config, or a mapping"
        raise wrong("config", f"a config can't be of type {type(config).__name__}", help)
    else:
        named = None if config is None else os.fspath(config)
        if named is not None and isinstance(config, str) and ("\n" in named or "=" in named):
            made.text = named
        else:
            made.named = named
        made.more = "\n".join(map(policy_table, prepared)) or None
    if isinstance(config, Config):
        made.tables = list(config.tables)
    changes = dict(set or {})
    if isinstance(until, Mapping):
        changes["rules.until"] = until
    elif until is not None:
        changes["report.until"] = until
    if isinstance(people, str | os.PathLike):
        changes["source.path"] = str(Path(people).absolute())
    elif people is not None:
        made.tables = [one for one in made.tables if one[0] != "people"]
        with placed("people"):
            made.tables.append(("people", columns(people)))
        changes["source.path"] = {"memory": "people"}
    place = 'set["{}"]'.format
    made.set = [f"{path}={toml(value, place(path))}" for path, value in changes.items()]
    made.only = [only] if isinstance(only, str) else list(only or [])
    return made


def policy_table(policy: Prepared) -> str:
    """The `[[policy]]` table of a policy of the program."""
    lines = (f"{key} = {toml(value)}" for key, value in policy.keys.items())
    return "\n".join(["[[policy]]", *lines, ""])


def toml(value: Any, place: str = "") -> str:
    """A value as TOML. Its place is for what can't be one."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case float() if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        case int() | float():
            return repr(value)
        case Mapping():
            members = (f"{json.dumps(str(key))} = {toml(one, place)}" for key, one in value.items())
            return "{ " + ", ".join(members) + " }"
        case os.PathLike():
            return toml(os.fspath(value), place)
    if hasattr(value, "tolist"):
        return toml(value.tolist(), place)
    if isinstance(value, Iterable):
        return "[" + ", ".join(toml(one, place) for one in value) + "]"
    help = "give text, a number, True or False, a list, or a mapping"
    raise wrong(place, f"a config can't hold an object of type {type(value).__name__}", help)


def columns(table: Any) -> list[tuple[str, list[str | None]]]:
    """The columns of anything that holds a table, with cells as text.

    A mapping of columns, a list of rows as mappings, a DataFrame of polars or pandas, a Table of
    pyarrow or of this package.
    """
    if isinstance(table, Mapping):
        named = dict(table)
    elif hasattr(table, "to_pydict"):
        named = table.to_pydict()
    elif hasattr(table, "get_columns"):
        named = table.to_dict(as_series=False)
    elif hasattr(table, "iloc"):
        named = table.to_dict("list")
    elif hasattr(table, "to_dict"):
        named = table.to_dict()
    elif hasattr(table, "__arrow_c_stream__"):
        import pyarrow

        named = pyarrow.table(table).to_pydict()
    elif isinstance(table, Iterable) and not isinstance(table, str | bytes):
        rows = list(table)
        for at, row in enumerate(rows, 1):
            if not isinstance(row, Mapping):
                what = f"row {at} is no mapping, but of type {type(row).__name__}"
                raise wrong("", what, "give each row as a mapping by column")
        names = dict.fromkeys(name for row in rows for name in row)
        named = {name: [row.get(name) for row in rows] for name in names}
    else:
        help = "give rows as mappings, a mapping of columns, a data frame, or a path"
        raise wrong("", f"an object of type {type(table).__name__} holds no table", help)
    for name, cells in named.items():
        if isinstance(cells, str) or not isinstance(cells, Iterable):
            raise wrong("", f"the column `{name}` is no list of cells", "give a list of cells")
    read = [(str(name), [cell(one) for one in cells]) for name, cells in named.items()]
    for name, cells in read:
        first, due = read[0][0], len(read[0][1])
        if len(cells) != due:
            what = f"the column `{name}` has {len(cells)} cells, and `{first}` has {due}"
            raise wrong("", what, "give each column a cell for each row")
    return read


def cell(value: object) -> str | None:
    """A cell as text; None for a blank."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)

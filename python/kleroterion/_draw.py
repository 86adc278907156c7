"""The one real panel: commitments, draws and numbered panels."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from . import _klero
from ._arguments import placed, whole, wrong
from ._drawn import Draw, Numbered, Randomness, must_be_drawn, published_bytes
from ._errors import ConfigError
from ._people import AskedPanel, Columns, Event, Quotas, panel, stopper, teller
from ._request import Tables, columns, toml

Listed = object
"""A list of people: ids or codes, rows of a draw's tables, or the path of a file."""


@dataclass
class AskedPanelDraw:
    """The arguments of a draw, collected for the extension."""

    config: str | None
    policy: str | None
    out: str
    alternates: int | None = None
    title: str | None = None
    after: str | None = None
    keep: str | bytes | None = None
    without: str | bytes | None = None
    tables: Tables = field(default_factory=list)
    data: str | None = field(default_factory=lambda: os.environ.get("KLERO_DATA"))
    ids: bool = False
    chances: int | None = None
    threads: int | None = None


def draw(
    respondents: object = None,
    quotas: Quotas = None,
    size: int | None = None,
    *,
    out: str | os.PathLike[str],
    randomness: Randomness | None = None,
    number: int | None = None,
    kind: Literal["maximin", "leximin", "nash"] = "leximin",
    id: str | None = "id",
    unique: Iterable[str] = (),
    alternates: int | None = None,
    title: str | None = None,
    after: str | os.PathLike[str] | None = None,
    keep: Listed = None,
    without: Listed = None,
    publish_ids: bool = False,
    chances: int | None = None,
    threads: int | None = None,
    progress: Callable[[str], object] | None = None,
    cancel: Event | Callable[[], bool] | None = None,
) -> Draw:
    """Draws the one real panel into a folder, by public randomness.

    Anybody can compute the panel again from the folder: ``verify(out)``, or ``klero draw verify``.
    To fix all else before the randomness is known, call ``commit`` with the same arguments, and
    publish what it returns. Without respondents the draw is that to which the folder is committed,
    or a second draw from the people of the draw before.

    Args:
        respondents, quotas, size, kind, id, unique: as for ``lottery``.
        out: the folder of the draw, which is made; or that of its commitment.
        randomness: what a public source published: a text, bytes, or the path of a file.
        number: of numbered panels, the number that was drawn by hand, in place of randomness.
        alternates: the most alternates that are listed; as many as members if None.
        title: the title of the draw's page.
        after: the folder of the draw before, for a second draw. Its members are out, but for those
            of ``keep``. The quotas and the size are of the whole panel.
        keep: who stays, for a second draw.
        without: who else no longer takes part, for a second draw.
        publish_ids: True to publish ids in place of codes.
        chances: the number of other draws from which the page says how chances are spread.
        threads: the number of threads; all cores if None. The panel does not depend on it.
        progress: a function that is called with what goes on, in words.
        cancel: an event, or a function that returns True to stop.

    Raises:
        ConfigError: with all that is wrong with the tables, each with its row and column, and if
            the folder holds another draw, or a commitment to other inputs.
        NoPanel: if no panel keeps the quotas, with the clash.
        Cancelled: if the caller cancelled.
    """
    published = _decided(randomness, number)
    asked = _asked(respondents, quotas, size, kind, id, unique, out, after, keep, without)
    asked.alternates, asked.title = whole("alternates", alternates, 0, 1_000_000), title
    asked.ids, asked.chances = publish_ids, whole("chances", chances, 2, 1_000_000)
    asked.threads = whole("threads", threads, 1, 1024)
    with placed("out"):
        record, notes = _klero.draw(asked, published, teller(progress), stopper(cancel))
    return Draw(Path(out), record, notes)


def commit(
    respondents: object = None,
    quotas: Quotas = None,
    size: int | None = None,
    *,
    randomness: str,
    out: str | os.PathLike[str],
    kind: Literal["maximin", "leximin", "nash"] = "leximin",
    id: str | None = "id",
    unique: Iterable[str] = (),
    alternates: int | None = None,
    title: str | None = None,
    after: str | os.PathLike[str] | None = None,
    keep: Listed = None,
    without: Listed = None,
) -> str:
    """Commits to a draw before its randomness is known, and returns the hash to publish.

    Args:
        respondents, quotas, size, kind, id, unique, out, alternates, title: as for ``draw``.
        randomness: the name of the public randomness to come: ``"drand round 4711"``.
        after, keep, without: as for ``draw``.

    Raises:
        ConfigError, NoPanel: as for ``draw``.
    """
    name = _named(randomness)
    if respondents is None and after is None:
        raise _no_people("give respondents, quotas and size; or the draw before: after=")
    asked = _asked(respondents, quotas, size, kind, id, unique, out, after, keep, without)
    asked.alternates, asked.title = whole("alternates", alternates, 0, 1_000_000), title
    with placed("out"):
        return _klero.commit(asked, name)[0]


def numbered(
    respondents: object,
    quotas: Quotas,
    size: int,
    *,
    randomness: str,
    out: str | os.PathLike[str],
    panels: int = 1000,
    kind: Literal["maximin", "leximin", "nash"] = "leximin",
    id: str | None = "id",
    unique: Iterable[str] = (),
    alternates: int | None = None,
    title: str | None = None,
    progress: Callable[[str], object] | None = None,
    cancel: Event | Callable[[], bool] | None = None,
) -> Numbered:
    """Makes equally likely panels for a lottery, of which a number is drawn, and commits to them.

    ``draw(out=..., randomness=...)`` draws the number, or ``number=`` takes one that was drawn by
    hand.

    Args:
        respondents, quotas, size, kind, id, unique, out, alternates, title: as for ``draw``.
        randomness: the name of what will decide the number: ``"an urn in the town hall"``.
        panels: the number of panels.
        progress: a function that is called with what goes on, in words.
        cancel: an event, or a function that returns True to stop.

    Raises:
        ConfigError, NoPanel, Cancelled: as for ``draw``.
    """
    name = _named(randomness)
    panels = whole("panels", panels, 1, 10_000)
    asked = _asked(respondents, quotas, size, kind, id, unique, out)
    asked.alternates, asked.title = whole("alternates", alternates, 0, 1_000_000), title
    with placed("out"):
        record, notes = _klero.numbered(asked, panels, name, teller(progress), stopper(cancel))
    return Numbered(Path(out), record, notes)


def _asked(
    respondents: object,
    quotas: Quotas,
    size: int | None,
    kind: str,
    id: str | None,
    unique: Iterable[str],
    out: str | os.PathLike[str],
    after: str | os.PathLike[str] | None = None,
    keep: Listed = None,
    without: Listed = None,
) -> AskedPanelDraw:
    """The arguments of a draw, without people those of a commitment or of the draw before."""
    folder = os.fspath(out)
    earlier = None if after is None else os.fspath(after)
    asked = AskedPanelDraw(None, None, folder, after=earlier)
    asked.keep, asked.without = _listed("keep", keep), _listed("without", without)
    if after is not None:
        must_be_drawn(after)
        if keep is None:
            raise wrong("keep", "it is not said who stays", "list the ids or codes of members")
    elif keep is not None or without is not None:
        raise wrong("after", "it is not said which draw was before", "name its folder")
    if respondents is None:
        if quotas is not None or size is not None:
            raise _no_people(
                "quotas and size go with respondents: give them too, or leave both out"
            )
        if earlier is None and not (Path(folder) / "commitment.json").is_file():
            raise _no_people(f"{folder} holds no commitment: give respondents, quotas and size")
        return asked
    if quotas is None or size is None:
        help = "give the fewest and the most members of each value, and the number of members"
        raise wrong("quotas" if quotas is None else "size", "it is not given", help)
    people = panel(respondents, quotas, size, kind=kind, id=id, unique=unique)
    if earlier is None:
        with placed("respondents"):
            _klero.feasible(people)
    asked.config, asked.policy = _config(people), kind
    tables = [("people", people.respondents), ("quotas", people.quotas)]
    asked.tables = [(name, table) for name, table in tables if isinstance(table, list)]
    return asked


def _config(asked: AskedPanel) -> str:
    """The config of a draw."""
    tables = [("people", asked.respondents), ("quotas", asked.quotas)]
    people, quotas = (
        str(Path(table).absolute()) if isinstance(table, str) else {"memory": name}
        for name, table in tables
    )
    source = {"type": "respondents", "path": people}
    rules: dict[str, object] = {"choose": "at_most_one", "until": {"accepted": asked.size}}
    sections: dict[str, Mapping[str, object]] = {
        "[source]": source if asked.id is None else source | {"id": asked.id},
        "[target]": {"categories": quotas},
        "[rules]": rules | {"unique": asked.unique} if asked.unique else rules,
        "[[policy]]": {"label": asked.kind, "kind": asked.kind},
    }
    lines = ['name = "draw"']
    for name, keys in sections.items():
        lines += [name, *(f"{key} = {toml(value)}" for key, value in keys.items())]
    return "\n".join(lines) + "\n"


def _no_people(help: str) -> ConfigError:
    what = "it is not said who can be drawn"
    return wrong("respondents", what, help)


def _listed(name: str, given: Listed) -> str | bytes | None:
    """A list of people as its path or as the text of a file."""
    if given is None or isinstance(given, str | os.PathLike):
        return None if given is None else os.fspath(given)
    # A data frame has columns; a list of ids, or a series of them, has none.
    if isinstance(given, Mapping) or hasattr(given, "columns"):
        return _csv(columns(given))
    listed = list(given) if isinstance(given, Iterable) else [given]
    if listed and all(isinstance(one, Mapping) for one in listed):
        return _csv(columns(listed))
    if not all(isinstance(one, str | int) for one in listed):
        help = "give ids or codes, rows of a draw's tables, or the path of a file"
        raise wrong(name, "this is no list of people", help)
    return "".join(f"{one}\n" for one in listed).encode()


def _csv(table: Columns) -> bytes:
    """A table as the text of a file."""
    import csv
    from io import StringIO

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([name for name, _ in table])
    writer.writerows(zip(*(cells for _, cells in table), strict=True))
    return text.getvalue().encode()


def _named(randomness: str) -> str:
    """The name of randomness to come."""
    if not randomness.strip():
        help = "say where and when it will be published: 'the lottery numbers of 3 May'"
        raise wrong("randomness", "it has no name", help)
    return randomness.strip()


def _decided(randomness: Randomness | None, number: int | None) -> tuple[bytes, bool] | int:
    """What decides a draw: public randomness, or a number that was drawn by hand."""
    if randomness is not None and number is None:
        return published_bytes(randomness)
    if number is None or randomness is not None:
        both = "both" if number is not None else "neither"
        help = "give randomness=, or number= of numbered panels"
        what = f"{both} of randomness= and number= is given"
        raise wrong("randomness", what, help)
    return int(whole("number", number, 1, 10_000))

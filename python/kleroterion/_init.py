"""First configs from tables of people."""

from __future__ import annotations

from collections.abc import Mapping

from . import _klero
from ._arguments import placed, whole
from ._people import Quotas, quota_rows, sheet
from ._request import Config


def init(respondents: object, quotas: Quotas = None, *, places: int | None = None) -> Config:
    """Returns a first config for these people, which runs at once.

    The role of each column is guessed from its name and its cells. ``notes`` of the config say
    what was found and assumed; its comments say so too.

    Args:
        respondents: a table with a row a person: a mapping of columns, rows as mappings, a data
            frame, or a path.
        quotas: the fewest and the most members of each value, as for ``lottery``; None for a
            config without quotas.
        places: the number of members, if quotas do not say it.

    Raises:
        ConfigError: with all that is wrong with the tables, each with its row and column.
    """
    people = sheet(respondents, "respondents")
    wanted = quota_rows(quotas) if isinstance(quotas, Mapping) else quotas
    bounds = None if wanted is None else sheet(wanted, "quotas")
    with placed("respondents"):
        text, notes = _klero.first_config(people, bounds, whole("places", places, 1, 2**32 - 1))
    tables = [("people", people), ("quotas", bounds)]
    return Config(text, notes, [(name, t) for name, t in tables if isinstance(t, list)])

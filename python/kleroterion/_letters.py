"""How many letters to send before a committee is drawn, and how many alternates it needs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import _klero
from ._arguments import placed, real, whole, wrong
from ._request import ConfigLike, request


class Letters:
    """The plan of a recruitment, or of a panel's alternates."""

    def __init__(self, text: str, plan: str) -> None:
        self.text = text
        """The plan in words."""
        self.plan: dict[str, Any] = json.loads(plan)
        """The plan as ``klero plan --format json`` has it."""

    def __str__(self) -> str:
        return self.text


def letters(
    config: ConfigLike,
    *,
    sure: float | None = None,
    simulations: int = 1000,
    panel: str | os.PathLike[str] | None = None,
    alternates: int | None = None,
    set: Mapping[str, Any] | None = None,
    people: object = None,
) -> Letters:
    """Plans how many letters to send, so that a committee that keeps all quotas can be had.

    Args:
        config: a config with a committee, quotas, and the rate of answers
            (``letters.rate``, or ``source.volunteering_rate``).
        sure: the probability with which there is to be such a committee.
        simulations: the number of recruitments that are simulated.
        panel: a file with the ids of a panel, whose alternates are planned in place of letters.
        alternates: the number of alternates; as many as leave in the mean if None.
        set: changes of the config, a value by its path.
        people: a table of people in place of the config's file.

    Raises:
        ConfigError: with all that is wrong with the config, or what it lacks for a plan.
    """
    if sure is not None and not 0 < real("sure", sure) < 1:
        help = "give a number above 0 and below 1, such as 0.95"
        raise wrong("sure", f"{sure} is no such probability", help)
    whole("simulations", simulations, 1, 1_000_000)
    whole("alternates", alternates, 0, 1_000_000)
    file = None if panel is None else os.fspath(panel)
    with placed("config", {'set["source.path"]': "people"}):
        asked = request(config, set=set, people=people)
        return Letters(*_klero.letters(asked, sure, simulations, file, alternates))

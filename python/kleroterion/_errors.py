"""The errors of the package."""

from __future__ import annotations

from dataclasses import dataclass


class KleroError(Exception):
    """The base of all errors of the package."""


@dataclass(frozen=True)
class Problem:
    """One fault of a request: its place, what is wrong, and the remedy."""

    place: str
    """A path of keys (``policy[0].kind``), an argument, or a file; empty for the whole."""
    line: int | None
    """The line of the file or of the config's text, from 1."""
    column: int | None
    """The column, from 1."""
    what: str
    """What is wrong."""
    help: str | None
    """The remedy."""

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        place = ":".join([self.place, *numbers] if self.place else numbers)
        said = f"{place}: {self.what}" if place else self.what
        return f"{said}\n  help: {self.help}" if self.help else said


class ConfigError(KleroError, ValueError):
    """A config or a request that is wrong. ``problems`` has all that is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class RunError(KleroError):
    """A run that could not be done, or its files that could not be read or written."""


class PolicyError(KleroError):
    """A policy that raised an exception, which is the cause (``__cause__``)."""

    def __init__(self, policy: str, replication: int, round: int | None, what: str) -> None:
        where = f"replication {replication}" + ("" if round is None else f", round {round}")
        super().__init__(f"policy {policy!r}, {where}: {what}")
        self.policy = policy
        self.replication = replication
        self.round = round


class PolicyFoul(PolicyError):
    """A policy that broke a rule, for example one that chose more than there are places."""


def config_error(
    problems: list[tuple[str, int | None, int | None, str, str | None]],
) -> ConfigError:
    """The error of some problems, from their parts."""
    return ConfigError([Problem(*parts) for parts in problems])


def interrupt_threads(threads: list[int]) -> None:
    """Raises a KeyboardInterrupt in threads whose policies do not return."""
    import ctypes

    for thread in threads:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt)
        )


class Cancelled(KleroError):
    """Work that the caller cancelled."""


@dataclass(frozen=True)
class Bound:
    """One side of a quota."""

    attribute: str
    value: str
    side: str
    """min or max."""
    seats: int

    def __str__(self) -> str:
        side = "at least" if self.side == "min" else "at most"
        return f"{side} {self.seats} {self.attribute} {self.value}"


@dataclass(frozen=True)
class Clash:
    """Quotas that no panel keeps together, and changes that let one exist."""

    bounds: list[Bound]
    """The bounds that clash."""
    changes: list[tuple[Bound, int]]
    """Bounds to change, each with its new number of seats."""
    minimal: bool
    """True if the clash goes away without any one of the bounds."""
    least: bool
    """True if it is proved that no changes by fewer seats suffice."""

    def __str__(self) -> str:
        return " and ".join(map(str, self.bounds))


class NoPanel(KleroError):
    """Quotas that no panel of these people keeps. ``clash`` says which, and what would help."""

    def __init__(self, what: str, help: str | None, clash: Clash) -> None:
        super().__init__(f"{what}\n  help: {help}" if help else what)
        self.clash = clash
        self.help = help


Side = tuple[str, str, str, int]


def no_panel(
    what: str,
    help: str | None,
    bounds: list[Side],
    changes: list[tuple[Side, int]],
    minimal: bool,
    least: bool,
) -> NoPanel:
    """The error of a clash, from its parts."""
    changed = [(Bound(*bound), seats) for bound, seats in changes]
    return NoPanel(what, help, Clash([Bound(*one) for one in bounds], changed, minimal, least))

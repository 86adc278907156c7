"""The errors of the package."""

from __future__ import annotations

from dataclasses import dataclass


class KleroError(Exception):
    """The base of all errors of the package."""


@dataclass(frozen=True)
class Problem:
    """One fault of a request: its place, what is wrong, and the remedy."""

    place: str
    """A path of keys (``policy[0].kind``), an argument (``seed``) or a file; empty for the whole."""
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

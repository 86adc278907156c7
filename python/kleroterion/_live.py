"""Live runs: people come while the run goes on, from the program or over HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from . import _klero
from ._arguments import one_of, whole, wrong
from ._errors import ConfigError, KleroError, Problem
from ._request import ConfigLike, Request, request
from ._run import Run
from ._verdict import Verdict

_AGAIN = "nothing of it was taken, and the stream goes on: send it set right"


@dataclass(frozen=True)
class Decision:
    """What the acting policy decided about a person. It is true if the person is selected."""

    round: int
    """The round of the person, from 1."""
    policy: str
    """The label of the policy that decided."""
    word: Literal["selected", "not_selected", "declined", "forfeit"] | None
    """The decision; None if the policy had ended before."""
    ending: str | None
    """The ending of the policy if it had ended before, for example ``filled``."""
    p: float | None
    """The probability of the choice, if the policy gave one."""
    reason: dict[str, float | None]
    """The terms of the reason, by name."""

    def __bool__(self) -> bool:
        return self.word == "selected"


@dataclass
class Fed:
    """What became of many people who were sent."""

    taken: int = 0
    """The number of people who were taken."""
    repeated: int = 0
    """The number of people who had come before with the same record."""
    left_out: int = 0
    """The number of people whom the config's ``where`` leaves out."""
    refused: list[Problem] = field(default_factory=list)
    """The people who were refused, each with what is wrong. The place is ``people[n]``, n from 0."""
    over: bool = False
    """True if the run was over before all were taken, because no policy plays any more."""


class _Live:
    """A live run that goes on."""

    def __init__(
        self,
        config: ConfigLike,
        policies: Mapping[str, object] | None,
        out: str | os.PathLike[str] | None,
        changes: Mapping[str, Any],
        seed: int | None,
        decisions: bool,
        force: bool,
        threads: int | None,
        on_error: str,
        queue: int | None,
        token: str | None,
    ) -> None:
        one_of("on_error", on_error, ("raise", "end"))
        asked = request(config, policies=policies, set=changes)
        asked.seed, asked.decisions, asked.force = seed, decisions, force
        asked.threads, asked.raises = threads, on_error == "raise"
        asked.out = None if out is None else os.fspath(out)
        asked.keeps_tables = True
        self._asked: Request = asked
        self._live = _klero.Live(asked, queue, token)
        self._run: Run | None = None

    @property
    def verdicts(self) -> list[Verdict]:
        """The comparisons as they are now. They are valid at every moment."""
        return [Verdict.of(pair) for pair in json.loads(self._live.verdicts()[0])]

    @property
    def answer(self) -> str:
        """The answer so far, in a sentence."""
        return self._live.verdicts()[1] or ""

    @property
    def people(self) -> int:
        """The number of people who came."""
        return self._live.people

    def close(self) -> Run:
        """Takes no more people, waits until all who came are decided about, and returns the run.

        Called again, it returns the same run.

        Raises:
            PolicyError: if a policy raised an exception, which is the cause.
            PolicyFoul: if a policy broke a rule.
            RunError: if the run ended with an error.
        """
        if self._run is None:
            played = self._live.close()
            folder = None if self._asked.out is None else Path(self._asked.out)
            self._run = Run(played, folder, self._asked)
        return self._run

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except KleroError:
            # What was raised within says more.
            if error is None:
                raise


class Stream(_Live):
    """A live run whose people come from the program.

    The config has the source ``{"type": "memory", ...}``. With ``out`` each person is in a journal
    on the disk before the policies see them, and the folder is that of ``klero live``.

    Args:
        config: a preset's name, a path, the text of a config (TOML), or a mapping.
        policies: policies of the program by their labels, as for :func:`run`.
        out: the folder for the journal and the results. None keeps both in memory.
        acting: the label of the policy whose decisions count. None leaves the config's own.
        queue: the number of people who may wait. While the queue is full, sending waits.
        set: changes of the config, a value by its path.
        seed: the seed, if it is not the config's own.
        decisions: True to keep the decisions of all policies.
        force: True to overwrite a run in the folder, but never a journal.
        threads: the number of threads; all cores if None.
        on_error: "raise" to raise what a policy raised, "end" to end its lane alone.

    Raises:
        ConfigError: with all that is wrong with the config.
    """

    def __init__(
        self,
        config: ConfigLike = None,
        *,
        policies: Mapping[str, object] | None = None,
        out: str | os.PathLike[str] | None = None,
        acting: str | None = None,
        queue: int = 1024,
        set: Mapping[str, Any] | None = None,
        seed: int | None = None,
        decisions: bool = False,
        force: bool = False,
        threads: int | None = None,
        on_error: Literal["raise", "end"] = "raise",
    ) -> None:
        queue = whole("queue", queue, 1, 2**31 - 1)
        changes = dict(set or {}) | ({} if acting is None else {"live.acting": acting})
        super().__init__(
            config, policies, out, changes, seed, decisions, force, threads, on_error, queue, None
        )

    def send(self, person: Mapping[str, Any]) -> Decision | None:
        """Sends a person, and waits for the decision that counts.

        Args:
            person: the person's columns, as the config's source names them.

        Returns:
            The decision of the acting policy. None if no policy acts, if a round is more than one
            person, or if the config's ``where`` leaves the person out: then it returns once the
            person is kept.

        Raises:
            ConfigError: if the person is wrong. Nothing of it was taken, and the stream goes on.
            PolicyError: if a policy raised an exception, which is the cause.
            RunError: if the run is over, or the stream is closed.
        """
        decided = self._live.send(person, "person")
        return None if decided is None else Decision(*decided[:5], dict(decided[5]))

    async def asend(self, person: Mapping[str, Any]) -> Decision | None:
        """Sends a person as :meth:`send` does, while the event loop goes on."""
        # Half of the time of an import would go into it, and whoever awaits has it.
        import asyncio

        return await asyncio.to_thread(self.send, person)

    def feed(self, people: Iterable[Mapping[str, Any]]) -> Fed:
        """Sends many people, and waits until all are taken or refused.

        It is faster than :meth:`send` and returns no decisions. It ends early if the run is over.

        Args:
            people: an iterable of people, for example a generator.

        Returns:
            What became of them. People who are wrong are in ``refused``; the others are taken.

        Raises:
            PolicyError: if a policy raised an exception, which is the cause.
            RunError: if the stream is closed.
        """
        taken, repeated, left_out, refused, over = self._live.feed(people)
        fed = Fed(taken, repeated, left_out, over=over)
        for at, why in refused:
            if isinstance(why, ConfigError):
                fed.refused += why.problems
            else:
                fed.refused.append(Problem(f"people[{at}]", None, None, why, _AGAIN))
        return fed

    def outcome(self, id: int | str, value: float, *, policy: str | None = None) -> None:
        """Reports the outcome of a person who was chosen.

        Args:
            id: the id of the person.
            value: the outcome, a finite number. A later value for the same person corrects it.
            policy: the label of the policy that learns it. None for all that chose the person.

        Raises:
            ConfigError: if the outcome is wrong, of an unknown person, or can't be corrected.
            RunError: if the run is over, or the stream is closed.
        """
        record = {"candidate_id": id if isinstance(id, str) else str(id), "outcome": value}
        record |= {} if policy is None else {"policy": policy}
        self._live.send(record, "outcome")

    def __repr__(self) -> str:
        state = "closed" if self._run is not None else "open"
        return f"<Stream of {self.people} people, {state}>"


class Server(_Live):
    """A live run whose people come over HTTP, and its board."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.token: str | None = arguments[-1]
        """The token that requests must show: ``Authorization: Bearer TOKEN``. None if none is
        demanded."""

    @property
    def url(self) -> str:
        """The address of the board, which takes people too: ``/v1/candidates``,
        ``/v1/decisions``."""
        feed, board = self._live.addresses
        return board or feed or ""

    def __repr__(self) -> str:
        return f"<Server at {self.url}, {self.people} people>"


def serve(
    config: ConfigLike,
    out: str | os.PathLike[str],
    *,
    policies: Mapping[str, object] | None = None,
    port: int = 0,
    host: str = "127.0.0.1",
    acting: str | None = None,
    token: str | None = None,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    decisions: bool = False,
    force: bool = False,
    threads: int | None = None,
    on_error: Literal["raise", "end"] = "raise",
) -> Server:
    """Serves a live run in this process: the board and the requests of ``klero live``.

    The config has the source ``{"type": "http", ...}``. Each person is in a journal on the disk
    before they are acknowledged. It serves until it is closed, also once all places are filled.

    Args:
        config: a preset's name, a path, the text of a config (TOML), or a mapping.
        out: the folder for the journal and the results.
        policies: policies of the program by their labels, as for :func:`run`.
        port: the port for the board and the requests. 0 takes a free one.
        host: the address to listen on: an IP address of this machine.
        acting: the label of the policy whose decisions count. None leaves the config's own.
        token: the token that requests must show, of 16 characters or more. None takes that of
            KLERO_TOKEN; without one a token is made, unless the address is one of loopback.
        set: changes of the config, a value by its path.
        seed: the seed, if it is not the config's own.
        decisions: True to keep the decisions of all policies.
        force: True to overwrite a run in the folder, but never a journal.
        threads: the number of threads; all cores if None.
        on_error: "raise" to raise what a policy raised, "end" to end its lane alone.

    Returns:
        The server, which is a context manager.

    Raises:
        ConfigError: with all that is wrong with the config, or if the address is taken.
    """
    import ipaddress
    import secrets

    try:
        is_here = ipaddress.ip_address(host).is_loopback
    except ValueError:
        help = "give an IP address of this machine, for example 127.0.0.1"
        raise wrong("host", "it is no IP address", help) from None
    token = token if token is not None else os.environ.get("KLERO_TOKEN")
    if token is None and not is_here:
        token = secrets.token_hex(16)
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    changes = dict(set or {}) | {"source.address": address, "board.address": address}
    changes |= {} if acting is None else {"live.acting": acting}
    try:
        return Server(
            config, policies, out, changes, seed, decisions, force, threads, on_error, None, token
        )
    except ConfigError as error:
        if not any("unknown key `address` in [source]" in one.what for one in error.problems):
            raise
        what = "a server takes people over HTTP, and the source of this config does not"
        raise wrong("source", what, 'give source.type = "http", or use kl.Stream') from None


def _record(person: Mapping[str, Any], place: str) -> bytes:
    """A person as JSON."""
    try:
        return json.dumps(person, ensure_ascii=False, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError) as error:
        help = "give a mapping of texts, numbers, booleans and None"
        raise wrong(place, _why(error), help) from None


def _why(error: Exception) -> str:
    """What JSON says of a value, without the value."""
    return "a value is no text or finite number" if isinstance(error, ValueError) else str(error)


def _plain(value: object) -> object:
    """A value of NumPy or pandas as one of Python; a mapping as a dict."""
    if isinstance(value, Mapping):
        return dict(value)
    item = getattr(value, "item", None)
    if callable(item):
        return item()
    raise TypeError(f"a person can't hold a {type(value).__name__}")

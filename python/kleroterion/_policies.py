"""Policies in Python: what they are given, and how objects of users become policies."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, runtime_checkable

from ._arguments import wrong
from ._klero import Outcome, Stall, View

if TYPE_CHECKING:
    from random import Random

STALL: Final = Stall()
"""The move of a policy that gives up, because no one who can still come would be chosen."""


class Brief:
    """What a policy knows before the first round."""

    def __init__(self, facts: Mapping[str, Any], seed: int, replication: int) -> None:
        self.label: str = facts["label"]
        """The policy's label."""
        self.replication = replication
        """The number of the replication, from 0."""
        self.seed = seed
        """A seed of this run, this label and this replication."""
        self.rules: dict[str, Any] = facts["rules"]
        """The rules: slate, choose, until, interviews, and others, as seats get them."""
        self.attributes: dict[str, list[str]] = facts["attributes"]
        """The values of each attribute. The code of a candidate's value is its place here."""
        self.features: list[str] = facts["features"]
        """The names of the features."""
        self.scored: bool = facts["scored"]
        """True if candidates have a score."""
        self.target: dict[str, dict[str, float]] | None = facts["target"]
        """The target shares, by attribute and value."""
        self.target_quota: dict[str, Any] | None = facts["target_quota"]
        """The quotas of an organiser's file, by attribute and value."""
        self.known: dict[str, Any] = facts["known"]
        """What is known of the population."""

    @cached_property
    def rng(self) -> Random:
        """The policy's own random numbers of this replication, by seed and label."""
        from random import Random

        return Random(self.seed)

    def __repr__(self) -> str:
        return f"<Brief of {self.label!r}, replication {self.replication}>"


@runtime_checkable
class Policy(Protocol):
    """A policy: an object that decides round by round.

    ``act`` returns True or False on a slate of one; a slot, slots or a list of bools on a longer
    one; None for no one; or :class:`Select`, :class:`Interview` or :data:`STALL`. The methods
    ``learn(outcome)`` and ``decline(round, candidate)`` are called where they are defined.
    """

    def act(self, view: View) -> object:
        """Answers a round."""


class Learns(Policy, Protocol):
    """A policy that learns from outcomes."""

    def learn(self, outcome: Outcome) -> None:
        """Learns the outcome of a choice."""


class Prepared:
    """A policy of a user, ready to be handed to a run."""

    def __init__(self, label: str, given: object) -> None:
        self.label = label
        self.class_name, self.source = described(given)
        self.factory = factory(given, f"policies[{label!r}]")

    @property
    def keys(self) -> dict[str, str]:
        """The policy's table in a config."""
        keys = {"label": self.label, "kind": "host", "class": self.class_name}
        return keys | ({"source": self.source} if self.source else {})


def described(given: object) -> tuple[str, str | None]:
    """The name of a policy's class or function, and the hash of its source."""
    made = given if inspect.isclass(given) or inspect.isroutine(given) else type(given)
    name = f"{made.__module__}.{made.__qualname__}"
    import hashlib
    from tokenize import TokenError

    try:
        source = inspect.getsource(made)
    except (OSError, TypeError, SyntaxError, TokenError):
        return name, None
    return name, "sha256:" + hashlib.sha256(source.encode()).hexdigest()


def factory(given: object, place: str) -> Callable[[str, int, int], object]:
    """A function that makes the policy of one replication from its brief, as JSON."""
    if isinstance(given, type):
        made: Callable[..., object] = given
        takes_brief = bool(inspect.signature(made).parameters)

        def of_class(facts: str, seed: int, replication: int) -> object:
            if not takes_brief:
                return adapted(made())
            return adapted(made(Brief(json.loads(facts), seed, replication)))

        return of_class
    if not (hasattr(given, "act") or hasattr(given, "score")):
        if not callable(given):
            what = f"an object of type {type(given).__name__} is no policy"
            raise wrong(place, what, "give a function, a class, or an object with `act` or `score`")
        act = given

        def of_function(facts: str, seed: int, replication: int) -> object:
            return Acts(act)

        return of_function

    def of_instance(facts: str, seed: int, replication: int) -> object:
        return adapted(copy.deepcopy(given))

    return of_instance


class Acts:
    """A function as a policy."""

    __slots__ = ("act",)

    def __init__(self, act: Callable[[View], object]) -> None:
        self.act = act


class Scores:
    """A policy that scores a whole batch at once."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.learn = getattr(policy, "learn", None)
        self.decline = getattr(policy, "decline", None)

    def score(
        self, codes: bytes, attributes: int, features: bytes, numbers: int, persons: int
    ) -> bytes:
        """The scores of a batch, from its arrays as bytes."""
        arrays = shaped(codes, "H", persons, attributes), shaped(features, "d", persons, numbers)
        scores = self.policy.score(*arrays)
        packed = as_doubles(scores)
        if len(packed) != 8 * persons:
            what = f"score returned {len(packed) // 8} numbers for {persons} people"
            raise ValueError(what)
        return packed


def adapted(policy: object) -> object:
    """A policy of a user with the methods that the library calls."""
    if hasattr(policy, "act"):
        return policy
    if hasattr(policy, "score"):
        return Scores(policy)
    raise TypeError(f"a policy has `act` or `score`, and {type(policy).__name__} has neither")


def shaped(data: bytes, form: Literal["H", "d"], rows: int, columns: int) -> Any:
    """A table of numbers: an array of NumPy where it is installed, else a memoryview."""
    try:
        import numpy
    except ImportError:
        view = memoryview(data).cast("B")
        if not data:
            # A memoryview has no empty dimension.
            return view
        shape = (rows, columns)
        return view.cast("H", shape) if form == "H" else view.cast("d", shape)
    kind: Any = numpy.uint16 if form == "H" else numpy.float64
    return numpy.frombuffer(data, dtype=kind).reshape(rows, columns)


def as_doubles(scores: Any) -> bytes:
    """Numbers as bytes. A number that is NaN is refused."""
    if hasattr(scores, "astype"):
        import numpy

        numbers = numpy.ascontiguousarray(scores, dtype=numpy.float64).reshape(-1)
        if numpy.isnan(numbers).any():
            raise ValueError("score returned nan")
        return bytes(numbers.tobytes())
    from array import array

    listed = array("d", scores)
    if any(number != number for number in listed):
        raise ValueError("score returned nan")
    return listed.tobytes()

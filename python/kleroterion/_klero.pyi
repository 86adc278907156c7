"""The extension module. Import `kleroterion` instead."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, final

from ._compare import AskedComparison
from ._draw import AskedPanelDraw
from ._errors import ConfigError
from ._people import AskedPanel
from ._people import Columns as Cells
from ._request import Request

__version__: str

@final
class View:
    """A round as a policy sees it. It is a copy: a policy may keep it."""

    round: int
    """The number of the round, from 1."""
    places_left: int | None
    """How many may still be accepted in the run; None if the rules set no number."""
    looks_left: int
    """How many interviews may still be bought in this round."""
    money_left: float
    """The money left for interviews; infinite if there is no budget."""

    def __len__(self) -> int:
        """The number of candidates on the slate."""
    def __getitem__(self, slot: int, /) -> Candidate: ...
    def candidate(self, slot: int) -> Candidate:
        """The candidate in a slot."""
    @property
    def candidates(self) -> list[Candidate]:
        """The candidates, by slot."""
    @property
    def codes(self) -> list[list[int]]:
        """The codes of each candidate's attributes, by slot."""
    @property
    def features(self) -> list[list[float]]:
        """The features of each candidate, by slot."""
    @property
    def scores(self) -> list[float | None]:
        """The score of each candidate, by slot; None where the setting shows none."""
    @property
    def least(self) -> int:
        """The fewest who may be chosen now."""
    @property
    def most(self) -> int:
        """The most who may be chosen now."""
    @property
    def files(self) -> list[File]:
        """The interviews of each candidate so far in this round, by slot."""
    @property
    def answers(self) -> list[Answer]:
        """The answers to the last interviews, in the order asked."""
    def uniform(self) -> float:
        """A random number in [0, 1) of this round, the same on any number of threads."""
    def normal(self) -> float:
        """A standard normal random number of this round."""
    def below(self, n: int) -> int:
        """A random whole number from 0 to below n."""
    def measure(self, name: str, value: float) -> None:
        """Reports a number of the policy's own. The last of a name in a run becomes a metric."""
    def reason(self, **terms: float) -> None:
        """Gives the reason for the move, in named numbers, for traces."""

@final
class Candidate:
    """A candidate as shown."""

    def __getitem__(self, attribute: str, /) -> str:
        """The value of an attribute."""
    @property
    def id(self) -> int | str:
        """The number in the stream, or the name in the file or feed."""
    @property
    def groups(self) -> dict[str, str]:
        """The value of each attribute."""
    @property
    def codes(self) -> list[int]:
        """The code of each attribute's value: its place in `Brief.attributes`."""
    @property
    def features(self) -> list[float]:
        """The features, in the order of `Brief.features`."""
    @property
    def score(self) -> float | None:
        """The score, if the setting shows one."""
    @property
    def arrival(self) -> float | None:
        """The time of arrival in seconds from the start of the stream, if it is known."""

@final
class File:
    """The interviews of a candidate so far in a round."""

    @property
    def looks(self) -> int:
        """The number of interviews."""
    @property
    def weight(self) -> float:
        """The sum of their gains."""
    @property
    def mean(self) -> float:
        """The mean of their answers, weighted by gain; 0 if there are none."""

@final
class Answer:
    """The answer to an interview."""

    @property
    def slot(self) -> int:
        """The slot of the candidate."""
    @property
    def kind(self) -> int:
        """The kind of interview: its place in the rules."""
    @property
    def value(self) -> float:
        """The answer."""

@final
class Outcome:
    """The outcome of a choice."""

    @property
    def round(self) -> int:
        """The round of the choice, from 1."""
    @property
    def candidate(self) -> Candidate:
        """The person, as shown then."""
    @property
    def value(self) -> float:
        """The outcome."""
    @property
    def p(self) -> float | None:
        """The propensity of the choice, if it was random."""

@final
class Select:
    """A choice with its propensity and its reason.

    ``p`` is the probability of the choice as a whole, above 0 and at most 1.
    """

    def __new__(
        cls, choice: object, *, p: float | None = None, reason: dict[str, float] | None = None
    ) -> Select: ...

@final
class Interview:
    """Interviews to buy, in order, of one kind: its name or its place in the rules."""

    def __new__(cls, slots: int | Sequence[int], kind: int | str = 0) -> Interview: ...

@final
class Stall:
    """The move of a policy that gives up."""

    def __new__(cls) -> Stall: ...

@final
class Columns:
    @staticmethod
    def of_csv(text: str) -> Columns: ...
    @staticmethod
    def of_json_lines(text: str, names: list[str]) -> Columns: ...
    @property
    def names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def to_dict(self) -> dict[str, list[Any]]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class Played:
    is_written: bool
    notes: list[str]
    is_interrupted: bool

    def summary(self) -> str: ...
    def config(self) -> str: ...
    def table(self, full: bool, format: str, width: int) -> str: ...
    def replications(self) -> str: ...
    def course(self) -> str: ...
    def save(self, folder: str | os.PathLike[str], force: bool) -> None: ...
    def faults(self) -> list[str]: ...

@final
class Compared:
    def summary(self) -> str: ...
    def table(self, format: str, width: int) -> str: ...
    def page(self) -> str: ...

@final
class Comparing:
    def __new__(cls, policies: list[str], asked: AskedComparison) -> Comparing: ...
    def add(self, values: list[tuple[str, float]]) -> None: ...
    @property
    def cases(self) -> int: ...
    def comparison(self) -> Compared: ...

@final
class Lottery:
    @property
    def names(self) -> list[str]: ...
    @property
    def chances(self) -> list[float]: ...
    @property
    def panels(self) -> list[tuple[float, list[str]]]: ...
    @property
    def impossible(self) -> list[str]: ...
    @property
    def least(self) -> float: ...
    @property
    def gap(self) -> float: ...
    @property
    def certificate(self) -> list[tuple[list[float], float]]: ...

def play(
    asked: Request,
    progress: Callable[[str, int, int], object] | None,
    cancel: Callable[[], bool] | None,
) -> Played: ...
def lottery(
    asked: AskedPanel,
    progress: Callable[[str, int, int], object] | None,
    cancel: Callable[[], bool] | None,
) -> Lottery: ...
def feasible(asked: AskedPanel) -> None: ...
def check(asked: Request) -> list[str]: ...
def resolve(asked: Request) -> list[str]: ...
def page_of(folder: str | os.PathLike[str], data: str | None) -> str: ...
def tables_of(folder: str | os.PathLike[str], data: str | None, format: str, width: int) -> str: ...
def story_of(
    folder: str | os.PathLike[str],
    candidates: list[str],
    rounds: list[int],
    policies: list[str],
    replications: list[int],
    width: int,
) -> str: ...
def compare(table: str | Cells, asked: AskedComparison) -> Compared: ...
def first_config(
    people: str | Cells, quotas: str | Cells | None, places: int | None
) -> tuple[str, list[str]]: ...
def draw(
    asked: AskedPanelDraw,
    published: tuple[bytes, bool] | int,
    progress: Callable[[str, int, int], object] | None,
    cancel: Callable[[], bool] | None,
) -> tuple[str, list[str]]: ...
def commit(asked: AskedPanelDraw, name: str) -> tuple[str, list[str]]: ...
def numbered(
    asked: AskedPanelDraw,
    panels: int,
    name: str,
    progress: Callable[[str, int, int], object] | None,
    cancel: Callable[[], bool] | None,
) -> tuple[str, list[str]]: ...
def verify(
    folder: str | os.PathLike[str],
    elsewhere: tuple[str | None, tuple[bytes, bool] | None, str | None, str | None],
    progress: Callable[[str, int, int], object] | None,
    cancel: Callable[[], bool] | None,
) -> list[tuple[str, str | None, bool]]: ...
def letters(
    asked: Request,
    sure: float | None,
    simulations: int,
    panel: str | None,
    alternates: int | None,
) -> tuple[str, str]: ...

@final
class Live:
    addresses: tuple[str | None, str | None]
    people: int
    def __new__(cls, asked: Request, queue: int | None, token: str | None) -> Live: ...
    def send(
        self, given: object, place: str
    ) -> (
        tuple[
            int,
            str,
            Literal["selected", "not_selected", "declined", "forfeit"] | None,
            str | None,
            float | None,
            list[tuple[str, float | None]],
        ]
        | None
    ): ...
    def feed(
        self, people: Iterable[object]
    ) -> tuple[int, int, int, list[tuple[int, str | ConfigError]], bool]: ...
    def verdicts(self) -> tuple[str, str | None]: ...
    def close(self) -> Played: ...

@final
class Stepped:
    seed: int
    def __new__(cls, asked: Request, lane: str) -> Stepped: ...
    def facts(self) -> str: ...
    def begin(self, seed: int, replication: int) -> _Round | None: ...
    def act(
        self, scores: Sequence[float]
    ) -> tuple[float, _Round | None, tuple[str, str | None] | None]: ...
    def metrics(self) -> list[tuple[str, float]]: ...

_Round = tuple[list[list[int]], list[list[float]], list[float], int | None]

"""Runs: played, opened, checked."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _klero
from ._arguments import one_of, placed, whole, wrong
from ._errors import Cancelled, KleroError
from ._klero import Columns
from ._people import Event, stopper
from ._request import ConfigLike, Request, request
from ._table import Format, Table, laid_out
from ._verdict import Judged

if TYPE_CHECKING:
    import tempfile

Progress = bool | Callable[[str, int, int], object] | None
"""True for a bar, False for none, None for a bar in terminals and notebooks, or a function that is
called with what goes on in words, the replications played, and of how many."""

NO_DECISIONS = "the run kept no decisions: play it with decisions=True"
_DECISION = ["seq", "replication", "round", "policy", "shown", "chosen", "p", "reason", "cost"]


class Run(Judged):
    """A run that was played, or one that was opened from its folder.

    ``summary`` has the contents of `summary.json`. ``policies`` has kind, role, endings, metrics
    and series of each.
    """

    def __init__(
        self, played: _klero.Played | None, folder: Path | None, asked: Request | None = None
    ) -> None:
        self._played = played
        self._folder = folder
        self._asked = asked
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> Path:
        """The folder with the run's files: its own, or one that is removed with this object.

        A run that was played in memory kept no files. They are made here, by playing it again.

        Raises:
            KleroError: if the run decided differently when it was played again, or was interrupted.
        """
        if self._folder is None:
            import tempfile

            kept = self._kept()
            self._temporary = tempfile.TemporaryDirectory(prefix="klero-")
            kept.save(self._temporary.name, True)
            self._folder = Path(self._temporary.name)
        return self._folder

    def _kept(self) -> _klero.Played:
        """The run with its files. It is played again if it kept none."""
        assert self._played is not None and self._asked is not None
        if self._asked.keeps_tables:
            return self._played
        if self._played.is_interrupted:
            raise KleroError(
                "an interrupted run has no files: play it with out=, or decisions=True"
            )
        again = _klero.play(replace(self._asked, keeps_tables=True), None, None)
        if again.summary() != self._played.summary():
            help = "draw by view.uniform() or brief.rng, or play into a folder with out="
            raise KleroError(f"the run decided differently when it was played again: {help}")
        self._played, self._asked = again, replace(self._asked, keeps_tables=True)
        return again

    @property
    def summary_json(self) -> str:
        """`summary.json` as text, with the bytes that the command line writes."""
        if self._played is not None:
            return self._played.summary()
        return (self.folder / "summary.json").read_text()

    @property
    def notes(self) -> list[str]:
        """What a reader of the results should know."""
        return [] if self._played is None else self._played.notes

    @property
    def config(self) -> str:
        """The config that reproduces the run, as TOML."""
        if self._played is not None:
            return self._played.config()
        return (self.folder / "config.toml").read_text()

    def table(self, full: bool = False, width: int | None = 120, format: Format = "text") -> str:
        """The results as the table of the command line: text, Markdown or LaTeX.

        ``width=None`` gives Markdown.
        """
        layout = laid_out(format, width)
        if self._played is not None:
            return self._played.table(full, *layout)
        return _klero.tables_of(self.folder, os.environ.get("KLERO_DATA"), *layout)

    def replications(self) -> Table:
        """The values of each replication: replication, policy, metric, at, value."""
        if self._played is not None:
            return Table(Columns.of_csv(self._played.replications()))
        return self._csv("replications.csv")

    def course(self, metric: str | None = None) -> Table:
        """Each comparison after each number of replications, of one metric or of all."""
        played = self._played
        text = played.course() if played else (self.folder / "course.csv").read_text()
        lines = text.splitlines(keepends=True)
        starts = ("",) if metric is None else (f"{metric},", f'"{metric}",')
        kept = [line for line in lines[1:] if line.startswith(starts)]
        return Table(Columns.of_csv("".join([lines[0], *kept])))

    def decisions(self) -> Table:
        """The decisions, of a run that was played with ``decisions=True``.

        ``shown`` and ``chosen`` are lists of ids, ``reason`` is a JSON object.
        """
        if self._asked is not None and not self._asked.decisions:
            raise KleroError(NO_DECISIONS)
        path = self.folder / "decisions.ndjson"
        if not path.exists():
            raise KleroError(NO_DECISIONS)
        return Table(Columns.of_json_lines(path.read_text(), _DECISION))

    @property
    def chances(self) -> Table:
        """The chances of each respondent, of a run that chooses from people known beforehand."""
        return self._csv("chances.csv")

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The report as a page of HTML. With a path it is written there too."""
        page = Path(_klero.page_of(self.folder, os.environ.get("KLERO_DATA")))
        text = page.read_text()
        if path is not None:
            Path(path).write_text(text)
        return text

    def figure(self, name: str) -> str:
        """A figure of the report as SVG, by the name of its file."""
        self.report()
        names = sorted(file.stem for file in self.folder.glob("*/*.svg"))
        for file in self.folder.glob("*/*.svg"):
            if file.stem == name:
                return file.read_text()
        raise KeyError(f"there is no figure {name!r}; there are {', '.join(names)}")

    def why(
        self,
        id: int | str | None = None,
        *,
        round: int | None = None,
        policy: str | Iterable[str] = (),
        replication: int | None = None,
        width: int = 120,
    ) -> str:
        """Why a person was chosen or not, lane by lane; or all that was decided in a round.

        The run must have been played with ``decisions=True``.

        Args:
            id: the id of a person.
            round: the number of a round, from 1.
            policy: the labels of the only policies to speak of.
            replication: the number of the only replication to speak of, from 0.
            width: the number of columns of the text.

        Raises:
            KleroError: if the run kept no decisions.
            ConfigError: if a policy has none.
        """
        if self._asked is not None and not self._asked.decisions and not self._asked.resumes:
            raise KleroError(NO_DECISIONS)
        ids = [] if id is None else [str(id)]
        rounds = [] if round is None else [round]
        replications = [] if replication is None else [replication]
        labels = [policy] if isinstance(policy, str) else list(policy)
        return _klero.story_of(self.folder, ids, rounds, labels, replications, width)

    def resume(
        self,
        replications: int | None = None,
        *,
        progress: Progress = None,
        cancel: Event | Callable[[], bool] | None = None,
    ) -> Run:
        """Goes on with a run that was interrupted, or that is to have more replications.

        It must have been played into a folder, with ``out``. The policies are those it had. The
        files become those of a run that was played at once.

        Args:
            replications: the number of replications in all, for more than there were. A finished
                run must have been played with ``keep="all"``.
            progress: a bar, a function, or none.
            cancel: an event, or a function that returns True to stop.

        Returns:
            The whole run.

        Raises:
            KleroError: if the run was not played into a folder.
            ConfigError: if the run has as many replications already, or did not keep them.
        """
        if self._folder is None or self._temporary is not None:
            raise KleroError("only a run that was played with out= goes on; kl.resume(folder) does")
        known = self._asked or Request()
        asked = Request(resumes=str(self._folder), policies=known.policies, tables=known.tables)
        asked.replications = whole("replications", replications)
        asked.threads, asked.raises, asked.decisions = known.threads, known.raises, known.decisions
        return played(asked, self._folder, progress, cancel)

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Writes the folder that ``klero run --out`` writes, and returns its path."""
        if self._played is not None and not self._played.is_written:
            self._kept().save(folder, force)
        else:
            import shutil

            shutil.copytree(self.folder, folder, dirs_exist_ok=force)
        return Path(folder)

    def _csv(self, name: str) -> Table:
        path = self.folder / name
        if not path.exists():
            raise KleroError(f"the run has no {name}")
        return Table(Columns.of_csv(path.read_text()))

    def __repr__(self) -> str:
        return f"<Run {self.summary['name']!r}: {self.answer}>"


def run(
    config: ConfigLike = None,
    *,
    policies: Mapping[str, object] | None = None,
    only: Iterable[str] | None = None,
    replications: int | None = None,
    seed: int | None = None,
    until: str | Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    people: object = None,
    keep: str | None = None,
    decisions: bool | Literal["all"] = False,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    threads: int | None = None,
    progress: Progress = None,
    cancel: Event | Callable[[], bool] | None = None,
    on_error: Literal["raise", "end"] = "raise",
) -> Run:
    """Plays a config and returns its run.

    Args:
        config: a preset's name, a path, the text of a config (TOML), or a mapping. None is the
            main job.
        policies: policies of the program by their labels: functions of a view, classes, or objects
            with ``act`` or ``score``. They join those of the config.
        only: the labels of the only policies to play.
        replications: the number of replications, if it is not the config's own.
        seed: the seed, if it is not the config's own.
        until: ``"decided"`` to stop when every pair is decided, or a mapping as `rules.until`.
        set: changes of the config, a value by its path: ``{"rules.until.accepted": 50}``.
        people: a table of people in place of the config's file: a path, a mapping of columns, rows
            as mappings, or a data frame.
        keep: the values that `replications.csv` keeps: judged, all or folds.
        decisions: True to keep the decisions of the first replication, "all" for all.
        out: the folder to play into, from which `klero resume` can go on.
        force: True to overwrite a run in the folder.
        threads: the number of threads; all cores if None. Results do not depend on it.
        progress: a bar, a function, or none.
        cancel: an event, or a function that returns True to stop.
        on_error: "raise" to raise what a policy raised, "end" to end its lane alone.

    Raises:
        ConfigError: with all that is wrong with the config.
        PolicyError: if a policy raised an exception, which is the cause.
        PolicyFoul: if a policy broke a rule.
        RunError: if the run could not be done.
        Cancelled: if the caller cancelled.
        KeyboardInterrupt: with what was played so far as ``run``, if anything was.
    """
    one_of("on_error", on_error, ("raise", "end"))
    given = {"rules.until": "until", "report.until": "until", "source.path": "people"}
    given |= {"report.keep": "keep"}
    places = {f'set["{key}"]': name for key, name in given.items() if key not in (set or {})}
    with placed("config", places):
        asked = request(config, policies=policies, set=set, until=until, people=people, only=only)
        asked.seed, asked.keep = whole("seed", seed), keep
        asked.replications = whole("replications", replications, 1)
        asked.decisions, asked.all_replications = bool(decisions), decisions == "all"
        asked.out = None if out is None else os.fspath(out)
        asked.keeps_tables = asked.decisions
        asked.force, asked.threads = force, whole("threads", threads, 1, 1024)
        asked.raises = on_error == "raise"
        return played(asked, None if out is None else Path(out), progress, cancel)


def played(
    asked: Request,
    folder: Path | None,
    progress: Progress,
    cancel: Event | Callable[[], bool] | None,
) -> Run:
    """The run of a request. An interrupt has what was played so far as ``run``."""
    try:
        return Run(_klero.play(asked, _teller(progress), stopper(cancel)), folder, asked)
    except (KeyboardInterrupt, Cancelled) as interrupt:
        if (part := getattr(interrupt, "played", None)) is not None:
            interrupt.run = Run(part, folder, asked)  # type: ignore[union-attr]
        raise


def resume(
    folder: str | os.PathLike[str],
    *,
    replications: int | None = None,
    policies: Mapping[str, object] | None = None,
    people: object = None,
    threads: int | None = None,
    progress: Progress = None,
    cancel: Event | Callable[[], bool] | None = None,
    on_error: Literal["raise", "end"] = "raise",
) -> Run:
    """Goes on with a run that was stopped, or that is to have more replications, from its folder.

    It leaves the files of a run that was never stopped.

    Args:
        folder: the folder of a run that was played with ``out``, here or by ``klero run``.
        replications: the number of replications in all, for more than there were. A finished run
            must have been played with ``keep="all"``.
        policies: the policies of the program, by the labels that they had.
        people: the table of people, if it was from memory.
        threads, progress, cancel, on_error: as for ``run``.

    Raises:
        ConfigError: if the folder holds no run to go on with, or a policy is missing; if the run
            has as many replications already, or did not keep them.
        PolicyError, PolicyFoul, RunError, Cancelled, KeyboardInterrupt: as for ``run``.
    """
    one_of("on_error", on_error, ("raise", "end"))
    path = Path(folder)
    if not (path / "config.toml").is_file():
        raise wrong("folder", f"{path} holds no run", "name the folder of a run: out= of kl.run")
    is_finished = (path / "summary.json").is_file() and not (path / "replications.part").exists()
    if is_finished and replications is None:
        help = f"open it: kl.open({os.fspath(path)!r}); or give replications= for more of them"
        raise wrong("folder", f"the run in {path} is finished, and has nothing to go on with", help)
    with placed("folder", {'set["source.path"]': "people"}):
        asked = request(None, policies=policies, people=people)
        asked.resumes, asked.raises = os.fspath(folder), on_error == "raise"
        asked.replications = whole("replications", replications)
        asked.threads = whole("threads", threads, 1, 1024)
        return played(asked, path, progress, cancel)


def open(folder: str | os.PathLike[str]) -> Run:
    """Opens the folder of a finished run.

    Raises:
        ConfigError: if the folder holds no finished run.
    """
    path = Path(folder)
    if not (path / "summary.json").is_file():
        help = "name the folder of a run; kl.resume goes on with a stopped one"
        raise wrong("folder", f"{path} holds no finished run", help)
    return Run(None, path)


def check(
    config: ConfigLike = None,
    *,
    policies: Mapping[str, object] | None = None,
    set: Mapping[str, Any] | None = None,
    people: object = None,
) -> list[str]:
    """Checks a config and returns what its run assumes, in sentences.

    Raises:
        ConfigError: with all that is wrong with the config.
    """
    with placed("config", {'set["source.path"]': "people"}):
        return _klero.check(request(config, policies=policies, set=set, people=people))


def config(
    config: ConfigLike = None,
    *,
    policies: Mapping[str, object] | None = None,
    set: Mapping[str, Any] | None = None,
) -> str:
    """The checked config with its changes, as TOML that reproduces the run from any folder.

    Raises:
        ConfigError: with all that is wrong with the config.
    """
    with placed("config"):
        return "\n".join(_klero.resolve(request(config, policies=policies, set=set)))


def _teller(progress: Progress) -> Callable[[str, int, int], object] | None:
    if callable(progress):
        return progress
    if progress is None:
        progress = sys.stderr.isatty() or in_notebook()
    return _bar_teller() if progress else None


def in_notebook() -> bool:
    """True in a notebook. A program that merely runs notebooks imports the same packages."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _bar_teller() -> Callable[[str, int, int], object]:
    """A bar on standard error."""

    def tell(words: str, played: int, of: int) -> None:
        done = round(30 * played / of) if of else 0
        bar = f"[{'#' * done}{' ' * (30 - done)}] " if of else ""
        end = "\n" if of and played == of else ""
        sys.stderr.write(f"\r\x1b[K{bar}{words}{end}")
        sys.stderr.flush()

    return tell

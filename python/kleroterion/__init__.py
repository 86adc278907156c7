"""Which selection policy is better, on the same people, and how sure is that?

>>> import kleroterion as kl
>>> run = kl.run("committee-syn6", replications=50)
>>> print(run.answer)                                                         # doctest: +SKIP

A policy is a function of a view, or a class with ``act``:

>>> def half(view):
...     return view.uniform() < 0.5
>>> run = kl.run("committee-syn6", policies={"half": half}, replications=50)
"""

from ._compare import Comparing, Comparison, compare
from ._draw import commit, draw, numbered
from ._drawn import Check, Draw, Numbered, verify
from ._errors import (
    Bound,
    Cancelled,
    Clash,
    ConfigError,
    KleroError,
    NoPanel,
    PolicyError,
    PolicyFoul,
    Problem,
    RunError,
)
from ._gym import gym
from ._init import init
from ._klero import (
    Answer,
    Candidate,
    File,
    Interview,
    Outcome,
    Select,
    View,
    __version__,
)
from ._letters import Letters, letters
from ._live import Decision, Fed, Server, Stream, serve
from ._people import Lottery, Panel, explain, lottery
from ._policies import STALL, Brief, Policy
from ._request import Config
from ._run import Run, check, config, open, resume, run
from ._sweep import Sweep, SweepPoint, sweep
from ._table import Table
from ._verdict import Verdict

__all__ = [
    "STALL",
    "Answer",
    "Bound",
    "Brief",
    "Cancelled",
    "Candidate",
    "Check",
    "Clash",
    "Comparing",
    "Comparison",
    "Config",
    "ConfigError",
    "Decision",
    "Draw",
    "Fed",
    "File",
    "Interview",
    "KleroError",
    "Letters",
    "Lottery",
    "NoPanel",
    "Numbered",
    "Outcome",
    "Panel",
    "Policy",
    "PolicyError",
    "PolicyFoul",
    "Problem",
    "Run",
    "RunError",
    "Select",
    "Server",
    "Stream",
    "Sweep",
    "SweepPoint",
    "Table",
    "Verdict",
    "View",
    "__version__",
    "check",
    "commit",
    "compare",
    "config",
    "draw",
    "explain",
    "gym",
    "init",
    "letters",
    "lottery",
    "numbered",
    "open",
    "resume",
    "run",
    "serve",
    "sweep",
    "verify",
]

"""Which selection policy is better, on the same people, and how sure is that?

>>> import kleroterion as kl
>>> run = kl.run("committee-syn6", replications=50)
>>> print(run.answer)                                                         # doctest: +SKIP

A policy is a function of a view, or a class with ``act``:

>>> def half(view):
...     return view.uniform() < 0.5
>>> run = kl.run("committee-syn6", policies={"half": half}, replications=50)
"""

from ._errors import (
    ConfigError,
    KleroError,
    PolicyError,
    PolicyFoul,
    Problem,
    RunError,
)
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
from ._policies import STALL, Brief, Policy
from ._run import Run, check, config, open, run
from ._table import Table

__all__ = [
    "STALL",
    "Answer",
    "Brief",
    "Candidate",
    "ConfigError",
    "File",
    "Interview",
    "KleroError",
    "Outcome",
    "Policy",
    "PolicyError",
    "PolicyFoul",
    "Problem",
    "Run",
    "RunError",
    "Select",
    "Table",
    "View",
    "__version__",
    "check",
    "config",
    "open",
    "run",
]

"""Environments of Gymnasium: an agent in the place of a policy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from . import _klero
from ._arguments import wrong
from ._errors import KleroError
from ._request import ConfigLike, request


def gym(
    config: ConfigLike,
    lane: str,
    *,
    set: Mapping[str, Any] | None = None,
    people: object = None,
    slots: int | None = None,
) -> Any:
    """An environment of Gymnasium, in which an agent decides in a policy's place.

    It needs the extra ``gym``. An episode is a replication of the config; each is another one.

    - An observation is a mapping. ``codes`` (slots x attributes) are the codes of the candidates'
      values, ``features`` (slots x features) and ``scores`` (slots) their numbers, where there are
      any. ``present`` (slots) is 1 where there is a candidate, and 0 where the slate is shorter.
      ``places_left`` is the number of places left, or -1 where the rules set none.
    - An action on a slate of one is 1 to accept and 0 not to. On a longer slate it is a score in
      [-1, 1] for each slot: the highest are chosen, as many as must be, and beyond these only those
      above 0. So no action breaks a rule.
    - The reward is the sum of the outcomes that are heard after the move. It is 0 in a config
      without outcomes: then a wrapper makes one of ``info["metrics"]``.
    - At the end ``info`` has ``ending`` and ``metrics``, the measures of the lane by name.

    Args:
        config: a preset's name, a path, the text of a config (TOML), or a mapping.
        lane: the label of the policy in whose place the agent decides.
        set: changes of the config, a value by its path.
        people: a table of people in place of the config's file.
        slots: the most slots of a slate. None takes the size that the rules set.

    Returns:
        A ``gymnasium.Env``. ``reset(seed=)`` begins the replications of that seed anew.

    Raises:
        ImportError: if gymnasium is not installed.
        ConfigError: with all that is wrong with the config; if it has no such policy, sells
            interviews, or has slates of different sizes and ``slots`` is None.
    """
    try:
        import gymnasium
        import numpy
    except ImportError as error:
        what = f"kl.gym needs the package {error.name}: pip install 'kleroterion[gym]'"
        raise ImportError(what, name=error.name) from None
    stepped = _klero.Stepped(request(config, set=set, people=people), lane)
    facts = json.loads(stepped.facts())
    size = slots if slots is not None else facts["rules"]["slate"]
    if size is None or size < 1:
        what = "the slates of this config have different sizes"
        help = "give slots=, the most slots that an observation has"
        raise wrong("slots", what, help)
    base: Any = gymnasium.Env
    spaces = gymnasium.spaces

    class Environment(base):  # type: ignore[misc, unused-ignore]
        """A lane of a config, stepped by an agent."""

        metadata: dict[str, Any] = {"render_modes": []}

        def __init__(self) -> None:
            ends = [len(values) - 1 for values in facts["attributes"].values()]
            highest = numpy.tile(numpy.array(ends, dtype=numpy.int64), (size, 1))
            numbers = {"features": (size, len(facts["features"])), "scores": (size,)}
            numbers = {
                name: shape
                for name, shape in numbers.items()
                if all(shape) and (name != "scores" or facts["scored"])
            }
            known = {
                name: spaces.Box(-numpy.inf, numpy.inf, shape, numpy.float64)
                for name, shape in numbers.items()
            }
            if ends:
                known["codes"] = spaces.Box(0, highest, dtype=numpy.int64)
            known["present"] = spaces.MultiBinary(size)
            known["places_left"] = spaces.Box(-1, numpy.inf, (1,), numpy.float64)
            self.observation_space = spaces.Dict(known)
            if size == 1:
                self.action_space = spaces.Discrete(2)
            else:
                self.action_space = spaces.Box(-1.0, 1.0, (size,), numpy.float64)
            self._seed, self._replication = stepped.seed, 0
            self._shown = size

        def reset(
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[dict[str, Any], dict[str, Any]]:
            """Begins the next replication, with ``seed`` the first one of that seed."""
            super().reset(seed=seed)
            if seed is not None:
                self._seed, self._replication = seed, 0
            shown = stepped.begin(self._seed, self._replication)
            info = {"seed": self._seed, "replication": self._replication}
            self._replication += 1
            return self._observed(shown), info

        def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
            """Answers the round, and goes on to the next one or to the end."""
            scores = [2.0 * float(action) - 1.0] if size == 1 else [float(one) for one in action]
            reward, shown, ended = stepped.act(scores[: self._shown])
            info: dict[str, Any] = {}
            if ended is not None:
                info["ending"], info["detail"] = ended
                info["metrics"] = dict(stepped.metrics())
            return self._observed(shown), reward, ended is not None, False, info

        def _observed(self, shown: Any) -> dict[str, Any]:
            """The arrays of a round; after the end a round of no one."""
            codes, features, scores, left = shown or ([], [], [], 0)
            self._shown = len(codes)
            if self._shown > size:
                raise KleroError(f"a slate has {self._shown} candidates: give slots= of so many")
            seen: dict[str, Any] = {}
            tables: dict[str, Any] = {"codes": codes, "features": features, "scores": scores}
            for name, rows in tables.items():
                if name in self.observation_space.spaces:
                    space = self.observation_space[name]
                    seen[name] = numpy.zeros(space.shape, space.dtype)
                    if self._shown:
                        seen[name][: self._shown] = rows
            present = numpy.zeros(size, numpy.int8)
            present[: self._shown] = 1
            seen["present"] = present
            seen["places_left"] = numpy.array([-1 if left is None else left], numpy.float64)
            return seen

    return Environment()

"""Environments of Gymnasium."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import kleroterion as kl


def test_without_the_package_it_says_how_to_install(
    small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ImportError, match=r"pip install 'kleroterion\[gym\]'"):
        kl.gym(small, "queue")


@pytest.fixture
def gymnasium() -> Any:
    pytest.importorskip("numpy")
    return pytest.importorskip("gymnasium")


def slates(small: dict[str, Any]) -> dict[str, Any]:
    small["rules"] = {"slate": 3, "choose": "at_most_one", "until": {"accepted": 20}}
    return small


@pytest.mark.parametrize("kind", ["one", "slates"])
def test_it_is_an_environment(gymnasium: Any, small: dict[str, Any], kind: str) -> None:
    from gymnasium.utils.env_checker import check_env

    config = small if kind == "one" else slates(small)
    check_env(kl.gym(config, "queue"), skip_render_check=True)


def test_an_agent_that_decides_as_a_policy_measures_as_the_policy(
    gymnasium: Any, small: dict[str, Any]
) -> None:
    env = kl.gym(small, "everybody")
    run = kl.run(small, keep="all")
    known = run.replications().to_dict()
    rows = zip(known["replication"], known["policy"], known["metric"], known["at"], known["value"])
    losses = [value for _, label, metric, at, value in rows
              if (label, metric, at) == ("everybody", "representation_loss", None)]
    for replication in range(3):
        seen, info = env.reset()
        assert info == {"seed": 7, "replication": replication}
        assert env.observation_space.contains(seen) and seen["places_left"][0] == 20
        done, steps = False, 0
        while not done:
            seen, reward, done, cut, info = env.step(1)
            steps += 1
        assert (steps, reward, cut, info["ending"]) == (20, 0.0, False, "filled")
        assert info["metrics"]["representation_loss"] == losses[replication]
    with pytest.raises(RuntimeError, match="reset"):
        env.step(1)


def test_rewards_are_the_outcomes_that_are_heard(gymnasium: Any) -> None:
    env = kl.gym("grazzi2022-fig1", "uniform", set={"rules.until.rounds": 50, "report.at": [50]})
    seen, _ = env.reset(seed=5)
    assert env.observation_space.contains(seen)
    total, done = 0.0, False
    while not done:
        _, reward, done, _, info = env.step(env.action_space.sample())
        total += reward
    assert info["ending"] == "horizon" and total != 0.0


def test_wrong_requests_say_what_to_do(gymnasium: Any, small: dict[str, Any]) -> None:
    with pytest.raises(kl.ConfigError, match="queue") as caught:
        kl.gym(small, "nobody")
    assert caught.value.problems[0].place == "lane"

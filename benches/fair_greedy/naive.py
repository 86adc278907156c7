"""Fair-Greedy (Grazzi et al. 2022, Algorithm 1) in NumPy: every mu~.x of the window computed anew in each round.

Called by the benchmark: one argument, the world as JSON. Draws a stream of its own and prints one line of JSON: CPU
seconds of the policy's loop (where only a sample of the rounds is timed, each tenth's in proportion) and the mean true
relative rank of those it chose. Rounds that are not in the sample choose anybody; they store and learn all the same.
"""

import json
import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np


def draw(world, rng):
    """Groups (T, K), contexts (T, K, d) and rewards (T, K) without noise."""
    rounds, slate = world["rounds"], world["slate"]
    low, width, mu = (np.array(world[name]) for name in ("low", "width", "mu"))
    if world["one_per_group"]:
        groups = np.tile(np.arange(slate), (rounds, 1))
    else:
        groups = rng.choice(len(low), size=(rounds, slate), p=world["probability"])
    contexts = rng.random((rounds, slate, len(mu)))
    contexts *= width[groups]
    contexts += low[groups]
    return groups, contexts, contexts @ mu


def play(world, groups, contexts, rewards, rng):
    """CPU seconds, the rounds (from 0) that were played in earnest and the slots chosen in them."""
    rounds, slate, d = contexts.shape
    tenth, middle = world["tenth"], world["middle"]
    before = (tenth - middle) // 4 * 2
    numbers = range(len(world["low"]))
    stored = [np.empty((np.count_nonzero(groups == g), d)) for g in numbers]
    counts = [[0] * (rounds + 1) for _ in numbers]  # stored before each round
    groups = groups.tolist()
    inverse = np.eye(d) / world["lambda"]
    sums = np.zeros(d)
    mu = np.zeros(d)
    told = []
    earnest, chosen = [], []
    seconds = 0.0
    for t in range(rounds):
        timed = before <= t % tenth < before + middle
        if timed:
            start = time.process_time()
        split = t // 2
        if t % 2 == 0 and t > 0:
            x, reward = told[split - 1]
            turned = inverse @ x
            inverse -= np.outer(turned, turned / (1.0 + x @ turned))
            sums += reward * x
            noise = world["rho"] / np.sqrt(d * (t + 1)) * rng.standard_normal(d)
            mu = inverse @ sums + noise
        now = contexts[t]
        if timed:
            projected = [
                stored[g][counts[g][split] : counts[g][t]] @ mu for g in numbers
            ]
            ranks = np.empty(slate)
            for k, (g, value) in enumerate(zip(groups[t], now @ mu)):
                past = projected[g]
                if len(past):
                    ranks[k] = np.count_nonzero(past <= value) / len(past)
                else:
                    ranks[k] = rng.random()
            tied = np.flatnonzero(ranks == ranks.max())
            slot = tied[0] if len(tied) == 1 else rng.choice(tied)
        else:
            slot = t % slate
        for g in numbers:
            counts[g][t + 1] = counts[g][t]
        for g, x in zip(groups[t], now):
            stored[g][counts[g][t + 1]] = x
            counts[g][t + 1] += 1
        told.append((now[slot], rewards[t, slot]))
        if timed:
            seconds += time.process_time() - start
            earnest.append(t)
            chosen.append(slot)
    return seconds * tenth / middle, earnest, chosen


def main():
    world = json.loads(sys.argv[1])
    rng = np.random.default_rng(2022)
    groups, contexts, merits = draw(world, rng)
    rewards = merits + world["noise"] * rng.standard_normal(merits.shape)
    seconds, earnest, chosen = play(world, groups, contexts, rewards, rng)
    ranks = np.empty(merits.shape)
    for g in range(len(world["low"])):
        own = merits[groups == g]
        ranks[groups == g] = np.searchsorted(np.sort(own), own, side="right") / len(own)
    print(json.dumps({"seconds": seconds, "rank": ranks[earnest, chosen].mean()}))


main()

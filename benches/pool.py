"""A round of Fair-Greedy, and value iteration without chance, in NumPy: what one writes first. Prints seconds of CPU time.

python3 pool.py round N ROUNDS : all of them
python3 pool.py ahead SWEEPS|all : to the end; of fewer sweeps what 1,557 would take, which is how many there are
"""

import sys
import time
from statistics import NormalDist

import numpy as np


def quantile(p):
    """Phi^-1, by a table, as NumPy has none."""
    return np.interp(p, quantile.p, quantile.z)


quantile.z = np.linspace(-6, 6, 200_001)
density = np.exp(-(quantile.z**2) / 2) / np.sqrt(2 * np.pi)
quantile.p = NormalDist().cdf(-6) + np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)]) * 6e-5


def rounds(n, count):
    chance = np.random.default_rng(1)
    first = chance.random((count, n)) < 0.4
    scores = 5 + chance.standard_normal((count, n))
    a = int(0.3 * n + 1e-9)
    started = time.process_time()
    for is_first, score in zip(first, scores):
        u, v = np.flatnonzero(is_first), np.flatnonzero(~is_first)
        sums = []
        for size in (len(u), len(v)):
            rank = np.arange(1, min(a, size) + 1)
            blom = 5 + quantile(1 - (rank - 0.375) / (size + 0.25))
            sums.append(np.concatenate([[0], np.cumsum(blom)]))
        k = np.arange(max(0, a - len(v)), min(a, len(u)) + 1)
        utility = (sums[0][k] + sums[1][a - k]) / a - 2 * (k / a - 0.4) ** 2
        k = k[np.argmax(utility)]
        for group, many in ((u, k), (v, a - k)):
            if 0 < many < len(group):
                group[np.argpartition(-score[group], many - 1)[:many]]
    return time.process_time() - started


def ahead(sweeps):
    m = 1000
    started = time.process_time()
    s = np.arange(m + 1)[:, None] / m
    a = np.arange(m + 1)[None, :] / m
    with np.errstate(divide="ignore", invalid="ignore"):
        q_u = np.where(a == 0, 0, 0.3 * a / s)
        q_v = np.where(a == 1, 0, 0.3 * (1 - a) / (1 - s))
    possible = (q_u <= 1 + 1e-12) & (q_v <= 1 + 1e-12)

    def best(q):
        z = quantile(1 - np.clip(q, 0, 1))
        return np.where((q > 0) & (q < 1), np.exp(-z * z / 2) / np.sqrt(2 * np.pi), 0)

    reward = 5 + (s * best(q_u) + (1 - s) * best(q_v)) / 0.3 - 1.5 * (a - 0.4) ** 2
    reward = np.where(possible, reward, -np.inf)
    place = np.clip((s + 0.05 * (a - s)) * m, 0, m)
    below = np.minimum(place.astype(int), m - 1)
    beyond = place - below
    made, value = time.process_time() - started, np.zeros(m + 1)
    started, count = time.process_time(), 0
    while True:
        after = (1 - beyond) * value[below] + beyond * value[below + 1]
        new = (reward + 0.99 * after).max(axis=1)
        change, value, count = np.abs(new - value).max(), new, count + 1
        if change < 1e-6 or count == sweeps:
            break
    took = time.process_time() - started
    return made + (took if change < 1e-6 else took / count * 1557)


if __name__ == "__main__":
    if sys.argv[1] == "round":
        print(rounds(int(sys.argv[2]), int(sys.argv[3])))
    else:
        print(ahead(0 if sys.argv[2] == "all" else int(sys.argv[2])))

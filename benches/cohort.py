"""SWAP (Schumann et al. 2019, Algorithm 1) in plain Python, standard library only: what one writes first.

python3 cohort.py N K SIGMA DELTA S J STEPS : u = i/(N-1), top K; after a weak look at each up to STEPS looks.
Prints how many looks of the loop there were, the seconds they took, and whether it stopped of itself.
"""

import math
import random
import sys
import time


def best(values, members, k):
    """The k highest, of equals members of M first, then the lower number."""
    order = sorted(range(len(values)), key=lambda i: (-values[i], i not in members, i))
    return set(order[:k])


def swap(n, k, sigma, delta, s, j, steps):
    chance = random.Random(1)
    u = [i / (n - 1) for i in range(n)]
    means = [chance.gauss(x, sigma) for x in u]
    weights = [1.0] * n
    cost = float(n)
    alpha = min(max((s - j) / (s - 1), 0.0), 1.0) if s > 1 else 0.0
    started = time.perf_counter()
    for looks in range(steps + 1):
        m = best(means, (), k)
        log = 2 * math.log(4 * n * cost**3 / delta)
        radii = [sigma * math.sqrt(log / weight) for weight in weights]
        values = [means[i] - radii[i] if i in m else means[i] + radii[i] for i in range(n)]
        other = best(values, m, k)
        contested = m ^ other
        if not contested or looks == steps:
            return looks, time.perf_counter() - started, not contested
        arm = min(contested, key=lambda i: (weights[i], i))
        gain, price = (s, j) if alpha > chance.random() else (1.0, 1.0)
        x = chance.gauss(u[arm], sigma / math.sqrt(gain))
        means[arm] = (means[arm] * weights[arm] + gain * x) / (weights[arm] + gain)
        weights[arm] += gain
        cost += price


if __name__ == "__main__":
    n, k = int(sys.argv[1]), int(sys.argv[2])
    sigma, delta, s, j = map(float, sys.argv[3:7])
    print(*swap(n, k, sigma, delta, s, j, int(sys.argv[7])))

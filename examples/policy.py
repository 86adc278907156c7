#!/usr/bin/env python3
"""Two policies outside the process, for the seat protocol of Kleroterion: the model for a policy in any language.

    [[policy]]
    label = "mine"
    kind = "exec"
    command = ["python3", "examples/policy.py", "virtual_queue", "2.0"]

One JSON object a line: `hello` comes once and is answered by `ready`; each `slate` is answered by `select`; `outcome` and
`declined` want no answer; at `bye` the program ends. Standard output belongs to the protocol: print what you have to say to standard error.

    virtual_queue [V]   accepts who lengthens the queues of over-represented values by at most V; decides as the built-in kind does
    lottery             draws lots; the further a candidate's values are behind their targets, the likelier it is accepted
"""

import json
import math
import random
import sys


class Shares:
    """Who was accepted so far, against the shares that are wanted."""

    def __init__(self, hello):
        # Attributes in the order of the schema, as everywhere else.
        target = hello["target"] or {}
        self.target = {name: target[name] for name in hello["attributes"] if name in target}
        self.counts = {name: dict.fromkeys(shares, 0) for name, shares in self.target.items()}
        self.members = 0

    def admit(self, candidate):
        self.members += 1
        for name in self.target:
            self.counts[name][candidate["groups"][name]] += 1

    def dismiss(self, candidate):
        self.members -= 1
        for name in self.target:
            self.counts[name][candidate["groups"][name]] -= 1

    def ahead(self, name, value):
        """How many more there are of a value than its share of the members."""
        return self.counts[name][value] - self.target[name][value] * self.members


class VirtualQueue:
    """Virtual queues: Q = N - rho N. Accepts x where sum_i (Q of x's value - sum_j rho_j Q_j) <= V."""

    def __init__(self, hello, v="2.0"):
        self.shares = Shares(hello)
        self.v = float(v)
        self.numbers = {name: number for number, name in enumerate(hello["attributes"], 1)}

    def parts(self, candidate):
        """What each attribute adds to a candidate's score."""
        parts = {}
        for name, target in self.shares.target.items():
            # In this order of sums the numbers are those of the built-in policy, bit for bit.
            mean = 0.0
            for value, share in target.items():
                mean += share * self.shares.ahead(name, value)
            parts[name] = self.shares.ahead(name, candidate["groups"][name]) - mean
        return parts

    def score(self, candidate):
        total = 0.0
        for part in self.parts(candidate).values():
            total += part
        return total

    def reason(self, candidate, score):
        """The score, and the attribute that speaks most against a candidate, or else most for one."""
        parts = self.parts(candidate)
        if not parts:
            return {"score": score, "v": self.v}
        # Of equal ones the last speaks against, the first for.
        name = max(reversed(parts), key=parts.get) if score > self.v else min(parts, key=parts.get)
        value, shares = candidate["groups"][name], self.shares
        return {
            "score": score,
            "v": self.v,
            "attribute": self.numbers[name],
            "taken": shares.counts[name][value],
            "wanted": shares.target[name][value] * shares.members,
        }

    def select(self, candidates, places):
        if places["max"] == 0:
            return {"chosen": [], "reason": {"places": 0}}
        chosen, reason = [], None
        for candidate in candidates:
            if len(chosen) == places["max"]:
                break
            score = self.score(candidate)
            accepts = score <= self.v
            # Of several, the reason is that of the first who is accepted, else of the first.
            if reason is None or (accepts and not chosen):
                reason = self.reason(candidate, score)
            if accepts:
                self.shares.admit(candidate)
                chosen.append(candidate["slot"])
        # Where the rules ask for more, those who lengthen the queues least.
        passed = [c for c in candidates if c["slot"] not in chosen]
        for candidate in sorted(passed, key=self.score)[: max(0, places["min"] - len(chosen))]:
            self.shares.admit(candidate)
            chosen.append(candidate["slot"])
        return {"chosen": chosen, "reason": reason}


class Lottery:
    """Draws lots, with odds that follow the quotas, and says how likely its choice was."""

    def __init__(self, hello):
        self.shares = Shares(hello)
        # The seed is the run's for this lane: the same run gives the same lots.
        self.luck = random.Random(hello["seed"])

    def odds(self, candidate):
        """From .05 to .95: one half, and a tenth more for each member that the candidate's values are behind."""
        ahead = sum(self.shares.ahead(name, candidate["groups"][name]) for name in self.shares.target)
        return min(0.95, max(0.05, 0.5 - 0.1 * ahead))

    def select(self, candidates, places):
        if places["min"] > 0:
            return self.sample(candidates, places["min"])
        chosen, p, first = [], 1.0, None
        for candidate in candidates:
            if len(chosen) == places["max"]:
                break
            odds = self.odds(candidate)
            first = odds if first is None else first
            accepts = self.luck.random() < odds
            # The propensity is that of the choice as a whole.
            p *= odds if accepts else 1.0 - odds
            if accepts:
                self.shares.admit(candidate)
                chosen.append(candidate["slot"])
        if first is None:
            return {"chosen": [], "reason": {"places": 0}}
        return {"chosen": chosen, "reason": {"odds": first}, **propensity(p)}

    def sample(self, candidates, many):
        """That number of candidates, each set as likely: where the rules fix the number."""
        chosen = self.luck.sample(candidates, many)
        for candidate in chosen:
            self.shares.admit(candidate)
        p = 1 / math.comb(len(candidates), many)
        return {"chosen": [c["slot"] for c in chosen], "reason": {"places": many}, **propensity(p)}


def propensity(p):
    """How likely a choice was; none where no other was possible, or where it is too small for a number."""
    return {"p": p} if 0 < p < 1 else {}


POLICIES = {"virtual_queue": VirtualQueue, "lottery": Lottery}


def say(message):
    # Flushed, or it would wait in a buffer for ever: the other side says nothing more until it has the answer.
    print(json.dumps(message, separators=(",", ":")), flush=True)


def main(kind="", *parameters):
    if kind not in POLICIES:
        sys.exit(f"usage: policy.py {' | '.join(POLICIES)} [PARAMETER]")
    policy = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            policy = POLICIES[kind](message, *parameters)
            say({"type": "ready", "name": kind})
        elif message["type"] == "slate":
            choice = policy.select(message["candidates"], message["places"])
            say({"type": "select", "round": message["round"], **choice})
        elif message["type"] == "declined":
            policy.shares.dismiss(message["candidate"])
        elif message["type"] == "bye":
            break


if __name__ == "__main__":
    main(*sys.argv[1:])

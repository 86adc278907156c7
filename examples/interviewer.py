#!/usr/bin/env python3
"""A program that answers interviews and says what becomes of the chosen: the model for one in any language.

    [feedback.interview]
    type = "exec"
    sd = 0.2
    command = ["python3", "examples/interviewer.py", "0.2"]

One JSON object a line: `hello` comes once and is answered by `ready`; each `looks` and `outcomes` is answered by `answers`, one
value each in their order, or null where none will ever come; at `bye` the program ends. Print what you have to say to standard
error.

This one is a made-up rater: a person is worth the mean of its features, or its score where it has no features, and an answer is
that and noise. All lanes of a run ask one program. So that nobody's answers depend on who asked first, the noise belongs to the
person, the kind of interview and how many of that kind there were before.
"""

import json
import random
import sys


class Rater:
    def __init__(self, hello, sd="0.1"):
        self.seed = hello["seed"]
        self.sd = float(sd)
        self.gain = {kind["name"]: kind["gain"] for kind in hello["interviews"]}

    def worth(self, candidate):
        features = candidate["features"] or [candidate["score"] or 0.0]
        return sum(features) / len(features)

    def noise(self, *address):
        return random.Random("/".join(map(str, (self.seed, *address)))).gauss(0.0, self.sd)

    def look(self, candidate, kind, nth):
        # A look of gain s is as precise as s looks of gain 1.
        noise = self.noise(candidate["id"], kind, nth) / self.gain[kind] ** 0.5
        return self.worth(candidate) + noise

    def outcome(self, candidate):
        return self.worth(candidate) + self.noise(candidate["id"])


def say(message):
    # Flushed, or it would wait in a buffer for ever: the other side says nothing more until it has the answer.
    print(json.dumps(message, separators=(",", ":")), flush=True)


def main(*parameters):
    rater = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            rater = Rater(message, *parameters)
            say({"type": "ready", "name": "rater", "protocol": 1})
        elif kind == "looks":
            values = [rater.look(look["candidate"], look["kind"], look["nth"]) for look in message["looks"]]
            say({"type": "answers", "round": message["round"], "values": values})
        elif kind == "outcomes":
            values = [rater.outcome(candidate) for candidate in message["candidates"]]
            say({"type": "answers", "round": message["round"], "values": values})
        elif kind == "bye":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Live runs: people from the program, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kleroterion as kl

AREAS = ["town", "town", "town", "country", "country", "town", "town", "country"]


@pytest.fixture
def desk() -> dict[str, Any]:
    area = {"column": "area", "values": {"town": "town", "country": "country"}}
    return {
        "name": "desk",
        "seed": 3,
        "source": {"type": "memory", "id": "id", "attributes": {"area": area}},
        "target": {"area": {"town": 0.5, "country": 0.5}},
        "rules": {"choose": "at_most_one", "until": {"accepted": 4}},
        "policy": [
            {"label": "queue", "kind": "virtual_queue", "v": 0.5},
            {"label": "all", "kind": "accept_all"},
        ],
        "report": {"judge": ["representation_loss"], "baseline": "all"},
    }


def people(many: int = len(AREAS), first: int = 0) -> Iterator[dict[str, Any]]:
    for number in range(first, first + many):
        yield {"id": f"p{number}", "area": AREAS[number % len(AREAS)]}


def unending(desk: dict[str, Any]) -> dict[str, Any]:
    return desk | {"rules": {"choose": "at_most_one", "until": {"rounds": 1_000_000}}}


def test_each_person_gets_the_decision_that_counts(desk: dict[str, Any]) -> None:
    with kl.Stream(desk, acting="queue") as stream:
        decided = [stream.send(person) for person in people(4)]
        assert all(isinstance(one, kl.Decision) and one.policy == "queue" for one in decided)
        assert [one.round for one in decided if one] == [
            at for at, one in enumerate(decided, 1) if one
        ]
        assert any(decided) and not all(decided)
        assert {one.word for one in decided if one is not None} == {"selected", "not_selected"}
        assert [verdict.metric for verdict in stream.verdicts] == ["representation_loss"]
        again = stream.send({"id": "p0", "area": "town"})
        assert again == decided[0] and stream.people == 4
        assert stream.answer
    run = stream.close()
    assert stream.close() is run and run.policies["all"]["endings"] == {"filled": 1}
    assert "desk" in repr(run) and run.report().startswith("<!doctype html>")
    with pytest.raises(kl.RunError, match="closed"):
        stream.send({"id": "p9", "area": "town"})


def test_without_an_acting_policy_a_person_is_only_kept(desk: dict[str, Any]) -> None:
    with kl.Stream(desk) as stream:
        assert [stream.send(person) for person in people(3)] == [None] * 3
    assert stream.close().summary["policies"]["all"]["metrics"]["screened"]["mean"] == 3


def test_a_journal_replays_to_the_same_decisions(
    desk: dict[str, Any], tmp_path: Path, klero: Callable[..., str]
) -> None:
    config = unending(desk)
    with kl.Stream(config, acting="queue", out=tmp_path / "live", decisions=True) as stream:
        first = [bool(stream.send(person)) for person in people(40)]
        fed = stream.feed(people(460, 40))
    assert (fed.taken, fed.repeated, fed.refused, fed.over) == (460, 0, [], False)
    run = stream.close()
    opened = kl.open(tmp_path / "live")
    assert opened.summary_json == run.summary_json
    table = run.decisions().to_dict()
    rows = zip(table["policy"], table["shown"], table["chosen"])
    chosen = [shown == taken for policy, shown, taken in rows if policy == "queue"]
    assert len(chosen) == 500 and chosen[:40] == first

    klero("replay", tmp_path / "live", "--trace", "decisions", "--out", tmp_path / "replayed", "-q")
    kept = (tmp_path / "live" / "decisions.ndjson").read_bytes()
    assert (tmp_path / "replayed" / "decisions.ndjson").read_bytes() == kept

    with kl.Stream(config, acting="queue", decisions=True) as stream:
        stream.feed(people(500))
    memory = stream.close()
    memory.save(tmp_path / "memory")
    for name in ("decisions.ndjson", "selected.csv", "summary.json"):
        kept = (tmp_path / "live" / name).read_bytes()
        assert (tmp_path / "memory" / name).read_bytes() == kept, name

    lines = "".join(json.dumps(person) + "\n" for person in people(500))
    (tmp_path / "people.ndjson").write_text(lines)
    listed = config["source"] | {"type": "file", "path": str(tmp_path / "people.ndjson")}
    listed.pop("type")
    filed = kl.run(
        config | {"source": {"type": "file", **listed}, "replications": 1},
        decisions=True,
        out=tmp_path / "filed",
    )
    assert filed.decisions().to_dict()["chosen"] == table["chosen"]


def test_policies_in_python_act_and_stand_by(desk: dict[str, Any]) -> None:
    def town(view: kl.View) -> kl.Select:
        return kl.Select(view[0]["area"] == "town", p=0.5, reason={"round": view.round})

    class Second:
        def __init__(self) -> None:
            self.seen = 0

        def act(self, view: kl.View) -> bool:
            self.seen += 1
            return self.seen % 2 == 0

    with kl.Stream(unending(desk), policies={"mine": town, "second": Second}, acting="mine") as s:
        decided = [s.send(person) for person in people(8)]
    assert [bool(one) for one in decided] == [area == "town" for area in AREAS]
    assert decided[2] is not None and (decided[2].p, decided[2].reason) == (0.5, {"round": 3.0})
    assert s.close().policies["second"]["metrics"]["selection_rate"]["mean"] == 0.5


def test_a_policy_that_raises_is_raised_where_a_person_is_sent(desk: dict[str, Any]) -> None:
    def picky(view: kl.View) -> bool:
        if view.round == 3:
            raise ValueError("no")
        return True

    stream = kl.Stream(unending(desk), policies={"picky": picky}, acting="picky")
    with pytest.raises(kl.PolicyError) as caught, stream:
        for person in people(8):
            stream.send(person)
    assert (caught.value.policy, caught.value.round) == ("picky", 3)
    assert isinstance(caught.value.__cause__, ValueError)


def test_wrong_people_say_where_and_why_and_the_stream_goes_on(desk: dict[str, Any]) -> None:
    with kl.Stream(desk, acting="queue") as stream:
        with pytest.raises(kl.ConfigError, match="moon") as caught:
            stream.send({"id": "x", "area": "moon"})
        problem = caught.value.problems[0]
        assert problem.place == "person" and "`area`" in problem.what and problem.help
        with pytest.raises(kl.ConfigError, match="finite"):
            stream.send({"id": "x", "area": float("nan")})
        with pytest.raises(kl.ConfigError, match="set"):
            stream.send({"id": "x", "area": {1}})
        assert stream.send({"id": "x", "area": "town"}) is not None
        with pytest.raises(kl.ConfigError, match="differs in 'area'"):
            stream.send({"id": "x", "area": "country"})
        some = [{"id": "y", "area": "town"}, {"id": "z"}, {"id": "x", "area": "town"}]
        fed = stream.feed(some)
        assert (fed.taken, fed.repeated) == (1, 1)
        assert [one.place for one in fed.refused] == ["people[1]"]
        assert "there is no `area`" in fed.refused[0].what
    assert stream.close().summary["policies"]["all"]["metrics"]["screened"]["mean"] == 2


def test_a_run_that_is_over_says_so(desk: dict[str, Any]) -> None:
    with kl.Stream(desk, acting="all") as stream:
        fed = stream.feed(people(400))
        assert fed.over or fed.taken == 400
        for person in people(300, 400):
            try:
                late = stream.send(person)
            except kl.RunError as error:
                assert "close()" in str(error)
                break
            assert late is not None and not late and late.ending == "filled"
    assert stream.close().policies["all"]["endings"] == {"filled": 1}


def test_an_error_within_closes_the_stream_and_is_raised(
    desk: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(ZeroDivisionError), kl.Stream(desk, out=tmp_path / "live") as stream:
        stream.feed(people(3))
        1 / 0  # noqa: B018
    assert kl.open(tmp_path / "live").summary_json == stream.close().summary_json


def test_an_event_loop_goes_on_meanwhile(desk: dict[str, Any]) -> None:
    def slow(view: kl.View) -> bool:
        time.sleep(0.01)
        return True

    async def all_at_once() -> tuple[list[kl.Decision | None], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        with kl.Stream(unending(desk), policies={"slow": slow}, acting="slow") as stream:
            decided = await asyncio.gather(*(stream.asend(person) for person in people(8)))
        ticking.cancel()
        return decided, ticks

    decided, ticks = asyncio.run(all_at_once())
    assert sorted(one.round for one in decided if one) == list(range(1, 9)) and ticks > 8


def test_a_full_queue_holds_the_sender_back(desk: dict[str, Any]) -> None:
    gate = threading.Event()

    def waits(view: kl.View) -> bool:
        gate.wait()
        return True

    with kl.Stream(unending(desk), policies={"waits": waits}, queue=2) as stream:
        done = threading.Event()

        def feed() -> None:
            stream.feed(people(20_000))
            done.set()

        feeding = threading.Thread(target=feed)
        feeding.start()
        assert not done.wait(1) and stream.people < 20_000
        gate.set()
        feeding.join()
    assert stream.people == 20_000


@pytest.mark.skipif(os.name != "posix", reason="signals of this system are others")
def test_ctrl_c_ends_a_wait(desk: dict[str, Any]) -> None:
    gate = threading.Event()

    def waits(view: kl.View) -> bool:
        return gate.wait(30)

    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    opener = threading.Timer(0.6, gate.set)
    with pytest.raises(KeyboardInterrupt):
        with kl.Stream(unending(desk), policies={"waits": waits}, acting="waits") as stream:
            timer.start()
            opener.start()
            stream.send({"id": "a", "area": "town"})
    assert stream.close().policies["waits"]["metrics"]["screened"]["mean"] == 1


def test_outcomes_are_reported_later(desk: dict[str, Any]) -> None:
    learnt: list[float] = []

    class Learns:
        def act(self, view: kl.View) -> bool:
            return True

        def learn(self, outcome: kl.Outcome) -> None:
            learnt.append(outcome.value)

    config = unending(desk) | {"feedback": {"outcome": {"type": "reported", "range": [0, 1]}}}
    with kl.Stream(config, policies={"learns": Learns}, acting="learns") as stream:
        stream.send({"id": "a", "area": "town"})
        stream.outcome("a", 0.25)
        with pytest.raises(kl.ConfigError, match="no candidate of this id") as caught:
            stream.outcome("b", 0.5)
        assert caught.value.problems[0].place == "outcome"
        with pytest.raises(kl.ConfigError, match="7"):
            stream.outcome("a", 7)
        stream.send({"id": "c", "area": "town"})
    assert learnt == [0.25]


def test_wrong_streams_say_what_to_do(
    desk: dict[str, Any], small: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(kl.ConfigError, match="memory") as caught:
        kl.Stream(small)
    assert caught.value.problems[0].place == "source"
    with pytest.raises(kl.ConfigError, match="queue: 0 is out of range"):
        kl.Stream(desk, queue=0)
    with pytest.raises(kl.ConfigError, match="nobody"):
        kl.Stream(desk, acting="nobody")
    with pytest.raises(kl.ConfigError, match=r"Stream"):
        kl.serve(desk, tmp_path / "live")
    with pytest.raises(kl.ConfigError, match="IP address"):
        kl.serve(desk, tmp_path / "live", host="here")
    with kl.Stream(desk, out=tmp_path / "live"):
        pass
    with pytest.raises(kl.ConfigError, match="journal"):
        kl.Stream(desk, out=tmp_path / "live", force=True)


def asked(url: str, body: Any = None, token: str | None = None) -> tuple[int, str]:
    head = {"Content-Type": "application/json"} | (
        {} if token is None else {"Authorization": f"Bearer {token}"}
    )
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, head), timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_server_takes_people_and_shows_the_board(desk: dict[str, Any], tmp_path: Path) -> None:
    def town(view: kl.View) -> bool:
        return view[0]["area"] == "town"

    desk["source"]["type"] = "http"
    policies = {"town": town}
    with kl.serve(desk, tmp_path / "live", policies=policies, acting="town") as server:
        assert server.token is None and server.url.startswith("http://127.0.0.1:")
        for person in people(5):
            status, text = asked(f"{server.url}/v1/decisions", person)
            answer = json.loads(text)
            word = "selected" if person["area"] == "town" else "not_selected"
            assert (status, answer["acting"], answer["decision"]) == (200, "town", word)
        status, page = asked(server.url)
        assert status == 200 and "<html" in page
        assert {verdict.b for verdict in server.verdicts} == {"all"} and server.people == 5
    run = server.close()
    assert kl.open(tmp_path / "live").summary_json == run.summary_json
    with pytest.raises(OSError):
        urllib.request.urlopen(server.url, timeout=5)


def test_plain_people_are_written_as_json_writes_them(
    desk: dict[str, Any], tmp_path: Path
) -> None:
    class Town(str):
        pass

    values: list[Any] = ["é\u2028\x7f", 'a"b\\c\n\t\x1f', "", 0, -7, 2**70, True, False, None]
    values += [0.1, 1e22, 1e-7, -0.0, 5e-324, Town("x"), [1, {"a": 2}], {"b": None}]
    some = [{"id": f"p{n}", "area": "town", "more": value} for n, value in enumerate(values)]
    with kl.Stream(unending(desk), out=tmp_path / "live") as stream:
        fed = stream.feed(some)
    assert (fed.taken, fed.refused) == (len(values), [])
    with sqlite3.connect(tmp_path / "live" / "journal.sqlite") as journal:
        rows = journal.execute("SELECT body FROM entry WHERE kind = 'candidate' ORDER BY seq")
        found = [body for (body,) in rows]
    plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
    assert found == [plain.encode(person) for person in some]


def test_many_people_are_refused_in_their_places(desk: dict[str, Any]) -> None:
    def mixed() -> Iterator[dict[str, Any]]:
        for number, person in enumerate(people(5000)):
            if number % 1000 == 1:
                person["area"] = {1}
            elif number % 1000 == 2:
                person["area"] = "moon"
            yield person

    with kl.Stream(unending(desk), acting="queue") as stream:
        fed = stream.feed(mixed())
        with pytest.raises(ZeroDivisionError):
            stream.feed({"id": f"q{n}", "area": AREAS[4 // (3 - n)]} for n in range(5))
        assert stream.feed([]).taken == 0
    assert (fed.taken, fed.over) == (4990, False)
    wanted = [at for at in range(5000) if at % 1000 in (1, 2)]
    assert [one.place for one in fed.refused] == [f"people[{at}]" for at in wanted]


def test_a_server_demands_its_token(
    desk: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KLERO_TOKEN", raising=False)
    desk["source"]["type"] = "http"
    with kl.serve(desk, tmp_path / "open", host="0.0.0.0", acting="queue") as server:
        assert server.token is not None and len(server.token) == 32
        url = server.url.replace("0.0.0.0", "127.0.0.1")
        person = {"id": "a", "area": "town"}
        assert asked(f"{url}/v1/decisions", person)[0] == 401
        assert asked(f"{url}/v1/decisions", person, server.token)[0] == 200
    with pytest.raises(kl.ConfigError, match="16"):
        kl.serve(desk, tmp_path / "short", token="short")

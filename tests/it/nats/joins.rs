//! Runs with policies elsewhere that go on with another config, and programs elsewhere that take
//! corrections of outcomes.

use super::lanes::{configs, moved, worker};
use super::server::{Client, Server, program};
use crate::live::people::{lines, people};
use crate::support::process::{Live, Place, ask, live, post, same};
use crate::support::programs::{exec, python};
use crate::support::says::Says as _;

/// A policy that joins.
const LATE: &str = "[[policy]]\nlabel = \"late\"\nkind = \"virtual_queue\"\nv = 0.5\n";

/// A run that was killed goes on with one policy more, and once more with another question: its
/// streams are made anew, and workers that were there all the time begin again.
#[test]
fn a_policy_joins_and_plays_elsewhere() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let (client, url) = (Client::of(&server.url()), server.url());
    let many = 900;
    let (place, people) = (Place::new(), people(many));
    configs(&place, &url, many, 1);
    place.write("here-more.toml", LATE);
    let away = LATE.replace("kind =", "where = \"remote\"\nkind =");
    place.write("there-more.toml", &away);
    let parts: Vec<_> = people.chunks(many / 3).collect();
    for (config, folder) in [("here.toml", "here"), ("http.toml", "there")] {
        let is_there = folder == "there";
        let work = |lanes: &[&str]| -> Vec<Live> {
            let lanes = lanes.iter().filter(|_| is_there);
            lanes.map(|lane| worker(&place, &url, lane)).collect()
        };
        let mut args = live(folder);
        args[1] = config;
        let mut run = place.start(&args);
        let mut workers = work(&["queue", "learner"]);
        post(run.feed(), "/v1/candidates", &lines(parts[0]));
        if is_there {
            moved(&client, 1, 1);
        }
        run.kill();

        let how = ["--no-board", "--trace", "decisions"];
        let more = format!("{folder}-more.toml");
        let args = [&["resume", folder, "--policies", &more][..], &how].concat();
        let mut run = place.start(&args);
        workers.extend(work(&["late"]));
        post(run.feed(), "/v1/candidates", &lines(parts[1]));
        if is_there {
            moved(&client, 3, 1);
        }
        let (code, _, stderr) = run.stop();
        assert_eq!(code, Some(130), "{stderr}");
        for worker in workers.drain(..) {
            let (code, _, stderr) = worker.end();
            assert_eq!(code, Some(0), "{stderr}");
        }

        let args = [&["resume", folder, "--baseline", "late"][..], &how].concat();
        let mut run = place.start(&args);
        let feed = run.feed();
        let _workers = work(&["late", "queue", "learner"]);
        post(feed, "/v1/candidates", &lines(parts[2]));
        let (code, _, stderr) = run.stop();
        assert_eq!(code, Some(130), "{stderr}");
        assert!(
            !place
                .read(&format!("{folder}/endings.csv"))
                .contains("left")
        );
    }
    same(&place, "here", "there");
    let summary = place.read("there/summary.json");
    summary.says("late");
}

/// A stream of this name that another run made is left alone, and said.
#[test]
fn the_streams_of_another_run_are_left_alone() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let (client, url) = (Client::of(&server.url()), server.url());
    let (place, people) = (Place::new(), people(20));
    configs(&place, &url, 20, 1);
    let text = place.read("http.toml");
    place.write(
        "http.toml",
        &text.replace("[live.nats]", "[live.nats]\npatience = \"1s\""),
    );
    let mut first = place.start(&live("first"));
    post(first.feed(), "/v1/candidates", &lines(&people[..10]));
    let _queue = worker(&place, &url, "queue");
    moved(&client, 1, 1);
    first.kill();
    let last = || {
        client.runtime.block_on(async {
            let stream = client.context.get_stream("KLERO_spring").await;
            let info = stream.expect("a stream").cached_info().clone();
            (info.created, info.state.last_sequence)
        })
    };
    let before = last();
    let mut second = place.start(&live("second"));
    post(second.feed(), "/v1/candidates", &lines(&people[10..]));
    let (code, _, stderr) = second.stop();
    assert_eq!(code, Some(130), "{stderr}");
    let endings = place.read("second/endings.csv");
    for words in ["KLERO_spring holds another run", "[live.nats] run"] {
        assert!(
            endings.contains(words) || stderr.contains(words),
            "{endings}\n{stderr}"
        );
    }
    assert_eq!(last(), before);
}

/// Chooses by what it heard, so that each outcome and correction shows in its decisions.
const LISTENER: &str = r#"import json, sys
heard = 0
ready = {"type": "ready"}
if "corrects" in sys.argv:
    ready["corrects"] = True
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(ready), flush=True)
    elif message["type"] == "slate":
        chosen = [0] if (heard + message["round"]) % 2 else []
        move = {"type": "select", "round": message["round"], "chosen": chosen}
        move["measures"] = {"heard": heard}
        print(json.dumps(move), flush=True)
    elif message["type"] == "outcome":
        heard += int(message["value"])
    elif message["type"] == "correction":
        heard += int(message["value"]) - int(message["before"])
    elif message["type"] == "bye":
        break
"#;

/// A program elsewhere that takes corrections gets them, also one that is killed and started again;
/// where one that takes none may have learnt an outcome, the correction is refused, as at the
/// recorder. What is decided is what is decided there.
#[test]
fn programs_elsewhere_take_corrections_or_have_them_refused() {
    let Some(program) = program() else { return };
    if !python() {
        return;
    }
    let server = Server::start(program, "");
    let (client, url) = (Client::of(&server.url()), server.url());
    let many = 60;
    let (place, people) = (Place::new(), people(many));
    place.write("listener.py", LISTENER);
    let seat = |label: &str, more: &[&str]| {
        let command = [&["python3", "listener.py"], more].concat();
        exec(label, &command) + "deadline = \"60s\"\n"
    };
    let lanes = seat("queue", &["corrects"])
        + &seat("learner", &[])
        + "[feedback.outcome]\ntype = \"reported\"\n";
    configs(&place, &url, many, 1);
    super::lanes::with_lanes(&place, &lanes);
    let outcome = |policy: &str, value: f64| {
        format!("{{\"candidate_id\":\"p0\",\"policy\":\"{policy}\",\"outcome\":{value}}}")
    };
    for (config, folder) in [("here.toml", "here"), ("http.toml", "there")] {
        let is_there = folder == "there";
        let mut args = live(folder);
        args[1] = config;
        let mut run = place.start(&args);
        let feed = run.feed();
        let work = || -> Vec<Live> {
            let lanes = ["queue", "learner"].into_iter().filter(|_| is_there);
            lanes.map(|lane| worker(&place, &url, lane)).collect()
        };
        let mut workers = work();
        // Waits until each lane has decided about those who came.
        let come = |people: &[String]| {
            for person in people {
                post(feed, "/v1/decisions", person);
            }
        };
        come(&people[..10]);
        let tell =
            |policy: &str, value: f64| ask(feed, "POST", "/v1/outcomes", &outcome(policy, value));
        for policy in ["queue", "learner"] {
            assert_eq!(tell(policy, 1.0).0, 202);
        }
        come(&people[10..20]);
        let (status, answer) = tell("queue", 4.0);
        assert_eq!(status, 202, "{folder}: {answer}");
        let (status, answer) = tell("learner", 4.0);
        assert_eq!(status, 409, "{folder}: {answer}");
        answer.says("learner may have learnt");
        come(&people[20..30]);
        if is_there {
            workers.drain(..).for_each(Live::kill);
            workers = work();
        }
        // Which the new worker hears once more, and this one for the first time.
        let (status, answer) = tell("queue", 7.0);
        assert_eq!(status, 202, "{folder}: {answer}");
        come(&people[30..]);
        let (code, _, stderr) = run.stop();
        assert_eq!(code, Some(130), "{stderr}");
        drop(workers);
    }
    moved(&client, 1, 1);
    let rows = place.read("there/replications.csv");
    rows.says("0,queue,heard,,7\n");
    rows.says("0,learner,heard,,1\n");
    rows.never_says("not_learnt");
    same(&place, "here", "there");
}

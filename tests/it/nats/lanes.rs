//! Policies with `where = "remote"`: whatever breaks, the files are those of a run that has all
//! policies at its recorder.

use std::time::{Duration, Instant};

use async_nats::jetstream::stream::Stream;

use super::server::{Client, Server, cluster, program};
use crate::live::people::{HTTP, config, lines, people};
use crate::support::process::{Live, PATIENCE, Place, live, post, same};
use crate::support::programs::{exec, model, python};
use crate::support::says::Says as _;

/// The config of a run, its policies here, and one with two of them elsewhere.
pub fn configs(place: &Place, url: &str, many: usize, replicas: usize) {
    // One more than there are: no lane is ever over.
    let until = format!("until = {{ rounds = {} }}", many + 1);
    let here = config(HTTP, &until, "");
    let nats =
        format!("[live.nats]\nurl = \"{url}\"\nrun = \"spring\"\nreplicas = {replicas}\n[report]");
    let there = here.replace("[report]", &nats);
    let mut there = there;
    for label in ["queue", "learner"] {
        let own = format!("label = \"{label}\"\n");
        there = there.replace(&own, &format!("{own}where = \"remote\"\n"));
    }
    place.write("here.toml", &here);
    place.write("http.toml", &there);
}

/// Plays the people with all policies at the recorder.
fn played_here(place: &Place, people: &[String]) -> Duration {
    let mut args = live("here");
    args[1] = "here.toml";
    let mut run = place.start(&args);
    let feed = run.feed();
    let began = Instant::now();
    for part in people.chunks(1000) {
        post(feed, "/v1/candidates", &lines(part));
    }
    assert_eq!(run.stop().0, Some(130));
    began.elapsed()
}

pub fn worker(place: &Place, url: &str, lane: &str) -> Live {
    let mut worker = place.start(&["work", "--nats", url, "--run", "spring", "--lane", lane]);
    worker.hears_of("is played here");
    worker
}

/// A lane's messages so far.
async fn moves(client: &Client) -> Stream {
    let found = client.context.get_stream("KLERO-MOVES_spring").await;
    found.expect("a stream")
}

/// Waits until the streams have moves of a lane, by its place in the config.
#[track_caller]
pub fn moved(client: &Client, lane: usize, at_least: u64) {
    let deadline = Instant::now() + PATIENCE;
    let subject = format!("klero.spring.moves.{lane}");
    loop {
        let last = client.runtime.block_on(async {
            let stream = client.context.get_stream("KLERO-MOVES_spring").await.ok()?;
            let last = stream.get_last_raw_message_by_subject(&subject).await;
            last.ok().map(|last| last.sequence)
        });
        if last.is_some_and(|last| last >= at_least) {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "no moves of lane {lane}: {last:?}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Puts lanes in place of the two that may be elsewhere.
pub fn with_lanes(place: &Place, lanes: &str) {
    for name in ["here.toml", "http.toml"] {
        let text = place.read(name);
        let (head, rest) = text
            .split_once("[[policy]]\nlabel = \"queue\"")
            .expect("a lane");
        let at = rest.find("[live.nats]").or_else(|| rest.find("[report]"));
        let lanes = match name {
            "here.toml" => lanes.to_owned(),
            _ => lanes.replace("kind =", "where = \"remote\"\nkind ="),
        };
        let tail = &rest[at.expect("a section")..];
        place.write(name, &format!("{head}{lanes}{tail}"));
    }
}

/// A worker killed and replaced, one that comes late, both streams deleted.
#[test]
fn workers_and_streams_may_be_lost() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let (client, url) = (Client::of(&server.url()), server.url());
    let many = 3000;
    let (place, people) = (Place::new(), people(many));
    configs(&place, &url, many, 1);
    played_here(&place, &people);
    let mut run = place.start(&live("there"));
    let feed = run.feed();
    let parts: Vec<_> = people.chunks(many / 6).collect();
    let queue = worker(&place, &url, "queue");
    post(feed, "/v1/candidates", &lines(parts[0]));
    moved(&client, 1, 1);
    queue.kill();
    post(feed, "/v1/candidates", &lines(parts[1]));
    let _queue = worker(&place, &url, "queue");
    // One who plays the same lane does no harm.
    let _double = worker(&place, &url, "queue");
    post(feed, "/v1/candidates", &lines(parts[2]));
    let _learner = worker(&place, &url, "learner");
    moved(&client, 2, 1);
    post(feed, "/v1/candidates", &lines(parts[3]));
    client.runtime.block_on(async {
        for name in ["KLERO_spring", "KLERO-MOVES_spring"] {
            client
                .context
                .delete_stream(name)
                .await
                .expect("it was there");
        }
    });
    post(feed, "/v1/candidates", &lines(parts[4]));
    moved(&client, 2, 1);
    post(feed, "/v1/candidates", &lines(parts[5]));
    let (code, _, stderr) = run.stop();
    assert_eq!(code, Some(130), "{stderr}");
    same(&place, "here", "there");
}

/// A program of its own that draws lots, and policies that learn what is reported, each killed and
/// started again midway.
#[test]
fn programs_and_learners_decide_what_they_decide_at_the_recorder() {
    let Some(program) = program() else { return };
    if !python() {
        return;
    }
    let server = Server::start(program, "");
    let (client, url) = (Client::of(&server.url()), server.url());
    let many = 1000;
    let (place, people) = (Place::new(), people(many));
    let lanes = exec("queue", &["python3", &model(), "lottery"])
        + "[[policy]]\nlabel = \"learner\"\nkind = \"rl_cmdp\"\n\
           [feedback.outcome]\ntype = \"reported\"\n";
    configs(&place, &url, many, 1);
    with_lanes(&place, &lanes);
    let outcome = |n: usize| format!("{{\"candidate_id\":\"p{n}\",\"outcome\":{}}}\n", n % 3);
    let outcomes: Vec<String> = (0..many).map(outcome).collect();
    for (config, folder) in [("here.toml", "here"), ("http.toml", "there")] {
        let mut args = live(folder);
        args[1] = config;
        let mut run = place.start(&args);
        let feed = run.feed();
        let mut workers = Vec::new();
        for (n, (part, told)) in people.chunks(250).zip(outcomes.chunks(250)).enumerate() {
            if folder == "there" && n != 1 {
                workers.drain(..).for_each(Live::kill);
                workers.extend(["queue", "learner"].map(|lane| worker(&place, &url, lane)));
            }
            post(feed, "/v1/candidates", &lines(part));
            post(feed, "/v1/outcomes", &told.concat());
            if folder == "there" && n == 1 {
                moved(&client, 1, 1);
                moved(&client, 2, 1);
            }
        }
        let (code, _, stderr) = run.stop();
        assert_eq!(code, Some(130), "{stderr}");
    }
    assert!(!place.read("there/endings.csv").contains("left"));
    same(&place, "here", "there");
}

/// The recorder killed, a bit flipped in what a worker had decided.
#[test]
fn a_flipped_bit_is_seen_and_sent_again() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let (client, url) = (Client::of(&server.url()), server.url());
    let many = 1200;
    let (place, people) = (Place::new(), people(many));
    configs(&place, &url, many, 1);
    played_here(&place, &people);
    let mut run = place.start(&live("there"));
    let parts: Vec<_> = people.chunks(many / 2).collect();
    let queue = worker(&place, &url, "queue");
    post(run.feed(), "/v1/candidates", &lines(parts[0]));
    moved(&client, 1, 1);
    run.kill();
    queue.kill();
    client.runtime.block_on(async {
        let stream = moves(&client).await;
        let subject = "klero.spring.moves.1";
        let last = stream.get_last_raw_message_by_subject(subject).await;
        let last = last.expect("a message");
        let mut bytes = last.payload.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        stream
            .delete_message(last.sequence)
            .await
            .expect("it was there");
        let sent = client.context.publish(subject, bytes.into()).await;
        sent.expect("it is sent").await.expect("it is kept");
    });
    let mut run = place.start_with(
        &["resume", "there", "--no-board", "--trace", "decisions"],
        &[("RUST_LOG", "warn")],
    );
    let feed = run.feed();
    run.hears_of("is damaged");
    let _queue = worker(&place, &url, "queue");
    let _learner = worker(&place, &url, "learner");
    post(feed, "/v1/candidates", &lines(parts[1]));
    let (code, _, stderr) = run.stop();
    assert_eq!(code, Some(130), "{stderr}");
    same(&place, "here", "there");
}

/// Three servers, ten thousand people, the leader killed midway.
#[test]
fn of_three_servers_the_leader_may_be_killed() {
    let Some(program) = program() else { return };
    let mut servers = cluster(&program, 3);
    let urls: Vec<String> = servers.iter().map(Server::url).collect();
    let url = urls.join(",");
    let many = 10_000;
    let (place, people) = (Place::new(), people(many));
    configs(&place, &url, many, 3);
    let here = played_here(&place, &people);
    let began = Instant::now();
    let mut run = place.start(&live("there"));
    let feed = run.feed();
    let workers = ["queue", "learner"].map(|lane| worker(&place, &url, lane));
    let parts: Vec<_> = people.chunks(1000).collect();
    for part in &parts[..5] {
        post(feed, "/v1/candidates", &lines(part));
    }
    let client = Client::of(&urls[0]);
    moved(&client, 1, 1);
    let leader = client.runtime.block_on(async {
        let stream = client.context.get_stream("KLERO_spring").await;
        let info = stream.expect("a stream").cached_info().clone();
        info.cluster
            .and_then(|cluster| cluster.leader)
            .expect("a leader")
    });
    let leader: usize = leader
        .strip_prefix('s')
        .and_then(|n| n.parse().ok())
        .expect("sN");
    servers[leader].kill();
    for part in &parts[5..] {
        post(feed, "/v1/candidates", &lines(part));
    }
    let (code, _, stderr) = run.stop();
    assert_eq!(code, Some(130), "{stderr}");
    println!("{many} people: here {here:?}, there {:?}", began.elapsed());
    same(&place, "here", "there");
    drop(workers);
}

/// What can't be is said.
#[test]
fn what_no_worker_can_do_is_named() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let url = server.url();
    let place = Place::new();
    configs(&place, &url, 10, 1);
    let mut run = place.start(&live("there"));
    run.feed();
    for (lane, words) in [
        ("all", "plays at its recorder"),
        ("queu", "did you mean \"queue\"?"),
    ] {
        let args = ["work", "--nats", &url, "--run", "spring", "--lane", lane];
        let (code, _, stderr) = place.run(&args);
        assert_eq!(code, Some(2), "{stderr}");
        stderr.says(words);
    }
    let nowhere = format!("nats://127.0.0.1:{}", super::server::free_port());
    let (code, _, stderr) = place.run(&["work", "--nats", &nowhere, "--run", "r", "--lane", "a"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("no NATS server answers at");
    let text = place.read("http.toml");
    for (from, to, words) in [
        (
            "[live.nats]",
            "[live]\nacting = \"queue\"\n[live.nats]",
            "no answer may wait for the network",
        ),
        ("replicas = 1", "replicas = 2", "set 1, 3 or 5"),
        ("run = \"spring\"", "run = \"a.b\"", "is no name of a run"),
        (
            "label = \"all\"\n",
            "label = \"all\"\nslow = \"lag\"\n",
            "plays elsewhere",
        ),
    ] {
        place.write("wrong.toml", &text.replace(from, to));
        let (code, _, stderr) = place.run(&["check", "wrong.toml"]);
        assert_eq!(code, Some(2), "{to}: {stderr}");
        stderr.says(words);
    }
}

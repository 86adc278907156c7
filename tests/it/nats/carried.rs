//! What becomes of messages that come again, end a run, or are refused by a server without
//! JetStream.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use tokio_stream::StreamExt;

use super::feed::{UNTIL, from_nats, holds, source};
use super::server::{Client, Server, program};
use crate::live::people::{config, people};
use crate::support::process::{PATIENCE, Place, ask};
use crate::support::says::Says as _;

/// A record that can't be read ends a run that halts there: what came before it is acknowledged
/// when the program ends, and what came after it waits.
#[test]
fn a_run_that_halts_has_acknowledged_what_it_holds() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let client = Client::of(&server.url());
    client.stream("PEOPLE", "people.>");
    let mut messages = people(3);
    messages.insert(2, "no JSON".to_owned());
    client.publish("people.a", &messages);

    let place = Place::new();
    let halting = format!("{}\non_error = \"halt\"", source(&server.url()));
    place.write("nats.toml", &config(&halting, UNTIL, ""));
    let (code, _, stderr) = place.run(&from_nats("run"));
    assert_eq!(code, Some(1), "{stderr}");
    stderr.says("line 3 of the feed");
    stderr.never_says("connection to NATS is lost");
    holds(&place, "run", 2);
    let (unsent, unacknowledged) = client.left("PEOPLE", "run1");
    assert_eq!(unsent + unacknowledged as u64, 1);
}

/// Takes this many messages in the name of a consumer, and says nothing of them.
fn taken_silently(client: &Client, many: usize) {
    client.runtime.block_on(async {
        let stream = client.context.get_stream("PEOPLE").await.expect("a stream");
        let consumer: PullConsumer = stream.get_consumer("run1").await.expect("a consumer");
        let batch = consumer.fetch().max_messages(many).messages();
        let mut batch = batch.await.expect("messages");
        for _ in 0..many {
            batch.next().await.expect("one").expect("a message");
        }
    });
}

/// The metrics, once one of them is this.
#[track_caller]
fn measured(address: std::net::SocketAddr, line: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let metrics = ask(address, "GET", "/metrics", "").1;
        if metrics.lines().any(|one| one == line) {
            return metrics;
        }
        assert!(Instant::now() < deadline, "{line}: {metrics}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A message that was sent to someone who never answered comes once more, and is counted so.
#[test]
fn the_metrics_count_the_messages_that_come_once_more() {
    let Some(program) = program() else { return };
    let mut server = Server::start(program, "");
    let client = Client::of(&server.url());
    client.stream("PEOPLE", "people.>");
    let place = Place::new();
    let board = "[board]\naddress = \"127.0.0.1:0\"";
    let adults = format!("{}\nwhere = [\"AGEP >= 18\"]", source(&server.url()));
    place.write("nats.toml", &config(&adults, UNTIL, board));
    let people = people(20);
    let child = |id: &str| format!("{{\"id\":\"{id}\",\"AGEP\":7,\"SEX\":\"1\"}}");
    client.publish("people.a", &people[..5]);
    client.publish("people.a", &["c1", "c2", "c3"].map(child));
    let mut run = place.start(&["live", "nats.toml", "--out", "run"]);
    let address = run.board();
    holds(&place, "run", 5);
    let metrics = measured(address, "klero_left_out_total 3");
    let again = "klero_feed_redelivered_total 0\n";
    metrics.says(again);
    metrics.says("klero_feed_connected 1\n");
    metrics.says("klero_feed_waiting 0\n");
    client.drained("PEOPLE", "run1");
    let (code, _, stderr) = run.stop();
    assert_eq!(code, Some(130));
    stderr.never_says("connection to NATS is lost");

    client.publish("people.a", &people[5..8]);
    taken_silently(&client, 3);
    client.publish("people.a", &people[8..]);
    let mut run = place.start(&["resume", "run"]);
    let address = run.board();
    holds(&place, "run", 20);
    measured(address, "klero_feed_redelivered_total 3");
    server.kill();
    let metrics = measured(address, "klero_feed_connected 0");
    let lost = "klero_feed_connections_lost_total 1\n";
    metrics.says(lost);
    assert_eq!(run.stop().0, Some(130));
}

/// A server that keeps no streams for an account is not asked to have one made.
#[test]
fn an_account_without_streams_is_told_from_a_stream_that_is_missing() {
    let Some(program) = program() else { return };
    let accounts = "accounts { A: { users: [{ user: a, password: a }] }\n\
                    B: { users: [{ user: b, password: b }], jetstream: enabled } }\n\
                    no_auth_user: a";
    let server = Server::start(program, accounts);
    let place = Place::new();
    place.write("nats.toml", &config(&source(&server.url()), UNTIL, ""));
    let (code, _, stderr) = place.run(&from_nats("run"));
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("the stream \"PEOPLE\" can't be had");
    stderr.says("have JetStream");
    stderr.never_says("nats stream add");
}

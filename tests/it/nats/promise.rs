//! What servers promise to senders: asked by `klero check`, and where a live run begins.

use async_nats::jetstream::stream::{Config, PersistenceMode, StorageType};

use super::feed::{UNTIL, from_nats, holds, source};
use super::server::{Client, Server, cluster_storing, free_port, program};
use crate::live::people::{config, people};
use crate::support::process::Place;
use crate::support::says::Says as _;

const ALWAYS: &str = "sync_interval: always";

/// Writes the config of a feed from a server, with these keys more.
fn write(place: &Place, url: &str, keys: &str) {
    let source = source(url) + "\n" + keys;
    place.write("nats.toml", &config(&source, UNTIL, ""));
}

fn monitor(addresses: &[String]) -> String {
    format!("monitor = \"{}\"", addresses.join(", "))
}

/// `klero check`: that it ends so and says this, on stdout or stderr.
#[track_caller]
fn checked(place: &Place, code: i32, words: &[&str]) -> String {
    let (ended, stdout, stderr) = place.run(&["check", "nats.toml"]);
    let said = stdout + &stderr;
    assert_eq!(ended, Some(code), "{said}");
    for word in words {
        assert!(said.contains(word), "{word:?}: {said}");
    }
    said
}

/// `klero live`: that it is refused with these words, and leaves nothing behind.
#[track_caller]
fn refused(place: &Place, words: &[&str]) {
    let (code, _, stderr) = place.run(&from_nats("refused"));
    assert_eq!(code, Some(2), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "{word:?}: {stderr}");
    }
    assert!(!place.path("refused").exists());
}

/// One server: it syncs always, or by default, or is not asked.
#[test]
fn a_server_that_may_lose_what_it_acknowledged_is_refused() {
    let Some(program) = program() else { return };
    let always = Server::storing(program.clone(), free_port(), ALWAYS, "server_name: good");
    let default = Server::start(program, "server_name: careless");
    let place = Place::new();
    for server in [&always, &default] {
        Client::of(&server.url()).stream("PEOPLE", "people.>");
    }
    let good = monitor(&[always.monitor()]);
    write(&place, &always.url(), &good);
    let said = checked(&place, 0, &["one replica: ", "lost with its disk alone"]);
    said.never_says("warning");

    write(&place, &default.url(), &monitor(&[default.monitor()]));
    let words = [
        "the NATS server careless",
        "syncs every 2 min",
        "jetstream { sync_interval: always }",
        "sync = \"any\"",
        "one replica: where its server's machine loses power",
    ];
    checked(&place, 2, &words);
    refused(&place, &words);

    // The server that is asked has not the stream.
    write(&place, &default.url(), &good);
    checked(
        &place,
        0,
        &["warning: klero can't know how careless syncs", "help: add"],
    );

    write(&place, &default.url(), "");
    let words = [
        "warning: klero can't know whether the NATS servers sync",
        "monitor = \"http://HOST:8222\"",
        "http_port: 8222",
        "one replica: where its server's machine loses power",
    ];
    checked(&place, 0, &words);

    write(&place, &default.url(), "sync = \"any\"");
    let said = checked(&place, 0, &["since the last sync is lost"]);
    said.never_says("warning");
}

/// Three servers, one of which syncs by default.
#[test]
fn of_three_servers_the_careless_one_is_named() {
    let Some(program) = program() else { return };
    let servers = cluster_storing(&program, &[ALWAYS, "", ALWAYS]);
    let client = Client::of(&servers[0].url());
    let place = Place::new();
    let monitors: Vec<String> = servers.iter().map(Server::monitor).collect();
    write(&place, &servers[2].url(), &monitor(&monitors));
    let words = ["the stream \"PEOPLE\" is not there yet", "if it has three"];
    checked(&place, 2, &words);
    let three = Config {
        num_replicas: 3,
        ..Config::default()
    };
    client.stream_as("PEOPLE", "people.>", three);
    let words = ["the NATS server s1", "has 3 replicas", "2 machines"];
    let said = checked(&place, 2, &words);
    assert!(!said.contains("server s0") && !said.contains("server s2"));
    said.says("1 problem");

    let two = [monitors[0].clone(), monitors[2].clone()];
    write(&place, &servers[2].url(), &monitor(&two));
    checked(
        &place,
        0,
        &["warning: klero can't know how s1 syncs", "has 3 replicas"],
    );
}

/// What is not there, or is something else; streams that lose messages however servers sync.
#[test]
fn silence_is_a_warning_at_check_and_an_error_at_the_start() {
    let Some(program) = program() else { return };
    let server = Server::storing(program, free_port(), ALWAYS, "");
    let client = Client::of(&server.url());
    let place = Place::new();
    let nowhere = format!("http://127.0.0.1:{}", free_port());
    client.stream("PEOPLE", "people.>");
    write(
        &place,
        &server.url(),
        &monitor(std::slice::from_ref(&nowhere)),
    );
    let words = ["no NATS server says at", &nowhere, "correct `monitor`"];
    checked(&place, 0, &[&words[..], &["warning: "]].concat());
    refused(&place, &words);

    let clients = server.url().replace("nats://", "http://");
    write(&place, &server.url(), &monitor(&[clients]));
    let words = ["the port for clients of a NATS server", "http_port"];
    checked(&place, 2, &words);
    refused(&place, &words);
    write(
        &place,
        &server.url(),
        &monitor(&[server.monitor() + "/elsewhere"]),
    );
    checked(&place, 2, &["has no page /varz"]);

    write(&place, &server.url(), &monitor(&[server.monitor()]));
    let memory = Config {
        storage: StorageType::Memory,
        ..Config::default()
    };
    let hasty = Config {
        persist_mode: Some(PersistenceMode::Async),
        ..Config::default()
    };
    for (stream, words) in [
        (memory, "is in memory"),
        (hasty, "acknowledges messages before it writes them"),
    ] {
        let removed = client.context.delete_stream("PEOPLE");
        client.runtime.block_on(removed).expect("it was there");
        client.stream_as("PEOPLE", "people.>", stream);
        checked(&place, 2, &[words]);
    }
}

/// A run is taken up where a server is silent, and where its user accepts what it does.
#[test]
fn a_run_is_taken_up_once_its_servers_sync_or_the_loss_is_accepted() {
    let Some(program) = program() else { return };
    let mut server = Server::storing(program, free_port(), ALWAYS, "");
    let client = Client::of(&server.url());
    client.stream("PEOPLE", "people.>");
    let place = Place::new();
    write(&place, &server.url(), &monitor(&[server.monitor()]));
    let people = people(30);
    let run = place.start(&from_nats("run"));
    client.publish("people.a", &people[..10]);
    holds(&place, "run", 10);
    assert_eq!(run.stop().0, Some(130));

    server.kill();
    server.configure("", "");
    server.go();
    let client = Client::of(&server.url());
    let (code, _, stderr) = place.run(&["resume", "run", "--no-board"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("syncs every 2 min");

    let begun = place.read("run/config.toml");
    let nowhere = format!("http://127.0.0.1:{}", free_port());
    let accepted = "sync = \"any\"\nmonitor =".to_owned();
    for (n, (from, to, warned)) in [
        (server.monitor(), nowhere, true),
        ("monitor =".to_owned(), accepted, false),
    ]
    .into_iter()
    .enumerate()
    {
        begun.says(&from);
        place.write("run/config.toml", &begun.replace(&from, &to));
        let run = place.start(&["resume", "run", "--no-board"]);
        let upto = 10 * (n + 2);
        client.publish("people.a", &people[upto - 10..upto]);
        holds(&place, "run", upto);
        let (code, _, stderr) = run.stop();
        assert_eq!(code, Some(130), "{stderr}");
        assert_eq!(
            stderr.contains("warning: no NATS server says"),
            warned,
            "{stderr}"
        );
    }
}

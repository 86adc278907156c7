//! A policy of a program's own that plays elsewhere: the library's recorder and the library's worker
//! have its kind.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use kleroterion::config::ConfigInputs;
use kleroterion::feed::memory_feed;
use kleroterion::jobs::{JobRequest, JobWatch, LiveHooks, LiveJob, LiveOptions};
use kleroterion::live::elsewhere::{WorkEnd, Worker, work};
use kleroterion::policy::Policy;
use kleroterion::protocol::{Move, View};
use kleroterion::registry::{PolicyKind, Registry};

use super::server::{Server, program};

/// Accepts one in two, by lot.
#[derive(Clone)]
struct Lot;

impl Policy for Lot {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        Move::decide(view.draw().uniform() < 0.5)
    }
}

fn inputs() -> ConfigInputs {
    let lot = PolicyKind::new("lot", "accepts one in two, by lot", |_, _| Some(Lot));
    let registry = Registry::default().policy(lot).expect("the name is free");
    ConfigInputs::default().with_registry(registry)
}

const MANY: u32 = 300;

fn config(place: &str, url: &str) -> String {
    format!(
        r#"
seed = 3
source = {{ type = "memory", id = "id", attributes = {{ area = {{ column = "area", values = {{ town = "town", country = "country" }} }} }} }}
rules = {{ choose = "at_most_one", until = {{ rounds = {MANY} }} }}
live = {{ nats = {{ url = "{url}", run = "own" }} }}
policy = [{{ label = "ours", kind = "lot", where = "{place}" }}, {{ label = "all", kind = "accept_all" }}]
"#
    )
}

/// Plays a live run of people from memory, and returns its table of replications.
fn played(config: &str, folder: &Path) -> String {
    let (people, feed) = memory_feed(16);
    let sending = thread::spawn(move || {
        for id in 0..MANY {
            let person = format!(r#"{{"id": "p{id}", "area": "town"}}"#);
            drop(people.send_blocking(person));
        }
    });
    let mut request = JobRequest::text("own.toml", config, ".");
    request.inputs = inputs().with_feed(feed);
    let job = LiveJob::load(request, folder, false, LiveOptions::default());
    let job = job.unwrap_or_else(|error| panic!("{error}"));
    let played = job.play(&JobWatch::default(), LiveHooks::default());
    played.unwrap_or_else(|error| panic!("{error}"));
    sending.join().expect("they are sent");
    std::fs::read_to_string(folder.join("replications.csv")).expect("it is there")
}

#[test]
fn a_kind_of_ones_own_decides_elsewhere_as_here() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let folder = tempfile::tempdir().expect("a folder");
    let url = server.url();
    let worker = Worker {
        url: url.clone(),
        run: "own".to_owned(),
        lane: "ours".to_owned(),
        interrupt: Arc::default(),
        inputs: inputs(),
    };
    let working =
        thread::spawn(move || work(&worker, &|_| {}).map_err(|error| format!("{error:?}")));
    let there = played(&config("remote", &url), &folder.path().join("there"));
    let end = working.join().expect("it ends").expect("it has played");
    assert!(
        matches!(end, WorkEnd::Ended(_) | WorkEnd::Before),
        "{end:?}"
    );
    let here = played(&config("here", &url), &folder.path().join("here"));
    assert_eq!(here, there);
}

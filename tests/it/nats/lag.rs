//! How far behind policies elsewhere are, as the board and the metrics say it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::lanes::{configs, worker};
use super::server::{Server, program};
use crate::live::people::{lines, people};
use crate::support::process::{PATIENCE, Place, ask, post};

/// The value of a gauge of a policy; none where there is none.
fn gauge(metrics: &str, name: &str, policy: &str) -> Option<f64> {
    let start = format!("klero_lane_{name}{{policy=\"{policy}\"}} ");
    let value = metrics.lines().find_map(|line| line.strip_prefix(&start));
    value.map(|value| value.parse().expect("a number"))
}

/// Asks until both policies are so far behind; the metrics then.
#[track_caller]
fn behind(address: SocketAddr, queue: f64, learner: f64) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let metrics = ask(address, "GET", "/metrics", "").1;
        let now = ["queue", "learner"].map(|policy| gauge(&metrics, "behind", policy));
        if now == [Some(queue), Some(learner)] {
            return metrics;
        }
        assert!(Instant::now() < deadline, "{now:?}: {metrics}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends one person after the other until these policies were heard; the metrics then. A first
/// move may have come before the streams were looked at.
#[track_caller]
fn heard<const N: usize>(address: SocketAddr, people: &[String], policies: [&str; N]) -> String {
    for person in people {
        post(address, "/v1/candidates", person);
        std::thread::sleep(Duration::from_millis(100));
        let metrics = ask(address, "GET", "/metrics", "").1;
        let is_heard = |policy: &str| {
            gauge(&metrics, "silent_seconds", policy).is_some()
                && gauge(&metrics, "behind", policy) == Some(0.0)
        };
        if policies.into_iter().all(is_heard) {
            return metrics;
        }
    }
    panic!("not heard: {}", ask(address, "GET", "/metrics", "").1)
}

/// Waits until the board has these words: it is made anew twice a second.
#[track_caller]
fn shows(board: SocketAddr, words: &str) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let page = ask(board, "GET", "/", "").1;
        if page.contains(words) {
            return;
        }
        assert!(Instant::now() < deadline, "{words}: {page}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_board_and_the_metrics_say_which_policy_elsewhere_trails() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let (place, url) = (Place::new(), server.url());
    configs(&place, &url, 1000, 1);
    let text = place.read("http.toml");
    let board = "[board]\naddress = \"127.0.0.1:0\"\n[report]";
    place.write("http.toml", &text.replace("[report]", board));
    let people = people(1000);
    let mut run = place.start(&["live", "http.toml", "--out", "there"]);
    let feed = run.feed();
    let board = run.board();
    post(feed, "/v1/candidates", &lines(&people[..500]));
    let metrics = behind(feed, 500.0, 500.0);
    let of = |metrics: &str, name| ["queue", "learner"].map(|one| gauge(metrics, name, one));
    assert_eq!(of(&metrics, "silent_seconds"), [None; 2]);
    assert_eq!(gauge(&metrics, "behind", "all"), None);

    let _queue = worker(&place, &url, "queue");
    let metrics = behind(feed, 0.0, 500.0);
    assert_eq!(of(&metrics, "farthest_behind"), [Some(0.0), Some(1.0)]);
    let metrics = heard(feed, &people[500..600], ["queue"]);
    let [queue, learner] = of(&metrics, "silent_seconds");
    assert!(queue.is_some_and(|seconds| seconds < 60.0), "{metrics}");
    assert_eq!(learner, None);
    let sent = gauge(&metrics, "behind", "learner").expect("it plays elsewhere");
    let words = format!("{sent} people behind, the farthest; not heard yet");
    for words in ["not behind; heard", &words] {
        shows(board, words);
    }
    let _learner = worker(&place, &url, "learner");
    let metrics = behind(feed, 0.0, 0.0);
    assert_eq!(of(&metrics, "farthest_behind"), [Some(0.0); 2]);
    shows(board, "<dt>Farthest behind elsewhere</dt><dd>none</dd>");

    // What the streams held already when the run is taken up is played, and is not heard now.
    run.kill();
    let mut run = place.start(&["resume", "there"]);
    let feed = run.feed();
    let metrics = behind(feed, 0.0, 0.0);
    assert_eq!(of(&metrics, "silent_seconds"), [None; 2]);
    heard(feed, &people[600..], ["queue", "learner"]);
    let (code, _, stderr) = run.stop();
    assert_eq!(code, Some(130), "{stderr}");
}

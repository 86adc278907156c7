//! A live run at rest, taken up again, and what other commands say of it while it goes on.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Instant;

use serde_json::{Value, json};

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Live, PATIENCE, Place, ask, live, post};
use crate::support::says::Says as _;

const RULES: &str = "until = { rounds = 5000 }";

/// Asks for a page until it is as wanted.
#[track_caller]
fn until(address: SocketAddr, path: &str, wanted: impl Fn(&str) -> bool) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (status, page) = ask(address, "GET", path, "");
        assert_eq!(status, 200, "{page}");
        if wanted(&page) {
            return page;
        }
        assert!(Instant::now() < deadline, "{page}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn gauge(metrics: &str, name: &str) -> Vec<u64> {
    let lines = metrics.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter(|line| line.split(['{', ' ']).next() == Some(name));
    let value = |line: &str| line.rsplit(' ').next().and_then(|word| word.parse().ok());
    lines.map(|line| value(line).expect("a count")).collect()
}

#[test]
fn at_rest_nothing_waits() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, RULES, ""));
    let mut run = place.start(&live("rest"));
    let address = run.feed();
    for (n, person) in people(5).iter().enumerate() {
        post(address, "/v1/candidates", person);
        let played = |metrics: &str| {
            gauge(metrics, "klero_lane_rounds_total") == [n as u64 + 1; 3]
                && gauge(metrics, "klero_decisions_total") == [3 * (n as u64 + 1)]
        };
        let metrics = until(address, "/metrics", played);
        assert_eq!(gauge(&metrics, "klero_lane_waiting"), [0; 3]);
        assert_eq!(gauge(&metrics, "klero_committed_waiting"), [0]);
        assert_eq!(gauge(&metrics, "klero_deliveries_waiting"), [0]);
    }
    assert_eq!(run.stop().0, Some(130));
}

/// People who do not fill a slate yet wait to be played: each of them counts.
#[test]
fn those_who_wait_are_counted_one_by_one() {
    let place = Place::new();
    let rules = "slate = 10\nuntil = { rounds = 50 }";
    let text = config(HTTP, rules, "").replace("at_most_one", "at_most_one\"\n#");
    place.write("http.toml", &text.replace("#\"", ""));
    let mut run = place.start(&live("slates"));
    let address = run.feed();
    post(address, "/v1/candidates", &lines(&people(27)));
    let played = |metrics: &str| gauge(metrics, "klero_lane_rounds_total") == [2; 3];
    let metrics = until(address, "/metrics", played);
    assert_eq!(gauge(&metrics, "klero_committed_waiting"), [7]);
    assert_eq!(gauge(&metrics, "klero_lane_waiting"), [0; 3]);
    assert_eq!(run.stop().0, Some(130));
}

fn board_and_feed(run: &mut Live) -> (SocketAddr, SocketAddr) {
    let feed = run.feed();
    (feed, run.board())
}

/// The first event of the board: all of it.
fn whole(board: SocketAddr) -> Value {
    let mut stream = TcpStream::connect(board).expect("it listens");
    let ask = format!("GET /v1/board HTTP/1.1\r\nhost: {board}\r\n\r\n");
    stream.write_all(ask.as_bytes()).expect("it reads");
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let data = lines.filter_map(|line| line.strip_prefix("data: ").map(str::to_owned));
    let mut events = data.map(|data| serde_json::from_str(&data).expect("JSON"));
    let is_board = |event: &Value| event.get("n").is_some();
    events.find(is_board).expect("a board")
}

/// The lines begin where the run began, whether it was stopped or not, and whatever way its people
/// came.
#[test]
fn lines_are_the_same_after_a_resume() {
    let place = Place::new();
    let board = "[board]\naddress = \"127.0.0.1:0\"";
    place.write("http.toml", &config(HTTP, RULES, board));
    let mut run = place.start(&["live", "http.toml", "--out", "stopped"]);
    let (feed, board) = board_and_feed(&mut run);
    let people = people(24);
    // One by one, so that the lines are followed as they come.
    for (n, person) in people.iter().enumerate() {
        post(feed, "/v1/candidates", person);
        let rounds =
            |metrics: &str| gauge(metrics, "klero_decisions_total") == [3 * (n as u64 + 1)];
        until(feed, "/metrics", rounds);
    }
    let charts = |board: SocketAddr| loop {
        let event = whole(board);
        if event["n"] == people.len() {
            break event["charts"].clone();
        }
    };
    let before = charts(board);
    let first = &before["line-0"]["all"][0][0];
    assert_eq!(
        (first, &before["funnel"]["all"][0][0]),
        (&json!(1), &json!(1))
    );
    run.kill();
    let mut run = place.start(&["resume", "stopped"]);
    let (feed, board) = board_and_feed(&mut run);
    until(feed, "/metrics", |m| {
        gauge(m, "klero_decisions_total") == [72]
    });
    let after = charts(board);
    assert!(after == before, "before:\n{before}\nafter:\n{after}");
    assert_eq!(run.stop().0, Some(130));
}

#[test]
fn what_is_said_of_a_live_run_can_be_done() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, RULES, ""));
    let mut run = place.start(&live("one"));
    post(run.feed(), "/v1/candidates", &lines(&people(40)));
    let refused = |args: &[&str], words: &[&str]| {
        let (code, _, stderr) = place.run(args);
        assert_eq!(code, Some(2), "{args:?}: {stderr}");
        for word in words {
            assert!(stderr.contains(word), "{args:?}: {word}: {stderr}");
        }
        stderr.never_says("klero run ");
        stderr.never_says("--set");
    };
    let replay = "klero replay one";
    refused(
        &["report", "one"],
        &["a live run that is under way", replay],
    );
    // Decisions are written as they are made.
    place.good(&["trace", "one"]);
    refused(
        &["resume", "one"],
        &["another run is under way in this folder"],
    );
    run.kill();
    refused(
        &["report", "one"],
        &["a live run that was cut off", "klero resume one", replay],
    );
    let so_far = place.good(&["replay", "one", "--out", "other"]);
    assert!(so_far.contains("learner"));
    let mut run = place.start(&["resume", "one"]);
    // Once it listens it hears an interrupt.
    run.feed();
    assert_eq!(run.stop().0, Some(130));
    // The page says how to have it again: it can be done.
    for (folder, command) in [
        ("one", "klero replay . --out again"),
        ("other", "klero replay DIR --out again"),
    ] {
        place.good(&["report", folder]);
        let page = place.read(&format!("{folder}/report.html"));
        assert!(
            page.contains(command) && !page.contains("klero run config.toml"),
            "{folder}"
        );
    }
    place.good(&["replay", "one", "--out", "one/again"]);
    let summary = |folder: &str| place.read(&format!("{folder}/summary.json"));
    // Its lanes end with the stream there, so that no one comes any more, and the answer says so; all
    // measures are the same.
    let ended = summary("one").replace("interrupted", "source_ended");
    let over = |text: String| {
        let text = text.replace("\"ends_before\": false", "\"ends_before\": true");
        let lines = text.lines().filter(|line| !line.contains("\"headline\": "));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(over(ended), over(summary("one/again")));
}

/// A second run beside another has its board at the next port, and says so.
#[test]
fn a_board_whose_port_is_in_use_takes_the_next() {
    let place = Place::new();
    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = other.local_addr().expect("it is bound");
    let board = format!("[board]\naddress = \"{taken}\"");
    place.write("http.toml", &config(HTTP, RULES, &board));
    let mut run = place.start(&["live", "http.toml", "--out", "busy"]);
    let board = run.board();
    assert!((1..=9).contains(&(board.port() - taken.port())), "{board}");
    run.hears_of(&format!("{taken} is in use"));
    assert_eq!(run.stop().0, Some(130));
}

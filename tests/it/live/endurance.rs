//! A long stream: memory and latency are flat, and no one is lost. A minute here, an hour in the
//! long form.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::outcomes::REPORTED;
use super::people::{HTTP, config};
use crate::support::long;
use crate::support::process::{Place, ask, post};
use crate::support::says::Says as _;

/// People a second.
const PACE: u64 = 1000;
/// People a request.
const TOGETHER: u64 = 50;
/// People whose outcomes are waited for.
const HORIZON: u64 = 10_000;

/// Reads a stream of events until it is to end; how many bytes came.
fn follow(address: SocketAddr, path: &'static str, over: &Arc<AtomicBool>) -> JoinHandle<u64> {
    let over = Arc::clone(over);
    thread::spawn(move || {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let wait = Duration::from_millis(200);
        stream.set_read_timeout(Some(wait)).expect("a socket");
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
        while !over.load(Ordering::Relaxed) {
            match stream.read(&mut buffer) {
                Ok(0) => panic!("{path} ended after {bytes} bytes"),
                Ok(read) => bytes += read as u64,
                // Nothing came for a while.
                Err(_) => {}
            }
        }
        bytes
    })
}

/// What is measured each second: people so far, bytes in memory, and the longest answer.
struct Second {
    people: f64,
    resident: f64,
    slowest: f64,
}

fn resident(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/statm")).expect("it lives");
    let pages: f64 = stat
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .expect("pages");
    pages * 4096.0
}

/// The slope of a straight line through points, by least squares, and its standard error; each
/// point is the mean of a tenth of the seconds, because neighbours hang together.
fn slope(seconds: &[Second], of: impl Fn(&Second) -> f64) -> (f64, f64) {
    let tenth = seconds.len().div_ceil(10);
    let mean = |tenth: &[Second], of: &dyn Fn(&Second) -> f64| {
        tenth.iter().map(of).sum::<f64>() / tenth.len() as f64
    };
    let points = seconds.chunks(tenth);
    let points: Vec<(f64, f64)> = points
        .map(|tenth| (mean(tenth, &|second| second.people), mean(tenth, &of)))
        .collect();
    let n = points.len() as f64;
    let x = points.iter().map(|(x, _)| x).sum::<f64>() / n;
    let y = points.iter().map(|(_, y)| y).sum::<f64>() / n;
    let xx: f64 = points.iter().map(|(px, _)| (px - x).powi(2)).sum();
    let xy: f64 = points.iter().map(|(px, py)| (px - x) * (py - y)).sum();
    let slope = xy / xx;
    let left = points
        .iter()
        .map(|(px, py)| (py - y - slope * (px - x)).powi(2));
    (slope, (left.sum::<f64>() / (n - 2.0) / xx).sqrt())
}

fn body(from: u64) -> String {
    let person = |n: u64| {
        let (age, sex) = (18 + n.wrapping_mul(2_654_435_761) % 70, 1 + n % 2);
        format!("{{\"id\":\"p{n}\",\"AGEP\":{age},\"SEX\":\"{sex}\"}}\n")
    };
    (from..from + TOGETHER).map(person).collect()
}

/// Outcomes of every fifth person of a request that was taken a while ago.
fn outcomes(from: u64) -> String {
    let people = (from..from + TOGETHER).step_by(5);
    people
        .map(|n| format!("{{\"candidate_id\":\"p{n}\",\"outcome\":{}}}\n", n % 3))
        .collect()
}

#[test]
fn memory_and_latency_are_flat_and_no_one_is_lost() {
    let place = Place::new();
    let more = format!(
        "{REPORTED}horizon = {HORIZON}\n[[policy]]\nlabel = \"patient\"\nkind = \"virtual_queue\"\nv = 20.0\n"
    );
    place.write(
        "http.toml",
        &config(HTTP, "until = { rounds = 100_000_000 }", &more),
    );
    let mut run = place.start(&["live", "http.toml", "--out", "run"]);
    let (feed, board) = (run.feed(), run.board());
    let over: Arc<AtomicBool> = Arc::default();
    let followers = [
        follow(board, "/v1/board", &over),
        follow(feed, "/v1/decisions", &over),
    ];
    let seconds = if long() > 1 { 3600 } else { 60 };
    let (mut measured, mut sent, mut told) = (Vec::new(), 0, 0);
    let begun = Instant::now();
    let process = run.id();
    for second in 1..=seconds {
        let mut slowest = Duration::ZERO;
        while sent < second * PACE && begun.elapsed() < Duration::from_secs(second) {
            let asked = Instant::now();
            let answer = post(feed, "/v1/candidates", &body(sent));
            slowest = slowest.max(asked.elapsed());
            assert_eq!(answer["accepted"], TOGETHER, "{answer}");
            sent += TOGETHER;
            if sent > 2 * TOGETHER {
                let answer = post(feed, "/v1/outcomes", &outcomes(sent - 2 * TOGETHER));
                assert_eq!(answer["accepted"], TOGETHER / 5, "{answer}");
                told += TOGETHER / 5;
            }
        }
        let left = Duration::from_secs(second).saturating_sub(begun.elapsed());
        thread::sleep(left);
        measured.push(Second {
            people: sent as f64,
            resident: resident(process),
            slowest: slowest.as_secs_f64() * 1000.0,
        });
    }
    over.store(true, Ordering::Relaxed);
    let heard = followers.map(|follower| follower.join().expect("it follows"));
    assert!(heard.iter().all(|bytes| *bytes > 10_000), "{heard:?}");
    let journal = ["journal.sqlite", "journal.sqlite-wal"]
        .map(|name| std::fs::metadata(place.path(&format!("run/{name}"))).map_or(0, |m| m.len()));
    let journal = journal.iter().sum::<u64>() as f64 / sent as f64;
    // What fills up at first is left out: caches, the horizon, the decisions that are kept.
    let steady = &measured[measured.len() / 4..];
    let (memory, memory_error) = slope(steady, |second| second.resident);
    let (latency, latency_error) = slope(steady, |second| second.slowest);
    println!(
        "{sent} people and {told} outcomes in {:.0} s; memory {:.0} MB, {memory:.1} +- {memory_error:.1} bytes a person; \
         slowest answer of a second {:.1} ms, {:.2} +- {:.2} ms a million people; journal {journal:.0} bytes a person",
        begun.elapsed().as_secs_f64(),
        steady.last().expect("seconds").resident / 1e6,
        steady.iter().map(|second| second.slowest).sum::<f64>() / steady.len() as f64,
        latency * 1e6,
        latency_error * 1e6,
    );
    assert!(memory - 4.0 * memory_error < 4.0, "memory grows");
    let (status, health) = ask(feed, "GET", "/healthz", "");
    assert_eq!(status, 200, "{health}");
    assert_eq!(run.stop().0, Some(130));
    let verified = place.good(&["journal", "verify", "run"]);
    verified.says(&format!("of {sent} people"));
}

//! The rate at which candidates are acknowledged over loopback: with many per request as NDJSON,
//! and with one per request.
//!
//! `cargo bench --bench intake`; `-- --quick` for a few seconds.
//!
//! A server on a runtime of its own (two threads), a recorder on a thread of its own, clients on
//! threads of theirs, all in this process: they share its processors. Records have ten members
//! (three attributes, two features). **memory**: the recorder numbers people and drops repeats, so
//! that what is left is the server's and the clients' own; **journal**: it commits to a journal in
//! a temporary folder, up to 256 deliveries at once, synced before anyone is told, as a live run
//! does, but no lane plays.
//!
//! NDJSON: bodies of so many records over four kept connections, each the next as soon as the last
//! was answered; every answer must have accepted all, and in the end the recorder must have them
//! all. Wall time from the first byte to the last answer. Single: 64 kept connections, request i is
//! due at i / rate whatever became of those before it (an open loop); what it took is counted from
//! when it was due, so waiting for a free connection counts. Beside it what a commit took, as the
//! recorder saw it: half and 99 % of them at most so long, to about a fifth.

mod client;
mod targets;

use std::thread;
use std::time::{Duration, Instant};

use client::{Client, request};
use targets::{Kept, Live, Memory, Opener, Site, record};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let targets: [(&str, Opener); 3] = [
        ("memory", || Box::new(Site::open(Box::<Memory>::default()))),
        ("journal", || Box::new(Site::open(Box::new(Kept::new())))),
        ("live", || Box::new(Live::open())),
    ];
    let repetitions = if quick { 1 } else { 5 };
    println!("NDJSON, candidates acknowledged a second; medians of {repetitions}");
    println!("recorder  of a body   candidates/s");
    for (name, target) in targets {
        for of_a_body in [100, 1_000, 10_000] {
            let bodies = (if quick { 40_000 } else { 400_000 }) / of_a_body;
            let rate = |_| lines(target, of_a_body, bodies);
            let mut rates: Vec<f64> = (0..repetitions).map(rate).collect();
            rates.sort_unstable_by(f64::total_cmp);
            let rate = rates[repetitions / 2];
            println!("{name:8} {of_a_body:10} {rate:14.0}");
        }
    }
    let (rate, seconds) = (2_000, if quick { 1 } else { 10 });
    println!("\nSingle posts offered at {rate}/s for {seconds} s, milliseconds");
    println!("recorder       p50       p99     worst  commit p50  commit p99");
    for (name, target) in targets {
        let (took, commits) = single(target, rate, rate * seconds);
        let at = |share: f64| {
            let place = (share * took.len() as f64).ceil() as usize;
            took[place.clamp(1, took.len()) - 1].as_secs_f64() * 1e3
        };
        let [p50, p99, worst] = [0.5, 0.99, 1.0].map(at);
        let commits = commits.map_or_else(String::new, |commits| {
            let [half, most] = commits.map(|took| took.as_secs_f64() * 1e3);
            format!(" {half:11.2} {most:11.2}")
        });
        println!("{name:8} {p50:9.2} {p99:9.2} {worst:9.2}{commits}");
    }
}

/// Candidates acknowledged a second.
fn lines(target: Opener, of_a_body: usize, bodies: usize) -> f64 {
    const CLIENTS: usize = 4;
    let requests: Vec<Vec<u8>> = (0..bodies)
        .map(|body| {
            let first = (body * of_a_body) as u64;
            let lines = (first..first + of_a_body as u64).map(|n| record(n) + "\n");
            request("application/x-ndjson", &lines.collect::<String>())
        })
        .collect();
    let site = target();
    let clients: Vec<Client> = (0..CLIENTS).map(|_| Client::to(site.address())).collect();
    let started = Instant::now();
    thread::scope(|scope| {
        for (place, mut client) in clients.into_iter().enumerate() {
            let own = requests.iter().skip(place).step_by(CLIENTS);
            scope.spawn(move || own.for_each(|request| client.post(request, of_a_body)));
        }
    });
    let took = started.elapsed().as_secs_f64();
    let all = of_a_body * bodies;
    assert_eq!(site.close(), all as u64);
    all as f64 / took
}

/// The time of each of `posts` single posts, in order, at `rate` a second, and the median and the
/// 99th percentile of the commits.
fn single(target: Opener, rate: usize, posts: usize) -> (Vec<Duration>, Option<[Duration; 2]>) {
    const CLIENTS: usize = 64;
    let site = target();
    let clients: Vec<Client> = (0..CLIENTS).map(|_| Client::to(site.address())).collect();
    let started = Instant::now() + Duration::from_millis(50);
    let mut took: Vec<Duration> = thread::scope(|scope| {
        let clients = clients.into_iter().enumerate().map(|(place, mut client)| {
            scope.spawn(move || {
                let own = (place..posts).step_by(CLIENTS);
                let post = |n: usize| {
                    let request = request("application/json", &record(n as u64));
                    let due = started + Duration::from_secs_f64(n as f64 / rate as f64);
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    client.post(&request, 1);
                    due.elapsed()
                };
                own.map(post).collect::<Vec<Duration>>()
            })
        });
        let clients: Vec<_> = clients.collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    let commits = site.commits();
    assert_eq!(site.close(), posts as u64);
    took.sort_unstable();
    (took, commits)
}

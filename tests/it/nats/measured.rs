//! What it costs that lanes play elsewhere. It is printed:
//! `KLERO_LONG=10 cargo test --release --features nats --test it measured:: -- --nocapture`, with
//! `--test-threads 1`.

use std::time::{Duration, Instant};

use super::lanes::{configs, worker};
use super::server::{Client, Server, cluster, program};
use crate::live::people::{lines, people};
use crate::support::long;
use crate::support::process::{Live, Place, live, post, same};

/// Plays people with workers for these lanes; from the first post until all is decided and written.
fn played(place: &Place, words: &[&str], lanes: &[&str], url: &str, people: &[String]) -> Duration {
    drop(std::fs::remove_dir_all(place.path(words[words.len() - 1])));
    let mut run = place.start(words);
    let feed = run.feed();
    let _workers: Vec<Live> = lanes.iter().map(|lane| worker(place, url, lane)).collect();
    let begun = Instant::now();
    for part in people.chunks(1000) {
        post(feed, "/v1/candidates", &lines(part));
    }
    assert_eq!(run.stop().0, Some(130));
    begun.elapsed()
}

fn played_here(place: &Place, people: &[String]) -> Duration {
    let mut words = live("here");
    words[1] = "here.toml";
    played(place, &words, &[], "", people)
}

/// The same with two policies at workers.
fn played_there(place: &Place, url: &str, people: &[String]) -> Duration {
    let time = played(place, &live("there"), &["queue", "learner"], url, people);
    same(place, "here", "there");
    let first = url.split(',').next().expect("a server");
    let client = Client::of(first);
    client.runtime.block_on(async {
        for name in ["KLERO_spring", "KLERO-MOVES_spring"] {
            let deleted = client.context.delete_stream(name).await;
            deleted.expect("it was there");
        }
    });
    time
}

#[test]
fn what_travelling_costs() {
    let Some(program) = program() else { return };
    let many = 2000 * long() as usize;
    let (place, people) = (Place::new(), people(many));
    let one = Server::start(program.clone(), "");
    let three = cluster(&program, 3);
    let all: Vec<String> = three.iter().map(Server::url).collect();
    let repeats = if long() > 1 { 3 } else { 1 };
    let mut measured = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..repeats {
        configs(&place, &one.url(), many, 1);
        measured[0].push(played_here(&place, &people));
        measured[1].push(played_there(&place, &one.url(), &people));
        configs(&place, &all.join(","), many, 3);
        measured[2].push(played_there(&place, &all.join(","), &people));
    }
    println!("{many} people, three policies, two of them elsewhere, medians of {repeats}:");
    for (way, times) in ["all here", "one server", "three servers"]
        .iter()
        .zip(&mut measured)
    {
        times.sort();
        let seconds = times[times.len() / 2].as_secs_f64();
        println!(
            "{way}: {seconds:.2} s, {:.0} people/s",
            many as f64 / seconds
        );
    }
}

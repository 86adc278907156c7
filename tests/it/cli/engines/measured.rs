//! What engines cost a unit, and what more processes gain. It is printed:
//! `KLERO_LONG=10 cargo test --release --features nats --test it measured:: -- --nocapture`, with
//! `--test-threads 1`.

use std::time::Instant;

use super::parallel::parallel;
use super::same_folders;
use crate::support::configs::SOUND;
use crate::support::long;
use crate::support::slurm::Slurm;
use crate::support::terminal::{Terminal, said};

/// Ways to play a sweep, each with the seconds that it took.
type Measured = Vec<(String, Vec<f64>)>;

/// Adds a time to those of a way.
fn note(measured: &mut Measured, way: &str, seconds: f64) {
    match measured.iter_mut().find(|(known, _)| known == way) {
        Some((_, times)) => times.push(seconds),
        None => measured.push((way.to_owned(), vec![seconds])),
    }
}

/// Plays on one machine without units: what the others are held against.
fn alone(measured: &mut Measured, terminal: &Terminal) {
    let seconds = timed(terminal, &["--threads", "1"], "one", None);
    note(measured, "one process, no units", seconds);
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Plays `my.toml` with these words of `klero sweep`, and holds the results against those of one
/// machine, where there are some; seconds.
fn timed(terminal: &Terminal, words: &[&str], out: &str, slurm: Option<&Slurm>) -> f64 {
    drop(std::fs::remove_dir_all(terminal.path(out)));
    let mut command = terminal.command(&["sweep", "my.toml", "--quiet", "--out", out]);
    command.args(words);
    if let Some(slurm) = slurm {
        command.env("SLURM_CONF", slurm.conf());
    }
    let begun = Instant::now();
    let said = said(command);
    assert_eq!(said.code, Some(0), "{words:?}: {}", said.stderr);
    if let Some(slurm) = slurm {
        slurm.idle();
    }
    let seconds = begun.elapsed().as_secs_f64();
    if out != "one" {
        same_folders(&terminal.path("one"), &terminal.path(out));
    }
    seconds
}

/// A queue with workers of one thread.
#[cfg(feature = "nats")]
mod queue {
    use super::{Terminal, timed};
    use crate::nats::server::{Server, program};
    use crate::support::process::{Live, Place};

    pub struct Queue {
        server: Server,
        place: Place,
    }

    impl Queue {
        pub fn start() -> Option<Self> {
            let server = Server::start(program()?, "");
            let place = Place::new();
            Some(Self { server, place })
        }

        /// Plays with that many workers, which are there before; seconds.
        pub fn timed(&self, terminal: &Terminal, workers: usize) -> f64 {
            let url = self.server.url();
            let worker = |_| -> Live {
                let args = ["work", "--nats", &url, "--threads", "1"];
                let mut worker = self.place.start(&args);
                worker.hears_of("units of sweeps are played here");
                worker
            };
            let _workers: Vec<Live> = (0..workers).map(worker).collect();
            timed(terminal, &["--on", "nats", "--nats", &url], "queue", None)
        }
    }
}

/// Units of one replication, so that hardly anything is played.
#[test]
fn what_a_unit_costs_on_each_engine() {
    let points = 4 * long();
    let terminal = Terminal::new();
    let config = SOUND
        .replace("at = [5, 10]\n", "")
        .replace("replications = 4", "replications = 1");
    let values: Vec<u64> = (0..points).map(|point| 5 + point).collect();
    let sweep = format!("\n[sweep]\n\"rules.until.accepted\" = {values:?}\n");
    terminal.put("my.toml", config + &sweep);
    let (shards, repeats) = (points.to_string(), if long() > 1 { 3 } else { 1 });
    let slurm = Slurm::start();
    #[cfg(feature = "nats")]
    let queue = queue::Queue::start();
    let mut measured = Measured::new();
    for _ in 0..repeats {
        alone(&mut measured, &terminal);
        let local = [
            "--on",
            "local",
            "--jobs",
            "2",
            "--threads",
            "2",
            "--shards",
            &shards,
        ];
        note(
            &mut measured,
            "--on local, 2 at once",
            timed(&terminal, &local, "local", None),
        );
        if parallel() {
            let words = ["--on", "parallel", "--jobs", "2", "--shards", &shards];
            note(
                &mut measured,
                "--on parallel, 2 at once",
                timed(&terminal, &words, "parallel", None),
            );
        }
        if let Some(slurm) = &slurm {
            let words = ["--on", "slurm", "--shards", &shards];
            let seconds = timed(&terminal, &words, "slurm", Some(slurm));
            note(&mut measured, "--on slurm, two nodes, 4 at once", seconds);
        }
        #[cfg(feature = "nats")]
        if let Some(queue) = &queue {
            note(
                &mut measured,
                "--on nats, 2 workers",
                queue.timed(&terminal, 2),
            );
        }
    }
    let base = median(&measured[0].1);
    println!("{points} units of one replication, medians of {repeats}:");
    for (way, times) in &measured {
        let more = (median(times) - base) / points as f64;
        println!("{way}: {:.2} s, {:.3} s more a unit", median(times), more);
    }
}

/// Sixteen units, by one, two and four processes of one thread.
#[test]
fn what_more_processes_gain() {
    let terminal = Terminal::new();
    let replications = (1600 * long()).min(16 * 1024);
    let config = SOUND.replace("at = [5, 10]\n", "");
    let config = config.replace(
        "replications = 4",
        &format!("replications = {replications}"),
    );
    let config = config.replace("accepted = 10", &format!("accepted = {}", 600 * long()));
    terminal.put("my.toml", config);
    let repeats = if long() > 1 { 3 } else { 1 };
    #[cfg(feature = "nats")]
    let queue = queue::Queue::start();
    let mut measured = Measured::new();
    for _ in 0..repeats {
        alone(&mut measured, &terminal);
        for many in ["1", "2", "4"] {
            let words = [
                "--on",
                "local",
                "--shards",
                "16",
                "--jobs",
                many,
                "--threads",
                many,
            ];
            let seconds = timed(&terminal, &words, "local", None);
            note(&mut measured, &format!("--on local --jobs {many}"), seconds);
            #[cfg(feature = "nats")]
            if let Some(queue) = &queue {
                let seconds = queue.timed(&terminal, many.parse().expect("a number"));
                note(
                    &mut measured,
                    &format!("--on nats, workers: {many}"),
                    seconds,
                );
            }
        }
    }
    let base = median(&measured[0].1);
    println!("{replications} replications, medians of {repeats}:");
    for (way, times) in &measured {
        let seconds = median(times);
        println!("{way}: {seconds:.2} s, {:.2} times as fast", base / seconds);
    }
}

//! The cost of traces: the same run with none, with all decisions, and with all that can be written
//! down.

use std::io;
use std::path::Path;

use kleroterion::config::{Document, Plan, check};
use kleroterion::run::{Replication, Settings, Traces, run};
use kleroterion::trace::merge_decisions;

use crate::clock::{Clock, Times};

const CASES: [(&str, &str, &[&str], &[&str]); 4] = [
    (
        "committee of 1,000 rounds, five policies",
        include_str!("../../configs/committee-brexit-like.toml"),
        &["replications=20"],
        &["replications=2"],
    ),
    (
        "outcomes a round later, eight policies",
        include_str!("../../configs/grazzi2022-fig1.toml"),
        &["replications=1", "feedback.outcome.delay=1"],
        &["rules.until.rounds=50", "report.at=[50]"],
    ),
    (
        "interviews one by one (SWAP and others)",
        include_str!("../../configs/schumann2019-t2.toml"),
        &["replications=20"],
        &["replications=2"],
    ),
    (
        "a pool that reacts",
        include_str!("../../configs/puranik2022-fig1d.toml"),
        &["replications=10"],
        &["replications=1"],
    ),
];

fn plan(text: &str, set: &[&[&str]]) -> Plan {
    let mut document = Document::parse(text).expect("the config parses");
    for assignment in set.iter().copied().flatten() {
        document.set(assignment).expect("the key can be set");
    }
    check(&document, Path::new("")).expect("the config is sound")
}

/// Writes down all that a replication has, to nowhere; how many bytes.
fn write(replication: &mut Replication) -> io::Result<u64> {
    let mut bytes = Vec::new();
    let decisions = std::mem::take(&mut replication.decisions);
    merge_decisions(decisions, 0, &mut bytes)?;
    let mut written = bytes.len() as u64;
    for log in replication.people.drain(..) {
        written += io::copy(&mut log.read()?, &mut io::sink())?;
    }
    Ok(written)
}

/// The ratios of runs with traces to those without.
pub fn traces(quick: bool) {
    println!("\ntraces, wall time of a run on one thread, over one without");
    println!(
        "                                            off, ms  decisions  everything   MB of everything"
    );
    // Work is done by threads that do not outlive it: wall time has to do.
    let clock = Clock {
        cpu: false,
        ..Clock::new()
    };
    let all = Traces {
        selected: true,
        people: true,
        decisions: true,
        curves: false,
        all_replications: true,
    };
    let decisions = Traces {
        selected: false,
        people: false,
        ..all
    };
    let ways = [Traces::default(), decisions, all];
    for (name, text, set, short) in CASES {
        let set = [set, short];
        let plan = plan(text, if quick { &set } else { &set[..1] });
        let mut written = 0;
        let times = Times::take::<3>(if quick { 1 } else { 9 }, |way| {
            let settings = Settings {
                threads: 1,
                traces: ways[way],
                ..Settings::default()
            };
            clock.time(|| {
                written = 0;
                let played = run(&plan, &settings, |replication| {
                    written += write(replication)?;
                    Ok(())
                });
                played.expect("it is played");
            })
        });
        println!(
            "{name:42} {:8.1} {:10.3} {:11.3} {:18.2}",
            times.median(|t| t[0]) / 1e6,
            times.median(|t| t[1] / t[0]),
            times.median(|t| t[2] / t[0]),
            written as f64 / 1e6,
        );
    }
}

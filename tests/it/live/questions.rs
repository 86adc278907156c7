//! Other questions to a live run: `klero replay` and `klero resume` with `--judge`, `--baseline`
//! and `--set report.KEY`.

use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::support::process::Place;
use crate::support::says::Says as _;

const RUN: [&str; 7] = [
    "--set",
    "rules.until.accepted=40",
    "--set",
    "report.at=[40]",
    "--no-board",
    "-q",
    "--out",
];

const ASKED: [&str; 6] = [
    "--judge",
    "selection_rate",
    "--baseline",
    "queue",
    "--set",
    "report.alpha=0.1",
];

/// The same question in the config from the start.
const FIRST: [&str; 6] = [
    "--set",
    "report.judge=[\"selection_rate\"]",
    "--set",
    "report.baseline=queue",
    "--set",
    "report.alpha=0.1",
];

fn live<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["live"][..], &RUN, &[out], more].concat()
}

fn refused(place: &Place, args: &[&str]) -> String {
    let (code, _, stderr) = place.run(args);
    assert_eq!(code, Some(2), "{args:?}: {stderr}");
    stderr
}

/// Asked later, a question has the answer that it has when it is asked at first; the run's own
/// folder keeps its own.
#[test]
fn a_replay_asks_otherwise() {
    let place = Place::new();
    place.good(&live("own", &[]));
    let margin = ["--set", "report.margin={}"];
    place.good(&live("first", &[&FIRST[..], &margin].concat()));
    let own = place.read("own/summary.json");
    let replay = ["replay", "own", "--out", "asked", "-q"];
    place.good(&[&replay[..], &ASKED, &margin].concat());
    let asked = place.read("asked/summary.json");
    assert_eq!(asked, place.read("first/summary.json"));
    assert_ne!(asked, own);
    assert_eq!(place.read("own/summary.json"), own);
    let json: Value = serde_json::from_str(&asked).expect("JSON");
    let pairs = json["pairs"].as_array().expect("a list");
    let is_asked = |pair: &Value| pair["metric"] == "selection_rate" && pair["b"] == "queue";
    assert!(!pairs.is_empty() && pairs.iter().all(is_asked), "{pairs:?}");
}

/// A run that is taken up is asked otherwise from then on: its config says so.
#[test]
fn a_resumed_run_is_asked_otherwise() {
    let place = Place::new();
    let margin = ["--set", "report.margin={}"];
    place.good(&live("first", &[&FIRST[..], &margin].concat()));
    let run = place.start(&live("cut", &["--set", "source.pace=60/s"]));
    sleep(Duration::from_millis(1500));
    run.kill();
    let config = place.read("cut/config.toml");
    let wrong = refused(&place, &["resume", "cut", "-q", "--judge", "screend"]);
    wrong.says("screened");
    let wrong = refused(&place, &["resume", "cut", "-q", "--set", "rules.slate=2"]);
    wrong.says("only what is asked of it can change");
    assert_eq!(place.read("cut/config.toml"), config);
    place.write("cut/config.toml", &config.replace("pace = \"60/s\"\n", ""));
    place.good(&[&["resume", "cut", "-q"][..], &ASKED, &margin].concat());
    assert_eq!(
        place.read("cut/summary.json"),
        place.read("first/summary.json")
    );
    let config = place.read("cut/config.toml");
    config.says("judge = [\"selection_rate\"]");
    config.says("baseline = \"queue\"");
}

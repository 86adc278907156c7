//! Plans from the text of configs, played through the library, and their numbers.

use std::path::{Path, PathBuf};

use kleroterion::compare::{RunResult, Stats};
use kleroterion::config::{ConfigInputs, DATA, Document, Plan, check};
use kleroterion::run::{Runtime, Settings, run};

use super::project;

/// The plan of a config with some of its keys set.
pub fn plan(text: &str, folder: &Path, set: &[&str]) -> Plan {
    let mut document = Document::parse(text).expect("the config parses");
    for assignment in set {
        document.set(assignment).expect("the key can be set");
    }
    let data = std::env::var_os(DATA).map(PathBuf::from);
    let inputs = ConfigInputs::of_folder(folder).with_data(data);
    check(&document, inputs).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A config that comes with the project.
pub fn config(name: &str) -> String {
    std::fs::read_to_string(project().join("configs").join(name)).expect("the config is there")
}

/// A setting of `replications`; in the long form of the tests (KLERO_LONG=10, see .ci/long) ten
/// times as many.
pub fn many(replications: u64) -> String {
    format!("replications={}", replications * long())
}

/// How many times as long the tests are: 1 unless KLERO_LONG says otherwise.
pub fn long() -> u64 {
    let times = std::env::var("KLERO_LONG").ok();
    times.and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Plays a plan on all cores.
pub fn play(plan: &Plan) -> RunResult {
    let settings = Settings {
        batch: None,
        threads: 2,
        runtime: Runtime::Current,
        ..Settings::default()
    };
    run(plan, &settings, |_| Ok(())).expect("the run goes through")
}

/// The values of a metric of a policy: at the end, or at a moment of its series.
pub fn values(result: &RunResult, label: &str, metric: &str, at: Option<u64>) -> Vec<f64> {
    let policy = result.policies.iter().find(|policy| policy.label == label);
    let policy = policy.expect("the policy ran");
    policy.column(metric, at).flatten().collect()
}

/// Mean and so on of [`values`].
pub fn stats(result: &RunResult, label: &str, metric: &str, at: Option<u64>) -> Stats {
    Stats::of(&values(result, label, metric, at)).expect("there are values")
}

/// Whether a mean is within four combined standard errors of a reference.
#[track_caller]
pub fn near(what: &str, ours: &Stats, reference: f64, reference_se: f64) {
    let se = ours.se.unwrap_or(0.0);
    let bound = 4.0 * (se * se + reference_se * reference_se).sqrt();
    assert!(
        (ours.mean - reference).abs() <= bound,
        "{what}: {} +- {se}, to be {reference} +- {reference_se}",
        ours.mean
    );
}

//! What common draws save: the intervals of independent draws over those of common ones.

use kleroterion::compare::Stats;
use kleroterion::compare::sequence::Betting;
use kleroterion::compare::t::t_interval;
use kleroterion::score::MetricInfo;

use super::ALPHA;
use super::power::{QUEUE_3, duel};
use super::record::{Measured, saving};
use crate::support::values;

const BXS: &str = "committee-brexit-like.toml";

/// Replications of an interval: those of the config.
const REPLICATIONS: usize = 200;

/// How wide intervals of independent draws are, those of common ones being 1: by t, and by betting
/// where the metric has a declared range. Means over stretches of replications, on each of which
/// both are taken: replication i of A with replication i of B, and with replication i + 1 of B.
fn widths(a: &[f64], b: &[f64], metric: &str) -> (Measured, Option<Measured>) {
    let stretches = || {
        a.chunks_exact(REPLICATIONS)
            .zip(b.chunks_exact(REPLICATIONS))
    };
    let ratios = |width: &dyn Fn(&[f64]) -> f64| {
        let ratio = |(a, b): (&[f64], &[f64])| {
            let late = b.iter().cycle().skip(1);
            let common: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            let apart: Vec<f64> = a.iter().zip(late).map(|(a, b)| a - b).collect();
            width(&apart) / width(&common)
        };
        Measured::of(&stretches().map(ratio).collect::<Vec<f64>>())
    };
    let t = |differences: &[f64]| {
        let stats = Stats::of(differences).expect("there are some");
        let se = stats.se.expect("two at least");
        let (lo, hi) = t_interval(stats.mean, se, stats.n, ALPHA).expect("two at least");
        hi - lo
    };
    let (least, most) = MetricInfo::of(metric).range.unwrap_or((0.0, f64::NAN));
    let bet = |differences: &[f64]| {
        let unit = |d: &f64| 0.5 * (d / (most - least) + 1.0);
        let units: Vec<f64> = differences.iter().map(unit).collect();
        let (lo, hi) = Betting::interval(&units, ALPHA);
        hi - lo
    };
    (ratios(&t), most.is_finite().then(|| ratios(&bet)))
}

#[test]
fn intervals_of_independent_draws_are_wider_where_policies_are_akin() {
    println!("| metric | pair | width by t | width by betting | variance |\n|---|---|---|---|---|");
    for (a, b) in [
        ("queue", "cmdp"),
        ("proportional", "cmdp"),
        ("greedy .05", "cmdp"),
        ("accept all", "cmdp"),
        ("queue 3", "queue"),
    ] {
        let run = duel(BXS, &[], QUEUE_3, [a, b], 1_000);
        for metric in ["selection_rate", "representation_loss", "screened"] {
            let [one, other] = [a, b].map(|label| values(&run, label, metric, None));
            let (t, betting) = widths(&one, &other, metric);
            let spread = saving(&one, &other);
            let bet = betting.map_or("no declared range".into(), |bet| format!("{bet:.3}"));
            println!("| {metric} | {a} against {b} | {t:.3} | {bet} | {spread} |");
            // Never much is lost. Those of one algorithm go up and down together.
            assert!(t.most() > 0.97, "{t}");
            assert!(betting.is_none_or(|bet| bet.most() > 0.97), "{betting:?}");
            if b == "queue" {
                assert!(t.least() > 1.5 && spread.least() > 2.0, "{t}, {spread}");
            }
        }
    }
}

/// A pair of a setting and what it is to be compared by, whether or not that has a declared range.
struct Case {
    setting: &'static str,
    config: &'static str,
    set: &'static [&'static str],
    labels: [&'static str; 2],
    metric: &'static str,
    /// Whether the two meet so much of the same luck that common draws must save.
    akin: bool,
    replications: u64,
}

const CASES: [Case; 8] = [
    Case {
        setting: "committee",
        config: BXS,
        set: &[],
        labels: ["queue", "cmdp"],
        metric: "screened",
        akin: false,
        replications: 500,
    },
    Case {
        setting: "committee",
        config: BXS,
        set: &[],
        labels: ["queue 3", "queue"],
        metric: "screened",
        akin: true,
        replications: 500,
    },
    Case {
        setting: "cohort",
        config: "schumann2019-t2.toml",
        set: &[],
        labels: ["strong", "SWAP"],
        metric: "cost",
        akin: true,
        replications: 1_000,
    },
    Case {
        setting: "cohort",
        config: "schumann2019-t2.toml",
        set: &[],
        labels: ["weak", "SWAP"],
        metric: "cost",
        akin: false,
        replications: 1_000,
    },
    Case {
        setting: "meritocratic",
        config: "grazzi2022-groups.toml",
        set: &["rules.until.rounds=300", "report.at=[300]"],
        labels: ["fair greedy", "ridge greedy"],
        metric: "fair_regret",
        akin: false,
        replications: 200,
    },
    Case {
        setting: "meritocratic",
        config: "grazzi2022-groups.toml",
        set: &["rules.until.rounds=300", "report.at=[300]"],
        labels: ["uniform", "ridge greedy"],
        metric: "fair_regret",
        akin: false,
        replications: 200,
    },
    Case {
        setting: "pool",
        config: "puranik2022-fig1b.toml",
        set: &["rules.until.rounds=50", "report.at=[50]", "report.lambda=1"],
        labels: ["lambda 1", "lambda 0.5"],
        metric: "utility",
        akin: true,
        replications: 200,
    },
    Case {
        setting: "pool and interviews",
        config: "hiring-seasons.toml",
        set: &["rules.until.rounds=3", "report.at=[3]"],
        labels: ["learns", "learns and asks all"],
        metric: "cohort_value",
        akin: true,
        replications: 200,
    },
];

#[test]
fn common_draws_save_replications_in_each_setting() {
    println!("| setting | pair, metric | replications saved |\n|---|---|---|");
    for case in &CASES {
        let [a, b] = case.labels;
        let more = if case.config == BXS { QUEUE_3 } else { "" };
        let run = duel(case.config, case.set, more, case.labels, case.replications);
        let [one, other] = case
            .labels
            .map(|label| values(&run, label, case.metric, None));
        let saving = saving(&one, &other);
        println!(
            "| {} | {a} against {b}, {} | {saving} |",
            case.setting, case.metric
        );
        assert!(saving.most() > 0.9, "{saving}");
        assert!(!case.akin || saving.least() > 1.5, "{saving}");
    }
}

//! The course of a comparison: at each n, what a run that ended there would say.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use kleroterion::compare::{DifferencePoint, Judge, Pair, PairCourse, RunResult, Summary, courses};
use kleroterion::score::Kept;

use crate::support::terminal::Terminal;
use crate::support::worlds::FEW_WOMEN;
use crate::support::{plan, play};

/// Measures that are decided soon, late, within a margin and never; by betting, by Catoni's method
/// and by t.
static CONFIG: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"name = "a course"
seed = 4
replications = 300
{FEW_WOMEN}[[policy]]
label = "loose"
kind = "greedy"
tolerance = 0.3
[report]
judge = ["representation_loss", "selection_rate", "screened", "gain_regret"]
margin = {{ representation_loss = 0.25 }}
difference_variance = {{ screened = 150.0 }}
baseline = "all"
"#
    )
});

struct Played {
    run: RunResult,
    judge: Judge,
    pairs: Vec<Pair>,
}

impl Played {
    fn of(text: &str, set: &[&str]) -> Self {
        let plan = plan(text, Path::new("configs"), set);
        let run = play(&plan);
        let pairs = Summary::of(&run, &plan.judge).pairs;
        Self {
            run,
            judge: plan.judge.clone(),
            pairs,
        }
    }

    fn courses(&self) -> Vec<PairCourse> {
        courses(&self.run, &self.judge, &self.pairs)
    }
}

/// What a run that ended after n replications says; none of them is played again.
fn cut(whole: &Played, n: u64) -> Played {
    let policies = whole.run.policies.iter().map(|policy| {
        let lanes = policy.lanes().into_iter().take(n as usize);
        kleroterion::score::PolicyRun::new(&*policy.label, &*policy.kind)
            .holding(Kept::All)
            .with(lanes)
    });
    let run = RunResult {
        replications: n,
        policies: policies.collect(),
        ..whole.run.clone()
    };
    let pairs = Summary::of(&run, &whole.judge).pairs;
    Played {
        run,
        judge: whole.judge.clone(),
        pairs,
    }
}

/// Whether a point is what the pair of a cut run says: limits that are searched for lie at most a
/// hair outside.
#[track_caller]
fn alike(point: &DifferencePoint, pair: &Pair, hair: f64) {
    let of = format!("{} of {} at {}", pair.metric, pair.a, pair.n);
    assert_eq!((point.n, point.verdict), (pair.n, pair.verdict), "{of}");
    let near = |a: f64, b: f64, hair: f64| (a - b).abs() <= hair;
    let mean = pair.mean.expect("a mean");
    assert!(near(point.mean, mean, 1e-9 * mean.abs().max(1.0)), "{of}");
    match (point.interval, pair.lo.zip(pair.hi)) {
        (Some((lo, hi)), Some((low, high))) => {
            assert!(
                near(lo, low, hair) && near(hi, high, hair),
                "{of}: {lo} {low}, {hi} {high}"
            );
        }
        (ours, theirs) => assert_eq!(ours, theirs, "{of}"),
    }
}

#[test]
fn a_point_of_a_course_is_what_a_run_that_ended_there_says() {
    let whole = Played::of(&CONFIG, &[]);
    let courses = whole.courses();
    assert_eq!(courses.len(), whole.pairs.len());
    let mut methods = BTreeMap::new();
    for (course, pair) in courses.iter().zip(&whole.pairs) {
        *methods.entry(pair.method.clone()).or_insert(0) += 1;
        let points = &course.points;
        assert!(
            points.len() > 32 && points.len() <= 64 + 10,
            "{}",
            points.len()
        );
        assert!(points.is_sorted_by(|a, b| a.n < b.n));
        assert_eq!((points[0].n, points.last().map(|p| p.n)), (1, Some(pair.n)));
    }
    assert_eq!(methods.len(), 3, "{methods:?}");
    for n in [2, 3, 8, 16, 30, 36, 64, 100, 128, 201, 256, 299, 300] {
        let cut = cut(&whole, n);
        for (course, pair) in courses.iter().zip(&cut.pairs) {
            let points = course.points.iter();
            if let Some(point) = points.clone().find(|point| point.n == n) {
                // Ranges are 1 wide, standard deviations below 100.
                let hair = if pair.method.starts_with("Catoni") {
                    1e-6
                } else {
                    4e-8
                };
                alike(point, pair, hair);
            }
        }
    }
}

#[test]
fn a_course_is_that_of_fewer_replications_as_far_as_they_go() {
    let whole = Played::of(&CONFIG, &[]);
    let fewer = Played::of(&CONFIG, &["replications=100"]);
    let same = cut(&whole, 100);
    assert_eq!(fewer.courses(), same.courses());
}

#[test]
fn the_moment_of_decision_is_the_first_at_which_a_cut_run_is_decided() {
    let whole = Played::of(&CONFIG, &[]);
    let mut moments = Vec::new();
    for (at, course) in whole.courses().iter().enumerate() {
        if whole.pairs[at].method.starts_with('t') {
            continue;
        }
        let moment = course.decided_at().map(|point| point.n);
        moments.push(moment);
        let first = (2..=moment.unwrap_or(60)).find(|n| {
            let pair = &cut(&whole, *n).pairs[at];
            pair.verdict.is_decided()
        });
        assert_eq!(first, moment, "{} of {}", course.metric, course.a);
    }
    let soon = moments.iter().flatten().count();
    assert!(soon >= 3, "{moments:?}");
}

/// Two a round of whom none, one or both may be taken.
const STREAM: &str = r#"
name = "two a round"
seed = 5
replications = 1
[source]
type = "categorical"
shares = { gender = { M = 0.7, F = 0.3 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
slate = 2
choose = "any"
until = { rounds = 700 }
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
[[policy]]
label = "lively"
kind = "virtual_queue"
v = 0.5
[report]
judge = ["selection_rate", "selection_rate.M"]
margin = { selection_rate = 0.3 }
baseline = "queue"
"#;

/// On one stream the numbers are the same to the last bit.
#[test]
fn a_point_on_a_stream_is_what_a_stream_that_ended_there_says() {
    let whole = Played::of(STREAM, &[]);
    let courses = whole.courses();
    assert_eq!(courses.len(), 4);
    let cut = |n: u64| Played::of(STREAM, &[&format!("rules.until={{ rounds = {n} }}")]);
    let mut decided = 0;
    for (at, course) in courses.iter().enumerate() {
        let points = &course.points;
        assert!(
            points.len() > 32 && points.len() <= 64 + 12,
            "{}",
            points.len()
        );
        let by_round = course.metric == "selection_rate";
        for point in points.iter().filter(|_| by_round).step_by(24) {
            alike(point, &cut(point.n).pairs[at], 0.0);
        }
        let Some(moment) = course.decided_at().filter(|_| by_round) else {
            continue;
        };
        decided += 1;
        alike(moment, &cut(moment.n).pairs[at], 0.0);
        let before = &cut(moment.n - 1).pairs[at];
        assert!(!before.verdict.is_decided(), "{before:?}");
    }
    assert_eq!(decided, 2);
}

/// The file, and the rest of a run's files without it.
#[test]
fn the_file_is_the_same_in_every_way_and_may_be_missing() {
    let terminal = Terminal::new();
    for (name, text) in [("many.toml", CONFIG.as_str()), ("one.toml", STREAM)] {
        terminal.put(name, text);
        let run = |out: &str, way: &[&str]| {
            let mut args = vec!["run", name, "-q", "--force", "--out", out];
            args.extend(way);
            terminal.done(&args);
            terminal.read(&format!("{out}/course.csv"))
        };
        let first = run("first", &["--threads", "1"]);
        assert!(first.starts_with("metric,a,b,n,mean,lo,hi,verdict\n"));
        for way in [
            &["--threads", "2", "--batch", "7"][..],
            &["--runtime", "multi", "--batch", "1"],
            &["--keep", "folds"],
        ] {
            assert_eq!(run("other", way), first, "{name} {way:?}");
        }
        let page = |folder: &str| {
            terminal.done(&["report", folder]);
            terminal.read(&format!("{folder}/report.html"))
        };
        assert!(page("first").contains("The difference over time"));
        std::fs::remove_file(terminal.path("first/course.csv")).expect("it can be removed");
        assert!(!page("first").contains("The difference over time"));
    }
}

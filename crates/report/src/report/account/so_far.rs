//! The comparisons of a run in progress, in words. Each number has one text, wherever it is shown.

use super::super::finished::Finished;
use super::super::notes::MANY;
use super::super::number::about;
use super::super::page::Findings;
use super::super::units;
use super::answers;
use super::difference::{ahead_first, course_of};
use super::standing::MeasureStanding;
use super::sure;
use super::verdicts;
use super::words::units;
use kleroterion_core::score::Direction;
use kleroterion_stats::{DifferencePoint, NOT_IN_THIS_RUN, Pair, PairCourse, Standing, Verdict};

/// The comparisons of a run in progress, in words.
pub struct SoFar {
    /// The answer over all measures, and the leader on each.
    pub found: Findings,
    /// The judged measures, in the run's order.
    pub measures: Vec<MeasureSoFar>,
    /// The joint confidence of all intervals.
    pub about: String,
}

/// The comparisons on a measure.
pub struct MeasureSoFar {
    /// The name of the measure in files and configs.
    pub metric: String,
    /// The name of the measure with its unit, for people.
    pub title: String,
    /// The better direction.
    pub direction: Direction,
    /// The better direction in words, and the method of the intervals.
    pub about: String,
    /// Further notes.
    pub notes: Vec<String>,
    /// The baseline, if all are compared with one policy.
    pub baseline: Option<String>,
    /// All policies that are compared, best first. Those that can't be compared come last.
    pub order: Vec<String>,
    /// The policies in `order`, without yardsticks and without those that can't be compared.
    pub contenders: Vec<String>,
    /// The comparisons, the largest difference first.
    pub pairs: Vec<PairSoFar>,
}

/// A comparison: the policy that is ahead by the mean, and the other.
pub struct PairSoFar {
    /// The policy that is ahead.
    pub a: String,
    /// The policy that is behind.
    pub b: String,
    /// The difference. Empty if they can't be compared.
    pub number: String,
    /// The interval of the difference. Empty for a fact.
    pub interval: String,
    /// The standing of the comparison.
    pub standing: Standing,
    /// The standing in a few words, for example with the number of rounds that may decide it.
    pub says: String,
    /// A further note.
    pub note: String,
    /// The round or replication at which it became sure, and the same in words.
    pub sure: Option<(u64, String)>,
    /// The course of the difference. Empty for a fact.
    pub course: Vec<DifferencePoint>,
    size: f64,
}

impl SoFar {
    /// Collects all comparisons of a run.
    pub fn of(run: &Finished) -> Self {
        let run = &units::of_run(run);
        let standings = MeasureStanding::all(run);
        Self {
            found: answers::findings(run, &standings),
            measures: standings.iter().map(|one| measure(one, run)).collect(),
            about: sure::without_bars(run),
        }
    }

    /// Returns the comparison of two policies on a measure, in either order.
    pub fn pair(&self, metric: &str, one: &str, other: &str) -> Option<&PairSoFar> {
        let measure = self.measures.iter().find(|known| known.metric == metric)?;
        measure.pair(one, other)
    }
}

impl MeasureSoFar {
    /// Returns the comparison of two policies, in either order.
    pub fn pair(&self, one: &str, other: &str) -> Option<&PairSoFar> {
        let is_it = |pair: &&PairSoFar| {
            let sides = (pair.a.as_str(), pair.b.as_str());
            sides == (one, other) || sides == (other, one)
        };
        self.pairs.iter().find(is_it)
    }
}

fn measure(standing: &MeasureStanding<'_>, run: &Finished) -> MeasureSoFar {
    let all = standing.comparable.iter().chain(&standing.left_out);
    let names = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect();
    let courses = standing.courses(run);
    let shown = |pair: &&Pair| {
        let course = courses.get(&pair.a, &pair.b).map(|(course, _)| course);
        shown(pair, course, standing, run)
    };
    let mut pairs: Vec<PairSoFar> = standing.pairs.iter().map(shown).collect();
    pairs.sort_by(|one, other| other.size.total_cmp(&one.size));
    MeasureSoFar {
        metric: standing.metric.to_owned(),
        title: standing.words.head(),
        direction: standing.direction,
        about: verdicts::about_of(standing, run),
        notes: answers::notes(standing, run),
        baseline: standing.baseline.map(str::to_owned),
        order: all.map(|label| (*label).to_owned()).collect(),
        contenders: names(&standing.contenders),
        pairs,
    }
}

fn shown(
    pair: &Pair,
    course: Option<&PairCourse>,
    standing: &MeasureStanding<'_>,
    run: &Finished,
) -> PairSoFar {
    let turned = ahead_first(pair, standing.direction);
    let difference = standing.shown(&turned, run);
    let (unit, _) = units(run, pair.estimand);
    let course = course.map(|course| course_of(course, &turned.a));
    let dated = turned
        .dated
        .map(|dated| dated.since.unwrap_or(dated.sure_at));
    PairSoFar {
        number: difference.words(),
        interval: difference.interval(),
        standing: pair.standing,
        says: says(pair),
        note: verdicts::note(&turned, run),
        sure: dated.zip(turned.when(unit)),
        course: course.map_or_else(Vec::new, |course| course.points.clone()),
        size: difference.bar.map_or(-1.0, |bar| bar.mean.abs()),
        a: turned.a.clone(),
        b: turned.b.clone(),
    }
}

/// Returns the standing of a comparison, in a few words.
fn says(pair: &Pair) -> String {
    let more = pair.needed.filter(|_| pair.verdict == Verdict::Undecided);
    match (pair.standing, pair.verdict, more) {
        (_, Verdict::NotComparable, _) => "not comparable".into(),
        (Standing::SoFar, ..) => Standing::SoFar.words().into(),
        (Standing::Sure, Verdict::Identical | Verdict::Equivalent, _) => "\u{2713} even".into(),
        (Standing::Sure, ..) => "\u{2713} sure".into(),
        (Standing::Open, ..) if pair.ends_before => NOT_IN_THIS_RUN.into(),
        (Standing::Open, _, Some(more)) if more > MANY => "over a million more".into(),
        (Standing::Open, _, Some(more)) => format!("{} more", about(more)),
        (Standing::Open, Verdict::Identical, None) => "equal so far".into(),
        (Standing::Open, ..) => Standing::Open.words().into(),
    }
}

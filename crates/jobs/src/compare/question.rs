//! The question asked of a table: which measures, policies and assumptions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kleroterion_core::nearest::advice;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::score::{Direction, Directions, MetricInfo};
use kleroterion_stats::sequence::Range;
use kleroterion_stats::{CaseMeasure, CaseQuestion, CaseTable, Judge, Versus};

/// A value for all measures, and others for some of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PerMeasure<T> {
    /// The value for measures that have none of their own.
    pub all: Option<T>,
    /// The values for single measures, by name.
    pub by: BTreeMap<String, T>,
}

impl<T: Copy> PerMeasure<T> {
    /// Makes the same value for all measures.
    #[must_use]
    pub const fn all(value: T) -> Self {
        Self {
            all: Some(value),
            by: BTreeMap::new(),
        }
    }

    /// Returns the value for a measure, if there is one.
    #[must_use]
    pub fn of(&self, measure: &str) -> Option<T> {
        self.by.get(measure).copied().or(self.all)
    }
}

/// A question to a table of values: its columns, and what the verdicts assume.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareRequest {
    /// The measures that are judged: columns of numbers, or names in the column `metric`. Alpha is
    /// split over them.
    pub measures: Vec<String>,
    /// The column of the policies.
    pub policy: String,
    /// The column that says which values belong together. `None` means `replication` in a table
    /// with a row for each policy, and the row itself in one with a column for each policy.
    pub pair: Option<String>,
    /// The columns of the policies, in a table with a column for each. Empty for other tables.
    pub columns: Vec<String>,
    /// The policy with which the others are compared. `None` compares each with each.
    pub baseline: Option<String>,
    /// The better sides. A measure without one is better where it is higher; of a run's own table
    /// the catalogue knows.
    pub directions: PerMeasure<Direction>,
    /// The least and greatest possible values. A measure without them is compared by t.
    pub ranges: PerMeasure<(f64, f64)>,
    /// The differences up to which policies count as equivalent.
    pub margins: PerMeasure<f64>,
    /// The error probability allowed to all verdicts together.
    pub alpha: f64,
}

impl Default for CompareRequest {
    fn default() -> Self {
        Self {
            measures: Vec::new(),
            policy: "policy".into(),
            pair: None,
            columns: Vec::new(),
            baseline: None,
            directions: PerMeasure::default(),
            ranges: PerMeasure::default(),
            margins: PerMeasure::default(),
            alpha: Judge::ALPHA,
        }
    }
}

impl CompareRequest {
    /// The named measures with what is known of them. What a run measured is in the catalogue. Notes
    /// what is wrong with the request.
    pub(super) fn measures(
        &self,
        names: &[String],
        is_of_a_run: bool,
        problems: &mut Problems,
    ) -> Vec<CaseMeasure> {
        self.check(names, problems);
        let measure = |name: &String| {
            let info = is_of_a_run.then(|| MetricInfo::of(name));
            let known = info.and_then(|info| info.range);
            let range = self.ranges.of(name).or(known);
            let of_run = is_of_a_run.then(|| Directions::default().of(name));
            CaseMeasure {
                name: name.clone(),
                direction: self
                    .directions
                    .of(name)
                    .or(of_run)
                    .unwrap_or(Direction::Higher),
                range: range.and_then(|(least, most)| Range::new(least, most)),
                margin: self.margins.of(name),
            }
        };
        names.iter().map(measure).collect()
    }

    fn check(&self, names: &[String], problems: &mut Problems) {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let directions = self.directions.by.keys().map(|name| ("--direction", name));
        let ranges = self.ranges.by.keys().map(|name| ("--range", name));
        let margins = self.margins.by.keys().map(|name| ("--margin", name));
        let named = directions.chain(ranges).chain(margins);
        for (option, name) in named.filter(|(_, name)| !names.contains(name)) {
            let what = format!("`{name}` is not compared");
            let help = advice(name, &known, "measures");
            problems.push(Problem::of_option(format!("{option} {name}=…"), what).help(help));
        }
        let ranges = self.ranges.by.values().chain(&self.ranges.all);
        for (least, most) in ranges.filter(|(least, most)| Range::new(*least, *most).is_none()) {
            let option = format!("--range {least}..{most}");
            let what = "a range goes from a finite number to a greater one";
            problems.push(Problem::of_option(option, what).help("write the least value first"));
        }
        let margins = self.margins.by.values().chain(&self.margins.all);
        for margin in margins.filter(|margin| !(margin.is_finite() && **margin > 0.0)) {
            let what = "a margin is a finite number above 0";
            let help = "state the largest difference that does not matter";
            problems.push(Problem::of_option(format!("--margin {margin}"), what).help(help));
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            let what = "alpha is a probability between 0 and 1";
            let help = "state the chance of a wrong verdict that you allow, as 0.05";
            problems.push(Problem::of_option(format!("--alpha {}", self.alpha), what).help(help));
        }
    }

    /// The comparisons that are asked for among these policies. Notes a baseline that is not among
    /// them.
    pub(super) fn versus(&self, labels: &[String], problems: &mut Problems) -> Versus {
        let Some(baseline) = &self.baseline else {
            return Versus::Everyone;
        };
        if !labels.is_empty() && !labels.contains(baseline) {
            let known: Vec<&str> = labels.iter().map(String::as_str).collect();
            let what = format!("there is no policy `{baseline}`");
            let help = advice(baseline, &known, "policies");
            problems.push(Problem::of_option(format!("--baseline {baseline}"), what).help(help));
        }
        Versus::Baseline(baseline.clone())
    }

    pub(super) fn question(
        &self,
        measures: Vec<CaseMeasure>,
        versus: Versus,
        is_fixed: bool,
    ) -> CaseQuestion {
        CaseQuestion {
            measures,
            versus,
            alpha: self.alpha,
            is_fixed,
        }
    }
}

/// The sentences on what verdicts assume, and on cases that lack a value. `order` says in which
/// order the cases are taken.
pub(super) fn facts(cases: &CaseTable, question: &CaseQuestion, order: &str) -> Vec<String> {
    let mut facts = vec![format!(
        "Assumed: cases are independent and of one law; they are taken {order}"
    )];
    for one in &question.measures {
        let name = &one.name;
        facts.push(match one.range {
            Some(range) => format!("Assumed: \u{201c}{name}\u{201d} lies in {range} in every case"),
            None => format!(
                "No range of \u{201c}{name}\u{201d} is stated, so its verdicts are by t, for a number of cases \
                 that was fixed beforehand; --range LEAST..MOST makes them hold at any time"
            ),
        });
    }
    if cases.incomplete() > 0 {
        facts.push(lacking(cases));
    }
    facts
}

/// The most policies of which it is said how many values they lack.
const NAMED: usize = 4;

fn lacking(cases: &CaseTable) -> String {
    let (all, some) = (cases.len(), cases.incomplete());
    let lack = if some == 1 { "lacks" } else { "lack" };
    let mut said = format!("{some} of {all} cases {lack} a value (");
    let missing: Vec<_> = cases.missing().collect();
    for (at, (label, many)) in missing.iter().take(NAMED).enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        // Writing to a text never fails.
        let _ = write!(said, "{comma}\u{201c}{label}\u{201d} in {many}");
    }
    if missing.len() > NAMED {
        said += &format!(", {} more policies", missing.len() - NAMED);
    }
    said + "); each comparison is over the cases in which both policies have one"
}

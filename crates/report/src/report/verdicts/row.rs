//! A comparison as a row of its metric's table.

use super::super::bar::Interval;
use super::super::grid::spread;
use super::super::medium::Weight;
use super::super::notes::{EMPTY_PLACES, MANY, apart, beyond_bound, by_t, common, shown_apart};
use super::super::number::{about, brief, fixed, p_value};
use super::super::plain;
use kleroterion_core::protocol::YARDSTICK;
use kleroterion_stats::{
    Estimand, Judge, NOT_IN_THIS_RUN, Pair, PairExtras, Standing, Summary, Verdict, Versus, t,
};

/// A comparison as it is shown.
pub(super) struct PairRow {
    pub(super) mean: Option<f64>,
    pub(super) who: String,
    pub(super) verdict: String,
    /// The mean, its standard error (unless the interval implies it), and the lower and upper
    /// limits.
    pub(super) interval: [String; 4],
    /// The anytime-valid p-value, the median, and the share of wins of `a`. The first is given for
    /// a declared range, the others if there is none and so perhaps a heavy tail.
    pub(super) further: [String; 3],
    pub(super) note: String,
    /// The interval as it is drawn, if there is one.
    pub(super) drawn: Option<Interval>,
    /// The weight in which the label and the verdict are printed.
    pub(super) weight: Weight,
}

impl PairRow {
    /// The row of a pair; `digits`: the decimals of means and of limits.
    pub(super) fn of(
        pair: &Pair,
        digits: [Option<i32>; 2],
        summary: &Summary,
        judge: &Judge,
    ) -> Self {
        let who = match &judge.versus {
            Versus::Baseline(_) => plain(&pair.a),
            _ => format!("{} vs {}", plain(&pair.a), plain(&pair.b)),
        };
        let comparable = pair.verdict != Verdict::NotComparable;
        Self {
            mean: pair.mean.filter(|_| comparable),
            who,
            verdict: pair.standing.with(pair.verdict.word()),
            interval: if comparable {
                interval(pair, digits)
            } else {
                Default::default()
            },
            further: if comparable {
                further(pair, digits[1])
            } else {
                Default::default()
            },
            note: {
                let said = Some(note(pair, summary, judge)).filter(|said| !said.is_empty());
                let parts: Vec<String> = yardsticks(pair, judge).into_iter().chain(said).collect();
                parts.join("; ")
            },
            drawn: drawn(pair).filter(|_| comparable),
            weight: match judge.is_contender(&pair.a) {
                true => weight(pair),
                false => Weight::Normal,
            },
        }
    }

    /// The row of the baseline itself.
    pub(super) fn baseline(label: &str, judge: &Judge) -> Self {
        Self {
            mean: Some(0.0),
            who: plain(label),
            verdict: "baseline".into(),
            interval: ["0", "", "", ""].map(str::to_owned),
            further: Default::default(),
            note: yardstick(label, judge).unwrap_or_default(),
            drawn: None,
            weight: Weight::Normal,
        }
    }
}

/// Returns sentences on the policies of a comparison that are yardsticks.
fn yardsticks(pair: &Pair, judge: &Judge) -> Vec<String> {
    match &judge.versus {
        Versus::Baseline(_) => yardstick(&pair.a, judge).into_iter().collect(),
        _ => {
            let both = [&pair.a, &pair.b].into_iter();
            let yardsticks = both.filter(|label| !judge.is_contender(label));
            let said = yardsticks.map(|label| format!("{} is a {YARDSTICK}", plain(label)));
            said.collect()
        }
    }
}

fn yardstick(label: &str, judge: &Judge) -> Option<String> {
    (!judge.is_contender(label)).then(|| format!("a {YARDSTICK}, for comparison only"))
}

fn drawn(pair: &Pair) -> Option<Interval> {
    let (lo, hi) = pair.lo.zip(pair.hi)?;
    let (mean, se) = (pair.mean?, pair.se);
    let is_finite = lo.is_finite() && hi.is_finite();
    is_finite.then_some(Interval { mean, se, lo, hi })
}

fn weight(pair: &Pair) -> Weight {
    match (pair.standing, pair.verdict) {
        (Standing::Sure, Verdict::Better) => Weight::Good,
        (Standing::Sure, Verdict::Worse) => Weight::Bad,
        (Standing::Sure, Verdict::Differs) => Weight::Strong,
        (Standing::Open, Verdict::Undecided) => Weight::Open,
        (Standing::SoFar, _) => Weight::Fact,
        _ => Weight::Normal,
    }
}

/// Mean and limits, with the standard error where they are not by t.
fn interval(pair: &Pair, digits: [Option<i32>; 2]) -> [String; 4] {
    let show = |value: Option<f64>, digits| match (value, digits) {
        (None, _) => String::new(),
        (Some(value), Some(digits)) => fixed(value, digits),
        (Some(value), None) => brief(value, 4),
    };
    let of_mean = pair.se.zip(pair.mean).map(|(se, mean)| spread(se, mean));
    let se = of_mean.filter(|_| pair.method != t::METHOD);
    [
        show(pair.mean, digits[0]),
        match (se, digits[0]) {
            (Some(0.0), _) => "0".to_owned(),
            (se, digits) => show(se, digits),
        },
        show(pair.lo, digits[1]),
        show(pair.hi, digits[1]),
    ]
}

/// Returns the cells of a row besides mean and interval.
fn further(pair: &Pair, digits: Option<i32>) -> [String; 3] {
    let PairExtras {
        p_anytime, median, ..
    } = pair.extras;
    let mut cells: [String; 3] = Default::default();
    if pair.verdict == Verdict::Identical {
        return cells;
    }
    if let Some(p) = p_anytime {
        cells[0] = p_value(p);
        return cells;
    }
    let within = |lo: Option<f64>, hi: Option<f64>, show: &dyn Fn(f64) -> String| {
        let limits = lo.zip(hi);
        limits.map_or(String::new(), |(lo, hi)| {
            format!(" [{}, {}]", show(lo), show(hi))
        })
    };
    if let Some(median) = median {
        let show = |value| digits.map_or_else(|| brief(value, 4), |digits| fixed(value, digits));
        let (lo, hi) = (pair.extras.median_lo, pair.extras.median_hi);
        cells[1] = show(median) + &within(lo, hi, &show);
    }
    if let Some(beats) = pair.extras.beats {
        let show = |share: f64| fixed(100.0 * share, 0);
        let (lo, hi) = (pair.extras.beats_lo, pair.extras.beats_hi);
        cells[2] = show(beats) + " %" + &within(lo, hi, &show);
    }
    cells
}

/// Returns the further notes on a comparison.
pub(super) fn note(pair: &Pair, summary: &Summary, judge: &Judge) -> String {
    let mut parts = Vec::new();
    match pair.verdict {
        Verdict::NotComparable => parts.extend(blocked(pair, summary)),
        _ => parts.extend(of_how_many(pair, summary, judge)),
    }
    parts.extend(pair.when(judge.units(pair.estimand).0));
    if pair.unfilled > 0 && pair.verdict != Verdict::NotComparable {
        parts.push(match pair.estimand.is_fact() && pair.n == 0 {
            true => EMPTY_PLACES.to_owned(),
            false => apart(pair.n, pair.unfilled, summary.replications),
        });
    }
    let lies_within = |margin: &f64| {
        let limits = pair.lo.zip(pair.hi);
        limits.is_some_and(|(lo, hi)| -margin <= lo && hi <= *margin)
    };
    if let Some(margin) = pair.margin.filter(lies_within)
        && pair.verdict != Verdict::Identical
    {
        parts.push(format!("within the margin of {}", brief(margin, 3)));
    }
    parts.extend(by_t(pair));
    parts.extend(beyond_bound(pair));
    parts.extend(needed(pair, judge));
    parts.join("; ")
}

/// Returns a phrase with the number of rounds, people or replications of a comparison. `None` if
/// its heading has it.
fn of_how_many(pair: &Pair, summary: &Summary, judge: &Judge) -> Option<String> {
    let counted = counted(pair, judge);
    let is_apart = shown_apart(pair, &summary.policies).is_some();
    let is_common = pair.estimand == Estimand::Rounds && is_apart;
    match pair.verdict {
        _ if pair.estimand.is_fact() => None,
        _ if is_common => Some(common(&counted)),
        Verdict::Identical => Some(format!("in {counted}")),
        _ if pair.estimand.is_stream() => Some(counted),
        _ if pair.lo.is_none() => {
            let both = counted;
            Some(format!(
                "both have a value in {both}, an interval needs two"
            ))
        }
        _ if pair.unfilled > 0 || pair.n == summary.replications => None,
        _ => Some(format!("n {} of {}", pair.n, summary.replications)),
    }
}

/// Returns a phrase on the further number that may decide an open pair.
fn needed(pair: &Pair, judge: &Judge) -> Option<String> {
    let (unit, units) = judge.units(pair.estimand);
    if pair.ends_before {
        return Some(NOT_IN_THIS_RUN.into());
    }
    Some(match pair.needed? {
        needed if needed > MANY => format!("over a million more {units} may decide it"),
        1 => format!("about 1 more {unit} may decide it"),
        needed => format!("about {} more {units} may decide it", about(needed)),
    })
}

/// The lanes for which a pair can't be compared.
fn blocked(pair: &Pair, summary: &Summary) -> Vec<String> {
    let lanes = pair.blocked.iter().map(|blocked| {
        let policy = summary.policies.get(&blocked.label);
        let all = policy.map_or(blocked.lanes, |policy| policy.endings.values().sum());
        let (label, ending) = (plain(&blocked.label), blocked.ending);
        format!("{} of {all} lanes of {label} ended {ending}", blocked.lanes)
    });
    lanes.collect()
}

/// Returns the number of rounds, people or replications of a comparison, with its unit.
fn counted(pair: &Pair, judge: &Judge) -> String {
    match (pair.n, judge.units(pair.estimand)) {
        (1, (unit, _)) => format!("1 {unit}"),
        (n, (_, units)) => format!("{n} {units}"),
    }
}

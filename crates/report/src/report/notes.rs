//! Phrases on comparisons that the terminal's tables and the page share.

use std::collections::BTreeMap;

use super::number::{brief, fixed, telling};
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{Direction, Metrics};
use kleroterion_stats::{GoalAnswer, Pair, PolicySummary, Verdict, t};

/// The largest number of further replications that is written out.
pub(super) const MANY: u64 = 1_000_000;

/// The note on a fact about filled committees if a committee is not filled.
pub(super) const EMPTY_PLACES: &str = "not compared: a committee has empty places";

/// Returns the better direction, in words.
pub(super) fn better(direction: Direction) -> &'static str {
    match direction {
        Direction::Lower => "less is better",
        Direction::Higher => "more is better",
        Direction::None => "neither way is better",
    }
}

/// Returns the bounds of a goal in words. Empty if it has none.
pub(super) fn bounds(goal: &GoalAnswer, metrics: &Metrics) -> String {
    let bounds = goal.bounds.iter();
    let bounds = bounds.map(|(metric, bound)| metrics.words(metric).bound(bound));
    bounds.collect::<Vec<_>>().join(" and ")
}

/// Returns a phrase on the replications over which two policies are compared if some committees
/// were not filled. Of `all` replications `n` have values. In `unfilled` of them one of the two
/// left places empty.
pub(super) fn apart(n: u64, unfilled: u64, all: u64) -> String {
    match n + unfilled <= all {
        true => format!("over the {n} of {all} replications in which both filled"),
        false => format!(
            "in {unfilled} of {all} replications one of the two left places empty, which counts as \
             the worst value"
        ),
    }
}

/// Returns a phrase on the rounds over which two policies are compared if one ended before the
/// other. `many` is their number, with the unit.
pub(super) fn common(many: &str) -> String {
    format!("over the {many} that both played")
}

/// The numbers of people that the two policies of a comparison were shown on their one stream.
/// `None` if they are the same.
pub(super) fn shown_apart(
    pair: &Pair,
    policies: &BTreeMap<String, PolicySummary>,
) -> Option<(u64, u64)> {
    let shown = |label: &String| shown(policies.get(label)?);
    shown(&pair.a).zip(shown(&pair.b)).filter(|(a, b)| a != b)
}

fn shown(policy: &PolicySummary) -> Option<u64> {
    Some(policy.stream.as_ref()?.composition.shown)
}

/// Returns the verdict by t if it differs from the one reached, for example "t (fixed n) says
/// better: [-277, -267]". It is that of a number of replications fixed beforehand.
pub(super) fn by_t(pair: &Pair) -> Option<String> {
    let (lo, hi) = pair.extras.t_lo.zip(pair.extras.t_hi)?;
    let is_settled = matches!(pair.verdict, Verdict::NotComparable | Verdict::Identical);
    let by_t = Verdict::of(lo, hi, pair.direction, pair.margin);
    if pair.method == t::METHOD || is_settled || by_t == pair.verdict {
        return None;
    }
    let digits = telling(lo, hi);
    let show = |end: f64| digits.map_or_else(|| brief(end, 4), |digits| fixed(end, digits));
    let (method, lo, hi) = (t::METHOD, show(lo), show(hi));
    Some(format!("{method} says {by_t}: [{lo}, {hi}]"))
}

/// Returns a note if the differences vary more than the stated bound, which the interval rests on.
pub(super) fn beyond_bound(pair: &Pair) -> Option<String> {
    let bound = pair.extras.variance_bound?;
    let se = pair.se?;
    let seen = se * se * pair.n as f64;
    (seen > bound).then(|| {
        let (seen, bound) = (brief(seen, 2), brief(bound, 2));
        format!("the variance seen is {seen}, beyond the {bound} stated: state more")
    })
}

/// Returns a phrase with the number of people that each policy needed to fill its places, the
/// fewest first. `None` if no policy filled them. It is a fact of one stream, which the comparison
/// over common rounds does not include. An example is `“a” filled its 30 places after 34 people,
/// “b” after 71`.
pub(super) fn filling(policies: &BTreeMap<String, PolicySummary>) -> Option<String> {
    let lane = |(label, policy): (&String, &PolicySummary)| {
        let is_full = policy.endings.contains_key(&Ending::Filled);
        let selected = policy.stream.as_ref()?.composition.selected;
        Some((!is_full, shown(policy)?, label.clone(), selected))
    };
    let mut lanes: Vec<_> = policies.iter().filter_map(lane).collect();
    lanes.sort();
    let (is_open, _, _, seats) = lanes.first()?.clone();
    if is_open || lanes.len() < 2 {
        return None;
    }
    let each = lanes.iter().enumerate().map(|(at, lane)| {
        let (is_open, shown, label, selected) = lane;
        let label = format!("\u{201c}{label}\u{201d}");
        match (at, is_open) {
            (0, _) => format!("{label} filled its {seats} places after {shown} people"),
            (_, false) if *selected == seats => format!("{label} after {shown}"),
            (_, false) => format!("{label} its {selected} after {shown}"),
            (_, true) => format!("{label} has filled {selected} after {shown}"),
        }
    });
    Some(format!("So far: {}", each.collect::<Vec<_>>().join(", ")))
}

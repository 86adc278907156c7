//! Verdicts as sentences.

use super::grid::WIDTH;
use super::number::{about, brief, decimals, fixed};
use super::plain;
use crate::compare::{Pair, Summary, Verdict};

/// More further replications than this are not counted out.
const MANY: u64 = 1_000_000;

/// `queue vs greedy .05 on representation_loss: better, -0.0213 [-0.0232, -0.0195] (t, fixed n, alpha 0.0125)`;
/// what would be too wide for a line goes on in a second.
pub(super) fn sentence(pair: &Pair, summary: &Summary) -> String {
    let (a, b, metric) = (plain(&pair.a), plain(&pair.b), plain(&pair.metric));
    let (claim, grounds) = match (pair.verdict, pair.lo.zip(pair.hi), pair.mean) {
        (Verdict::NotComparable, _, _) => ("not comparable:".to_owned(), blocked(pair, summary)),
        (Verdict::Identical, _, _) => (
            "identical".to_owned(),
            format!("in {}", replications(pair.n)),
        ),
        (verdict, Some((lo, hi)), Some(mean)) => (
            format!("{verdict}, {}", interval(mean, lo, hi)),
            basis(pair, summary.replications),
        ),
        (verdict, ..) => (
            format!("{verdict}:"),
            format!(
                "both have a value in {}, an interval needs two",
                replications(pair.n)
            ),
        ),
    };
    let claim = format!("{a} vs {b} on {metric}: {claim}");
    let line = format!("{claim} {grounds}");
    if line.chars().count() <= WIDTH {
        line
    } else {
        format!("{claim}\n    {grounds}")
    }
}

/// Mean and limits with two significant digits of half the interval's width.
fn interval(mean: f64, lo: f64, hi: f64) -> String {
    let digits = decimals(Some((hi - lo) / 2.0));
    let show = |value| digits.map_or_else(|| brief(value, 4), |digits| fixed(value, digits));
    format!("{} [{}, {}]", show(mean), show(lo), show(hi))
}

/// How the interval was made, and what else is to be said of it.
fn basis(pair: &Pair, all: u64) -> String {
    let method = pair.method.replace(" (", ", ").replace(')', "");
    let mut basis = format!("({method}, alpha {}", brief(pair.alpha, 3));
    if pair.n != all {
        basis += &format!(", n {} of {all}", pair.n);
    }
    basis.push(')');
    if let (Some(margin), Some((lo, hi))) = (pair.margin, pair.lo.zip(pair.hi))
        && -margin <= lo
        && hi <= margin
    {
        basis += &format!("; within the margin of {}", brief(margin, 3));
    }
    match pair.needed {
        Some(needed) if needed > MANY => {
            basis += "; over a million more replications may decide it"
        }
        Some(needed) => basis += &format!("; about {} more may decide it", about(needed)),
        None => {}
    }
    basis
}

fn blocked(pair: &Pair, summary: &Summary) -> String {
    let lanes = pair.blocked.iter().map(|blocked| {
        let policy = summary.policies.get(&blocked.label);
        let all = policy.map_or(blocked.lanes, |policy| policy.endings.values().sum());
        let (label, ending) = (plain(&blocked.label), blocked.ending);
        format!("{} of {all} lanes of {label} ended {ending}", blocked.lanes)
    });
    lanes.collect::<Vec<_>>().join(", ")
}

fn replications(count: u64) -> String {
    match count {
        1 => "1 replication".to_owned(),
        _ => format!("{count} replications"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Blocked, Judge};
    use crate::protocol::Ending;
    use crate::score::{LaneResult, PolicyRun, RunResult};

    fn pair(verdict: Verdict) -> Pair {
        Pair {
            metric: "representation_loss".into(),
            a: "queue".into(),
            b: "greedy .05".into(),
            n: 200,
            mean: Some(-0.021_34),
            se: Some(0.000_73),
            lo: Some(-0.023_18),
            hi: Some(-0.019_5),
            alpha: 0.0125,
            method: "t (fixed n)",
            verdict,
            margin: None,
            needed: None,
            blocked: Vec::new(),
        }
    }

    fn summary() -> Summary {
        let lane = |ending| LaneResult {
            ending,
            detail: None,
            rows: Vec::new(),
        };
        let policy = |label: &str| PolicyRun {
            label: label.into(),
            kind: "k".into(),
            lanes: [Ending::Filled, Ending::Filled, Ending::Stalled]
                .map(lane)
                .into(),
        };
        let run = RunResult {
            name: "t".into(),
            seed: 1,
            replications: 200,
            policies: vec![policy("queue"), policy("greedy .05")],
        };
        Summary::of(&run, &Judge::default())
    }

    fn told(pair: &Pair) -> String {
        let text = sentence(pair, &summary());
        let head = "queue vs greedy .05 on representation_loss: ";
        text.strip_prefix(head).unwrap().to_owned()
    }

    #[test]
    fn a_verdict_with_its_interval() {
        let basis = "-0.0213 [-0.0232, -0.0195] (t, fixed n, alpha 0.0125)";
        let mut better = pair(Verdict::Better);
        assert_eq!(told(&better), format!("better, {basis}"));
        better.n = 150;
        better.margin = Some(0.05);
        let known = "better, -0.0213 [-0.0232, -0.0195]\n    \
            (t, fixed n, alpha 0.0125, n 150 of 200); within the margin of 0.05";
        assert_eq!(told(&better), known);
    }

    #[test]
    fn an_open_one_says_how_many_more() {
        let mut open = pair(Verdict::Undecided);
        let ends = |open: &Pair, end: &str| assert!(told(open).ends_with(end), "{}", told(open));
        ends(&open, "alpha 0.0125)");
        open.needed = Some(1234);
        ends(&open, "; about 1,300 more may decide it");
        open.needed = Some(u64::MAX);
        ends(&open, "; over a million more replications may decide it");
    }

    #[test]
    fn the_others_give_their_grounds() {
        assert_eq!(
            told(&pair(Verdict::Identical)),
            "identical in 200 replications"
        );
        let mut bare = pair(Verdict::Undecided);
        (bare.n, bare.lo, bare.hi) = (1, None, None);
        let known = "undecided: both have a value in 1 replication, an interval needs two";
        assert_eq!(told(&bare), known);
        let mut not = pair(Verdict::NotComparable);
        not.blocked = vec![Blocked {
            label: "greedy .05".into(),
            ending: Ending::Stalled,
            lanes: 1,
        }];
        let known = "not comparable: 1 of 3 lanes of greedy .05 ended stalled";
        assert_eq!(told(&not), known);
    }

    #[test]
    fn a_width_of_nothing_is_shown_in_short() {
        assert_eq!(interval(1.0, 1.0, 1.0), "1 [1, 1]");
        assert_eq!(interval(-0.000_01, -0.01, 0.01), "0.000 [-0.010, 0.010]");
    }
}

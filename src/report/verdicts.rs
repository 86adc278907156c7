//! The verdicts: metric by metric, best first, how far apart and how sure.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::grid::{GAP, GridColumn, WIDTH, render, spread, under_points};
use super::number::{about, brief, decimals, fixed, p_value, telling};
use super::otherwise::Said;
use super::{plain, wrapped};
use crate::compare::sequence::Catoni;
use crate::compare::{Beside, Estimand, FILLED, Judge, Pair, Summary, Verdict, Versus, t};
use crate::score::{Direction, MetricInfo};

/// More further replications than this are not counted out.
const MANY: u64 = 1_000_000;

/// A table per judged metric: a row per comparison, the best mean difference first; against a
/// baseline, it stands among the others at its difference of 0. None where nothing is compared.
pub(super) fn verdicts(summary: &Summary, judge: &Judge) -> Vec<String> {
    let pairs = &summary.pairs;
    let Some(first) = pairs.first() else {
        return Vec::new();
    };
    let of = match first.estimand {
        Estimand::Replications => "the mean over replications of",
        Estimand::Rounds if pairs.iter().all(|pair| pair.estimand == Estimand::Rounds) => {
            "the running average over the rounds of this one stream of"
        }
        _ => "this one stream, by",
    };
    let whom = match &judge.versus {
        Versus::Baseline(label) => format!("against {0}, on {of} policy - {0}", plain(label)),
        _ => format!("on a vs b, on {of} a - b"),
    };
    let (facts, inferred): (Vec<&Pair>, Vec<&Pair>) =
        pairs.iter().partition(|pair| pair.estimand.is_fact());
    let mut head = format!("Verdicts {whom}, best first\n");
    if !facts.is_empty() {
        head += "A fact is what was selected of this stream as it was played: it has no interval\n";
    }
    if let Some(first) = inferred.first() {
        let of_answer = summary.answer.between.iter();
        let of_answer = of_answer.filter(|pair| !pair.estimand.is_fact()).count();
        let between = match of_answer {
            0 => String::new(),
            between => format!(" ({between} among the others, for the answer)"),
        };
        let hold = match inferred.len() + of_answer {
            1 => "The interval holds".to_owned(),
            2 => format!("Both intervals{between} hold together"),
            many => format!("All {many} intervals{between} hold together"),
        };
        let sure = brief(100.0 * (1.0 - judge.difference_alpha()), 4);
        let alone = brief(first.alpha, 3);
        head += &format!(
            "{hold} with {sure} % confidence, alpha {alone} each{}{}\n",
            kept(first, inferred.len() + of_answer, judge),
            validity(&inferred)
        );
    }
    let lines = head.lines().flat_map(|line| wrapped(line, WIDTH));
    let lines: Vec<String> = lines.collect();
    let mut sections = vec![lines.join("\n") + "\n"];
    let is_open = |pair: &Pair| pair.verdict == Verdict::Undecided;
    if judge.until_decided && judge.goal.is_none() && pairs.iter().any(is_open) {
        let (many, unit) = (summary.replications, Estimand::Replications);
        let unit = if many == 1 { unit.unit() } else { unit.units() };
        sections.push(format!(
            "The run was to stop when every pair is decided. It ended before that, after its {many} {unit}: for more, raise `replications`.\n",
        ));
    }
    let added = judge.adds_filled().then_some(FILLED);
    let metrics = judge.metrics.iter().map(String::as_str).chain(added);
    sections.extend(metrics.filter_map(|metric| one(metric, summary, judge)));
    sections
}

/// What Catoni's method rests on.
const BOUNDED: &str =
    "Catoni's method too, where differences vary no more than [report] difference_variance states";

/// How many shares of alpha are kept for `filled`, where every lane filled its committee and so
/// nothing is said of it.
fn kept(first: &Pair, shown: usize, judge: &Judge) -> String {
    let all = (judge.difference_alpha() / first.alpha).round() as usize;
    match all.saturating_sub(shown) {
        kept if kept > 0 && judge.adds_filled() && !first.estimand.is_stream() => {
            format!(" ({kept} more kept for {FILLED})")
        }
        _ => String::new(),
    }
}

/// Which intervals may be looked at while replications go on, and which not.
fn validity(pairs: &[&Pair]) -> String {
    let fixed = || pairs.iter().filter(|pair| pair.method == t::METHOD);
    let named: BTreeSet<_> = fixed().map(|pair| plain(&pair.metric)).collect();
    let named = named.into_iter().collect::<Vec<_>>().join(", ");
    match fixed().count() {
        0 if pairs[0].estimand.is_stream() => {
            ", however often you look:\nof this one stream as far as it was played, since policies learn and pools move".into()
        }
        0 => {
            let catoni = pairs.iter().filter(|pair| pair.method == Catoni::METHOD);
            match catoni.count() {
                0 => ", however often you look:\nbetting is valid at any time".into(),
                all if all == pairs.len() => {
                    ", however often you look,\nif differences vary no more than [report] difference_variance states".into()
                }
                _ => format!(", however often you look:\nbetting is valid at any time; {BOUNDED}"),
            }
        }
        all if all == pairs.len() => {
            ":\nt is valid for a number of replications fixed beforehand, not if you stop when you like what you see".into()
        }
        _ => format!(
            ":\nbetting is valid at any time; t for a number of replications fixed beforehand (no declared range: {named})"
        ),
    }
}

/// How the intervals of a metric were made.
fn methods(pairs: &[&Pair]) -> String {
    let methods: BTreeSet<_> = pairs.iter().map(|pair| pair.method).collect();
    methods.into_iter().collect::<Vec<_>>().join(", ")
}

/// The verdicts on one metric.
fn one(metric: &str, summary: &Summary, judge: &Judge) -> Option<String> {
    let direction = MetricInfo::of(metric).direction;
    let pairs = summary.pairs.iter().filter(|pair| pair.metric == metric);
    let pairs: Vec<_> = pairs.collect();
    if pairs.is_empty() {
        return None;
    }
    // As many for all as the narrowest needs: differences are read down the column. Those by
    // betting are wide while there are few replications; the mean is shown as well as the t
    // interval knows it.
    let of_limits = |pair: &&Pair| pair.lo.zip(pair.hi).and_then(|(lo, hi)| telling(lo, hi));
    let of_mean = |pair: &&Pair| digits(pair.beside.t_lo, pair.beside.t_hi).or(of_limits(pair));
    let limits = pairs.iter().filter_map(of_limits).max();
    let mean = pairs.iter().filter_map(of_mean).max();
    let digits = [mean.max(limits), limits];
    let rows = pairs
        .iter()
        .map(|pair| PairRow::of(pair, digits, summary, judge));
    let mut rows: Vec<PairRow> = rows.collect();
    if let Versus::Baseline(label) = &judge.versus {
        rows.push(PairRow::baseline(label));
    }
    rows.sort_by(|a, b| best_first(a.mean, b.mean, direction));
    let better = match direction {
        Direction::Lower => "less is better",
        Direction::Higher => "more is better",
        Direction::None => "neither way is better",
    };
    let words = |cell: fn(&PairRow) -> &str| rows.iter().map(|row| cell(row).to_owned()).collect();
    let number =
        |at: usize| under_points(rows.iter().map(|row| row.interval[at].clone()).collect());
    let [mean, se, low, high] = [number(0), number(1), number(2), number(3)];
    let with_se = rows.iter().any(|row| !row.interval[1].is_empty());
    let intervals = rows.iter().enumerate().map(|(at, row)| {
        let mut cell = mean[at].clone();
        if with_se {
            let sign = if row.interval[1].is_empty() {
                ' '
            } else {
                '\u{b1}'
            };
            cell += &format!(" {sign} {}", se[at]);
        }
        if !row.interval[2].is_empty() {
            cell += &format!("  [{}, {}]", low[at], high[at]);
        }
        cell
    });
    let has_limits = rows.iter().any(|row| !row.interval[2].is_empty());
    let difference = match (with_se, has_limits) {
        (true, _) => "difference \u{b1} se, interval",
        (false, false) if pairs[0].estimand.is_fact() => "difference",
        _ => "difference, interval",
    };
    let mut columns = vec![
        GridColumn::words("verdict", words(|row| &row.verdict)),
        GridColumn::words(difference, intervals.collect()),
    ];
    let beats = match direction {
        Direction::None => "higher in",
        _ => "better in",
    };
    let beside = [
        ("p", words(|row| &row.beside[0])),
        ("median, interval", words(|row| &row.beside[1])),
        (beats, words(|row| &row.beside[2])),
    ];
    let told = |cells: &Vec<String>| cells.iter().any(|cell| !cell.is_empty());
    let beside = beside.into_iter().filter(|(_, cells)| told(cells));
    columns.extend(beside.map(|(head, cells)| GridColumn::words(head, cells)));
    let table = render(
        &[GridColumn::words("policy", words(|row| &row.who))],
        &columns,
    );
    let wide = table
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    let notes = std::iter::once("").chain(rows.iter().map(|row| row.note.as_str()));
    let mut text = format!("{}: {better}; {}\n", plain(metric), methods(&pairs));
    for (line, note) in table.lines().zip(notes) {
        text += &match note {
            "" => format!("{line}\n"),
            note if wide + GAP.len() + note.chars().count() <= WIDTH => {
                format!("{line:wide$}{GAP}{note}\n")
            }
            // Too wide for the line: on the next.
            note => format!("{line}\n    {note}\n"),
        };
    }
    Some(text)
}

/// A comparison as it is shown.
struct PairRow {
    mean: Option<f64>,
    who: String,
    verdict: String,
    /// Mean, its standard error where the interval does not tell it, lower and upper limit.
    interval: [String; 4],
    /// The p-value valid at any time, the median, how often a is better: the first where there is a
    /// declared range, the others where there is none and so perhaps a heavy tail.
    beside: [String; 3],
    note: String,
}

impl PairRow {
    fn of(pair: &Pair, digits: [Option<i32>; 2], summary: &Summary, judge: &Judge) -> Self {
        let who = match &judge.versus {
            Versus::Baseline(_) => plain(&pair.a),
            _ => format!("{} vs {}", plain(&pair.a), plain(&pair.b)),
        };
        let comparable = pair.verdict != Verdict::NotComparable;
        let verdict = match pair.verdict {
            Verdict::NotComparable => "not comparable".to_owned(),
            verdict => verdict.to_string(),
        };
        Self {
            mean: pair.mean.filter(|_| comparable),
            who,
            verdict,
            interval: if comparable {
                interval(pair, digits)
            } else {
                Default::default()
            },
            beside: if comparable {
                beside(pair, digits[1])
            } else {
                Default::default()
            },
            note: note(pair, summary),
        }
    }

    fn baseline(label: &str) -> Self {
        Self {
            mean: Some(0.0),
            who: plain(label),
            verdict: "baseline".into(),
            interval: ["0", "", "", ""].map(str::to_owned),
            beside: Default::default(),
            note: String::new(),
        }
    }
}

fn best_first(a: Option<f64>, b: Option<f64>, direction: Direction) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if direction == Direction::Lower => a.total_cmp(&b),
        (Some(a), Some(b)) => b.total_cmp(&a),
        // What has no mean comes last.
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}

/// The decimals that show two significant digits of half the interval's width.
fn digits(lo: Option<f64>, hi: Option<f64>) -> Option<i32> {
    let (lo, hi) = lo.zip(hi)?;
    decimals(Some((hi - lo) / 2.0))
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

/// What a row has besides mean and interval.
fn beside(pair: &Pair, digits: Option<i32>) -> [String; 3] {
    let Beside {
        p_anytime, median, ..
    } = pair.beside;
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
        let (lo, hi) = (pair.beside.median_lo, pair.beside.median_hi);
        cells[1] = show(median) + &within(lo, hi, &show);
    }
    if let Some(beats) = pair.beside.beats {
        let show = |share: f64| fixed(100.0 * share, 0);
        let (lo, hi) = (pair.beside.beats_lo, pair.beside.beats_hi);
        cells[2] = show(beats) + " %" + &within(lo, hi, &show);
    }
    cells
}

/// What else is to be said.
fn note(pair: &Pair, summary: &Summary) -> String {
    let mut parts = Vec::new();
    let (unit, units) = (pair.estimand.unit(), pair.estimand.units());
    match pair.verdict {
        Verdict::NotComparable => parts.extend(blocked(pair, summary)),
        _ if pair.estimand.is_fact() => {}
        Verdict::Identical => parts.push(format!("in {}", counted(pair))),
        _ if pair.estimand.is_stream() => parts.push(counted(pair)),
        _ if pair.lo.is_none() => {
            let both = counted(pair);
            parts.push(format!(
                "both have a value in {both}, an interval needs two"
            ));
        }
        _ if pair.unfilled > 0 => {}
        _ if pair.n != summary.replications => {
            parts.push(format!("n {} of {}", pair.n, summary.replications));
        }
        _ => {}
    }
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
    let said = Said {
        metric: &pair.metric,
        method: pair.method,
        verdict: pair.verdict.word(),
        margin: pair.margin,
        n: pair.n,
        se: pair.se,
        beside: &pair.beside,
    };
    parts.extend(said.by_t());
    parts.extend(said.beyond_bound());
    match pair.needed {
        Some(needed) if needed > MANY => {
            parts.push(format!("over a million more {units} may decide it"));
        }
        Some(1) => parts.push(format!("about 1 more {unit} may decide it")),
        Some(needed) => {
            parts.push(format!(
                "about {} more {units} may decide it",
                about(needed)
            ));
        }
        None => {}
    }
    parts.join("; ")
}

/// What is to be said of a fact that takes filled committees, and one is not.
pub(super) const EMPTY_PLACES: &str = "not compared: a committee has empty places";

/// Over which replications two policies are compared where not both filled the committee in all: of
/// `all` there were `n` with values, and in `unfilled` one of the two left places empty.
pub(super) fn apart(n: u64, unfilled: u64, all: u64) -> String {
    match n + unfilled <= all {
        true => format!("over the {n} of {all} replications in which both filled"),
        false => format!(
            "in {unfilled} of {all} replications one of the two left places empty, which counts as the worst value"
        ),
    }
}

fn blocked(pair: &Pair, summary: &Summary) -> Vec<String> {
    let lanes = pair.blocked.iter().map(|blocked| {
        let policy = summary.policies.get(&blocked.label);
        let all = policy.map_or(blocked.lanes, |policy| policy.endings.values().sum());
        let (label, ending) = (plain(&blocked.label), blocked.ending);
        format!("{} of {all} lanes of {label} ended {ending}", blocked.lanes)
    });
    lanes.collect()
}

/// Of how many rounds, people or replications a comparison is.
fn counted(pair: &Pair) -> String {
    match pair.n {
        1 => format!("1 {}", pair.estimand.unit()),
        n => format!("{n} {}", pair.estimand.units()),
    }
}

#[cfg(test)]
mod tests;

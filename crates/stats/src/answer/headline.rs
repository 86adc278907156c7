//! The answer in a sentence of at most 120 characters, from a fixed grammar: who leads whom, by how
//! much; or among whom it is open, and what closes it. What precedes the first colon has no number
//! and no date.

mod goal;
mod words;

use std::collections::BTreeSet;

use self::goal::{of_goal, two_digits};
use self::words::{Names, does, fitting, lead};
use super::contenders::Contenders;
use super::goal_answer::GoalAnswer;
use super::uncompared::reasons;
use crate::RunResult;
use crate::judge::{Judge, Versus};
use crate::pair::Pair;
use crate::relation::Relation;
use crate::standing::{Dated, Standing};
use kleroterion_core::number::parted;
use kleroterion_core::score::Direction;

/// The subject of the sentence.
struct Found<'a> {
    contenders: &'a Contenders<'a>,
    judge: &'a Judge,
    dominates: &'a [[&'a str; 2]],
    frontier: &'a [&'a str],
}

/// The headline of a run.
pub(super) fn of(
    contenders: &Contenders<'_>,
    run: &RunResult,
    judge: &Judge,
    dominates: &[[&str; 2]],
    frontier: &[&str],
    goal: Option<&GoalAnswer>,
) -> String {
    let mut pairs = contenders.pairs.iter();
    let is_stream = pairs.next().is_some_and(|pair| pair.estimand.is_stream());
    let on = if is_stream { "on this stream, " } else { "" };
    let found = Found {
        contenders,
        judge,
        dominates,
        frontier,
    };
    let out = contenders.left_out.as_slice();
    fitting(|names| {
        let versions = match goal {
            Some(goal) => of_goal(goal, run, judge, names),
            None => match uncompared(contenders, run, judge, names) {
                Some(why) => return vec![why],
                None => found.versions(names),
            },
        };
        let with = |text: &String| match out {
            [] => format!("{on}{text}"),
            [one] => format!("{on}{text}; {} broke off", names.quoted(one)),
            many => format!("{on}{text}; {} broke off", many.len()),
        };
        let bare = versions.iter().map(|text| format!("{on}{text}"));
        versions.iter().map(with).chain(bare).collect()
    })
}

/// Returns the reason why there is no answer, if nothing could give one.
fn uncompared(
    contenders: &Contenders<'_>,
    run: &RunResult,
    judge: &Judge,
    names: Names,
) -> Option<String> {
    match contenders.labels.len() + contenders.left_out.len() {
        0 => Some("Every policy is a yardstick: there is none to choose".into()),
        1 => {
            let mut all = contenders.labels.iter().chain(&contenders.left_out);
            let others = match run.policies.len() {
                1 => "",
                _ => "; the others are yardsticks",
            };
            let label = names.quoted(all.next()?);
            Some(format!("{label} is the only policy to choose{others}"))
        }
        _ if contenders.pairs.is_empty() => Some(format!(
            "No policies are compared: {}",
            reasons(run, judge, &judged(judge))
                .unwrap_or_else(|| "name a baseline, or pairs = \"all\", in [report]".into())
        )),
        _ if contenders.metrics.is_empty() && !contenders.facts.is_empty() => {
            Some(of_facts(&contenders.facts, judge))
        }
        _ if contenders.metrics.is_empty() => {
            let is_sided = |metric: &&str| judge.directions.of(metric) != Direction::None;
            let sided: Vec<&str> = judged(judge).into_iter().filter(is_sided).collect();
            if let Some(why) = reasons(run, judge, &sided) {
                let of = sided.join(" and ");
                return Some(format!("No policies are compared on {of}: {why}"));
            }
            let metrics = judge.metrics.join(" and ");
            Some(format!(
                "There is no better or worse in what is judged: {metrics}"
            ))
        }
        _ if contenders.labels.is_empty() => {
            Some("No policy can be compared, because a lane of each broke off".into())
        }
        _ if contenders.labels.len() == 1 => Some(format!(
            "{} is compared with no policy, because a lane of each other one broke off",
            names.quoted(contenders.labels[0])
        )),
        _ => None,
    }
}

/// The answer where all that is judged was seen of one stream.
fn of_facts(facts: &[&str], judge: &Judge) -> String {
    let short = |metric: &&str| words::words(metric, judge).short.into_owned();
    match facts {
        [one] => format!(
            "Nothing is inferred from this one stream: {} is a fact of it so far",
            short(one)
        ),
        [_, _] => "Nothing is inferred from this one stream: both measures are facts of it so far"
            .to_owned(),
        all => format!(
            "Nothing is inferred from this one stream: all {} measures are facts of it so far",
            all.len()
        ),
    }
}

fn judged(judge: &Judge) -> Vec<&str> {
    judge.metrics.iter().map(String::as_str).collect()
}

impl<'a> Found<'a> {
    /// The sentence, from the fullest to the shortest version.
    fn versions(&self, names: Names) -> Vec<String> {
        if let [winner] = self.frontier {
            return self.won(winner, names);
        }
        if self.contenders.open(self.frontier) > 0 {
            return self.open(names);
        }
        self.settled(names)
    }

    /// One policy is ahead of all others.
    fn won(&self, winner: &'a str, names: Names) -> Vec<String> {
        let others = self.contenders.labels.iter().copied();
        let others: Vec<&str> = others.filter(|label| *label != winner).collect();
        let beaten: BTreeSet<&str> = self.dominates.iter().map(|[_, b]| *b).collect();
        let whom = match others.as_slice() {
            [one] => names.quoted(one),
            [_, _] => "both others".to_owned(),
            all => format!("all {} others", all.len()),
        };
        let is_ahead = |label: &&&str| self.dominates.contains(&[winner, **label]);
        let ahead: Vec<&str> = others.iter().filter(is_ahead).copied().collect();
        let claim = match ahead.len() == others.len() {
            true => format!("{} leads {whom}", names.quoted(winner)),
            // Those behind are each behind some policy, if not behind this one.
            false => format!(
                "{} leads: {} others are behind",
                names.quoted(winner),
                beaten.len()
            ),
        };
        let Some(rival) = self
            .rival(winner, &ahead)
            .filter(|_| ahead.len() == others.len())
        else {
            return vec![claim];
        };
        let on_all = |label: &&str| {
            let better = self.contenders.better_on(winner, label);
            better.len() == self.contenders.metrics.len()
        };
        let on = match self.contenders.metrics.len() {
            1 => String::new(),
            _ if !others.iter().all(on_all) => String::new(),
            2 => " on both measures".to_owned(),
            all => format!(" on all {all} measures"),
        };
        let leads = self.leads(winner, rival);
        let than = match others.len() {
            1 => String::new(),
            _ => format!(" than {}", names.quoted(rival)),
        };
        let since = self.since(winner, &others);
        let said = |on: &str, leads: &[String], since: &Option<String>| {
            let much = match leads {
                [] => None,
                leads => Some(format!("{}{than}", leads.join(" and "))),
            };
            let details: Vec<String> = much.into_iter().chain(since.clone()).collect();
            match details.is_empty() {
                true => format!("{claim}{on}"),
                false => format!("{claim}{on}: {}", details.join(", ")),
            }
        };
        let first = &leads[..leads.len().min(1)];
        let two = &leads[..leads.len().min(2)];
        vec![
            said(&on, two, &since),
            said("", two, &since),
            said(&on, first, &since),
            said(&on, first, &None),
            said("", first, &None),
            format!("{claim}{on}"),
            claim.clone(),
        ]
    }

    /// The policy that a winner is held against: the baseline, or else the nearest on the first
    /// measure.
    fn rival(&self, winner: &str, others: &[&'a str]) -> Option<&'a str> {
        if let Versus::Baseline(base) = &self.judge.versus
            && let Some(base) = others.iter().find(|label| **label == *base)
        {
            return Some(base);
        }
        let metric = self.contenders.metrics.first()?;
        let size = |label: &str| {
            let pair = self.contenders.pair(winner, label, metric);
            let mean = pair.and_then(|(pair, _)| pair.mean);
            mean.map_or(f64::INFINITY, f64::abs)
        };
        let mut nearest = others.iter().copied();
        let first = nearest.next()?;
        Some(nearest.fold(first, |best, label| {
            if size(label) < size(best) {
                label
            } else {
                best
            }
        }))
    }

    /// By how much one policy is ahead of another, on each measure on which it is surely better.
    fn leads(&self, a: &str, b: &str) -> Vec<String> {
        let better = self.contenders.better_on(a, b).into_iter();
        let pair = |metric: &str| Some(self.contenders.pair(a, b, metric)?.0);
        better
            .filter_map(|metric| lead(pair(metric)?, self.judge))
            .collect()
    }

    /// Returns the moment since which a policy is surely better than others, on a running average:
    /// the latest of all.
    fn since(&self, a: &str, others: &[&str]) -> Option<String> {
        let pairs = others.iter().flat_map(|b| {
            let better = self.contenders.better_on(a, b).into_iter();
            better.filter_map(|metric| self.contenders.pair(a, b, metric))
        });
        let latest = pairs.max_by_key(|(pair, _)| pair.dated.and_then(|dated| dated.since));
        let (pair, from_a) = latest?;
        // As the winner sees it: better.
        let seen = match from_a {
            true => pair.clone(),
            false => Pair {
                dated: pair.dated.map(Dated::turned),
                verdict: pair.verdict.turned(),
                ..pair.clone()
            },
        };
        seen.when(self.judge.units(pair.estimand).0)
    }

    /// More may tell who of the frontier is ahead.
    fn open(&self, names: Names) -> Vec<String> {
        let claim = match self.frontier {
            [a, b] => format!("open between {} and {}", names.quoted(a), names.quoted(b)),
            all if all.len() == self.contenders.labels.len() => {
                format!("open among all {} policies", all.len())
            }
            some => format!("open among {}", names.and(some)),
        };
        let closes = self.closes(names);
        let closes = |text: &str| match closes.as_str() {
            "" => text.to_owned(),
            closes => format!("{text}: {closes}"),
        };
        let sure: Vec<String> = self.sure(names);
        let mut versions: Vec<String> = Vec::new();
        if let Some(first) = sure.first() {
            versions.push(format!("{}; {first}", closes(&claim)));
        }
        versions.extend([closes(&claim), claim]);
        versions
    }

    /// What closes an open answer: how much more, or since when it is open again.
    fn closes(&self, names: Names) -> String {
        let open = self.frontier.iter().enumerate().flat_map(|(at, a)| {
            let pairs = self.frontier[at + 1..].iter();
            pairs.flat_map(move |b| self.contenders.metrics.iter().map(move |m| (*a, *b, *m)))
        });
        let is_open =
            |(a, b, m): &(&str, &str, &str)| self.contenders.relation(a, b, m) == Relation::Open;
        let open: Vec<(&str, &str, &str)> = open.filter(is_open).collect();
        let pairs = open.iter();
        let pairs = pairs.filter_map(|(a, b, m)| Some(self.contenders.pair(a, b, m)?.0));
        let pairs: Vec<&Pair> = pairs.collect();
        if let [pair] = pairs.as_slice()
            && let Some(when) = taken_back(pair, self.judge)
        {
            return when;
        }
        if pairs.iter().any(|pair| pair.ends_before) {
            return "it can't be decided in this run".into();
        }
        let needed: Option<Vec<u64>> = pairs.iter().map(|pair| pair.needed).collect();
        let most = needed.and_then(|needed| needed.into_iter().max());
        let back = pairs.iter().find_map(|pair| {
            let when = taken_back(pair, self.judge)?;
            let (a, b) = (names.quoted(&pair.a), names.quoted(&pair.b));
            Some(format!("{a} against {b} {when}"))
        });
        match (back, most, pairs.first()) {
            (Some(back), ..) => back,
            (None, Some(most), Some(first)) => {
                let (unit, units) = self.judge.units(first.estimand);
                let unit = if most == 1 { unit } else { units };
                let most = parted(&two_digits(most).to_string());
                format!("about {most} more {unit} may decide it")
            }
            _ => String::new(),
        }
    }

    /// The surely best of a measure, as far as that is known of one or of some.
    fn sure(&self, names: Names) -> Vec<String> {
        let metrics = self.contenders.metrics.iter();
        let said = metrics.filter_map(|metric| {
            let leaders = self.contenders.leaders(metric);
            let is_known = leaders.len() == 1 && self.contenders.labels.len() > 1;
            is_known.then(|| format!("{} {}", names.or(&leaders), does(metric, self.judge)))
        });
        said.collect()
    }

    /// Nothing that is open could change who is on the frontier: a trade-off, or all are even.
    fn settled(&self, names: Names) -> Vec<String> {
        let measures = |few: &str, many: &str| match self.contenders.metrics.as_slice() {
            [one] => words::words(one, self.judge).short.into_owned(),
            [_, _] => few.to_owned(),
            all => format!("{many} {} measures", all.len()),
        };
        let both = measures("both measures", "all");
        let pairs = self.frontier.iter().enumerate().flat_map(|(at, a)| {
            let others = self.frontier[at + 1..].iter();
            others.flat_map(move |b| {
                let metrics = self.contenders.metrics.iter();
                metrics.map(move |metric| self.contenders.relation(a, b, metric))
            })
        });
        let relations: Vec<Relation> = pairs.collect();
        if relations.iter().all(|found| *found == Relation::Even) {
            return vec![
                format!("{} are even on {both}", names.and(self.frontier)),
                format!("{} policies are even on {both}", self.frontier.len()),
            ];
        }
        let sure = self.sure(names);
        let claim = format!("no policy leads on {both}");
        let is_traded =
            relations.contains(&Relation::Better) || relations.contains(&Relation::Worse);
        match sure.as_slice() {
            [first, second, ..] if is_traded => vec![
                format!("{claim}, as {first} and {second}"),
                format!("{claim}: {} trade off", names.and(self.frontier)),
                format!("{claim}: {} policies trade off", self.frontier.len()),
            ],
            _ if is_traded => vec![
                format!("{claim}: {} trade off", names.and(self.frontier)),
                format!("{claim}: {} policies trade off", self.frontier.len()),
            ],
            _ => vec![format!("no policy is surely better than another on {both}")],
        }
    }
}

/// The dates of a comparison that was sure once and is open again.
fn taken_back(pair: &Pair, judge: &Judge) -> Option<String> {
    pair.dated.filter(|_| pair.standing == Standing::Open)?;
    pair.when(judge.units(pair.estimand).0)
}

#[cfg(test)]
mod tests;

//! The section `[report]`: the moments of measurement, the judged metrics and the baseline.

use std::collections::BTreeMap;

use super::about::{About, Grounds, instead};
use super::direction::{self, DIRECTION};
use super::goal::{self, GOAL, GoalWish};
use super::keep::{KEEP, Keep};
use super::moments::{AT, moments};
use super::objective::{LAMBDA, OBJECTIVE, TARGET};
use super::unfilled::{self, UNFILLED};
use crate::document::param::{Param, Shape, TEXTS};
use crate::document::range::{self, POSITIVE};
use crate::document::{ConfigKey, Field, Later, Reader, Value, all_read, meant};
use crate::keys;
use kleroterion_core::nearest::{listed, nearest};
use kleroterion_core::protocol::Until;
use kleroterion_core::score::{Directions, Moments};
use kleroterion_stats::limits::MOST_CONTENDERS;
use kleroterion_stats::{FILLED, Ground, Judge, LEAST_CHANCE, Unfilled, Versus};

const JUDGE: ConfigKey<Later> =
    ConfigKey::later("judge", TEXTS).about("the metrics that are judged");

const MARGIN: ConfigKey<Later> = ConfigKey::later("margin", Shape::Map(&Shape::Number(POSITIVE)))
    .about("up to which difference two policies are equivalent, by metric");

const VARIANCE: ConfigKey<Later> =
    ConfigKey::later("difference_variance", Shape::Map(&Shape::Number(POSITIVE)))
        .about("what the variance of a difference is at most, by metric");

const PAIRS: ConfigKey<()> =
    ConfigKey::word("pairs", &[("all", ())]).about("compare every policy with every other");

const BASELINE: ConfigKey<Later> =
    ConfigKey::later("baseline", Shape::Text).about("the policy that the others are compared with");

const ALPHA: ConfigKey<f64> = ConfigKey::number("alpha", range::ALPHA)
    .about("the chance of any wrong verdict")
    .or(Judge::ALPHA);

const UNTIL: ConfigKey<()> =
    ConfigKey::word("until", &[("decided", ())]).about("stop when all is decided");

/// `[report]`.
pub(super) const KEYS: &[Param] = keys! {
    AT, JUDGE, MARGIN, DIRECTION, VARIANCE, PAIRS, BASELINE, GOAL, ALPHA, OBJECTIVE, TARGET,
    LAMBDA, UNTIL, UNFILLED, KEEP,
};

/// The content of `[report]`.
pub(super) struct Reported {
    /// The moments at which measures are taken.
    pub(super) moments: Moments,
    /// The metrics to judge, and the confidence required.
    pub(super) judge: Judge,
    /// The values that are written down.
    pub(super) keep: Keep,
}

/// Reads `[report]`: when measures are taken, and who judges.
pub(super) fn read(
    field: &Field<'_>,
    about: &About<'_>,
    notes: &mut Vec<String>,
) -> Option<Reported> {
    if !is_question(field) {
        notes.push("no [report]: nothing is judged, no policy is the baseline".into());
        let keep = match field.is_given() {
            true => KEEP.value(&mut field.table()?),
            false => KEEP.assumed(),
        };
        return Some(Reported {
            moments: Moments::End,
            judge: Judge::default(),
            keep: keep?,
        });
    }
    let mut table = field.table_of(KEYS)?;
    let keep = KEEP.value(&mut table);
    let at = AT.field(&mut table);
    let at = at.optional(|at| moments(at, about.rules));
    let keys = ReportKeys::read(table, about, notes);
    let (unfilled, until) = (keys.unfilled_field.clone(), keys.until_field.clone());
    let judge = keys.judge(about)?;
    if !unfilled::has_worst(&unfilled, &judge) {
        return None;
    }
    notes.extend(not_compared(&judge));
    notes.extend(of_many(&judge, about));
    for metric in judge.variances.keys() {
        if judge.variance(metric).is_none() {
            notes.push(format!(
                "the bound on the variance for {metric} is not used: its declared range is"
            ));
        }
    }
    if judge.until_decided && !can_decide(&until, &judge, about) {
        return None;
    }
    Some(Reported {
        moments: at.or(Moments::End)?,
        judge: grounded(judge, about, notes),
        keep: keep?,
    })
}

/// Says which judged metrics are shown and not compared.
fn not_compared(judge: &Judge) -> Option<String> {
    let apart = judge
        .metrics
        .iter()
        .filter(|name| judge.apart.contains(name));
    let apart: Vec<&str> = apart.map(String::as_str).collect();
    (!apart.is_empty() && judge.versus != Versus::Nobody).then(|| {
        format!(
            "{} is by each policy's own aim or rule: shown, and not compared",
            apart.join(", ")
        )
    })
}

/// Says what many policies cost where all are compared, which grows with their square.
fn of_many(judge: &Judge, about: &About<'_>) -> Option<String> {
    let policies = about.labels?.len();
    let is_compared = judge.versus != Versus::Nobody || judge.goal.is_some();
    (is_compared && policies > MOST_CONTENDERS).then(|| {
        let pairs = policies * (policies - 1) / 2;
        format!(
            "{policies} policies: up to {pairs} pairs are compared on each judged metric, in every \
             round of a stream and at the end of a run, and share its alpha; the summary lists those \
             that the answer rests on, pages show the foremost"
        )
    })
}

/// Returns true if `[report]` has more than the key `keep`, which asks no question.
fn is_question(field: &Field<'_>) -> bool {
    match field.value() {
        Some(Value::Table(report)) => {
            report.is_empty() || report.iter().any(|(key, _)| key.name != KEEP.name())
        }
        given => given.is_some(),
    }
}

/// The keys of what is judged, each as far as it could be read.
struct ReportKeys<'a> {
    metrics: Option<Vec<String>>,
    margins: Option<BTreeMap<String, f64>>,
    variances: Option<BTreeMap<String, f64>>,
    versus: Option<Versus>,
    directions: Option<Directions>,
    goal: GoalWish<'a>,
    alpha: Option<f64>,
    unfilled_field: Field<'a>,
    unfilled: Option<Unfilled>,
    until_field: Field<'a>,
    until_decided: bool,
}

impl<'a> ReportKeys<'a> {
    /// Reads the keys; what is wrong with one of them is noted.
    fn read(mut table: Reader<'a>, about: &About<'_>, notes: &mut Vec<String>) -> Self {
        let metrics = metrics(&JUDGE.field(&mut table), about, notes);
        let unfilled_field = UNFILLED.field(&mut table);
        let unfilled = unfilled::read(&unfilled_field, about.rules);
        // `filled` is judged by itself wherever a committee is to be filled.
        let added = (unfilled != Some(Unfilled::NoCommittee)).then(|| FILLED.to_owned());
        let judged: Option<Vec<String>> = metrics
            .as_ref()
            .map(|metrics| metrics.iter().cloned().chain(added).collect());
        let mut numbers = |key: ConfigKey<Later>, what: &str| {
            by_metric(
                &key.field(&mut table),
                what,
                judged.as_deref(),
                about,
                notes,
            )
        };
        let margins = numbers(MARGIN, "margin");
        let variances = numbers(VARIANCE, "bound on the variance");
        let versus = versus(&mut table, about, notes);
        let directions = direction::read(&DIRECTION.field(&mut table), about);
        let goal = goal::read(&GOAL.field(&mut table), about, directions.as_ref());
        let alpha = ALPHA.value(&mut table);
        // Read by `objective` and `aim`, which say what metrics there are.
        for key in [OBJECTIVE.param, TARGET.param, LAMBDA.param] {
            key.field(&mut table);
        }
        let until_field = UNTIL.field(&mut table);
        let until = UNTIL.given(&until_field);
        table.finish();
        Self {
            metrics,
            margins,
            variances,
            versus,
            directions,
            goal,
            alpha,
            unfilled_field,
            unfilled,
            until_field,
            until_decided: until.is().is_some(),
        }
    }

    /// The judge. `None` if a key is wrong.
    fn judge(self, about: &About<'_>) -> Option<Judge> {
        let is_whole = self.metrics.is_some()
            && self.margins.is_some()
            && self.variances.is_some()
            && self.versus.is_some()
            && self.directions.is_some()
            && self.unfilled.is_some()
            && self.alpha.is_some();
        let until = about.rules?.until;
        let judge = Judge {
            metrics: self.metrics.unwrap_or_default(),
            margins: self.margins.unwrap_or_default(),
            variances: self.variances.unwrap_or_default(),
            versus: self.versus.unwrap_or_default(),
            // Which lanes are yardsticks is known where they are set up.
            yardsticks: Vec::new(),
            goal: None,
            alpha: self.alpha.unwrap_or_default(),
            until_decided: self.until_decided,
            of_cases: false,
            rounds: match until {
                Until::Rounds(rounds) => Some(rounds),
                _ => None,
            },
            seats: match until {
                Until::Accepted(seats) => Some(seats),
                _ => None,
            },
            // How many a slate has is known where the rules are.
            one_by_one: false,
            source_end_is_short: matches!(until, Until::Rounds(_)),
            unfilled: self.unfilled.unwrap_or_default(),
            ranges: about.ranges.clone(),
            directions: self.directions.unwrap_or_default(),
            apart: about.apart.clone(),
            catalogue: about.catalogue.clone(),
        };
        // What is wrong with the goal is noted in any case.
        self.goal.judge(judge).filter(|_| is_whole)
    }
}

/// The judge on the grounds that the run gives.
fn grounded(judge: Judge, about: &About<'_>, notes: &mut Vec<String>) -> Judge {
    match about.grounds {
        _ if judge.versus == Versus::Nobody && judge.goal.is_none() => judge,
        Grounds::Replications => judge,
        Grounds::Rounds => by_round(judge, notes),
        Grounds::Noise => {
            notes.push("the policies' noise alone is drawn anew: no verdicts".into());
            Judge {
                versus: Versus::Nobody,
                goal: None,
                ..judge
            }
        }
    }
}

/// The judge of one stream, who says by what it compares on each metric, and what it can't judge.
fn by_round(judge: Judge, notes: &mut Vec<String>) -> Judge {
    let of = |wanted: fn(Option<Ground>) -> bool| {
        let metrics = judge
            .metrics
            .iter()
            .filter(|name| wanted(judge.ground(name)));
        metrics.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    let rounds = of(|ground| matches!(ground, Some(Ground::Rounds(_))));
    let ratios = of(|ground| ground == Some(Ground::Ratios));
    let outcomes = of(|ground| ground == Some(Ground::Outcomes));
    let facts = of(|ground| ground == Some(Ground::Facts));
    let left = of(|ground| ground.is_none());
    let said = [
        (&rounds, format!("round by round, on {rounds}")),
        (
            &ratios,
            format!("by the sequences of their groups' rates, on {ratios}"),
        ),
        (
            &outcomes,
            format!("by the sequences of their outcomes, on {outcomes}"),
        ),
        (&facts, format!("as this stream was played, on {facts}")),
    ];
    let said = said.into_iter().filter(|(names, _)| !names.is_empty());
    let said: Vec<String> = said.map(|(_, said)| said).collect();
    notes.push(match (said.as_slice(), left.is_empty()) {
        ([], _) => format!("one replication, and {left} has no value in a round: no verdicts"),
        ([_], true) if !rounds.is_empty() => {
            "one replication: policies are compared round by round".into()
        }
        (said, true) => format!("one replication: policies are compared {}", said.join("; ")),
        (said, false) => format!(
            "one replication: policies are compared {}; not on {left}, of which a run \
             has one value",
            said.join("; ")
        ),
    });
    judge
}

/// Returns true if a run can stop when all comparisons are decided. Notes a problem otherwise.
fn can_decide(until: &Field<'_>, judge: &Judge, about: &About<'_>) -> bool {
    let unbounded =
        |metric: &&String| judge.range(metric).is_none() && judge.variance(metric).is_none();
    let unbounded: Vec<&str> = judge
        .metrics
        .iter()
        .filter(unbounded)
        .map(|name| &**name)
        .collect();
    if judge.versus == Versus::Nobody && judge.goal.is_none()
        || about.grounds != Grounds::Replications
        || judge.metrics.iter().all(|name| judge.apart.contains(name))
    {
        until.refuse(
            "no replications are compared, so nothing is ever decided",
            "name a baseline = \"LABEL\" (or pairs = \"all\", or a goal), a metric to \
             judge, and replications = 1000 or so as the most",
        );
        return false;
    }
    if judge.needs().any(|metric| metric == LEAST_CHANCE) {
        until.refuse(
            format!("{LEAST_CHANCE} is known of all replications together, not after each of them"),
            "leave `until` out and fix the number of replications, or judge quotas_kept alone",
        );
        return false;
    }
    if !unbounded.is_empty() {
        let names = unbounded.join(", ");
        until.refuse(
            format!(
                "only metrics of a declared range can be looked at after every replication: \
                 {names} has none"
            ),
            format!(
                "judge losses, shares and rates alone, state what the variance of its \
                 differences is at most ({}), or leave `until` out and fix the number of \
                 replications",
                bounded(unbounded[0])
            ),
        );
        return false;
    }
    true
}

fn metrics(field: &Field<'_>, about: &About<'_>, notes: &mut Vec<String>) -> Option<Vec<String>> {
    if !field.is_given() {
        let judged = metrics_by_default(about);
        notes.push(format!("judge = {judged:?} (the config names none)"));
        return Some(judged);
    }
    let mut judged: Vec<String> = Vec::new();
    field.each(|member| {
        let name = member.text()?;
        if judged.iter().any(|already| already == name) {
            return member.refused(format!("{name} is judged twice"), "name it once");
        }
        about
            .has(member, name)
            .then(|| judged.push(name.to_owned()))
    })?;
    Some(judged)
}

/// The metrics that are judged where the config names none.
fn metrics_by_default(about: &About<'_>) -> Vec<String> {
    let has = |name: &str| {
        let known = about.metrics.unwrap_or_default();
        known.iter().any(|metric| metric == name)
    };
    let first: &[&str] = match () {
        () if has("cohort_value") && has("cost") => &["cohort_value", "cost"],
        () if has("fair_regret") => &["fair_regret"],
        () if has("fairness_loss") && has("greedy_reward") => &["fairness_loss", "greedy_reward"],
        () if has("cohort_value") => &["cohort_value"],
        () => &["selection_rate"],
    };
    let mut judged: Vec<String> = first.iter().map(|&name| name.to_owned()).collect();
    judged.extend(about.target.then(|| "representation_loss".to_owned()));
    judged
}

/// Returns an example that bounds a variance.
fn bounded(metric: &str) -> String {
    format!("difference_variance = {{ {metric} = 1e6 }}")
}

/// A positive number of each judged metric that is named, such as its margin. One of a metric that
/// the run has and does not judge is of no use, which is noted.
fn by_metric(
    field: &Field<'_>,
    what: &str,
    judged: Option<&[String]>,
    about: &About<'_>,
    notes: &mut Vec<String>,
) -> Option<BTreeMap<String, f64>> {
    if !field.is_given() {
        return Some(BTreeMap::new());
    }
    let numbers = field.table()?.rest().into_iter().map(|(key, field)| {
        let name = &key.name;
        let number = field.positive()?;
        if judged.is_none_or(|judged| judged.contains(name)) {
            return Some(Some((name.clone(), number)));
        }
        match about.metrics {
            Some(known) if !known.contains(name) => field.refused(
                format!("a {what} for {name}, which this run does not have"),
                instead(name, about.target, known),
            ),
            _ => {
                notes.push(format!(
                    "the {what} for {name} is not used: {name} is not judged"
                ));
                Some(None)
            }
        }
    });
    let numbers: Vec<_> = all_read(numbers)?;
    Some(numbers.into_iter().flatten().collect())
}

fn versus(table: &mut Reader<'_>, about: &About<'_>, notes: &mut Vec<String>) -> Option<Versus> {
    let (pairs, baseline) = (PAIRS.field(table), BASELINE.field(table));
    if pairs.is_given() {
        let versus = PAIRS.of_value(&pairs).map(|()| Versus::Everyone);
        if let (Some(_), Some(label)) = (&versus, baseline.text()) {
            notes.push(format!(
                "pairs = \"all\": every policy is compared with every other, not with \
                 {label:?} alone"
            ));
        }
        return versus;
    }
    if !baseline.is_given() {
        if !GOAL.field(table).is_given() {
            notes.push("no baseline: no verdicts between policies".into());
        }
        return Some(Versus::Nobody);
    }
    let label = baseline.text()?;
    if let Some(labels) = about.labels
        && !labels.iter().any(|known| known == label)
    {
        let all = format!(
            "the labels are: {}",
            listed(labels.iter().map(String::as_str))
        );
        let near = nearest(label, labels.iter().map(String::as_str));
        let near = near.map(|near| format!("{near:?}"));
        let what = format!("the baseline {label:?} is no policy of this run");
        return baseline.refused(what, meant(near, all));
    }
    Some(Versus::Baseline(label.to_owned()))
}

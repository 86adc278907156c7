//! A finished run, asked a different question: judged on other metrics, against another policy or
//! by another goal.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::finished::Finished;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::score::PolicyRun;
use kleroterion_run::config::{Document, Plan};
use kleroterion_stats::{
    FILLED, Ground, Judge, LEAST_CHANCE, LeastChance, RunResult, Summary, Versus, courses,
};

/// The answer of a finished run to another question.
pub struct OtherAnswer {
    /// The run, with the verdicts on this question in place of its own.
    pub run: Finished,
    /// The values that the verdicts are made from.
    pub result: RunResult,
    /// The content that `summary.json` would have if the run had been asked this question at first.
    pub summary: Summary,
}

impl OtherAnswer {
    /// Judges a run again. `config` is the run's own with the question changed, and `plan` is that
    /// of `config`. The run is in `folder`.
    ///
    /// # Errors
    /// All values that the question needs and the run did not keep.
    pub fn of(
        run: &Finished,
        config: Document,
        plan: &Plan,
        folder: &Path,
    ) -> Result<Self, Problems> {
        missing(run, &plan.judge, folder)?;
        let result = result(run, plan);
        let mut summary = Summary::of(&result, &plan.judge).disclosing(&run.disclosures);
        // With what the values that were kept do not give.
        summary.policies.clone_from(&run.policies);
        let own = run.own.as_ref().unwrap_or(&run.config).clone();
        let asked = Finished {
            pairs: summary.pairs.clone(),
            courses: courses(&result, &plan.judge, &summary.pairs),
            answer: Some(summary.answer.clone()),
            directions: summary.directions.clone(),
            catalogue: summary.own_metrics.clone(),
            config,
            own: Some(own),
            ..run.clone()
        };
        Ok(Self {
            run: asked,
            result,
            summary,
        })
    }
}

/// Returns the result and the summary of a finished run, as judged when it ended. Comparisons whose
/// values were not kept are not judged again.
#[must_use]
pub fn as_it_ended(run: &Finished, plan: &Plan) -> (RunResult, Summary) {
    let result = result(run, plan);
    let mut summary = Summary::of(&result, &plan.judge).disclosing(&run.disclosures);
    // Endings that forbid a comparison are among what was kept.
    let again = std::mem::take(&mut summary.pairs);
    let again = again
        .iter()
        .map(|pair| ((&pair.metric, &pair.a, &pair.b), &pair.blocked));
    let again: BTreeMap<_, _> = again.collect();
    summary.pairs.clone_from(&run.pairs);
    if let Some(answer) = &run.answer {
        summary.answer.clone_from(answer);
    }
    let between = &mut summary.answer.between;
    for pair in summary.pairs.iter_mut().chain(between) {
        if let Some(blocked) = again.get(&(&pair.metric, &pair.a, &pair.b)) {
            pair.blocked.clone_from(blocked);
        }
    }
    summary.policies.clone_from(&run.policies);
    (result, summary)
}

/// The values that were kept of a run; its policies in the order of the config, in which answers
/// name them.
fn result(run: &Finished, plan: &Plan) -> RunResult {
    let place = |policy: &PolicyRun| {
        let mut lanes = plan.lanes.iter();
        lanes.position(|lane| lane.label == policy.label)
    };
    let mut policies = run.lanes.clone();
    policies.sort_by_key(place);
    RunResult {
        name: run.name.clone(),
        seed: run.seed,
        replications: run.replications,
        least_chances: least_chances(run, &policies),
        policies,
        written: plan.written(),
        ..RunResult::default()
    }
}

/// The least chances of a respondent, as the run counted them. Empty if one is not known.
fn least_chances(run: &Finished, policies: &[PolicyRun]) -> Vec<LeastChance> {
    let known = policies.iter().map(|policy| {
        let chances = run.policies.get(&policy.label)?.chances.as_ref()?;
        chances.least_chance
    });
    known.collect::<Option<_>>().unwrap_or_default()
}

/// Refuses a question that needs values which the run did not keep.
fn missing(run: &Finished, judge: &Judge, folder: &Path) -> Result<(), Problems> {
    if judge.versus == Versus::Nobody && judge.goal.is_none() {
        return Ok(());
    }
    let is_stream = run.replications == 1 && !judge.until_decided;
    let lacks = |metric: &String| match is_stream {
        true => matches!(
            judge.ground(metric),
            Some(Ground::Rounds(_) | Ground::Ratios | Ground::Outcomes)
        ),
        false if metric == LEAST_CHANCE => least_chances(run, &run.lanes).is_empty(),
        false => !is_held(run, metric),
    };
    // Where `filled` was not kept, nothing was.
    let is_asked = |metric: &String| metric != FILLED || judge.metrics.contains(metric);
    let mut seen = BTreeSet::new();
    let names = judge.needs().filter(is_asked).filter(lacks);
    let names: Vec<String> = names.filter(|name| seen.insert(name.clone())).collect();
    if names.is_empty() {
        return Ok(());
    }
    let of = names.join(", ");
    let what = match is_stream {
        true => format!("the values of {of} in each round are not in the files of a run"),
        false => format!("the run kept no values of {of} for its single replications"),
    };
    let folder = folder.display();
    let again = match (run.has_journal, is_stream) {
        (true, _) => format!("klero replay {folder} --out OTHER, with the same options"),
        (_, true) => format!("klero run {folder}/config.toml --out OTHER --set report.…"),
        (_, false) => format!("klero run {folder}/config.toml --out OTHER --keep all"),
    };
    let kept = kept(run);
    let help = match is_stream || kept.is_empty() {
        true => format!("run it again: {again}"),
        false => format!("ask about {kept}, or run it again: {again}"),
    };
    Err(Problem::of_request(what).help(help).into())
}

/// Returns true if values of a metric at the end of replications are held, or if the metric was
/// never measured.
fn is_held(run: &Finished, metric: &str) -> bool {
    let mut summaries = run.policies.values();
    let was_measured = summaries.any(|policy| policy.metrics.contains_key(metric));
    let has = |policy: &PolicyRun| policy.column(metric, None).any(|value| value.is_some());
    !was_measured || run.lanes.iter().any(has)
}

/// The metrics that the run kept and that can be judged.
fn kept(run: &Finished) -> String {
    let columns = run.lanes.iter().flat_map(PolicyRun::columns);
    let ends = columns.filter(|(place, _)| place.at.is_none());
    let mut names: Vec<&str> = ends.map(|(place, _)| &*place.metric).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

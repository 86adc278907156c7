//! The settings and assumptions of a run, and a table of all measures.

use std::collections::BTreeSet;

use super::super::figure::{Cell, FigureTable};
use super::super::finished::Finished;
use super::super::page::{Link, PagePart};
use super::sure::assumed;
use super::words::{capital, is_stopping, value};
use kleroterion_core::protocol::Ending;
use kleroterion_run::document::{Node, Value, inline_toml};
use kleroterion_stats::Verdict;

/// The most characters of a config's value that are shown; the config below has all of it.
const CHARACTERS: usize = 240;
/// Keys of a policy that have columns of their own.
const OWN: [&str; 2] = ["label", "kind"];

/// The run in a sentence.
pub(super) fn lead(run: &Finished) -> String {
    let until = match value(run, &["rules", "until"]) {
        Some(Value::Table(until)) => {
            let of = |key: &str| until.get(key).map(|node| inline_toml(&node.value));
            match (of("accepted"), of("rounds")) {
                (Some(k), _) => format!(", each until {k} are accepted"),
                (None, Some(n)) => {
                    let rounds = if n == "1" { "round" } else { "rounds" };
                    format!(", each for {n} {rounds}")
                }
                (None, None) => String::new(),
            }
        }
        _ => String::new(),
    };
    let told = run.disclosures.iter();
    let told: String = told.map(|what| format!(" {}.", capital(what))).collect();
    let short = match cut_short(run) {
        Some(asked) => format!(" (of {asked} asked for: it was interrupted)"),
        None if is_cut_inside(run) => " (interrupted before its end)".to_owned(),
        None => String::new(),
    };
    let anew = match run.own {
        Some(_) => " The question is not the run's own, which `summary.json` answers.",
        None => "",
    };
    // People who came by themselves are no replication.
    let people = match run.has_journal {
        true => "people as they came".to_owned(),
        false => {
            let played = count(run.replications, "replication", "replications");
            format!("people and the same draws, {played}")
        }
    };
    format!(
        "{} on the same {people}{short}{until}; seed {}.{told}{anew}",
        count(run.policies.len() as u64, "policy", "policies"),
        run.seed
    )
}

/// Returns true if an interrupt came before the first replication had ended.
pub(super) fn is_cut_inside(run: &Finished) -> bool {
    let mut endings = run.lanes.iter().flat_map(|policy| policy.endings());
    endings.any(|ending| *ending == Ending::Interrupted)
}

/// Returns the number of replications asked for, if fewer were played and the run did not end
/// because all was decided.
pub(super) fn cut_short(run: &Finished) -> Option<u64> {
    let Some(Value::Whole(asked)) = value(run, &["replications"]) else {
        return None;
    };
    let goal = run.answer.as_ref().and_then(|answer| answer.goal.as_ref());
    let is_over = match goal {
        Some(goal) => goal.settled,
        None => run
            .pairs
            .iter()
            .all(|pair| pair.verdict != Verdict::Undecided),
    };
    let is_decided = is_stopping(run) && is_over;
    let asked = u64::try_from(*asked).ok()?;
    (run.replications < asked && !is_decided).then_some(asked)
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Returns the reason why there are no verdicts.
pub(super) fn uncompared(run: &Finished) -> String {
    let is_asked = ["baseline", "pairs"]
        .iter()
        .any(|key| value(run, &["report", key]).is_some());
    // The answer says why nothing that was asked could be compared.
    let said = run.answer.as_ref().map(|answer| &*answer.headline);
    let said = said.and_then(|headline| headline.strip_prefix("No policies are compared: "));
    let why = match run.policies.len() {
        0 => return "The run has no policies.".into(),
        1 => return "There is one policy: nothing to compare it with.".into(),
        _ if run.replications == 0 => "no replication was finished",
        _ if !is_asked => "the config names no baseline (`baseline` in `[report]`)",
        _ if run.replications == 1 && said.is_some() => said.unwrap_or_default(),
        _ if run.replications == 1 => {
            "what was to be judged has no value in a round, and one replication does not tell how \
             far apart policies would be in the next. Where the source can be drawn anew, more \
             replications tell (`--replications`)"
        }
        _ => "the baseline was not run, or the replications give no independent differences",
    };
    format!("Nothing was compared: {why}. The means below are no verdict.")
}

/// Policies, sections of the config, assumptions.
pub(super) fn setting(run: &Finished, notes: &[String]) -> Vec<PagePart> {
    let many = count(run.policies.len() as u64, "policy", "policies");
    let summary = format!("{many}, with their options");
    let mut parts = vec![PagePart::folded(summary, "Policies", policies(run))];
    let unnamed = run.config.without_named_people();
    let config = unnamed.as_ref().unwrap_or(&run.config);
    let sections = config
        .root()
        .iter()
        .filter_map(|(key, node)| match &node.value {
            Value::Table(_) => Some(vec![
                Cell::text(&key.name),
                Cell::Text(shortened(&without_braces(&inline_toml(&node.value)))),
            ]),
            _ => None,
        });
    let rows: Vec<Vec<Cell>> = sections.collect();
    if !rows.is_empty() {
        let table = FigureTable::of(["section", "keys"], rows);
        let caption = "Setting, as in the config";
        parts.push(PagePart::folded("Setting", caption, table));
    }
    parts.push(PagePart::Fold {
        summary: "What is estimated, and what is assumed".into(),
        parts: vec![PagePart::Prose(assumed(run))],
    });
    if !notes.is_empty() {
        let rows = notes.iter();
        let rows = rows.map(|note| vec![Cell::Text(run.config.noted_without_people(note))]);
        let many = count(notes.len() as u64, "note", "notes");
        let summary = format!("What a check of the config says of it: {many}");
        let table = FigureTable::of(["note"], rows);
        parts.push(PagePart::folded(summary, "Notes", table));
    }
    parts
}

fn policies(run: &Finished) -> FigureTable {
    let configured = match value(run, &["policy"]) {
        Some(Value::List(policies)) => policies.as_slice(),
        _ => &[],
    };
    let text = |node: &Node, key: &str| match &node.value {
        Value::Table(table) => match &table.get(key)?.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    let options = |label: &str| {
        let mut found = configured.iter();
        let node = found.find(|node| text(node, "label").as_deref() == Some(label))?;
        let Value::Table(table) = &node.value else {
            return None;
        };
        let options = table
            .iter()
            .filter(|(key, _)| !OWN.contains(&key.name.as_str()));
        let options =
            options.map(|(key, node)| format!("{} = {}", key.name, inline_toml(&node.value)));
        Some(shortened(&options.collect::<Vec<_>>().join(", ")))
    };
    let rows = run.policies.iter().map(|(label, policy)| {
        let endings = policy
            .endings
            .iter()
            .map(|(word, count)| format!("{word} {count}"));
        vec![
            Cell::text(label),
            Cell::text(&policy.kind),
            Cell::Text(options(label).unwrap_or_default()),
            Cell::Text(endings.collect::<Vec<_>>().join(", ")),
        ]
    });
    FigureTable::of(["policy", "kind", "options", "ended"], rows)
}

/// The text, cut where it is long.
fn shortened(text: &str) -> String {
    if text.chars().count() <= CHARACTERS {
        return text.to_owned();
    }
    let short: String = text.chars().take(CHARACTERS).collect();
    format!("{short}…")
}

fn without_braces(text: &str) -> String {
    let inner = text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    inner.unwrap_or(text).trim().to_owned()
}

/// Every measure of every policy at the end of the run.
pub(super) fn measures(run: &Finished) -> Vec<PagePart> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for policy in run.policies.values() {
        names.extend(policy.metrics.keys().map(String::as_str));
    }
    if names.is_empty() {
        return Vec::new();
    }
    let summary = format!(
        "{} of {}, at the end of the run",
        count(names.len() as u64, "measure", "measures"),
        count(run.policies.len() as u64, "policy", "policies")
    );
    let mut parts = Vec::new();
    if !run.files.is_empty() {
        let link = |name: &&str| Link {
            text: (*name).to_owned(),
            to: (*name).to_owned(),
        };
        parts.push(PagePart::Files(run.files.iter().map(link).collect()));
    }
    let caption = "Over the replications";
    parts.push(PagePart::folded(summary, caption, values(run, &names)));
    parts
}

/// The statistics of each measure, a row for each policy.
pub(super) fn values(run: &Finished, names: &BTreeSet<&str>) -> FigureTable {
    let rows = names.iter().flat_map(|metric| {
        run.policies.iter().filter_map(|(label, policy)| {
            let stats = policy.metrics.get(*metric)?;
            Some(vec![
                Cell::Text(run.catalogue.words(metric).head()),
                Cell::text(label),
                Cell::Number(stats.n as f64),
                Cell::number(stats.mean),
                Cell::known(stats.se),
                Cell::known(stats.sd),
                Cell::number(stats.median),
                Cell::number(stats.min),
                Cell::number(stats.max),
            ])
        })
    });
    let headers = [
        "measure", "policy", "n", "mean", "± s.e.", "sd", "median", "least", "most",
    ];
    FigureTable::of(headers, rows)
}

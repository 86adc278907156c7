//! Chances of respondents: the rows of `chances.csv`, and tables of their spread for the terminal
//! and the page.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::figure::{Cell, FigureTable};
use super::grid::table_text;
use super::medium::Medium;
use super::number::{brief, fixed};
use super::plain;
use kleroterion_io::record::{SheetWriter, shortest};
use kleroterion_io::trace::Names;
use kleroterion_stats::{
    ChanceSummary, LeastChance, PolicySummary, RunResult, SeatCounts, exact_interval,
};

/// The file of every respondent's chance.
pub const CHANCES: &str = "chances.csv";

/// The error rate of each respondent's interval by itself.
const ALPHA: f64 = 0.05;

/// The columns before the attributes.
const COLUMNS: [&str; 7] = [
    "policy",
    "id",
    "selected",
    "replications",
    "share",
    "low",
    "high",
];

/// Writes `chances.csv`. For each label it has the number of replications in which each respondent
/// was chosen, and an exact 95 % interval of the chance. The attributes come last. Respondents are
/// in the order of their file, or by name if names are hidden.
///
/// # Errors
/// Where `out` fails.
pub fn write_chances(
    run: &RunResult,
    seats: &SeatCounts,
    names: &Names,
    out: impl Write,
) -> io::Result<()> {
    let attributes = seats.schema.attributes().iter().enumerate();
    let shown: Vec<_> = attributes
        .filter(|(_, attribute)| names.shows(&attribute.name))
        .collect();
    let mut csv = SheetWriter::to(out);
    let heads = shown.iter().map(|(_, attribute)| attribute.name.as_str());
    csv.row(COLUMNS.into_iter().chain(heads))?;
    let mut policies: Vec<_> = run.policies.iter().zip(&seats.counts).collect();
    policies.sort_by(|(a, _), (b, _)| a.label.cmp(&b.label));
    // Many respondents have the same count.
    let mut known: BTreeMap<u64, [String; 3]> = BTreeMap::new();
    let respondents = listed(seats, names);
    for (policy, counts) in policies {
        for (name, respondent) in &respondents {
            let count = counts[*respondent as usize];
            let known = known.entry(count).or_insert_with(|| {
                let [low, high] = exact_interval(count, seats.replications, ALPHA);
                let share = shortest(count as f64 / seats.replications as f64);
                [share, fixed(low, 6), fixed(high, 6)]
            });
            let [share, low, high] = known.clone();
            let mut row = vec![
                policy.label.clone(),
                name.clone(),
                count.to_string(),
                seats.replications.to_string(),
                share,
                low,
                high,
            ];
            let values = seats.respondents.values(*respondent);
            row.extend(
                shown
                    .iter()
                    .map(|(at, attribute)| attribute.values[usize::from(values[*at])].clone()),
            );
            csv.row(row)?;
        }
    }
    csv.flush()
}

/// The respondents with their names, in the order in which they are written.
fn listed(seats: &SeatCounts, names: &Names) -> Vec<(String, u32)> {
    let ids = (0..).zip(seats.respondents.names().iter());
    let mut listed: Vec<_> = ids.map(|(at, id)| (names.called(id), at)).collect();
    if names.is_hidden() {
        // The order of the file would lead back to them.
        listed.sort();
    }
    listed
}

/// A policy's column of the table of spreads.
type ChanceColumn = (&'static str, fn(&ChanceSummary) -> Option<f64>);

/// The columns of the table of spreads after the label.
const SPREAD: [ChanceColumn; 7] = [
    ("least", |all| Some(all.least)),
    ("median", |all| {
        all.quantiles.get(all.quantiles.len() / 2).copied()
    }),
    ("largest", |all| Some(all.largest)),
    ("mean", |all| Some(all.mean)),
    ("geometric mean", |all| Some(all.geometric_mean)),
    ("Gini", |all| all.gini),
    ("never chosen", |all| Some(all.never as f64)),
];

/// The policies of which chances are known, by label.
fn known(policies: &BTreeMap<String, PolicySummary>) -> Vec<(&str, &ChanceSummary)> {
    let chances = policies.iter();
    chances
        .filter_map(|(label, policy)| Some((label.as_str(), policy.chances.as_ref()?)))
        .collect()
}

/// Returns an explanation of the chances, or `None` if no chances are known.
pub(super) fn about(policies: &BTreeMap<String, PolicySummary>) -> Option<String> {
    let (_, all) = *known(policies).first()?;
    Some(format!(
        "Shares of {} replications in which each of {} respondents was chosen. With few \
         replications the least share is too small, and the largest and the Gini coefficient are \
         too large.",
        all.replications, all.people
    ))
}

/// The least chance under each policy, in a sentence or two. `None` if none are known.
pub(super) fn least(policies: &BTreeMap<String, PolicySummary>) -> Option<String> {
    let known = known(policies).into_iter();
    let known: Vec<(&str, &LeastChance)> = known
        .filter_map(|(label, all)| Some((label, all.least_chance.as_ref()?)))
        .collect();
    let (_, first) = *known.first()?;
    let each = known.iter().map(|(label, least)| match least.exact {
        Some(exact) => format!("“{label}” {} (exact)", brief(exact, 3)),
        None => format!(
            "“{label}” at most {} (95 %: someone was chosen in {} of {} replications)",
            brief(least.at_most, 3),
            least.selected,
            least.replications
        ),
    });
    let each: Vec<String> = each.collect();
    let mut text = format!(
        "Least chance of those who can be on a panel: {}.",
        each.join(", ")
    );
    let all = first.people + first.impossible;
    if first.impossible > 0 {
        text += &format!(
            " {} of {all} respondents can be on no panel that keeps the quotas.",
            first.impossible
        );
    }
    Some(text)
}

/// The spread of the chances: a row for each policy. `None` if none are known.
pub(super) fn spread_table(policies: &BTreeMap<String, PolicySummary>) -> Option<FigureTable> {
    let known = known(policies);
    known.first()?;
    let heads = SPREAD.map(|(head, _)| head);
    let rows = known.iter().map(|(label, all)| {
        let cells = SPREAD.map(|(_, of)| Cell::known(of(all)));
        std::iter::once(Cell::text(*label)).chain(cells).collect()
    });
    Some(FigureTable::of(["policy"].into_iter().chain(heads), rows))
}

/// The chances by attribute and value: of each policy the mean, the least and who was never chosen.
pub(super) fn group_table(policies: &BTreeMap<String, PolicySummary>) -> Option<FigureTable> {
    let known = known(policies);
    let (_, first) = known.first()?;
    let mut headers: Vec<String> = ["group", "people"].map(str::to_owned).to_vec();
    for (label, _) in &known {
        headers.extend(["mean", "least", "never"].map(|what| format!("{label}, {what}")));
    }
    let mut rows = Vec::new();
    for (attribute, values) in &first.groups {
        for (value, group) in values {
            let mut row = vec![
                Cell::Text(format!("{attribute}: {value}")),
                Cell::Number(group.people as f64),
            ];
            for (_, all) in &known {
                let group = all.groups.get(attribute).and_then(|all| all.get(value));
                let numbers = group.map(|group| [group.mean, group.least, group.never as f64]);
                row.extend((0..3).map(|at| Cell::known(numbers.map(|all| all[at]))));
            }
            rows.push(row);
        }
    }
    (!rows.is_empty()).then_some(FigureTable { headers, rows })
}

/// The chances for a terminal: how they are spread, and by group where all is shown.
pub(super) fn sections(
    policies: &BTreeMap<String, PolicySummary>,
    full: bool,
    medium: &Medium,
) -> Vec<String> {
    let (Some(about), Some(spread)) = (about(policies), spread_table(policies)) else {
        return Vec::new();
    };
    let least = least(policies).map_or_else(String::new, |least| format!("{}\n", plain(&least)));
    let mut sections = vec![format!(
        "{}\n{least}{}\n\n{}",
        medium.title("Chances of respondents"),
        plain(&about),
        text(&spread, 1, medium)
    )];
    let groups = group_table(policies).filter(|_| full);
    sections.extend(groups.map(|groups| {
        let title = medium.title("Chances of respondents by group");
        format!("{title}\n{}", text(&groups, 2, medium))
    }));
    sections
}

/// A table as text; the first `led` columns lead each block.
fn text(table: &FigureTable, led: usize, medium: &Medium) -> String {
    let show = |_, cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number) => brief(*number, 3),
        Cell::Empty => "-".to_owned(),
    };
    table_text(table, led, show, medium)
}

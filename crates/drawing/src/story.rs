//! The rule of a draw in words: the way to the panel, and the chances it gave.

use super::commitment::Commitment;
use super::inputs::INPUTS;
use super::lottery::LotteryRecord;
use super::record::{AgainRecord, Record};
use super::spread::spread;
use kleroterion_report::report::figure::{Cell, FigureTable};
use kleroterion_report::report::page::PagePart;
use kleroterion_stats::ChanceSummary;

/// The fairness of the lottery of a kind: what it makes as large as can be.
const FAIREST: [(&str, &str); 3] = [
    (
        "maximin",
        "the least chance of a respondent is as large as it can be",
    ),
    (
        "leximin",
        "the least chance of a respondent is as large as it can be, then the next least, and so on",
    ),
    (
        "nash",
        "the product of the chances of all respondents is as large as it can be",
    ),
];

/// The kind that builds a whole panel, not by a lottery over panels.
pub(super) const GREEDY: &str = "legacy";

/// The way in which the rule came to the panel, in sentences for the public.
pub(super) fn story(record: &Record) -> String {
    let (policy, kind) = (&record.committed.policy, &record.committed.kind);
    if let Some(found) = &record.lottery {
        return by_lottery(record, found);
    }
    if kind == GREEDY && !record.is_first_layout() {
        return format!(
            "The rule “{policy}” (`{kind}`) built the whole panel: of the value whose minimum was \
             nearest to being missed it took one at random, and again until all places were taken. \
             Where it got stuck it began anew. The randomness below decided each step."
        );
    }
    let order = match record.is_shuffled {
        true => "an order that the randomness below decides",
        false => "the order of their file",
    };
    format!(
        "The respondents came one by one, in {order}. The rule “{policy}” (`{kind}`) decided on each \
         at once, until all places were taken. Who came after that had no place left."
    )
}

/// A sentence on those whom conditions leave out that are not shown, where there are some.
pub(super) fn left_out(committed: &Commitment) -> String {
    let people = committed.people.as_ref();
    let (rows, are) = match people.and_then(|people| people.left_out) {
        None | Some(0) => return String::new(),
        Some(1) => ("1 row".to_owned(), "is"),
        Some(more) => (format!("{more} rows"), "are"),
    };
    format!(
        "\n\n{rows} of the people's file {are} left out by conditions that would tell who someone is. The \
         conditions are not published. Auditors find the rows in `{INPUTS}/people.csv`."
    )
}

fn by_lottery(record: &Record, found: &LotteryRecord) -> String {
    let (policy, kind) = (&record.committed.policy, &record.committed.kind);
    let n = found.panels;
    let panels = if n == 1 { "panel" } else { "panels" };
    let mut story = format!(
        "The panel was drawn whole, by a lottery over {n} {panels}. The rule “{policy}” (`{kind}`) \
         fixed these panels and the probability of each, from the people and the quotas alone. The \
         randomness below drew one of them."
    );
    if let Some(probability) = found.drawn {
        story += &format!(
            " The panel that was drawn had a probability of {}.",
            percent(probability)
        );
    }
    story += match (found.all_kept, record.has_quotas()) {
        (true, true) => " Each of the panels takes every place and keeps every quota.",
        (true, false) => " Each of the panels takes every place.",
        (false, _) => " Not all of the panels keep every rule.",
    };
    let fairest = FAIREST.iter().find(|(name, _)| name == kind);
    if let Some((_, what)) = fairest {
        story += &format!("\n\nOf all lotteries over panels it is one in which {what}.");
        story += &match found.proved {
            true => " This was proved.".to_owned(),
            false => format!(
                " The search ended before that was proved: another lottery could be better by {} at \
                 most.",
                percent(found.gap)
            ),
        };
    }
    story
}

/// Returns the rule in a line for a terminal.
#[must_use]
pub fn rule(record: &Record) -> String {
    let (policy, kind) = (&record.committed.policy, &record.committed.kind);
    let Some(found) = &record.lottery else {
        return match (&**kind, record.is_shuffled) {
            (GREEDY, _) => format!("{policy} ({kind}): it built the whole panel"),
            (_, true) => {
                format!("{policy} ({kind}): respondents came one by one, in an order by lot")
            }
            (_, false) => {
                format!("{policy} ({kind}): respondents came one by one, in the order of the file")
            }
        };
    };
    let largest = found.chances.values().copied().fold(0.0, f64::max);
    let kept = match (found.all_kept, record.has_quotas()) {
        (true, true) => ", each of which keeps every quota",
        (true, false) => "",
        (false, _) => ", not all of which keep every rule",
    };
    format!(
        "{policy} ({kind}): a lottery over {} panels{kept}; chances from {} to {}",
        found.panels,
        percent(found.least),
        percent(largest)
    )
}

/// The exact chances of a lottery: by group, and of each by code.
pub(super) fn exact(record: &Record, found: &LotteryRecord) -> Vec<PagePart> {
    let who = match &record.again {
        None => format!("each of the {} respondents", found.chances.len()),
        Some(AgainRecord { .. }) => format!(
            "each of the {} respondents who could join those who stay",
            found.chances.len()
        ),
    };
    let mut prose = format!(
        "The chance of a respondent is the sum of the probabilities of the panels that they are on. \
         It is known exactly, of {who}. The least is {}.",
        percent(found.least)
    );
    if found.impossible > 0 {
        prose += &format!(
            " {} of them are on no panel that keeps the rules: their chance is 0, and the least is that \
             of the others.",
            found.impossible
        );
    }
    let text = |text: &str| Cell::Text(text.to_owned());
    let groups = found.groups.iter().map(|group| {
        let shares = [group.mean, group.least, group.largest].map(percent);
        group_row([&group.attribute, &group.value], group.respondents, shares)
    });
    let called = if record.has_ids { "Id" } else { "Code" };
    let each = found.chances.iter();
    let each = each.map(|(code, chance)| vec![text(code), Cell::Text(percent(*chance))]);
    let by_code = table(&[called, "Chance"], each.collect());
    let chances: Vec<f64> = found.chances.values().copied().collect();
    vec![
        PagePart::Prose(prose),
        spread(&chances),
        PagePart::Table {
            caption: "The exact chances by group".to_owned(),
            table: table(&GROUPS, groups.collect()),
        },
        PagePart::Fold {
            summary: format!("The exact chance of each, by {}", called.to_lowercase()),
            parts: vec![PagePart::Table {
                caption: format!("The exact chance of each, by {}", called.to_lowercase()),
                table: by_code,
            }],
        },
    ]
}

/// The columns of a table of chances by group.
const GROUPS: [&str; 6] = [
    "Attribute",
    "Value",
    "Respondents",
    "Mean",
    "Least",
    "Largest",
];

/// A row of a table of chances by group: an attribute, a value, how many have it, their chances.
pub(super) fn group_row<const N: usize>(
    names: [&String; 2],
    people: usize,
    shares: [String; N],
) -> Vec<Cell> {
    let names = names.map(|name| Cell::Text(name.clone())).into_iter();
    let people = [Cell::Number(people as f64)];
    names.chain(people).chain(shares.map(Cell::Text)).collect()
}

pub(super) fn table(headers: &[&str], rows: Vec<Vec<Cell>>) -> FigureTable {
    FigureTable {
        headers: headers.iter().map(|name| (*name).to_owned()).collect(),
        rows,
    }
}

/// An exact chance, in percent.
fn percent(share: f64) -> String {
    format!("{:.4} %", 100.0 * share)
}

/// The chances of a rule that was played many times, and how they are spread.
pub(super) fn counted(found: &ChanceSummary) -> Vec<PagePart> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let ChanceSummary {
        people,
        replications,
        never,
        ..
    } = found;
    let mut prose = format!(
        "The rule was played {replications} times with other randomness. It accepted a respondent \
         in {} of the draws in the mean over {people} respondents. The least share was {} and the \
         largest {}.",
        percent(found.mean),
        percent(found.least),
        percent(found.largest)
    );
    if *never > 0 {
        prose += &format!(
            " {never} respondents were never accepted; the chance of each is at most {}, by an exact \
             bound of 95 % for all respondents together.",
            percent(found.never_at_most)
        );
    }
    if let Some(gini) = found.gini {
        prose +=
            &format!(" The Gini coefficient is {gini:.3}; 0 would be a fair lot of all alike.");
    }
    let groups = found.groups.iter();
    let rows = groups.flat_map(|(attribute, values)| {
        values.iter().map(move |(value, group)| {
            let shares = [group.mean, group.least, group.largest].map(percent);
            group_row([attribute, value], group.people as usize, shares)
        })
    });
    let fold = PagePart::Fold {
        summary: "The chances by group".to_owned(),
        parts: vec![PagePart::Table {
            caption: "How often respondents were accepted".to_owned(),
            table: table(&GROUPS, rows.collect()),
        }],
    };
    vec![PagePart::Prose(prose), fold]
}

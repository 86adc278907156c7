//! The evidence of one stream on each policy by itself: the people selected (a fact), the rates
//! (inferred) and the outcomes. The terminal, the page and the board share these tables.

use std::collections::BTreeMap;

use super::figure::{Cell, FigureTable};
use super::grid::table_text;
use super::medium::Medium;
use super::number::{brief, fixed, telling};
use super::page::PagePart;
use super::plain;
use kleroterion_core::score::MetricInfo;
use kleroterion_stats::{AttributeRates, MeanOutcome, PolicySummary, StreamSummary};

/// A table, with its caption and note.
struct StreamRow {
    /// The caption, in a few words.
    caption: String,
    /// A note on the data and their certainty.
    note: String,
    table: FigureTable,
}

/// Decimals of rates.
const DIGITS: i32 = 3;

/// Metrics of the selected that stand below their shares, where a run has them.
const OF_SELECTED: [&str; 4] = ["representation_loss", "seats_off", "quotas_kept", "filled"];

/// The policies that a stream says something of, by label.
type Streams<'a> = Vec<(&'a str, &'a PolicySummary, &'a StreamSummary)>;

/// The tables of a run of one stream; none of others. Without groups nothing is said of people
/// selected and their rates.
fn tables(policies: &BTreeMap<String, PolicySummary>) -> Vec<StreamRow> {
    let streams = policies.iter();
    let streams: Streams<'_> = streams
        .filter_map(|(label, policy)| Some((label.as_str(), policy, policy.stream.as_ref()?)))
        .collect();
    let has_groups =
        |(_, _, stream): &(_, _, &StreamSummary)| !stream.composition.attributes.is_empty();
    let mut tables = match streams.iter().any(has_groups) {
        true => vec![selected(&streams), rates(&streams), ratios(&streams)],
        false => Vec::new(),
    };
    tables.extend(outcomes(&streams));
    tables
}

/// A group as shares of metrics name it: by its value, and of several attributes by the attribute
/// too.
fn named(attributes: &[AttributeRates], at: usize, group: &str) -> String {
    match attributes.len() {
        1 => group.to_owned(),
        _ => format!("{}:{group}", attributes[at].attribute),
    }
}

/// A row for each group of each attribute: its name, and what each policy's stream says of it.
fn by_group(
    streams: &Streams<'_>,
    more: impl Fn(usize, usize) -> Vec<Cell>,
    of: impl Fn(&StreamSummary, usize, usize) -> Cell,
) -> Vec<Vec<Cell>> {
    let attributes = &streams[0].2.composition.attributes;
    let places = attributes.iter().enumerate().flat_map(|(at, attribute)| {
        let groups = attribute.groups.iter().enumerate();
        groups.map(move |(place, group)| (at, place, group))
    });
    let row = |(at, place, group): (usize, usize, &kleroterion_stats::GroupRate)| {
        let name = Cell::Text(named(attributes, at, &group.group));
        let cells = streams.iter().map(|(_, _, stream)| of(stream, at, place));
        std::iter::once(name)
            .chain(more(at, place))
            .chain(cells)
            .collect()
    };
    places.map(row).collect()
}

fn headers(first: &[&str], streams: &Streams<'_>) -> Vec<String> {
    let labels = streams.iter().map(|(label, ..)| (*label).to_owned());
    first
        .iter()
        .map(|&head| head.to_owned())
        .chain(labels)
        .collect()
}

/// Shares of the selected against the target: facts.
fn selected(streams: &Streams<'_>) -> StreamRow {
    let attributes = &streams[0].2.composition.attributes;
    let target = |at: usize, place: usize| attributes[at].groups[place].target;
    let wanted = attributes.iter().flat_map(|attribute| &attribute.groups);
    let has_target = wanted.clone().any(|group| group.target.is_some());
    let more = |at, place| {
        has_target
            .then(|| Cell::known(target(at, place)))
            .into_iter()
            .collect()
    };
    let share = |stream: &StreamSummary, at: usize, place: usize| {
        Cell::known(stream.composition.attributes[at].groups[place].share)
    };
    let mut rows = by_group(streams, more, share);
    let mut below = |name: &str, of: &dyn Fn(&PolicySummary, &StreamSummary) -> Option<f64>| {
        let values: Vec<_> = streams
            .iter()
            .map(|(_, policy, stream)| of(policy, stream))
            .collect();
        if values.iter().any(Option::is_some) {
            let mut row = vec![Cell::Text(MetricInfo::of(name).words(name).head())];
            row.extend(has_target.then_some(Cell::Empty));
            row.extend(values.into_iter().map(Cell::known));
            rows.push(row);
        }
    };
    below("selected", &|_, stream| {
        Some(stream.composition.selected as f64)
    });
    for name in OF_SELECTED {
        below(name, &|policy, _| {
            policy.metrics.get(name).map(|stats| stats.mean)
        });
    }
    let first: &[&str] = if has_target {
        &["group", "target"]
    } else {
        &["group"]
    };
    let against = if has_target {
        ", against the target"
    } else {
        ""
    };
    StreamRow {
        caption: format!("Who was selected{against}"),
        note: "Shares of the selected on this stream as it was played: facts, no estimates.".into(),
        table: FigureTable::of(headers(first, streams), rows),
    }
}

/// Returns a sentence on the joint confidence of a policy's intervals in a table, and on the split
/// of alpha.
fn sure(alpha: f64, each: &str) -> String {
    format!(
        "A policy's intervals here are right together with {} % confidence, however often you look, \
         apart from the verdicts: alpha is split equally over {each}.",
        brief(100.0 * (1.0 - alpha), 4)
    )
}

/// Selection rates by group.
fn rates(streams: &Streams<'_>) -> StreamRow {
    let of = |stream: &StreamSummary, at: usize, place: usize| {
        let group = &stream.composition.attributes[at].groups[place];
        within(group.rate, Some((group.lo, group.hi)), Some(DIGITS), None)
    };
    StreamRow {
        caption: "Selection rates by group".into(),
        note: format!(
            "Selected over shown on this stream, with the interval of its running average. {}",
            sure(
                streams[0].2.composition.alpha,
                "attributes, and then over their groups"
            )
        ),
        table: FigureTable::of(
            headers(&["group"], streams),
            by_group(streams, |_, _| Vec::new(), of),
        ),
    }
}

/// The lowest rate over the highest, attribute by attribute.
fn ratios(streams: &Streams<'_>) -> StreamRow {
    let attributes = streams[0].2.composition.attributes.iter().enumerate();
    let row = |(at, attribute): (usize, &AttributeRates)| {
        let cells = streams.iter().map(|(_, _, stream)| {
            let ratio = &stream.composition.attributes[at].ratio;
            within(
                ratio.value,
                Some((ratio.lo, ratio.hi)),
                Some(DIGITS),
                Some(ratio.four_fifths.word()),
            )
        });
        let name = Cell::Text(attribute.attribute.clone());
        std::iter::once(name).chain(cells).collect()
    };
    StreamRow {
        caption: "Lowest over highest rate, against four fifths".into(),
        note: "Joined from the rates above, at no alpha of its own: surely met where all of the \
               interval is at least .8, surely missed where all of it is below. Rates are running \
               averages: what is sure of them now may be open again."
            .into(),
        table: FigureTable::of(headers(&["attribute"], streams), attributes.map(row)),
    }
}

/// Mean outcomes, of those policies that have them.
fn outcomes(streams: &Streams<'_>) -> Option<StreamRow> {
    let known: Streams<'_> = streams
        .iter()
        .filter(|(_, _, stream)| stream.outcomes.is_some())
        .copied()
        .collect();
    let first = known.first()?.2.outcomes.as_ref()?;
    let of = |pick: &dyn Fn(&kleroterion_stats::OutcomeSummary) -> MeanOutcome| {
        let cells = known.iter().map(|(_, _, stream)| {
            let mean = stream.outcomes.as_ref().map(pick);
            mean.map_or(Cell::Empty, |mean| {
                let people = format!("of {}", mean.n);
                within(mean.mean, mean.lo.zip(mean.hi), None, Some(&people))
            })
        });
        cells.collect::<Vec<_>>()
    };
    let attributes = &streams[0].2.composition.attributes;
    let named = |place: usize| {
        let group = &first.groups[place];
        let at = attributes
            .iter()
            .position(|known| known.attribute == group.attribute);
        at.map_or_else(
            || group.group.clone(),
            |at| named(attributes, at, &group.group),
        )
    };
    let mut rows = vec![[vec![Cell::Text("all".into())], of(&|outcomes| outcomes.all)].concat()];
    for place in 0..first.groups.len() {
        let name = vec![Cell::Text(named(place))];
        rows.push([name, of(&|outcomes| outcomes.groups[place].mean)].concat());
    }
    let shadows = match known.len() < streams.len() {
        true => " Of the policies that only shadow the one that acts they are not known.",
        false => "",
    };
    let alpha = first.all.alpha * (1 + first.groups.len()) as f64;
    let intervals = match first.range {
        None => "No range of outcomes is known, so that there is no interval; of those that are \
                 reported the config can declare one: range = [0, 1] in [feedback.outcome]."
            .to_owned(),
        Some((least, most)) => format!(
            "Outcomes lie between {} and {}; where one does not, there is no interval. {}",
            brief(least, 4),
            brief(most, 4),
            sure(alpha, "all of the selected together and each group")
        ),
    };
    Some(StreamRow {
        caption: "Mean outcome of the selected".into(),
        note: format!(
            "Of those whose outcome has come, each as it is known now.{shadows} {intervals}"
        ),
        table: FigureTable::of(headers(&["group"], &known), rows),
    })
}

/// A value with its interval, in `digits` decimals or as many as the interval is worth, and a word.
fn within(
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    digits: Option<i32>,
    word: Option<&str>,
) -> Cell {
    let Some(value) = value else {
        return Cell::Empty;
    };
    let digits = digits.or(interval.and_then(|(lo, hi)| telling(lo, hi)));
    let show = |value: f64| digits.map_or_else(|| brief(value, 4), |digits| fixed(value, digits));
    let mut text = show(value);
    if let Some((lo, hi)) = interval {
        text += &format!(" [{}, {}]", show(lo), show(hi));
    }
    if let Some(word) = word {
        text += &format!(" {word}");
    }
    Cell::Text(text)
}

/// The most groups with all tables on the terminal. Beyond it the ratios alone are shown, unless
/// all tables are requested.
const FEW: usize = 24;

/// The tables in characters, with what is to be said of each; rates and shares of very many groups
/// only where `full`.
pub(super) fn sections(
    policies: &BTreeMap<String, PolicySummary>,
    full: bool,
    medium: &Medium,
) -> Vec<String> {
    let all = tables(policies).into_iter();
    let shown = all.filter(|one| full || one.table.rows.len() <= FEW + OF_SELECTED.len());
    let text = |one: StreamRow| {
        let table = table_text(&one.table, 1, |_, cell| cell.brief(), medium);
        let (title, note) = (medium.title(&one.caption), plain(&one.note));
        format!("{title}\n{note}\n{table}")
    };
    shown.map(text).collect()
}

/// Returns the tables for a page.
pub fn parts(policies: &BTreeMap<String, PolicySummary>) -> Vec<PagePart> {
    let parts = tables(policies).into_iter().flat_map(|one| {
        let table = PagePart::table(one.caption, one.table);
        [table, PagePart::Prose(one.note)]
    });
    parts.collect()
}

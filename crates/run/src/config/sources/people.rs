//! The people of a file as a world: the facts about them, and the stream that they make.

use std::sync::Arc;

use crate::config::context::{Built, Context};
use crate::config::contexts::Made;
use crate::config::memory;
use crate::config::organiser::OrganiserTarget;
use crate::config::others::Heads;
use crate::config::plan::{Merits, RecordedOutcomes, World};
use crate::config::target::Wanted;
use crate::document::Field;
use kleroterion_core::protocol::{Attribute, Fact, Known, Law, Respondents, Schema, ScoreLaw};
use kleroterion_core::score::Utilities;
use kleroterion_core::source::{Sizes, SourceMaker};
use kleroterion_io::people::table::PeopleTable;
use kleroterion_io::people::{PeopleRows, RowOrder, RowStream};
use kleroterion_io::record::Filter;
use kleroterion_sortition::feasibility::Supply;
use kleroterion_stats::GroupScores;

/// The people of a file, and the config's settings for them.
pub(super) struct PeopleOfFile {
    pub(super) people: PeopleTable,
    pub(super) order: RowOrder,
    /// The people with the weights that they are drawn by.
    pub(super) by_weights: Option<PeopleTable>,
    /// Their contexts, and the attribute that makes the groups.
    pub(super) contexts: Option<(Made, Option<usize>)>,
    /// The reviewers' scores of each person. Empty if none were recorded.
    pub(super) records: Vec<Vec<f64>>,
    /// Notes on the people.
    pub(super) notes: Vec<String>,
    /// The filters that selected them, as written.
    pub(super) filters: Vec<String>,
}

impl PeopleOfFile {
    /// People of whom the config says their attributes alone.
    pub(super) fn new(people: PeopleTable, order: RowOrder) -> Self {
        Self {
            people,
            order,
            by_weights: None,
            contexts: None,
            records: Vec::new(),
            notes: Vec::new(),
            filters: Vec::new(),
        }
    }

    /// The people whom these filters kept.
    pub(super) fn filtered(self, filters: &[Filter]) -> Self {
        let filters = filters.iter().map(|filter| filter.text().to_owned());
        Self {
            filters: filters.collect(),
            ..self
        }
    }

    /// The world of these people; `field`: the path of their file.
    pub(super) fn built(mut self, field: &Field<'_>, context: &Context<'_>) -> Option<Built> {
        if let Some(target) = context.wanted.and_then(Wanted::organiser) {
            target.add_pairs(&mut self.people);
            self.by_weights
                .iter_mut()
                .for_each(|by| target.add_pairs(by));
        }
        let schema = self.schema(field, context)?;
        let group = self.contexts.as_ref().and_then(|(_, group)| *group);
        let pooled = context
            .pool
            .and_then(|pool| pool.groups(schema.attributes(), group));
        let known = self.known(group, pooled);
        let notes = self.notes(field);
        let weighted = self.people.weights().map(|_| self.people.shares(true));
        let supply = supply(&self.people, context);
        let heads = Heads::of(&self.people, &memory::called(field));
        let fixed = matches!(self.order, RowOrder::File);
        let people = self.order.is_finite().then_some(self.people.len() as u64);
        let rows_read = Some(self.people.rows_read);
        let records = !self.records.is_empty();
        let merits = self.merits();
        let score_range = range(self.people.numbers.scores.iter().copied());
        let outcomes = outcomes(&self.people, context);
        let worth = worth(&merits, &self.order);
        let mut rows = PeopleRows::new(Arc::clone(&schema), self.people);
        let mut truth = None;
        if let Some((made, _)) = self.contexts {
            (rows.design, truth) = (Some(made.design), made.truth);
        }
        (rows.merits, rows.records) = (merits, self.records);
        let rows = Arc::new(rows);
        let each = pooled.map_or(1, |at| schema.attributes()[at].values.len());
        let order = match (pooled, self.order) {
            (Some(at), RowOrder::Resampled) => {
                RowOrder::OnePerGroup(Arc::new(one_of_each_of(rows.table(), at, field)?))
            }
            (_, order) => order,
        };
        let roster = roster(rows.table(), &order, each, pooled.is_some());
        let sizes = context.slate.sizes(roster)?;
        let merits = match pooled {
            None => in_slates(worth, &sizes),
            Some(_) => worth,
        };
        let source: SourceMaker = Arc::new(move |key| {
            let (rows, order) = (Arc::clone(&rows), order.clone());
            Box::new(RowStream::new(rows, order, key, sizes.clone(), each))
        });
        let world = World {
            fixed,
            people,
            rows_read,
            merits,
            records,
            truth,
            outcomes: outcomes?,
            score_range,
            ..World::new(schema, known, source)
        };
        Some(Built {
            weighted,
            supply,
            heads: Some(heads),
            notes,
            ..Built::of(world)
        })
    }

    /// The columns; that there are too many types is noted.
    fn schema(&self, field: &Field<'_>, context: &Context<'_>) -> Option<Arc<Schema>> {
        let attributes = self.people.attributes().iter();
        let attributes = attributes.map(|(name, values)| Attribute {
            name: name.clone(),
            values: values.clone(),
        });
        let made = self.contexts.iter();
        let features = made.flat_map(|(made, _)| made.design.names()).cloned();
        let scored = !self.people.numbers.scores.is_empty();
        let pairs = context.wanted.and_then(Wanted::organiser);
        let help = match pairs.is_some_and(OrganiserTarget::has_pairs) {
            true => "list fewer pairs in the intersections, or merge rare values",
            false => "merge rare values, or drop an attribute",
        };
        let schema = Schema::new(attributes.collect(), features.collect(), scored);
        field.sound(schema, help).map(Arc::new)
    }

    /// Returns the facts that may be known about the people. `pooled` is the attribute by whose
    /// values a pool selects who applies.
    fn known(&self, group: Option<usize>, pooled: Option<usize>) -> Known {
        let joint = match &self.by_weights {
            None => self.people.joint(false),
            Some(by) => by.joint(true),
        };
        let cells = joint.into_iter().filter(|(_, p)| *p > 0.0);
        let law = Arc::new(Law::Cells(cells.collect()));
        let scored = !self.people.numbers.scores.is_empty();
        Known {
            // A pool decides who applies. Without replacement the shares drift as people are used
            // up.
            law: match self.order {
                _ if pooled.is_some() => Fact::Unknown,
                RowOrder::File | RowOrder::Shuffled => Fact::Fitted(law),
                RowOrder::Resampled | RowOrder::Weighted(_) => Fact::Exact(law),
                RowOrder::OnePerGroup(_) => Fact::Unknown,
            },
            group,
            respondents: (pooled.is_none() && self.order.is_finite())
                .then(|| Arc::new(self.respondents())),
            scores: match pooled {
                Some(at) if scored => Fact::Fitted(score_laws(&self.people, at)),
                _ => Fact::Unknown,
            },
            ..Known::default()
        }
    }

    /// The people, each of whom comes once.
    fn respondents(&self) -> Respondents {
        let people = &self.people;
        let rows = || 0..people.len();
        Respondents::new(
            people.attributes().len(),
            rows().flat_map(|row| people.values(row).to_vec()).collect(),
            people.households().map(<[u32]>::to_vec),
            rows().map(|row| people.id(row).into()).collect(),
        )
    }

    /// Sentences for the reader of the run.
    fn notes(&self, field: &Field<'_>) -> Vec<String> {
        let filters = self.filters.iter().zip(&self.people.removed);
        let removed = filters.map(|(filter, removed)| format!("`{filter}` removes {removed}"));
        let removed: Vec<String> = removed.collect();
        let removed = match removed.is_empty() {
            true => String::new(),
            false => format!("; {}", removed.join(", ")),
        };
        let mut notes = vec![format!(
            "{}: {} of {} rows kept{removed}",
            memory::called(field),
            self.people.len(),
            self.people.rows_read
        )];
        notes.extend(recognised(&self.people, field));
        notes.extend(unnamed(&self.people, field));
        notes.extend(self.doubles(field));
        notes.extend(households(&self.people));
        notes.extend(self.notes.iter().cloned());
        let made = self.contexts.iter();
        notes.extend(made.flat_map(|(made, _)| made.notes.iter().cloned()));
        notes
    }

    /// The rows that are there twice, where each person comes once.
    fn doubles(&self, field: &Field<'_>) -> Vec<String> {
        let doubles = &self.people.doubles;
        let doubles = match self.order.is_finite() {
            true => doubles.clone(),
            false => doubles.counted_once(),
        };
        doubles.sentences(&memory::called(field))
    }

    /// Returns the merit of each person, from a column or a fit. Empty if there is neither.
    fn merits(&self) -> Vec<f64> {
        let utilities = &self.people.numbers.utilities;
        match (&self.contexts, utilities.is_empty()) {
            (Some((made, _)), true) => made.merits.clone(),
            _ => utilities.to_vec(),
        }
    }
}

/// Returns the truth on the people's merits, if they are known.
fn worth(merits: &[f64], order: &RowOrder) -> Merits {
    match merits {
        [] => Merits::None,
        _ => Merits::known(Utilities::new(merits.to_vec(), !order.is_finite())),
    }
}

/// Returns the merits for slates, if all have one size.
fn in_slates(worth: Merits, sizes: &Sizes) -> Merits {
    match (worth, sizes) {
        (Merits::Known(all), Sizes::Constant(slate)) => Merits::Known(all.in_slates(Some(*slate))),
        (worth, _) => worth,
    }
}

/// The least and the greatest of some numbers; none of no number.
fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |range, number| {
        let (least, most) = range.unwrap_or((number, number));
        Some((f64::min(least, number), f64::max(most, number)))
    })
}

/// Returns a summary of the recorded outcomes. The inner `None` means that no column was asked for.
/// Notes a problem if the column holds no outcome.
fn outcomes(people: &PeopleTable, context: &Context<'_>) -> Option<Option<RecordedOutcomes>> {
    let recorded = &people.numbers.outcomes;
    let Some(column) = context.outcome.filter(|_| !recorded.is_empty()) else {
        return Some(None);
    };
    let all = || recorded.iter().flatten().copied();
    let Some(range) = range(all()) else {
        return column.field.refused(
            format!(
                "no row that is kept has an outcome: `{}` is blank in all",
                column.name
            ),
            "name the column that says what became of people, or leave out [feedback.outcome]",
        );
    };
    Some(Some(RecordedOutcomes {
        range,
        is_binary: all().all(|outcome| outcome == 0.0 || outcome == 1.0),
        people: all().count() as u64,
    }))
}

/// The people there are, where quotas ask for them.
fn supply(people: &PeopleTable, context: &Context<'_>) -> Option<Supply> {
    context.wanted.and_then(Wanted::categories)?;
    let values = (0..people.len()).map(|row| people.values(row));
    Some(Supply::people(values, people.households()))
}

/// Returns the number of people in all, or `None` if the stream has no end. The rosters of a pool
/// are `each` times as large as its rounds.
fn roster(people: &PeopleTable, order: &RowOrder, each: usize, is_pooled: bool) -> Option<u32> {
    match order {
        RowOrder::File | RowOrder::Shuffled => u32::try_from((people.len() / each).max(1)).ok(),
        RowOrder::OnePerGroup(groups) if !is_pooled => Some(groups.len() as u32),
        RowOrder::Resampled | RowOrder::Weighted(_) | RowOrder::OnePerGroup(_) => None,
    }
}

/// The rows of each group, all of which must have some.
pub(super) fn one_of_each_of(
    people: &PeopleTable,
    group: usize,
    field: &Field<'_>,
) -> Option<Vec<Vec<u32>>> {
    let (name, values) = &people.attributes()[group];
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); values.len()];
    for row in 0..people.len() {
        rows[usize::from(people.values(row)[group])].push(row as u32);
    }
    let empty = values.iter().zip(&rows).filter(|(_, rows)| rows.is_empty());
    for (value, _) in empty {
        field.refuse(
            format!(
                "no row that is kept has {name} = {value}, and every round needs one of \
                 each group"
            ),
            format!("take {value} out of the attribute {name}, or loosen `where`"),
        );
    }
    rows.iter().all(|rows| !rows.is_empty()).then_some(rows)
}

/// The normal laws of the scores of each group; of an empty group both numbers are 0.
fn score_laws(people: &PeopleTable, attribute: usize) -> Vec<ScoreLaw> {
    let mut parts = vec![Vec::new(); people.attributes()[attribute].1.len()];
    for (row, score) in people.numbers.scores.iter().enumerate() {
        parts[usize::from(people.values(row)[attribute])].push(*score);
    }
    let law = |scores: &Vec<f64>| {
        let of = (!scores.is_empty()).then(|| GroupScores::of(scores));
        of.map_or(ScoreLaw::of_variance(0.0, 0.0), |of| {
            ScoreLaw::of_variance(of.mean, of.variance)
        })
    };
    parts.iter().map(law).collect()
}

/// Returns notes on properties of a file that a user may not expect, and on skipped rows.
fn recognised(people: &PeopleTable, field: &Field<'_>) -> Vec<String> {
    let path = memory::called(field);
    let mut notes = people.read_as.notes();
    match people.blank_rows {
        0 => {}
        1 => notes.push("one row holds nothing and is skipped".into()),
        rows => notes.push(format!("{rows} rows hold nothing and are skipped")),
    }
    notes.extend(people.unsure.iter().cloned());
    let of_file = |note: String| format!("{path}: {note}");
    notes.into_iter().map(of_file).collect()
}

/// Returns a note if the file's ids can't name people.
fn unnamed(people: &PeopleTable, field: &Field<'_>) -> Option<String> {
    let (why, path) = (people.unnamed.as_deref()?, memory::called(field));
    Some(format!(
        "{path}: {why}: people are named by the numbers of their rows; set `id` to name \
         them by another column"
    ))
}

/// Returns the note on households, if they matter.
fn households(people: &PeopleTable) -> Option<String> {
    let (households, blank) = people.household_counts()?;
    let mut note = format!(
        "at most one of each of {households} households is accepted; what is known of \
         the law is that of all rows"
    );
    if blank > 0 {
        note += &format!(" ({blank} rows that name no household count as one each)");
    }
    Some(note)
}

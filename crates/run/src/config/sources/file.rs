//! The source `type = "file"`: people from a file.

use std::sync::Arc;

use super::feed;
use super::kind::{SourceForm, SourceKind, SourceReader};
use super::linear_groups::slate_of_each;
use super::order::{self, ORDER, OrderWord};
use super::people::{PeopleOfFile, one_of_each_of};
use crate::config::applicants::{self, Applicants, REVIEWS, SCORE, UTILITY};
use crate::config::attributes::{ATTRIBUTES, attributes_of};
use crate::config::context::{Built, Context};
use crate::config::contexts::{self, Contexts, FEATURES, REWARD};
use crate::config::keys::people::{self, ABOUT, ID};
use crate::config::layout::{COLUMNS, DELIMITER, EXACT, HEADER, SHEET, WHERE, filters, layout};
use crate::config::located::{Found, find, load};
use crate::config::plan::PeopleFile;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::problem::Given;
use kleroterion_io::people::RowOrder;
use kleroterion_io::people::table::{NumberColumns, PeopleTable, TableSpec};
use kleroterion_io::record::file::{Form, How};
use kleroterion_io::record::{AttributeSpec, Filter, Span};
use kleroterion_stats::sequence::Range;

const PATH: ConfigKey<Later> = people::PATH.like("path = \"people.csv\"");

const FOLLOW: ConfigKey<bool> = ConfigKey::flag("follow")
    .about("read on as the file grows (live)")
    .or(false);

const FILE_ORDER: ConfigKey<OrderWord> = ORDER.or_word("file");

const RESAMPLE_BY: ConfigKey<String> =
    ConfigKey::text("resample_by").about("the column of weights to draw by");

const WEIGHT: ConfigKey<String> =
    ConfigKey::text("weight").about("the column of weights of the shares");

const ONE_PER_GROUP: ConfigKey<bool> = ConfigKey::flag("one_per_group")
    .about("one of each group a round")
    .or(false);

const FILE: &[Param] = keys! {
    PATH, ABOUT, FOLLOW, HEADER, COLUMNS, DELIMITER, SHEET, WHERE, EXACT, FILE_ORDER, RESAMPLE_BY,
    WEIGHT, ID, ATTRIBUTES, FEATURES, REWARD, UTILITY, SCORE, REVIEWS, ONE_PER_GROUP,
};

/// The keys of a file that is read on as it grows.
const FOLLOWED: &[Param] = &[
    ConfigKey::later(FOLLOW.name(), Shape::True)
        .about("read on as the file grows")
        .needed()
        .param,
    feed::PATH.param,
];

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "file",
    about: "people from a CSV or NDJSON file: in its order, shuffled, or resampled; with \
         utility, score and reviews where they have them; with follow = true, as it grows \
         (live)",
    forms: &[SourceForm::Own(FILE), SourceForm::Feed(FOLLOWED)],
    can_be_pooled: true,
    read: SourceReader::BuiltIn(world),
};

/// The people of a file.
fn world(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    // Which other keys there may be depends on it.
    if FOLLOW.value(&mut table)? {
        return feed::tail(table, context);
    }
    let keys = FileKeys::read(table, context);
    keys.check(context);
    let (loaded, spec) = keys.load(context)?;
    let file = separated(&loaded.people, spec);
    let mut built = loaded.built(&keys.path, context)?;
    built.world.file = file;
    Some(built)
}

/// The file as separated text, with the rows of its people. `None` if it is of another format.
fn separated(people: &PeopleTable, spec: TableSpec) -> Option<PeopleFile> {
    (people.read_as.form != Form::Records).then(|| PeopleFile {
        path: spec.path,
        how: spec.how,
        columns: spec.columns,
        rows: (0..people.len()).map(|row| people.number(row)).collect(),
        is_named: people.has_ids(),
        doubles: people.doubles.clone(),
    })
}

/// The keys of a file. Keys that could not be read are `None`.
struct FileKeys<'a> {
    path: Field<'a>,
    /// True if case, blanks and Unicode form make a difference.
    is_exact: bool,
    about: Option<String>,
    layout: Option<(How, Option<Vec<String>>)>,
    filters: Option<Vec<Filter>>,
    order: Option<OrderWord>,
    by_field: Field<'a>,
    by: Given<String>,
    weight: Given<String>,
    id: Given<String>,
    described: Field<'a>,
    attributes: Option<Vec<AttributeSpec>>,
    features: Field<'a>,
    applicants: Applicants<'a>,
    /// The contexts. The inner `None` means that the config asks for none.
    contexts: Option<Option<Contexts<'a>>>,
    each_field: Field<'a>,
    each: Option<bool>,
}

impl<'a> FileKeys<'a> {
    /// Reads the keys; what is wrong with one of them alone is noted.
    fn read(mut table: Reader<'a>, context: &Context<'_>) -> Self {
        let path = PATH.field(&mut table);
        let about = ABOUT.read(&mut table).is();
        let layout = layout(&mut table, &path, context.inputs);
        let exact = EXACT.value(&mut table);
        let is_exact = exact.unwrap_or(false);
        let filters = filters(&WHERE.field(&mut table), is_exact).filter(|_| exact.is_some());
        let order = FILE_ORDER.value(&mut table);
        let by_field = RESAMPLE_BY.field(&mut table);
        let weight = WEIGHT.read(&mut table);
        let id = ID.field(&mut table);
        let described = ATTRIBUTES.field(&mut table);
        let (features, reward) = (FEATURES.field(&mut table), REWARD.field(&mut table));
        let applicants = applicants::read(&mut table, &reward, &id, context);
        let contexts = contexts::read(&features, &reward, &UTILITY.field(&mut table));
        let each_field = ONE_PER_GROUP.field(&mut table);
        table.finish();
        Self {
            is_exact,
            about,
            layout,
            filters,
            order,
            by: RESAMPLE_BY.given(&by_field),
            by_field,
            weight,
            id: ID.given(&id),
            attributes: described
                .table()
                .and_then(|table| attributes_of(table, is_exact)),
            described,
            features,
            applicants,
            contexts,
            each: ONE_PER_GROUP.value_of(&each_field),
            each_field,
            path,
        }
    }

    /// The field of `one_per_group`, unless it is false.
    fn one_of_each(&self) -> Option<&Field<'a>> {
        (self.each != Some(false)).then_some(&self.each_field)
    }

    /// Refuses keys that exclude each other.
    fn check(&self, context: &Context<'_>) {
        let is_resampled = |order| order == OrderWord::Resampled;
        let has_by = !self.by.is_absent();
        if has_by && !self.order.is_none_or(is_resampled) {
            self.by_field.refuse(
                "resample_by without resampling",
                "set order = \"resampled\", or drop resample_by",
            );
        }
        if has_by && context.pool.is_some() {
            self.by_field.refuse(
                "a pool is offered as many of each group, each of a group as likely",
                "leave out resample_by, or [pool]",
            );
        }
        let Some(each) = self.one_of_each() else {
            return;
        };
        if context.pool.is_some() {
            each.refuse(
                "a pool decides how many of each group apply",
                "leave out one_per_group, or [pool]",
            );
        }
        if self
            .order
            .is_some_and(|order| !is_resampled(order) || has_by)
        {
            each.refuse(
                "one of each group is drawn anew in every round, each of the group as likely",
                "set order = \"resampled\" without resample_by, or leave out one_per_group",
            );
        }
    }

    /// The people, loaded; `None` where a key or the file is wrong, which is noted.
    fn load(&self, context: &Context<'_>) -> Option<(PeopleOfFile, TableSpec)> {
        let group = self.group();
        let found = find(&self.path, self.about.as_deref(), context.inputs)?;
        let (order, by) = (self.order?, self.by.as_ref().unless_bad()?);
        self.each?;
        let (contexts, group) = (self.contexts.as_ref()?.as_ref(), group?);
        let mut spec = self.spec(found, contexts, context)?;
        let people = load(&spec, &self.path, &self.described);
        let fits = contexts.map(|contexts| contexts.fits(&spec, context));
        let people = people?;
        // Read though they may be wrong, so that the file's own faults are reported with theirs.
        let records = self.applicants.records(&people);
        let by_weights = match by {
            None => None,
            Some(column) if spec.weight.as_ref() == Some(column) => Some(people.clone()),
            Some(column) => {
                spec.weight = Some(column.clone());
                spec.numbers = NumberColumns::default();
                Some(load(&spec, &self.path, &self.described)?)
            }
        };
        let order = self.order_of(order, by_weights.as_ref(), &people, group, context)?;
        let made = match (contexts, fits) {
            (Some(contexts), Some(fits)) => {
                let weights = by_weights.as_ref().and_then(PeopleTable::weights);
                Some(contexts.make(&people, &fits?, group, weights)?)
            }
            _ => None,
        };
        let (records, notes) = records?;
        let people = PeopleOfFile {
            by_weights,
            contexts: made.map(|made| (made, group)),
            records,
            notes,
            ..PeopleOfFile::new(people, order).filtered(self.filters.as_deref()?)
        };
        Some((people, spec))
    }

    /// The attribute that makes the groups; the inner none: no key needs it.
    fn group(&self) -> Option<Option<usize>> {
        let contexts = self.contexts.iter().flatten();
        let ranked = contexts.filter_map(Contexts::ranked).next();
        let needed = ranked.or_else(|| self.one_of_each());
        contexts::group(&self.features, needed, self.attributes.as_ref()?)
    }

    /// Returns the specification for reading the file.
    fn spec(
        &self,
        found: Found,
        contexts: Option<&Contexts<'_>>,
        context: &Context<'_>,
    ) -> Option<TableSpec> {
        let columns = contexts.map(|contexts| contexts.columns.clone());
        let mut numbers = NumberColumns {
            is_exact: self.is_exact,
            ..columns.unwrap_or_default()
        };
        self.applicants.ask(&mut numbers);
        self.ask_for_outcomes(&mut numbers, context)?;
        let unique = context.unique.map(|unique| unique.columns.clone());
        let (how, columns) = self.layout.clone()?;
        Some(TableSpec {
            how: found.how(how),
            path: found.path,
            columns,
            filters: self.filters.clone()?,
            id: self.id.as_ref().unless_bad()?.cloned(),
            attributes: self.attributes.clone()?,
            weight: self.weight.as_ref().unless_bad()?.cloned(),
            unique: unique.unwrap_or_default(),
            numbers,
        })
    }

    /// Asks for the column of outcomes, which policies may not see; that they would is noted.
    fn ask_for_outcomes(&self, numbers: &mut NumberColumns, context: &Context<'_>) -> Option<()> {
        let Some(outcome) = context.outcome else {
            return Some(());
        };
        let attributes = self.attributes.iter().flatten();
        let mut seen = attributes
            .map(|attribute| &attribute.column)
            .chain(&numbers.numeric)
            .chain(&numbers.one_hot)
            .chain(&numbers.score)
            .chain(&numbers.reviews);
        if seen.any(|column| *column == outcome.name) {
            return outcome.field.refused(
                format!(
                    "policies would see the outcome before they choose: [source] reads `{}` as an \
                     attribute, a feature, a score or a review too",
                    outcome.name
                ),
                "take it out there, or name another column",
            );
        }
        if let Some((least, most)) = outcome.range.map(Range::ends) {
            numbers.spans.declare(&outcome.name, Span { least, most });
        }
        numbers.outcome = Some(outcome.name.clone());
        numbers.outcome_cells = outcome.cells.clone();
        Some(())
    }

    /// The order in which the people come.
    fn order_of(
        &self,
        word: OrderWord,
        by_weights: Option<&PeopleTable>,
        people: &PeopleTable,
        group: Option<usize>,
        context: &Context<'_>,
    ) -> Option<RowOrder> {
        let order = order::of(word, by_weights, &self.by_field)?;
        let Some((each, group)) = self.one_of_each().zip(group) else {
            return Some(order);
        };
        let rows = one_of_each_of(people, group, each);
        let groups = people.attributes()[group].1.len();
        slate_of_each(groups, each, context)?;
        Some(RowOrder::OnePerGroup(Arc::new(rows?)))
    }
}

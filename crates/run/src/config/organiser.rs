//! The key `[target] categories`: the quotas of an organiser's files, and their relaxation.

use super::handed::HandedIn;
use super::layout::EXACT;
use super::located::{Found, find, loaded_or_note};
use super::meant;
use super::memory::{self, FILE};
use super::others::{OTHERS, Others};
use super::plan::OrganiserFiles;
use super::shares::Shares;
use crate::document::param::Param;
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::problem::{Given, Place};
use kleroterion_core::protocol::{Attribute, Quota, Schema, Side};
use kleroterion_io::people::organisers::{
    Categories, FlexibleQuota, Intersections, MembersBy, PairValue, QuotaNames, QuotaSpec,
    ValuePair,
};
use kleroterion_io::people::table::PeopleTable;
use kleroterion_io::record::alike::alike;
use kleroterion_io::record::file::How;
use kleroterion_sortition::feasibility::Bound;

pub(super) const CATEGORIES: ConfigKey<Later> = ConfigKey::later("categories", FILE)
    .about("an organiser's file of quotas on values")
    .needed();

pub(super) const INTERSECTIONS: ConfigKey<Later> = ConfigKey::later("intersections", FILE)
    .about("an organiser's file of quotas on pairs of values");

pub(super) const SHEET: ConfigKey<String> = ConfigKey::text("sheet")
    .about("the sheet of a workbook of quotas; the first that is not hidden where left out");

pub(super) const INTERSECTIONS_SHEET: ConfigKey<String> = ConfigKey::text("intersections_sheet")
    .about("the sheet of a workbook of intersections, likewise");

const CATEGORY: ConfigKey<String> = ConfigKey::text("category").about("of attributes");
const NAME: ConfigKey<String> = ConfigKey::text("name").about("of their values");
const MIN: ConfigKey<String> = ConfigKey::text("min").about("of minimums");
const MAX: ConfigKey<String> = ConfigKey::text("max").about("of maximums");
const MIN_FLEX: ConfigKey<String> = ConfigKey::text("min_flex").about("of flexible minimums");
const MAX_FLEX: ConfigKey<String> = ConfigKey::text("max_flex").about("of flexible maximums");
const QUOTA: ConfigKey<String> = ConfigKey::text("quota").about("of both bounds: 5, 4-6, 48 %");

const COLUMNS: ConfigKey<Later> = ConfigKey::table(
    "columns",
    keys![CATEGORY, NAME, MIN, MAX, MIN_FLEX, MAX_FLEX, QUOTA],
)
.about("the names of the columns of quotas, where they are not the usual ones");

pub(super) const FLEXIBLE: ConfigKey<bool> = ConfigKey::flag("flexible")
    .about("whether quotas that clash are relaxed within min_flex and max_flex")
    .or(false);

/// `[target]` with an organiser's files.
pub(super) const KEYS: &[Param] = keys! {
    CATEGORIES, INTERSECTIONS, SHEET, INTERSECTIONS_SHEET, COLUMNS, EXACT, OTHERS, FLEXIBLE,
};

/// The quotas of an organiser's files.
pub(super) struct OrganiserTarget {
    /// The categories file.
    pub(super) categories: Categories,
    /// The shares that follow from the quotas of the categories.
    pub(super) shares: Vec<Shares>,
    intersections: Option<(Intersections, Place)>,
    /// True if conflicting quotas are relaxed within their flexible bounds.
    pub(super) is_flexible: bool,
    /// The treatment of people with values that the categories do not list, if the config sets it.
    others: Option<Others>,
    /// Sentences on how the cells of the files were read.
    pub(super) notes: Vec<String>,
}

/// A quota of one of the files.
struct Listed<'t> {
    quota: FlexibleQuota,
    place: Box<dyn Fn(Side) -> Place + 't>,
}

impl OrganiserTarget {
    /// Reads the files that a target names.
    pub(super) fn read(
        mut table: Reader<'_>,
        inputs: &HandedIn,
        members: Option<u64>,
    ) -> Option<Self> {
        table.declare(KEYS.to_vec());
        let file = CATEGORIES.field(&mut table);
        let pairs = INTERSECTIONS.field(&mut table);
        let flexible = FLEXIBLE.field(&mut table);
        let sheets = [SHEET, INTERSECTIONS_SHEET].map(|key| key.read(&mut table).unless_bad());
        let is_flexible = FLEXIBLE.value_of(&flexible);
        let is_exact = EXACT.value(&mut table);
        let others = OTHERS.read(&mut table);
        let columns = COLUMNS.section(&mut table, columns);
        table.finish();
        let (is_exact, others) = (is_exact?, others.unless_bad()?);
        let columns = columns.or(QuotaNames::default())?;
        let (path, other) = (
            find(&file, None, inputs),
            pairs.optional(|field| find(field, None, inputs)),
        );
        let [how, pairs_how] = sheets.map(|sheet| {
            Some(How {
                sheet: sheet?,
                ..How::default()
            })
        });
        let (how, pairs_how) = (how?, pairs_how?);
        let spec = |found: &Found, how| QuotaSpec {
            how: found.how(how),
            members,
            members_by: MembersBy::Rules,
            is_flexible: is_flexible == Some(true),
            is_exact,
            columns: columns.clone(),
        };
        let found = path?;
        let categories = Categories::read(&found.path, &spec(&found, how));
        let categories = loaded_or_note(categories, &file)?;
        let intersections = other.and_then(|found| {
            let spec = spec(&found, pairs_how);
            let read = Intersections::read(&found.path, &spec, &categories);
            apart(loaded_or_note(read, &pairs)?, &categories, &pairs)
        });
        let mut notes: Vec<String> = said(&file, categories.notes()).collect();
        if let Given::Is((read, _)) = &intersections {
            notes.extend(said(&pairs, read.notes()));
        }
        let target = Self {
            shares: shares_of(&categories),
            categories,
            intersections: intersections.unless_bad()?,
            is_flexible: is_flexible?,
            others,
            notes,
        };
        if target.is_flexible && !target.has_flexible_bounds() {
            let what = "quotas can't be relaxed: the file has no flexible bounds";
            let help = "add the columns min_flex and max_flex, or leave out `flexible`";
            return flexible.refused(what, help);
        }
        Some(target)
    }

    /// Returns the treatment of people with values that the categories do not list. They are
    /// allowed by default. Respondents follow [`refuses_others`](Self::refuses_others) instead.
    pub(super) fn others(&self) -> Others {
        self.others.unwrap_or(Others::Allow)
    }

    /// Returns true if respondents with values that the categories do not list are refused, as is
    /// the default.
    pub(super) fn refuses_others(&self) -> bool {
        self.others != Some(Others::Allow)
    }

    /// The files that were read.
    pub(super) fn files(&self) -> OrganiserFiles {
        let pairs = self.intersections.as_ref();
        OrganiserFiles {
            categories: self.categories.clone(),
            intersections: pairs.map(|(pairs, _)| pairs.clone()),
        }
    }

    /// Returns true if a file has flexible bounds.
    pub(super) fn has_flexible_bounds(&self) -> bool {
        let pairs = self.intersections.as_ref();
        self.categories.is_flexible() || pairs.is_some_and(|(pairs, _)| pairs.is_flexible())
    }

    /// Returns true if pairs of values have quotas.
    pub(super) fn has_pairs(&self) -> bool {
        self.intersections.is_some()
    }

    /// Adds an attribute for each pair that has quotas; pairs of an attribute that the people lack
    /// are left out.
    pub(super) fn add_pairs(&self, people: &mut PeopleTable) {
        for pair in self.pairs() {
            // That the people lack an attribute is noted where the target is resolved.
            let _ = pair.added_to(people);
        }
    }

    /// Puts the value of each pair into a person's values, the others of which are known.
    pub(super) fn complete(&self, schema: &Schema, values: &mut [u16]) {
        for pair in self.pairs() {
            let [Some(one), Some(other), Some(at)] =
                [&pair.of[0], &pair.of[1], &pair.name()].map(|name| meant::attribute(schema, name))
            else {
                continue;
            };
            let name = |at: usize| &schema.attributes()[at].values[usize::from(values[at])];
            let listed = pair.of_values([name(one), name(other)]);
            let name = listed.map_or_else(|| ValuePair::OTHER.to_owned(), PairValue::name);
            values[at] = schema.attributes()[at].index(&name).unwrap_or(0) as u16;
        }
    }

    /// The first pair that has quotas and that people don't have as an attribute, although they
    /// have its two attributes; with the place of the file's name.
    pub(super) fn missed_pair(&self, schema: &Schema) -> Option<(&ValuePair, &Place)> {
        let has = |name: &str| meant::attribute(schema, name).is_some();
        let missed = |pair: &&ValuePair| !has(&pair.name()) && pair.of.iter().all(|name| has(name));
        let (_, place) = self.intersections.as_ref()?;
        Some((self.pairs().iter().find(missed)?, place))
    }

    /// The quotas of the files, a row for each attribute of the schema. No person may have a value
    /// that the categories do not list; an attribute that they do not list has no quotas, and
    /// neither have pairs of values that the intersections do not list.
    pub(super) fn quotas(
        &self,
        schema: &Schema,
        of: impl Fn(FlexibleQuota) -> Quota,
    ) -> Vec<Vec<Quota>> {
        let row = |attribute: &Attribute| {
            let pair = self.pair(&attribute.name);
            let is_listed = self
                .shares
                .iter()
                .any(|s| alike(&s.attribute, &attribute.name));
            if pair.is_none() && !is_listed {
                return Vec::new();
            }
            let max = if pair.is_some() { u32::MAX } else { 0 };
            let quota = |value: &String| match self.listed(&attribute.name, value) {
                Some(listed) => of(listed.quota),
                None => Quota { min: 0, max },
            };
            attribute.values.iter().map(quota).collect()
        };
        schema.attributes().iter().map(row).collect()
    }

    /// The cell of a file that sets a bound; a value that no file has is in none.
    pub(super) fn place(&self, bound: &Bound, schema: &Schema) -> Option<Place> {
        let attribute = &schema.attributes()[bound.attribute];
        let listed = self.listed(&attribute.name, &attribute.values[bound.value])?;
        Some((listed.place)(bound.side))
    }

    /// Returns the quota of a value and its place in a file, if a file lists it.
    fn listed(&self, attribute: &str, value: &str) -> Option<Listed<'_>> {
        if let Some(known) = self.categories.value(attribute, value) {
            let quota = FlexibleQuota {
                quota: known.quota,
                flexible: known.flexible,
                is_unbounded: known.is_unbounded,
            };
            return Some(Listed {
                quota,
                place: Box::new(|side| self.categories.place(known, side)),
            });
        }
        let (intersections, _) = self.intersections.as_ref()?;
        let known = self.pair(attribute)?.value(value)?;
        Some(Listed {
            quota: known.quota,
            place: Box::new(|side| intersections.place(known, side)),
        })
    }

    fn pair(&self, name: &str) -> Option<&ValuePair> {
        self.pairs().iter().find(|pair| pair.name() == name)
    }

    fn pairs(&self) -> &[ValuePair] {
        let pairs = self.intersections.as_ref();
        pairs.map_or(&[], |(pairs, _)| pairs.pairs())
    }
}

/// The intersections and the place of their file's name, if no pair has the name of an attribute.
fn apart(
    read: Intersections,
    categories: &Categories,
    file: &Field<'_>,
) -> Option<(Intersections, Place)> {
    let has = |name: String| categories.attributes().iter().any(|a| a.name == name);
    if let Some(pair) = read.pairs().iter().find(|pair| has(pair.name())) {
        let what = format!("the categories have an attribute {} already", pair.name());
        return file.refused(
            what,
            "rename it: this is the name of the pair of attributes",
        );
    }
    Some((read, file.place().clone()))
}

/// The sentences on a file, each with the file's name.
fn said<'n>(field: &Field<'_>, notes: &'n [String]) -> impl Iterator<Item = String> + use<'n> {
    let file = memory::called(field);
    notes.iter().map(move |note| format!("{file}: {note}"))
}

/// The names of the columns of quotas.
fn columns(mut table: Reader<'_>) -> Option<QuotaNames> {
    let keys = [CATEGORY, NAME, MIN, MAX, MIN_FLEX, MAX_FLEX, QUOTA];
    let names = keys.map(|key| key.read(&mut table).unless_bad());
    table.finish();
    let [category, name, min, max, min_flex, max_flex, quota] = names;
    Some(QuotaNames {
        category: category?,
        name: name?,
        min: min?,
        max: max?,
        min_flex: min_flex?,
        max_flex: max_flex?,
        quota: quota?,
    })
}

/// The shares of a categories file.
fn shares_of(categories: &Categories) -> Vec<Shares> {
    let rows = categories.attributes().iter().zip(categories.targets());
    rows.map(|(category, row)| Shares {
        attribute: category.name.clone(),
        place: categories.place(&category.values[0], Side::Min),
        values: category
            .values
            .iter()
            .zip(row)
            .map(|(value, share)| (value.name.clone(), share))
            .collect(),
        sound: true,
    })
    .collect()
}

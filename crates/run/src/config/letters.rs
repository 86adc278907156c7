//! The section `[letters]`: the people who get letters, and the share of them who answer.

use super::context::Built;
use super::handed::HandedIn;
use super::joint::{JOINT, joint};
use super::meant;
use super::plan::{LetterPopulation, Recruitment};
use super::target::Wanted;
use super::values::{advice, values_of};
use crate::document::param::{Param, Shape};
use crate::document::range::{BETWEEN_0_AND_1, PART};
use crate::document::{ConfigKey, Field, Later, Reader, Value, all_read};
use crate::keys;
use crate::limits::MOST_KINDS;
use kleroterion_core::protocol::{Attribute, Law, Quota, Schema, Target};
use kleroterion_sortition::letters::{LettersQuestion, Rate, Rates, RatesBy};

const INVITED: ConfigKey<u64> = ConfigKey::whole("invited", 1, u64::MAX)
    .about("who got a letter")
    .needed_like("invited = 2000");

const ANSWERED: ConfigKey<u64> = ConfigKey::whole("answered", 0, u64::MAX)
    .about("who of them answered")
    .needed_like("answered = 61");

const COUNTS: &[Param] = keys![INVITED, ANSWERED];

const RATE: ConfigKey<Rate> = ConfigKey::of(
    "rate",
    Shape::OneOf(&[Shape::Number(PART), Shape::Table(COUNTS)]),
    rate_of,
)
.about("of those who get a letter, who answer: a number, or counts of an earlier recruitment");

const BY: ConfigKey<Later> = ConfigKey::later("by", Shape::Map(&Shape::Map(&RATE.shape())))
    .about("the same for each value of some attributes");

const POPULATION: ConfigKey<Later> = ConfigKey::later("population", JOINT.shape())
    .about("the shares of types among those who get letters, from a file or listed with p");

const SURE: ConfigKey<f64> = ConfigKey::number("sure", BETWEEN_0_AND_1)
    .about("with which probability the pool is to have a committee")
    .or(0.95);

/// `[letters]`.
pub(super) const LETTERS: ConfigKey<Later> =
    ConfigKey::table("letters", keys![RATE, BY, POPULATION, SURE])
        .about("who gets letters and how many answer, for `klero plan`");

/// Kinds of people: their values and their shares.
type Kinds = Vec<(Vec<u16>, f64)>;

/// The committee to recruit, and the world that the people come from.
#[derive(Clone, Copy)]
pub(super) struct Sought<'a> {
    pub(super) world: &'a Built,
    pub(super) wanted: Option<&'a Wanted>,
    pub(super) target: &'a Target,
    /// The quotas of the organiser's files, if the target comes from files.
    pub(super) quotas: Option<&'a [Vec<Quota>]>,
    pub(super) members: u32,
}

impl Sought<'_> {
    fn schema(&self) -> &Schema {
        &self.world.schema
    }

    /// The quotas of the files, or else the whole numbers around the target's shares.
    fn quotas(&self) -> Vec<Vec<Quota>> {
        if let Some(quotas) = self.quotas {
            return quotas.to_vec();
        }
        let mut rows = vec![Vec::new(); self.schema().attributes().len()];
        for (attribute, shares) in self.target.rows() {
            let around = shares
                .iter()
                .map(|share| Quota::around(*share, self.members));
            rows[*attribute] = around.collect();
        }
        rows
    }

    fn recruitment(
        &self,
        population: (LetterPopulation, Kinds),
        rates: Rates,
        sure: f64,
    ) -> Recruitment {
        let (population, kinds) = population;
        Recruitment {
            population,
            sure,
            question: LettersQuestion {
                population: kinds,
                rates,
                quotas: self.quotas(),
                members: self.members,
            },
        }
    }

    /// Returns the people who answer, as they come from the source. `None` if their law is unknown
    /// or has too many kinds.
    fn as_they_come(&self) -> Option<(LetterPopulation, Kinds)> {
        let kinds = match &**self.world.known.law.get()? {
            Law::Product(marginals) => product(marginals)?,
            Law::Cells(cells) if cells.len() > MOST_KINDS => return None,
            Law::Cells(cells) => {
                let kinds = cells
                    .iter()
                    .map(|(cell, p)| (self.schema().values(*cell), *p));
                kinds.collect()
            }
        };
        Some((LetterPopulation::Source, self.contacted(kinds)))
    }

    /// Returns the people contacted, given the kinds of those who volunteer.
    fn contacted(&self, mut kinds: Kinds) -> Kinds {
        if let Some(by) = self.world.volunteering.as_ref()
            && by.overall().is_none()
        {
            let weigh = |(values, share): &mut (Vec<u16>, f64)| *share /= by.of(values);
            kinds.iter_mut().for_each(weigh);
            let total: f64 = kinds.iter().map(|(_, share)| share).sum();
            kinds.iter_mut().for_each(|(_, share)| *share /= total);
        }
        kinds
    }

    /// The rates that the source says.
    fn declared(&self) -> Option<Rates> {
        let known = |rates: &[f64]| rates.iter().copied().map(Rate::Known).collect();
        let rates = self.world.volunteering.as_ref()?;
        let by = rates.rates().iter().map(|(attribute, rates)| RatesBy {
            attribute: *attribute,
            rates: known(rates),
        });
        Some(Rates {
            overall: rates.overall().map(Rate::Known),
            by: by.collect(),
        })
    }

    /// A population that has the target's shares, its attributes independent. `None` if it has too
    /// many kinds.
    fn as_wanted(&self) -> Option<(LetterPopulation, Kinds)> {
        let mut marginals = vec![vec![1.0]; self.schema().attributes().len()];
        for (attribute, shares) in self.target.rows() {
            marginals[*attribute].clone_from(shares);
        }
        let mut kinds = product(&marginals)?;
        kinds
            .iter_mut()
            .for_each(|(values, _)| self.complete(values));
        Some((LetterPopulation::Target, kinds))
    }

    /// The population of a table of types; what it lacks is noted.
    fn of_types(&self, field: &Field<'_>, inputs: &HandedIn) -> Option<(LetterPopulation, Kinds)> {
        let (attributes, law) = joint(field, inputs)?;
        let Law::Cells(cells) = law else {
            return None;
        };
        let quotas = self.quotas();
        let mut is_whole = true;
        let mut columns: Vec<Option<(usize, Vec<u16>)>> = Vec::new();
        for (attribute, row) in self.schema().attributes().iter().zip(&quotas) {
            let is_pair = self
                .target
                .rows()
                .iter()
                .all(|(at, _)| self.schema().attributes()[*at].name != attribute.name);
            let at = attributes
                .iter()
                .position(|known| known.name == attribute.name);
            if at.is_none() && !row.is_empty() && !is_pair {
                let what = format!("the types of the population have no {}", attribute.name);
                field.refuse(what, "name each attribute that has quotas");
                is_whole = false;
            }
            columns.push(at.and_then(|at| {
                let codes = codes(&attributes[at], attribute, field);
                is_whole &= codes.is_some();
                Some((at, codes?))
            }));
        }
        if !is_whole {
            return None;
        }
        let types = Schema::new(attributes, vec![], false).ok()?;
        let kind = |(cell, share): &(u32, f64)| {
            let of = types.values(*cell);
            let value = |column: &Option<(usize, Vec<u16>)>| {
                let (at, codes) = column.as_ref()?;
                Some(codes[usize::from(of[*at])])
            };
            let values = columns.iter().map(|column| value(column).unwrap_or(0));
            let mut values: Vec<u16> = values.collect();
            self.complete(&mut values);
            (values, *share)
        };
        Some((LetterPopulation::Types, cells.iter().map(kind).collect()))
    }

    fn complete(&self, values: &mut [u16]) {
        if let Some(target) = self.wanted.and_then(Wanted::organiser) {
            target.complete(self.schema(), values);
        }
    }
}

/// The recruitment of a config without the section: who answers is like the people of the source,
/// and they are the share of letters that the source says. Nothing where it does not.
pub(super) fn implied(sought: &Sought<'_>) -> Option<Recruitment> {
    let rates = sought.declared()?;
    let sure = SURE.assumed()?;
    Some(sought.recruitment(sought.as_they_come()?, rates, sure))
}

/// Reads `[letters]`. Where others that it needs can't be read, only what needs none of them is checked.
pub(super) fn read(
    mut table: Reader<'_>,
    sought: Option<&Sought<'_>>,
    inputs: &HandedIn,
) -> Option<Recruitment> {
    let declared = sought.and_then(Sought::declared);
    let (rate, by) = (RATE.field(&mut table), BY.field(&mut table));
    let population = POPULATION.field(&mut table);
    let sure = SURE.value(&mut table);
    let schema = sought.map(Sought::schema);
    let overall = RATE.given(&rate);
    let rows = by.optional(|by| values_of(by, schema, true, |rate| RATE.of_value(rate)));
    let is_said = rate.is_given() || by.is_given() || declared.is_some();
    // An unknown key is likely one of these.
    if !is_said && sought.is_some() && !table.has_others() {
        let help = "for example: rate = 0.03, or rate = { invited = 2000, answered = 61 }";
        table.refuse("[letters] does not say how many answer", help);
    }
    table.finish();
    let sought = sought?;
    let declared = declared.filter(|_| !by.is_given());
    let overall = overall.unless_bad()?;
    let overall = overall.or_else(|| declared.as_ref()?.overall);
    let by_value = rows.or(Vec::new());
    let kinds = match (population.is_given(), by.is_given()) {
        (true, _) => sought.of_types(&population, inputs)?,
        (false, true) => sought.as_wanted().or_else(|| too_many(&by))?,
        (false, false) => sought.as_they_come().or_else(|| too_many(&rate))?,
    };
    let rates = |(attribute, row): (usize, Vec<Option<Rate>>)| {
        let rates = row.into_iter().collect::<Option<_>>()?;
        Some(RatesBy { attribute, rates })
    };
    let mut by: Vec<RatesBy> = by_value?.into_iter().filter_map(rates).collect();
    by.extend(declared.into_iter().flat_map(|declared| declared.by));
    if overall.is_none() && by.is_empty() {
        return None;
    }
    Some(sought.recruitment(kinds, Rates { overall, by }, sure?))
}

/// Notes that it is not known who answers.
fn too_many<T>(field: &Field<'_>) -> Option<T> {
    let what = "who answers is not known: the source's law is unknown or has too many types";
    field.refused(
        what,
        "give the types of those who get letters: population = \"types.csv\"",
    )
}

/// A number, or counts of an earlier recruitment.
fn rate_of(field: &Field<'_>) -> Option<Rate> {
    let Some(Value::Table(_)) = field.value() else {
        return field.number_in(&PART).map(Rate::Known);
    };
    let mut table = field.table_of(COUNTS)?;
    let invited = INVITED.value(&mut table);
    let count = ANSWERED.field(&mut table);
    let answered = ANSWERED.value_of(&count);
    table.finish();
    let (invited, answered) = (invited?, answered?);
    if answered > invited {
        let what = format!("{answered} answered, but {invited} were invited");
        return count.refused(what, "count letters, and of them those that were answered");
    }
    Some(Rate::Counted { invited, answered })
}

/// Maps each value of a table of types to that of the source. Notes a problem if the source lacks a
/// value.
fn codes(of: &Attribute, known: &Attribute, field: &Field<'_>) -> Option<Vec<u16>> {
    let code = |value: &String| {
        let at = meant::value(known, value);
        if at.is_none() {
            let what = format!("{} has no value {value} in the source", of.name);
            let values = known.values.iter().map(String::as_str);
            field.refuse(what, advice(value, values));
        }
        at.map(|at| at as u16)
    };
    all_read(of.values.iter().map(code))
}

/// Returns all combinations of independent values with positive shares. `None` if there are too
/// many.
fn product(marginals: &[Vec<f64>]) -> Option<Kinds> {
    let mut kinds: Kinds = vec![(Vec::new(), 1.0)];
    for row in marginals {
        let comes = row.iter().filter(|share| **share > 0.0).count();
        if kinds.len().saturating_mul(comes) > MOST_KINDS {
            return None;
        }
        let longer = kinds.iter().flat_map(|(values, share)| {
            let comes = (0..).zip(row).filter(|(_, of)| **of > 0.0);
            comes.map(move |(value, of)| ([&values[..], &[value]].concat(), share * of))
        });
        kinds = longer.collect();
    }
    Some(kinds)
}

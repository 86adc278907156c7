//! The section `[pool]`: the selection of applicants from the roster, and its reaction to
//! admissions.

use super::pool_kinds::{PoolForm, PoolKind, PoolReader};
use crate::catalog::{by_group, group_shares};
use crate::document::kind_list::KindList;
use crate::document::param::{Entry, Param, Shape};
use crate::document::range::{NOT_NEGATIVE, PART, POSITIVE};
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use crate::keys;
use kleroterion_core::pool::{Dynamics, Eta, Response};
use kleroterion_core::protocol::{Attribute, Known, Schema};

const TYPE: ConfigKey<Later> = ConfigKey::later(KindList::Pools.tag(), Shape::Text)
    .needed_like("type = \"positive_reinforcement\"");

const BY: ConfigKey<Later> =
    ConfigKey::later("by", Shape::Text).about("the attribute whose values are the groups");

const NUMBERS: Shape = Shape::Map(&Shape::Number(NOT_NEGATIVE));

const START: ConfigKey<Later> = ConfigKey::later("start", NUMBERS)
    .about("the groups' shares at first")
    .needed_like("start = { u = 0.1 }");

const ETA_START: ConfigKey<f64> =
    ConfigKey::number("start", NOT_NEGATIVE).needed_like("start = 0.5");

const HARMONIC: [(&str, f64); 1] = [("harmonic", 1.0)];

const DECAY: ConfigKey<f64> = ConfigKey::of(
    "decay",
    Shape::OneOf(&[Shape::Word(&HARMONIC), Shape::Number(POSITIVE)]),
    |field| match field.value()? {
        Value::Whole(_) | Value::Number(_) => field.positive(),
        _ => field.choice(&HARMONIC),
    },
)
.needed_like("decay = \"harmonic\"");

const POWER: &[Param] = keys![ETA_START, DECAY];

const ETA: ConfigKey<Eta> = ConfigKey::of(
    "eta",
    Shape::OneOf(&[Shape::Number(NOT_NEGATIVE), Shape::Table(POWER)]),
    eta,
)
.about(
    "how far a share moves after round t: a number, or `start` / t (harmonic), or `start` / t^a \
     (decay = a, for example 0.75)",
)
.needed_like("eta = 0.05");

const RHO: ConfigKey<f64> = ConfigKey::number("rho", PART)
    .about("the part that is looked up to")
    .needed_like("rho = 0.2");

const BETA: ConfigKey<f64> = ConfigKey::number("beta", POSITIVE)
    .about("the power")
    .needed_like("beta = 2.0");

const WEIGHTS: ConfigKey<Later> = ConfigKey::later("weights", NUMBERS)
    .about("a weight of each group")
    .needed_like("weights = { u = 2.0, v = 1.0 }");

/// The built-in kinds of pools.
pub(crate) fn kinds() -> [PoolKind; 5] {
    let built_in = PoolKind::built_in;
    [
        built_in(
            PoolForm::Fixed,
            "fixed",
            "groups' shares stay: start",
            keys![BY, START],
        ),
        built_in(
            PoolForm::Share,
            "positive_reinforcement",
            "a share moves by eta (admitted share - applicant share): start, eta",
            keys![BY, START, ETA],
        ),
        built_in(
            PoolForm::RoleModel,
            "role_model",
            "the same, by the best-scored part rho of the admitted: start, eta, rho",
            keys![BY, START, ETA, RHO],
        ),
        built_in(
            PoolForm::Order,
            "order",
            "by sign(x) |x|^beta of that difference x: start, eta, beta",
            keys![BY, START, ETA, BETA],
        ),
        built_in(
            PoolForm::Weighted,
            "weighted",
            "by a weight of each group times that difference: start, eta, weights",
            keys![BY, START, ETA, WEIGHTS],
        ),
    ]
}

/// The keys of a kind, but the one that names it. Those of a program's own have `by`, `start` and
/// `eta` too.
fn keys(kind: &PoolKind) -> Vec<Param> {
    let common: &[Param] = match kind.read {
        PoolReader::BuiltIn(_) => &[],
        PoolReader::Own(_) => keys![BY, START, ETA],
    };
    [common, kind.params].concat()
}

/// A kind with all its keys.
pub(crate) fn entry(kind: &PoolKind) -> Entry {
    Entry {
        name: kind.name,
        about: kind.about,
        params: keys(kind),
    }
}

pub(super) const POOL: ConfigKey<Later> =
    ConfigKey::later("pool", Shape::Registered(KindList::Pools)).about("who applies");

/// `[pool]`, before the world is there.
pub(super) struct PoolWish<'a> {
    table: Reader<'a>,
    /// `by`: the attribute whose values are the groups.
    by: Field<'a>,
    response: PoolReader,
}

pub(super) fn wish<'a>(mut table: Reader<'a>, kinds: &[PoolKind]) -> Option<PoolWish<'a>> {
    let (kind, by) = (TYPE.field(&mut table), BY.field(&mut table));
    let kinds: Vec<_> = kinds.iter().map(|kind| (kind.name, kind)).collect();
    let kind = kind.choice(&kinds)?;
    let keys = [keys![TYPE], &keys(kind)[..]].concat();
    match kind.read {
        PoolReader::BuiltIn(_) => table.declare(keys),
        PoolReader::Own(_) => table.declare_own(keys),
    }
    Some(PoolWish {
        table,
        by,
        response: kind.read.clone(),
    })
}

impl PoolWish<'_> {
    /// The attribute whose values are the groups, where there is one: `by`, what the source says,
    /// or the only one. [`PoolWish::read`] notes what is wrong.
    pub(super) fn groups(&self, attributes: &[Attribute], said: Option<usize>) -> Option<usize> {
        if self.by.is_given() {
            let by = self.by.value()?.text()?;
            return attributes.iter().position(|one| one.name == by);
        }
        said.or((attributes.len() == 1).then_some(0))
    }

    /// Returns the attribute of the groups. Notes a problem if there is none.
    fn attribute(&self, schema: &Schema, said: Option<usize>) -> Option<usize> {
        let found = self.groups(schema.attributes(), said);
        let names = schema.attributes().iter().map(|one| one.name.as_str());
        let names: Vec<&str> = names.collect();
        if found.is_none() && self.by.is_given() {
            let words = names.iter().map(|name| (*name, ()));
            self.by.choice(&words.collect::<Vec<_>>());
        } else if found.is_none() {
            self.by.refuse(
                "the pool is one of groups, and it is not said which attribute makes them",
                format!("set `by` in [pool] to one of {}", names.join(", ")),
            );
        }
        found
    }

    /// Notes that there can be no pool.
    pub(super) fn refuse(&self, what: impl Into<String>, help: impl Into<String>) {
        self.table.refuse(what, help);
    }

    /// The dynamics of the pool, among the groups that the source has; where the source can't be
    /// read, none, but what is wrong with its keys is noted all the same.
    pub(super) fn read(mut self, world: Option<(&Schema, &Known)>) -> Option<Dynamics> {
        let attribute = world.and_then(|(schema, known)| self.attribute(schema, known.group));
        let of = |at: usize| world.map(|(schema, _)| &schema.attributes()[at].values);
        let values = attribute.and_then(of);
        let start = START.field(&mut self.table);
        let start = values.and_then(|values| group_shares(&start, values));
        let eta = match &self.response {
            PoolReader::BuiltIn(PoolForm::Fixed) => Some(Eta::Constant(0.0)),
            _ => ETA.value(&mut self.table),
        };
        let table = &mut self.table;
        let response = match &self.response {
            PoolReader::BuiltIn(PoolForm::Fixed) => Some(Response::None),
            PoolReader::BuiltIn(PoolForm::Share) => Some(Response::Share),
            PoolReader::BuiltIn(PoolForm::RoleModel) => {
                let rho = RHO.field(table);
                if world.is_some_and(|(schema, _)| !schema.scored()) {
                    table.refuse(
                        "the best of the admitted are looked up to, and the people of \
                         this source have no scores",
                        "take a source of type \"gaussian_groups\", or another pool",
                    );
                }
                let rho = RHO.value_of(&rho);
                rho.map(|rho| Response::RoleModel { rho })
            }
            PoolReader::BuiltIn(PoolForm::Order) => {
                let beta = BETA.value(table);
                beta.map(|beta| Response::Order { beta })
            }
            PoolReader::BuiltIn(PoolForm::Weighted) => {
                let weights = WEIGHTS.field(table);
                let weights = values.and_then(|values| self::weights(&weights, values));
                weights.map(Response::Weighted)
            }
            PoolReader::Own(read) => read(table, values.map(Vec::as_slice)).map(Response::own),
        };
        self.table.finish();
        Some(Dynamics {
            attribute: attribute?,
            start: start?,
            eta: eta?,
            response: response?,
        })
    }
}

/// A number, or `{ start = 0.5, decay = "harmonic" }`, which is `decay = 1`.
fn eta(field: &Field<'_>) -> Option<Eta> {
    let Some(Value::Table(_)) = field.value() else {
        return field.not_negative().map(Eta::Constant);
    };
    let mut table = field.table_of(POWER)?;
    let (start, power) = (ETA_START.value(&mut table), DECAY.value(&mut table));
    table.finish();
    let (start, power) = (start?, power?);
    Some(Eta::Power { start, power })
}

fn weights(field: &Field<'_>, values: &[String]) -> Option<Vec<f64>> {
    let given = by_group(field, values)?;
    Some(
        given
            .into_iter()
            .map(|weight| weight.unwrap_or(1.0))
            .collect(),
    )
}

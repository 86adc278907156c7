//! The section `[pool]`: the selection of applicants from the roster, and its reaction to
//! admissions.

use super::pool_kinds::{PoolForm, PoolKind, PoolReader};
use crate::catalog::{by_group, group_shares};
use crate::document::{Field, Reader, Value, range};
use kleroterion_core::pool::{Dynamics, Eta, Response};
use kleroterion_core::protocol::{Attribute, Known, Schema};

/// `[pool]`, before the world is there.
pub(super) struct PoolWish<'a> {
    table: Reader<'a>,
    /// `by`: the attribute whose values are the groups.
    by: Field<'a>,
    response: PoolReader,
}

pub(super) fn wish<'a>(mut table: Reader<'a>, kinds: &[PoolKind]) -> Option<PoolWish<'a>> {
    let kind = table.need("type", "type = \"positive_reinforcement\"");
    let by = table.get("by");
    let kinds: Vec<_> = kinds.iter().map(|kind| (kind.name, kind)).collect();
    let kind = kind.choice(&kinds)?;
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
        let start = self.table.need("start", "start = { u = 0.1 }");
        let start = values.and_then(|values| group_shares(&start, values));
        let eta = match &self.response {
            PoolReader::BuiltIn(PoolForm::Fixed) => Some(Eta::Constant(0.0)),
            _ => eta(&self.table.need("eta", "eta = 0.05")),
        };
        let table = &mut self.table;
        let response = match &self.response {
            PoolReader::BuiltIn(PoolForm::Fixed) => Some(Response::None),
            PoolReader::BuiltIn(PoolForm::Share) => Some(Response::Share),
            PoolReader::BuiltIn(PoolForm::RoleModel) => {
                let rho = table.need("rho", "rho = 0.2");
                if world.is_some_and(|(schema, _)| !schema.scored()) {
                    table.refuse(
                        "the best of the admitted are looked up to, and the people of \
                         this source have no scores",
                        "take a source of type \"gaussian_groups\", or another pool",
                    );
                }
                let rho = rho.number_in(&range::PART);
                rho.map(|rho| Response::RoleModel { rho })
            }
            PoolReader::BuiltIn(PoolForm::Order) => {
                let beta = table.need("beta", "beta = 2.0").positive();
                beta.map(|beta| Response::Order { beta })
            }
            PoolReader::BuiltIn(PoolForm::Weighted) => {
                let weights = table.need("weights", "weights = { u = 2.0, v = 1.0 }");
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
    let mut table = field.table()?;
    let start = table.need("start", "start = 0.5").not_negative();
    let decay = table.need("decay", "decay = \"harmonic\"");
    let power = match decay.value() {
        Some(Value::Whole(_) | Value::Number(_)) => decay.positive(),
        _ => decay.choice(&[("harmonic", 1.0)]),
    };
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

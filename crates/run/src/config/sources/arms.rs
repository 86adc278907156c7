//! The source `type = "arms"`: a given set of applicants with true utilities.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::catalog::param::{COUNT, Param, Shape, TEXTS};
use crate::config::context::{Built, Context};
use crate::config::keys::people::{NUMBER, VECTOR};
use crate::config::plan::{Merits, World};
use crate::document::range::NOT_NEGATIVE;
use crate::document::{Field, Reader};
use kleroterion_core::limits::MOST_SLATE;
use kleroterion_core::protocol::Known;
use kleroterion_core::score::Utilities;
use kleroterion_core::source::{ArmStream, Arms, Means, SourceMaker};

const N: Param = Param::new("n", Shape::Whole(1, MOST_SLATE as u64), "how many").needed();

const NORMAL: &[Param] = &[
    N,
    Param::new("mean", NUMBER, "their mean").needed(),
    Param::new(
        "sd",
        Shape::Number(NOT_NEGATIVE),
        "their standard deviation",
    )
    .needed(),
];

const ARMS: &[Param] = &[
    Param::new(
        "means",
        Shape::OneOf(&[
            Shape::Table(&[Param::new("list", VECTOR, "").needed()]),
            Shape::Table(&[Param::new(
                "linear",
                Shape::Table(&[
                    N,
                    Param::new("from", NUMBER, "").needed(),
                    Param::new("to", NUMBER, "").needed(),
                ]),
                "",
            )
            .needed()]),
            Shape::Table(&[Param::new("normal_quantiles", Shape::Table(NORMAL), "").needed()]),
            Shape::Table(&[Param::new("normal", Shape::Table(NORMAL), "").needed()]),
        ]),
        "what the applicants are worth",
    )
    .needed(),
    Param::new(
        "groups",
        Shape::OneOf(&[
            Shape::Table(&[Param::new("modulo", COUNT, "").needed()]),
            Shape::Table(&[Param::new("blocks", COUNT, "").needed()]),
            Shape::Table(&[Param::new("list", TEXTS, "").needed()]),
        ]),
        "the group of each",
    ),
];

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "arms",
    about: "a given set of applicants with true utilities: by formula, listed, or drawn anew; \
         with groups",
    forms: &[SourceForm::Own(ARMS)],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(people),
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let field = table.need(
        "means",
        "means = { linear = { n = 20, from = 0.0, to = 1.0 } }",
    );
    let means = means(&field);
    let grouped = table.get("groups");
    table.finish();
    let means = means?;
    let groups = grouped.optional(|field| groups(field, means.len()));
    let groups = groups.unless_bad()?;
    let slate = slate(means.len(), &field, context)?;
    let known = match &means {
        Means::Fixed(means) => Utilities::new(means.clone(), false),
        Means::Normal { .. } => None,
    };
    let merits = Merits::known(known.map(|known| known.in_slates(Some(slate))));
    let arms = Arms::new(means, groups).map_err(|error| {
        grouped.refuse(error.to_string(), "give fewer groups");
    });
    let arms = Arc::new(arms.ok()?);
    let schema = Arc::clone(arms.schema());
    let group = (!schema.attributes().is_empty()).then_some(0);
    let source: SourceMaker =
        Arc::new(move |key| Box::new(ArmStream::new(Arc::clone(&arms), key, slate)));
    let known = Known {
        group,
        ..Known::default()
    };
    Some(Built::of(World {
        merits,
        ..World::new(schema, known, source)
    }))
}

/// Returns the size of a slate: all applicants, or an equal part of them.
fn slate(n: u32, field: &Field<'_>, context: &Context<'_>) -> Option<u32> {
    let slate = context.slate.of(Some(n))?;
    if context.ruled && !n.is_multiple_of(slate) {
        return field.refused(
            format!("{n} applicants don't make slates of {slate}"),
            "set slate = \"all\" in [rules], or a number that divides theirs",
        );
    }
    Some(slate)
}

fn means(field: &Field<'_>) -> Option<Means> {
    let keys = ["linear", "list", "normal_quantiles", "normal"];
    let (key, inner) = field.form(&[], &keys)?;
    if key == "list" {
        let list = inner.each(Field::finite)?;
        if list.is_empty() || list.len() > MOST_SLATE as usize {
            return inner.refused(
                format!("{} applicants", list.len()),
                format!("give 1 to {MOST_SLATE}"),
            );
        }
        return Some(Means::Fixed(list));
    }
    let mut table = inner.table()?;
    let n = table
        .need("n", "n = 20")
        .whole_in(1..=u64::from(MOST_SLATE));
    let means = if key == "linear" {
        let from = table.need("from", "from = 0.0").finite();
        let to = table.need("to", "to = 1.0").finite();
        table.finish();
        Means::linear(n? as u32, from?, to?)
    } else {
        let mean = table.need("mean", "mean = 10.0").finite();
        let sd = table.need("sd", "sd = 1.0").not_negative();
        table.finish();
        let (n, mean, sd) = (n? as u32, mean?, sd?);
        match key {
            "normal" => Means::Normal { n, mean, sd },
            _ => Means::normal_quantiles(n, mean, sd),
        }
    };
    if let Means::Fixed(means) = &means
        && means.iter().any(|mean| !mean.is_finite())
    {
        return inner.refused("a utility beyond all numbers", "give smaller ones");
    }
    Some(means)
}

/// The names of the groups, and the group of each of `n` applicants.
fn groups(field: &Field<'_>, n: u32) -> Option<(Vec<String>, Vec<u16>)> {
    let (key, inner) = field.form(&[], &["modulo", "list", "blocks"])?;
    if key == "list" {
        let names = inner.texts()?;
        if names.len() != n as usize {
            return inner.refused(
                format!("{} groups for {n} applicants", names.len()),
                "name the group of each",
            );
        }
        let mut values: BTreeMap<&String, usize> = BTreeMap::new();
        let mut order = Vec::new();
        let groups = names.iter().map(|name| {
            *values.entry(name).or_insert_with(|| {
                order.push(name.clone());
                order.len() - 1
            })
        });
        let groups: Vec<usize> = groups.collect();
        if order.len() > 1 << 16 {
            return inner.refused("more than 65,536 groups", "give fewer");
        }
        return Some((order, groups.into_iter().map(|g| g as u16).collect()));
    }
    let most = u64::from(n).min(1 << 16);
    let many = inner.whole_in(1..=most)? as u32;
    let group = |i: u32| match key {
        "modulo" => i % many,
        _ => (u64::from(many) * u64::from(i) / u64::from(n)) as u32,
    };
    let values = (0..many).map(|g| g.to_string()).collect();
    Some((values, (0..n).map(|i| group(i) as u16).collect()))
}

//! The source `type = "linear_groups"`: contexts of several groups, with merit mu.x.

use std::sync::Arc;

use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::catalog::short;
use crate::config::context::{Built, Context};
use crate::config::keys::people::VECTOR;
use crate::config::plan::{Merits, World};
use crate::config::rules::Slate;
use crate::config::shares::SLACK;
use crate::document::param::{Param, Shape};
use crate::document::range::{NOT_NEGATIVE, PART};
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::protocol::{Fact, GroupTruth, Known};
use kleroterion_core::source::{
    HELD_OUT, LinearGroup, LinearGroups, LinearStream, MeritCdf, SourceMaker,
};

type Preset = (&'static str, fn() -> LinearGroups);

const PRESETS: [Preset; 2] = [
    ("grazzi2022-section6", LinearGroups::section6),
    ("grazzi2022-released", LinearGroups::released),
];

const PRESET: ConfigKey<fn() -> LinearGroups> = ConfigKey::word("preset", &PRESETS)
    .about("a paper's instance")
    .needed();

const MU: ConfigKey<Later> = ConfigKey::later("mu", VECTOR)
    .about("what a feature is worth")
    .needed();

const ONE_PER_GROUP: ConfigKey<bool> = ConfigKey::flag("one_per_group")
    .about("one of each group a round")
    .or(false);

const NAME: ConfigKey<Later> = ConfigKey::later("name", Shape::Text).needed_like("name = \"a\"");

const PROBABILITY: ConfigKey<Later> =
    ConfigKey::later("probability", Shape::Number(PART)).like("probability = 0.5");

const LOW: ConfigKey<Later> = ConfigKey::later("low", VECTOR).needed_like("low = [0, 0]");

const WIDTH: ConfigKey<Later> =
    ConfigKey::later("width", Shape::List(&Shape::Number(NOT_NEGATIVE)))
        .needed_like("width = [1, 1]");

const FROM_ROUND: ConfigKey<u64> = ConfigKey::whole("from_round", 1, u64::MAX)
    .about("the first round in which it comes")
    .or(1);

const GROUP: &[Param] = keys![NAME, PROBABILITY, LOW, WIDTH, FROM_ROUND];

const GROUPS: ConfigKey<Later> = ConfigKey::later("group", Shape::List(&Shape::Table(GROUP)))
    .about("the groups")
    .needed_like(
        "[[source.group]] with name = \"a\", probability = 0.5, low = [0, 0], width = [1, 1]",
    );

const SPELT_OUT: &[Param] = keys![MU, ONE_PER_GROUP, GROUPS];

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "linear_groups",
    about: "contexts of several groups, worth mu.x each: a preset, or mu and [[source.group]]",
    forms: &[SourceForm::Own(keys![PRESET]), SourceForm::Own(SPELT_OUT)],
    can_be_pooled: true,
    read: SourceReader::BuiltIn(people),
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let example = "preset = \"grazzi2022-section6\"";
    let (key, field) = table.need_one(keys![PRESET, MU], example)?;
    let groups = if key == PRESET.name() {
        let preset = PRESET.value_of(&field);
        table.finish();
        preset?()
    } else {
        spelt_out(table, &field, context.pool.is_some())?
    };
    let is_pooled = context.pool.is_some();
    let each_once = groups.one_per_group() && !is_pooled;
    if each_once {
        slate_of_each(groups.groups(), &field, context)?;
    }
    let cdfs = groups.cdfs();
    let mut notes = Vec::new();
    if cdfs.iter().any(|cdf| matches!(cdf, MeritCdf::Empirical(_))) {
        notes.push(format!(
            "true relative ranks of some group are those of a held-out sample of \
             {HELD_OUT} merits: its box is too unequal for the exact formula"
        ));
    }
    let groups = Arc::new(groups);
    let schema = Arc::clone(groups.schema());
    let law = groups.law().filter(|_| !is_pooled);
    let law = law.map_or(Fact::Unknown, |law| Fact::Exact(Arc::new(law)));
    let sizes = match each_once {
        true => context
            .slate
            .of(Some(groups.groups() as u32))
            .map(|_| groups.present())?,
        false => context.slate.sizes(None)?,
    };
    let source: SourceMaker = Arc::new(move |key| {
        let (groups, sizes) = (Arc::clone(&groups), sizes.clone());
        Box::new(LinearStream::sized(groups, key, sizes, is_pooled))
    });
    let known = Known {
        law,
        group: Some(0),
        ..Known::default()
    };
    let world = World {
        merits: Merits::Drawn,
        truth: Some(GroupTruth {
            attribute: 0,
            cdf: Arc::new(move |group: usize, merit: f64| cdfs[group].cdf(merit)),
        }),
        ..World::new(schema, known, source)
    };
    Some(Built {
        notes,
        ..Built::of(world)
    })
}

/// Checks the size of a slate with one person of each of `many` groups. Notes a problem if it is
/// another number.
pub(super) fn slate_of_each(many: usize, field: &Field<'_>, context: &Context<'_>) -> Option<()> {
    let slate = match context.slate {
        Slate::Of(slate) if context.ruled && *slate as usize != many => slate,
        _ => return Some(()),
    };
    field.refused(
        format!("one candidate of each of {many} groups makes a slate of {many}, not of {slate}"),
        format!("set slate = {many} in [rules]"),
    )
}

fn spelt_out(mut table: Reader<'_>, mu: &Field<'_>, is_pooled: bool) -> Option<LinearGroups> {
    let vector = mu.each(Field::finite);
    if vector.as_ref().is_some_and(Vec::is_empty) {
        mu.refuse("mu has no numbers", "give one a feature: mu = [1.0, -0.5]");
    }
    let dimension = vector.as_ref().map(Vec::len).filter(|d| *d > 0);
    let drawn = ONE_PER_GROUP.value(&mut table).map(|one| !one);
    let field = GROUPS.field(&mut table);
    table.finish();
    let members = field.members();
    if members.as_ref().is_some_and(Vec::is_empty) {
        return field.refused("there is no group", "add a [[source.group]]");
    }
    let mut names: Vec<&str> = Vec::new();
    let groups: Vec<_> = members?
        .iter()
        .map(|member| group(member, dimension, drawn, is_pooled, &mut names))
        .collect();
    let mut groups: Vec<LinearGroup> = groups.into_iter().collect::<Option<_>>()?;
    if groups.iter().all(|group| group.from_round > 1) {
        return field.refused(
            "no group comes in round 1",
            "leave from_round out of a group that comes from the start",
        );
    }
    let sum: f64 = groups.iter().map(|group| group.probability).sum();
    let drawn = drawn?;
    if drawn && (sum - 1.0).abs() > SLACK {
        return field.refused(
            format!(
                "the probabilities of the groups sum to {}, not to 1",
                short(sum)
            ),
            "make them sum to 1, or set one_per_group = true",
        );
    }
    if drawn {
        groups.iter_mut().for_each(|group| group.probability /= sum);
    }
    dimension?;
    let groups = LinearGroups::new(vector?, groups, !drawn);
    mu.sound(groups, "give smaller numbers, and fewer groups than 65536")
}

/// A group; `drawn`: whether groups are drawn by their probabilities, where that is known.
fn group<'a>(
    field: &Field<'a>,
    dimension: Option<usize>,
    drawn: Option<bool>,
    is_pooled: bool,
    names: &mut Vec<&'a str>,
) -> Option<LinearGroup> {
    let mut table = field.table_of(GROUP)?;
    let named = NAME.field(&mut table);
    let name = named.text().filter(|name| {
        let blank = name.trim().is_empty() || name.chars().any(char::is_control);
        let known = names.contains(name);
        if blank {
            named.refuse("a group needs a visible name", "for example: name = \"a\"");
        } else if known {
            let what = format!("two groups have the name {name:?}");
            named.refuse(what, "give each a name of its own");
        }
        !blank && !known
    });
    names.extend(name);
    let probability = match drawn {
        Some(true) => PROBABILITY.needed().field(&mut table),
        _ => PROBABILITY.field(&mut table),
    };
    if drawn == Some(false) && probability.is_given() {
        probability.refuse(
            "a probability where every round has one of each group",
            "leave it out, or leave out one_per_group",
        );
    }
    let drawing = drawn == Some(true);
    let share = probability.number_where(PART.words, |p| !drawing || PART.holds(p));
    let low = corner(&LOW.field(&mut table), dimension, Field::finite);
    let width = corner(&WIDTH.field(&mut table), dimension, Field::not_negative);
    let from_round = first_round(&FROM_ROUND.field(&mut table), is_pooled);
    table.finish();
    if drawn == Some(false) && probability.is_given() {
        return None;
    }
    Some(LinearGroup {
        name: name?.to_owned(),
        probability: if drawing { share? } else { 0.0 },
        low: low?,
        width: width?,
        from_round: from_round?,
    })
}

/// The first round in which a group's people come.
fn first_round(field: &Field<'_>, is_pooled: bool) -> Option<u64> {
    let round = FROM_ROUND.value_of(field)?;
    if round > 1 && is_pooled {
        return field.refused(
            "a group that comes later, under a pool in which all groups could apply from round 1",
            "leave out from_round, or [pool]",
        );
    }
    Some(round)
}

/// Reads a vector with as many numbers as mu.
fn corner<'a>(
    field: &Field<'a>,
    dimension: Option<usize>,
    read: impl FnMut(&Field<'a>) -> Option<f64>,
) -> Option<Vec<f64>> {
    let numbers = field.each(read)?;
    match dimension {
        Some(d) if d != numbers.len() => {
            let what = format!(
                "`{}` has {} numbers, and mu has {d}",
                field.path(),
                numbers.len()
            );
            field.refused(what, format!("give {d}, one a feature"))
        }
        _ => Some(numbers),
    }
}

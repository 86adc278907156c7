//! `[source]`: where candidates come from.

use std::path::Path;
use std::sync::Arc;

use super::plan::World;
use super::rules::{Slate, Unique};
use super::target::{Shares, Wanted, shares};
use super::{
    admissions, arms, feed, file, gaussian_groups, joint, linear_groups, pool, respondents,
};
use crate::document::{Field, Reader, Value};
use crate::policy::committee::feasibility::Supply;
use crate::problem::Place;
use crate::protocol::{Attribute, Fact, Known, Law, Schema};
use crate::source::{Generated, People, SourceMaker};

/// What the reading of `[source]` needs beside its table.
pub(super) struct Context<'a> {
    /// Where files are looked for first.
    pub(super) folder: &'a Path,
    /// The target, for weights relative to it.
    pub(super) wanted: Option<&'a Wanted>,
    /// Whether there is a target that can't be read: then nothing is said of what is relative to it.
    pub(super) unread: bool,
    /// How many persons make a slate.
    pub(super) slate: &'a Slate<'a>,
    /// Whether there are rules that could be read: else nothing is said of the slate.
    pub(super) ruled: bool,
    /// Who of those who could apply does, where the config says.
    pub(super) pool: Option<&'a pool::Wish<'a>>,
    /// Whether there is a pool that can't be read: then nothing is said of its absence.
    pub(super) unpooled: bool,
    /// Of which persons at most one is accepted.
    pub(super) unique: Option<&'a Unique<'a>>,
}

/// A world, with what only the check of the config wants to know of it.
pub(super) struct Built {
    pub(super) world: World,
    /// The weighted shares of a file, where it has weights.
    pub(super) weighted: Option<Vec<Vec<f64>>>,
    /// The people there are, each of whom can be taken once, where quotas ask for them.
    pub(super) supply: Option<Supply>,
    pub(super) notes: Vec<String>,
    /// Whether the law of the people is as written; else only who they are, their attributes and values, can be relied on.
    pub(super) sound: bool,
}

impl Built {
    /// Of a world that is no file of people, and of which nothing is to be said.
    pub(super) fn of(world: World) -> Self {
        Self {
            world,
            weighted: None,
            supply: None,
            notes: Vec::new(),
            sound: true,
        }
    }
}

impl std::ops::Deref for Built {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

pub(super) fn world(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let kind = table.need("type", "type = \"categorical\"");
    let rate = table.get("volunteering_rate");
    let (rate_given, rate) = (
        rate.is_given(),
        rate.number_where("a number above 0 and at most 1", |x| x > 0.0 && x <= 1.0),
    );
    let pace = table.get("pace");
    let (pace_given, pace) = (pace.is_given(), feed::pace(&pace));
    let kinds: [(_, feed::People); 7] = [
        ("admissions", admissions::people),
        ("arms", arms::people),
        ("categorical", categorical),
        ("file", file::people),
        ("gaussian_groups", gaussian_groups::people),
        ("linear_groups", linear_groups::people),
        ("respondents", respondents::people),
    ];
    let mut kinds: Vec<_> = kinds.into_iter().chain(feed::TYPES).collect();
    kinds.sort_by_key(|(name, _)| *name);
    let pooled = ["file", "gaussian_groups"];
    let feeds = |name| feed::TYPES.iter().any(|(known, _)| *known == name);
    if let Some(pool) = context.pool
        && let Some(name) = kind.text()
        && kinds.iter().any(|(known, _)| *known == name)
        && !pooled.contains(&name)
        && !feeds(name)
    {
        pool.refuse(
            format!("a pool lets some of many apply, and a source of type {name:?} has only those it shows"),
            format!("leave [pool] out, or take a source of type {}, or a feed", pooled.join(" or ")),
        );
    }
    let built: Option<Built> = kind.choice(&kinds)?(table, context);
    let unread = (rate_given && rate.is_none()) || (pace_given && pace.is_none());
    let mut built = built.filter(|_| !unread)?;
    built.world.volunteering_rate = rate;
    built.world.pace = pace;
    Some(built)
}

/// Whether a source makes nothing of a config without a target.
pub(super) fn needs_target(mut table: Reader<'_>) -> bool {
    let respondents = Value::Text("respondents".into());
    table.get("type").value() == Some(&respondents) || table.get("weights").is_given()
}

fn categorical(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let example = "shares = { gender = { M = 0.5, F = 0.5 } }";
    let given = table.need_one(&["shares", "weights", "joint"], example);
    table.finish();
    if let Some(unique) = context.unique {
        unique.refuse("categorical");
    }
    let (key, field) = given?;
    let ((attributes, law), sound) = match key {
        "shares" => sound_product(shares(field.table()?, "`shares`")?),
        "weights" if context.unread => return None,
        "weights" => sound_product(weighted(&field, context.wanted)?),
        _ => (joint::joint(&field, context.folder)?, true),
    };
    let schema = match Schema::new(attributes, vec![], false) {
        Ok(schema) => Arc::new(schema),
        Err(error) => {
            field.refuse(error.to_string(), "merge rare values, or drop an attribute");
            return None;
        }
    };
    let people = match People::new(Arc::clone(&schema), &law) {
        Ok(people) => Arc::new(people),
        Err(error) => {
            field.refuse(format!("nobody can be drawn: {error}"), example);
            return None;
        }
    };
    let slate = context.slate.of(None)?;
    let source: SourceMaker =
        Arc::new(move |key| Box::new(Generated::new(Arc::clone(&people), key, slate)));
    let known = Known {
        law: Fact::Exact(Arc::new(law)),
        ..Known::default()
    };
    Some(Built {
        sound,
        ..Built::of(World::new(schema, known, source))
    })
}

/// A product law, and whether its shares are as written.
fn sound_product(shares: Vec<Shares>) -> ((Vec<Attribute>, Law), bool) {
    let sound = shares.iter().all(|shares| shares.sound);
    (product(shares), sound)
}

pub(super) fn product(shares: Vec<Shares>) -> (Vec<Attribute>, Law) {
    let mut attributes = Vec::new();
    let mut marginals = Vec::new();
    for Shares {
        attribute, values, ..
    } in shares
    {
        let (names, row) = values.into_iter().unzip();
        attributes.push(Attribute {
            name: attribute,
            values: names,
        });
        marginals.push(row);
    }
    (attributes, Law::Product(marginals))
}

/// Volunteers come in proportion to target times weight: q^i_j = rho^i_j W^i_j / sum_j rho^i_j W^i_j.
fn weighted(field: &Field<'_>, wanted: Option<&Wanted>) -> Option<Vec<Shares>> {
    let mut table = field.table()?;
    let rows: Vec<_> = table
        .rest()
        .iter()
        .map(|(key, field)| weighted_one(&key.name, field, wanted))
        .collect();
    if rows.is_empty() {
        table.refuse(
            "the weights name no attribute",
            "for example: gender = { M = 1.0, F = 0.75 }",
        );
        return None;
    }
    rows.into_iter().collect()
}

fn weighted_one(name: &str, field: &Field<'_>, wanted: Option<&Wanted>) -> Option<Shares> {
    let weights = field.pairs(Field::not_negative)?;
    let Some(target) = wanted.and_then(|wanted| wanted.of(name)) else {
        field.refuse(
            format!("the weights of {name} are relative to a target that [target] does not give"),
            format!("add {name} to [target], or give the source `shares`"),
        );
        return None;
    };
    let mut sound = true;
    let mut values = Vec::new();
    for (value, share) in &target.values {
        match weights.iter().find(|(named, _)| named == value) {
            Some((_, weight)) => values.push((value.clone(), share * weight)),
            None => {
                field.refuse(
                    format!("{name} = {value} has a target but no weight"),
                    format!("add {value} to the weights of {name} (1.0 = volunteers as others do)"),
                );
                sound = false;
            }
        }
    }
    for (value, _) in &weights {
        if !target.values.iter().any(|(named, _)| named == value) {
            field.refuse(
                format!("{name} = {value} has a weight but no target"),
                format!("add {value} to [target], or drop its weight"),
            );
            sound = false;
        }
    }
    let total: f64 = values.iter().map(|(_, mass)| mass).sum();
    if sound && total <= 0.0 {
        field.refuse(
            format!("nobody volunteers: all weights of {name} are 0"),
            "give at least one value with a positive target a positive weight",
        );
        sound = false;
    }
    let place: Place = field.place().clone();
    sound.then(|| Shares {
        attribute: name.to_owned(),
        place,
        values: values
            .into_iter()
            .map(|(v, mass)| (v, mass / total))
            .collect(),
        sound: target.sound,
    })
}

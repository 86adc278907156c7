//! The target, resolved against the people of the source.

use super::context::Built;
use super::organiser::OrganiserTarget;
use super::plan::World;
use super::shares::Shares;
use super::target::Wanted;
use crate::document::{Field, meant};
use kleroterion_core::nearest::nearest_value;
use kleroterion_core::problem::Problem;
use kleroterion_core::protocol::{Attribute, Target};
use kleroterion_io::people::organisers::Categories;
use kleroterion_io::record::alike;
use kleroterion_io::record::cell::number;
use kleroterion_io::record::interval::bands_text;
use kleroterion_io::record::look::look_alike;

impl Wanted {
    /// The target in terms of the world's attributes. Values that a categories file allows, that it
    /// does not need, and that no candidate has get a share of 0, with a note.
    pub(super) fn resolve(
        &self,
        built: &Built,
        field: &Field<'_>,
        notes: &mut Vec<String>,
    ) -> Option<Target> {
        match self {
            Self::FromWeights => {
                let Some(shares) = &built.weighted else {
                    return field.refused(
                        "the target is to come from weights, but the source has none",
                        "name the file's column of weights in [source]: weight = \"PWGTP\"",
                    );
                };
                let rows = shares.iter().cloned().enumerate().collect();
                Some(Target::new(&built.world.schema, rows))
            }
            Self::Shares(..) | Self::Organiser(_) => {
                let rows: Vec<_> = self
                    .written()
                    .iter()
                    .map(|shares| resolve_one(shares, &built.world, field))
                    .collect();
                let mut rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
                let world = (&built.world, built.heads.as_ref());
                for (shares, (at, _)) in self.written().iter().zip(&rows) {
                    let names = || shares.values.iter().map(|(name, _)| name.as_str());
                    let values = &built.world.schema.attributes()[*at].values;
                    let named = |value: &str| {
                        let is_meant = |name| {
                            let found = alike::find(name, values.iter().map(String::as_str));
                            matches!(found, Ok(Some(at)) if values[at] == value)
                        };
                        names().any(is_meant)
                    };
                    self.others().check(*at, named, world, field, notes);
                }
                if let Some(target) = self.organiser() {
                    check_pairs(target, &built.world, field)?;
                    leave_out_absent(&mut rows, &target.categories, &built.world, notes);
                }
                Some(Target::new(&built.world.schema, rows))
            }
        }
    }
}

/// Notes that quotas on pairs are not kept of people who don't come from a file that is read
/// beforehand.
fn check_pairs(target: &OrganiserTarget, world: &World, field: &Field<'_>) -> Option<()> {
    let Some((pair, place)) = target.missed_pair(&world.schema) else {
        return Some(());
    };
    let what = format!(
        "the source has no pairs of values such as those of {}",
        pair.name()
    );
    let help = "quotas on pairs need a source of type \"respondents\" or \"file\"; else leave out \
                `intersections`";
    field.report(Problem::new(place.clone(), what).help(help));
    None
}

/// Sets the share of each value to 0 that no candidate has and of which the file needs none, and
/// scales the others of its attribute up to 1. A share that no committee can reach would leave the
/// program of `cmdp` without a solution.
fn leave_out_absent(
    rows: &mut [(usize, Vec<f64>)],
    categories: &Categories,
    world: &World,
    notes: &mut Vec<String>,
) {
    let Some(law) = world.known.law.get() else {
        return;
    };
    let comes = law.marginals(&world.schema.levels());
    for (at, row) in rows {
        let Attribute { name, values } = &world.schema.attributes()[*at];
        // Twice the midpoint of the quota; 0 of values that the file does not list.
        let wish = |j: usize| {
            let listed = categories.value(name, &values[j]);
            listed.map_or(0.0, |listed| {
                f64::from(listed.quota.min) + f64::from(listed.quota.max)
            })
        };
        let needless = |j: usize| {
            let listed = categories.value(name, &values[j]);
            listed.is_some_and(|listed| listed.quota.min == 0)
        };
        let (absent, kept): (Vec<usize>, Vec<usize>) =
            (0..row.len()).partition(|&j| row[j] > 0.0 && comes[*at][j] == 0.0 && needless(j));
        let sum: f64 = kept.iter().map(|&j| wish(j)).sum();
        // Where nothing else is wanted there is nothing to scale, and the policies say so.
        if absent.is_empty() || sum == 0.0 {
            continue;
        }
        for j in kept {
            row[j] = wish(j) / sum;
        }
        for j in absent {
            row[j] = 0.0;
            let value = &values[j];
            notes.push(format!(
                "{name} = {value}: no candidate has this value and the quotas need \
                 none, so its target share is 0"
            ));
        }
    }
}

/// Puts an attribute's shares in the order of the schema's values; values that are not named are
/// not wanted.
fn resolve_one(shares: &Shares, world: &World, field: &Field<'_>) -> Option<(usize, Vec<f64>)> {
    let schema = &world.schema;
    let refuse = |what: String, name: &str, known: Vec<&str>| {
        let list = known.join(", ");
        let near = nearest_value(name, known.iter().copied()).map(|near| format!("`{near}`"));
        let help = meant(near, format!("there are: {list}"));
        field.report(Problem::new(shares.place.clone(), what).help(help));
    };
    let name = &shares.attribute;
    let names = schema.attributes().iter().map(|one| one.name.as_str());
    let Ok(Some(at)) = alike::find(name, names) else {
        let known = schema.attributes().iter().map(|a| a.name.as_str());
        let what = format!("the target names the attribute {name}, which the source does not have");
        refuse(what, name, known.collect());
        return None;
    };
    let attribute = &schema.attributes()[at];
    if let Some((what, help)) = unbanded(shares, attribute) {
        field.report(Problem::new(shares.place.clone(), what).help(help));
        return None;
    }
    let mut row = vec![0.0; attribute.values.len()];
    let mut sound = true;
    let mut met: Vec<Option<&str>> = vec![None; row.len()];
    for (value, share) in &shares.values {
        match alike::find(value, attribute.values.iter().map(String::as_str)) {
            Ok(Some(index)) => {
                row[index] = *share;
                if let Some(other) = met[index].replace(value) {
                    let what = format!(
                        "the target names {name} {} twice: as {other} and as {value}",
                        attribute.values[index]
                    );
                    let help = "give one share; case, blanks and Unicode form make no difference";
                    field.report(Problem::new(shares.place.clone(), what).help(help));
                    sound = false;
                }
            }
            Err([one, other]) => {
                let what =
                    format!("{name} has no value {value} in the source, and two that are alike");
                let help = format!(
                    "write {} or {}",
                    attribute.values[one], attribute.values[other]
                );
                field.report(Problem::new(shares.place.clone(), what).help(help));
                sound = false;
            }
            Ok(None) => {
                let values = attribute.values.iter().map(String::as_str);
                let why = look_alike(value, values)
                    .map_or_else(String::new, |(_, why)| format!(": {why}"));
                let what = format!("{name} has no value {value} in the source{why}");
                refuse(
                    what,
                    value,
                    attribute.values.iter().map(String::as_str).collect(),
                );
                sound = false;
            }
        }
    }
    sound.then_some((at, row))
}

/// Returns the problem and its remedy if the target names ranges and the people have numbers.
fn unbanded(shares: &Shares, attribute: &Attribute) -> Option<(String, String)> {
    let named = || shares.values.iter().map(|(name, _)| name.as_str());
    let values = || attribute.values.iter().map(String::as_str);
    let is_missed = |name: &str| matches!(alike::find(name, values()), Ok(None));
    if !named().any(is_missed) || !values().all(|value| number(value).is_some()) {
        return None;
    }
    let bands = bands_text(named())?;
    let name = &attribute.name;
    let shown: Vec<&str> = values().take(3).collect();
    let what = format!(
        "the target names ranges of {name}, and the source has numbers: {}{}",
        shown.join(", "),
        if attribute.values.len() > 3 {
            ", …"
        } else {
            ""
        }
    );
    let help = format!(
        "say which numbers are in which range, in [source.attributes] {name}: bands = {bands}"
    );
    Some((what, help))
}

//! Sets up the meritocratic policies from their tables in a config.

use std::sync::Arc;

use super::keys::policies as keys;
use super::ready::Ready;
use super::set_up::{Assumed, sound};
use crate::document::Reader;
use crate::policy::Brief;
use crate::policy::meritocratic::{
    BestReward, Bonus, Contexts, FairGreedy, FairGreedyParameters, GmfOracle, Oful, OracleCdf,
    OracleMu, RidgeGreedy, UniformChoice,
};
use crate::protocol::{Choose, GroupTruth};

pub(super) fn fair_greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let lambda = assumed.number(table, &keys::RIDGE);
    let rho = assumed.number(table, &keys::RHO);
    let refresh = table
        .get(keys::REFRESH.key)
        .optional(|field| keys::REFRESH.read_number(field));
    let attribute = ranked_by(table, brief);
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    if refresh.is_bad() {
        return None;
    }
    let refresh = refresh.is();
    if let Some(factor) = refresh {
        let note = format!(
            "refresh = {factor}: not the paper's algorithm, its estimate moves only when t has grown by that factor"
        );
        assumed.notes.push(note);
    }
    let contexts = contexts(table, brief, attribute?)?;
    let parameters = FairGreedyParameters {
        lambda: lambda?,
        rho: rho?,
        refresh,
    };
    let policy = sound(table, FairGreedy::new(contexts, parameters));
    assumed.say(Ready::blind(policy?)).filter(|_| one && learns)
}

pub(super) fn oful(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let lambda = assumed.number(table, &keys::RIDGE);
    let form = table.get("form");
    let authors = if form.is_given() {
        let authors = form.choice(&[("authors", true), ("abbasi_yadkori", false)]);
        if authors.is_none() {
            // Which keys belong to it is open.
            for key in ["ec", "R", "S", "delta"] {
                table.get(key);
            }
        }
        authors
    } else {
        assumed
            .notes
            .push("form = \"authors\" (the config gives none)".into());
        Some(true)
    };
    let bonus = authors.and_then(|authors| bonus(table, authors, &mut assumed));
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let contexts = contexts(table, brief, 0)?;
    let policy = sound(table, Oful::new(contexts, lambda?, bonus?));
    assumed.say(Ready::blind(policy?)).filter(|_| one && learns)
}

fn bonus(table: &mut Reader<'_>, authors: bool, assumed: &mut Assumed) -> Option<Bonus> {
    // The keys of the other form are told as what they are, not as unknown.
    let others: &[&str] = if authors {
        &["R", "S", "delta"]
    } else {
        &["ec"]
    };
    let mut strange = false;
    for key in others {
        let field = table.get(key);
        if field.is_given() {
            strange = true;
            let other = if authors { "abbasi_yadkori" } else { "authors" };
            field.refuse(
                format!("`{key}` belongs to form = \"{other}\""),
                "leave it out, or set the form",
            );
        }
    }
    if authors {
        let ec = assumed.number(table, &keys::EC);
        return Some(Bonus::Authors { ec: ec? }).filter(|_| !strange);
    }
    let noise = table.need("R", "R = 2.0, the scale of the rewards' noise");
    let norm = table.need("S", "S = 14.0, a bound on the length of mu");
    let (noise, norm) = (noise.not_negative(), norm.not_negative());
    let delta = assumed.number(table, &keys::OFUL_DELTA);
    let bonus = Bonus::AbbasiYadkori {
        noise: noise?,
        delta: delta?,
        norm: norm?,
    };
    Some(bonus).filter(|_| !strange)
}

pub(super) fn ridge_greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let lambda = assumed.number(table, &keys::RIDGE);
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let contexts = contexts(table, brief, 0)?;
    let policy = sound(table, RidgeGreedy::new(contexts, lambda?));
    assumed.say(Ready::blind(policy?)).filter(|_| one && learns)
}

pub(super) fn uniform_choice(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let one = chooses_one(table, brief);
    Ready::blind(UniformChoice).filter(|_| one)
}

pub(super) fn gmf_oracle(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Option<&GroupTruth>,
) -> Option<Ready> {
    let one = chooses_one(table, brief);
    let truth = truth?;
    let contexts = contexts(table, brief, truth.attribute)?;
    let oracle = GmfOracle::new(contexts, Arc::clone(&truth.cdf));
    Ready::sighted(oracle).filter(|_| one)
}

pub(super) fn oracle_mu(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Option<&GroupTruth>,
) -> Option<Ready> {
    let one = chooses_one(table, brief);
    let truth = truth?;
    let contexts = contexts(table, brief, truth.attribute)?;
    Ready::sighted(OracleMu::new(contexts)).filter(|_| one)
}

pub(super) fn oracle_cdf(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Option<&GroupTruth>,
) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let lambda = assumed.number(table, &keys::RIDGE);
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let truth = truth?;
    let contexts = contexts(table, brief, truth.attribute)?;
    let cdf = Arc::clone(&truth.cdf);
    let oracle = sound(table, OracleCdf::new(contexts, lambda?, cdf));
    assumed
        .say(Ready::sighted(oracle?))
        .filter(|_| one && learns)
}

pub(super) fn best_reward(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    _: Option<&GroupTruth>,
) -> Option<Ready> {
    let one = chooses_one(table, brief);
    Ready::sighted(BestReward).filter(|_| one)
}

/// Whether the rules let a policy choose one of a slate; that they don't is noted.
fn chooses_one(table: &Reader<'_>, brief: &Brief<'_>) -> bool {
    // Of rules that can't be read nothing is said.
    let Some(rules) = brief.rules else {
        return true;
    };
    let one = match rules.choose {
        Choose::Any | Choose::AtMost(_) | Choose::Exactly(1) => true,
        Choose::Exactly(_) | Choose::Share(_) => false,
    };
    if !one {
        table.refuse(
            "this policy chooses one of a slate, and the rules ask for others",
            "set choose = \"exactly_one\" in [rules]",
        );
    }
    one
}

/// Whether there is something to learn from; that there isn't is noted.
fn learns(table: &Reader<'_>, brief: &Brief<'_>) -> bool {
    if !brief.outcomes {
        table.refuse(
            "this policy learns from what comes of its choices, and the config has no [feedback.outcome]",
            "for example: [feedback.outcome] with type = \"linear\" and noise = 2.0",
        );
    }
    brief.outcomes
}

/// The attribute within whose values candidates are ranked: `by`, or what the source says, or the only one.
fn ranked_by(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<usize> {
    let by = table.get("by");
    let attributes = brief.schema?.attributes();
    let names: Vec<_> = (0..)
        .zip(attributes)
        .map(|(at, a)| (a.name.as_str(), at))
        .collect();
    if by.is_given() {
        return by.choice(&names);
    }
    let group = brief.known?.group;
    if group.is_none() && attributes.len() > 1 {
        let names: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
        table.refuse(
            "this policy ranks candidates within groups, and it is not said which attribute makes them",
            format!("set `by` to one of {}", names.join(", ")),
        );
        return None;
    }
    Some(group.unwrap_or(0))
}

/// Where contexts and groups stand; that there are none is noted.
fn contexts(table: &Reader<'_>, brief: &Brief<'_>, attribute: usize) -> Option<Contexts> {
    let schema = brief.schema?;
    if schema.features().is_empty() {
        table.refuse(
            "this policy judges candidates by their features, and those of this source have none",
            "take a source of type \"linear_groups\", or a file with [source.features]",
        );
        return None;
    }
    sound(table, Contexts::of(schema, attribute))
}

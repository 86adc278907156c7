//! The policies of the meritocratic setting: their keys, the readers of their tables, and their
//! entries.

use std::sync::Arc;

use super::kind::PolicyKind;
use super::ready::Ready;
use super::sound::{learns, sound};
use crate::document::param::Shape;
use crate::document::range::{ABOVE_1, BETWEEN_0_AND_1, NOT_NEGATIVE, PART, POSITIVE};
use crate::document::{ConfigKey, Later, Reader};
use crate::keys;
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{Choose, GroupTruth};
use kleroterion_policies::meritocratic::{
    BestReward, Bonus, Contexts, FairGreedy, FairGreedyAll, FairGreedyParameters, GmfOracle, Oful,
    OracleCdf, OracleMu, RidgeGreedy, UniformChoice,
};

pub(super) const RIDGE: ConfigKey<f64> = ConfigKey::number("lambda", POSITIVE)
    .about("the ridge of the regression")
    .or(0.1);

const RHO: ConfigKey<f64> = ConfigKey::number("rho", PART)
    .about("the noise added to features")
    .or(1e-8);

const REFRESH: ConfigKey<f64> = ConfigKey::number("refresh", ABOVE_1)
    .about("another algorithm: estimates anew only when t has grown by this factor");

const RANKED_BY: ConfigKey<Later> = ConfigKey::later("by", Shape::Text)
    .about("the groups' attribute, where the source doesn't say");

/// The form of the upper bound.
#[derive(Clone, Copy, PartialEq)]
enum BoundForm {
    Authors,
    AbbasiYadkori,
}

const FORM: ConfigKey<BoundForm> = ConfigKey::word(
    "form",
    &[
        ("authors", BoundForm::Authors),
        ("abbasi_yadkori", BoundForm::AbbasiYadkori),
    ],
)
.about("which upper bound: with ec, or with R, S and delta")
.or_word("authors");

const EC: ConfigKey<f64> = ConfigKey::number("ec", NOT_NEGATIVE)
    .about("the authors' exploration constant")
    .or(1.0);

const NOISE: ConfigKey<f64> = ConfigKey::number("R", NOT_NEGATIVE)
    .about("the scale of the rewards' noise")
    .like("R = 2.0, the scale of the rewards' noise");

const NORM: ConfigKey<f64> = ConfigKey::number("S", NOT_NEGATIVE)
    .about("a bound on the length of mu")
    .like("S = 14.0, a bound on the length of mu");

const OFUL_DELTA: ConfigKey<f64> = ConfigKey::number("delta", BETWEEN_0_AND_1)
    .about("the chance that the bound is wrong")
    .or(0.01);

/// The setting.
const SETTING: &str = "meritocratic";

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[
    PolicyKind::built_in(
        SETTING,
        "fair_greedy",
        "chooses the highest estimated rank within its own group (Grazzi 2022, Algorithm 1 \
         and Section 7)",
        fair_greedy,
    )
    .with(keys![RIDGE, RHO, RANKED_BY, REFRESH])
    .once_a_round(),
    PolicyKind::built_in(
        SETTING,
        "fair_greedy_all",
        "chooses the highest rank within its own group, estimated from all rounds: ours, after \
         fair_greedy, without its proof and with less regret",
        fair_greedy_all,
    )
    .with(keys![RIDGE, RANKED_BY])
    .once_a_round(),
    PolicyKind::built_in(
        SETTING,
        "oful",
        "chooses the highest upper bound of the reward, whatever the groups (Abbasi-Yadkori \
         2011)",
        oful,
    )
    .with(keys![RIDGE, FORM, EC, NOISE, NORM, OFUL_DELTA]),
    PolicyKind::built_in(
        SETTING,
        "ridge_greedy",
        "chooses the highest estimated reward, whatever the groups",
        ridge_greedy,
    )
    .with(keys![RIDGE]),
    PolicyKind::built_in(
        SETTING,
        "uniform_choice",
        "chooses any candidate, each as likely",
        |table, brief| chooses_one(table, brief).then(|| Ready::blind(UniformChoice)),
    )
    .yardstick(),
    PolicyKind::built_in_oracle(
        SETTING,
        "gmf_oracle",
        "oracle: chooses the highest true rank (Grazzi 2022, Definition 3.1)",
        |table, brief, truth| {
            oracle(table, brief, truth, |contexts, truth| {
                Ready::sighted(GmfOracle::new(contexts, Arc::clone(&truth.cdf)))
            })
        },
    ),
    PolicyKind::built_in_oracle(
        SETTING,
        "oracle_mu",
        "oracle: knows what every candidate is worth, learns the groups' distributions",
        |table, brief, truth| {
            oracle(table, brief, truth, |contexts, _| {
                Ready::sighted(OracleMu::new(contexts))
            })
        },
    )
    .once_a_round(),
    PolicyKind::built_in_oracle(
        SETTING,
        "oracle_cdf",
        "oracle: knows the groups' distributions, learns what features are worth",
        oracle_cdf,
    )
    .with(keys![RIDGE]),
    PolicyKind::built_in_oracle(
        SETTING,
        "best_reward",
        "oracle: chooses who is worth most, whatever the groups",
        |table, brief, _| chooses_one(table, brief).then(|| Ready::sighted(BestReward)),
    ),
];

fn fair_greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let lambda = RIDGE.or_note(table, &mut notes);
    let rho = RHO.or_note(table, &mut notes);
    let refresh = REFRESH.read(table).unless_bad();
    let attribute = ranked_by(table, brief);
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let refresh = refresh?;
    if let Some(factor) = refresh {
        let note = format!(
            "refresh = {factor}: not the paper's algorithm, its estimate moves only \
             when t has grown by that factor"
        );
        notes.push(note);
    }
    let contexts = contexts(table, brief, attribute?)?;
    let parameters = FairGreedyParameters {
        lambda: lambda?,
        rho: rho?,
        refresh,
    };
    let policy = sound(table, FairGreedy::new(contexts, parameters))?;
    (one && learns).then(|| Ready::blind(policy).noted(notes))
}

fn fair_greedy_all(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let lambda = RIDGE.or_note(table, &mut notes);
    let attribute = ranked_by(table, brief);
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let contexts = contexts(table, brief, attribute?)?;
    let policy = sound(table, FairGreedyAll::new(contexts, lambda?))?;
    (one && learns).then(|| Ready::blind(policy).noted(notes))
}

fn oful(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let lambda = RIDGE.or_note(table, &mut notes);
    let form = FORM.or_note(table, &mut notes);
    if form.is_none() {
        // A wrong form leaves open which keys belong to it.
        for key in [EC, NOISE, NORM, OFUL_DELTA] {
            key.field(table);
        }
    }
    let bonus = form.and_then(|form| bonus(table, form, &mut notes));
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let contexts = contexts(table, brief, 0)?;
    let policy = sound(table, Oful::new(contexts, lambda?, bonus?))?;
    (one && learns).then(|| Ready::blind(policy).noted(notes))
}

fn bonus(table: &mut Reader<'_>, form: BoundForm, notes: &mut Vec<String>) -> Option<Bonus> {
    let is_of_one_form = refuse_other_form(table, form);
    if form == BoundForm::Authors {
        let ec = EC.or_note(table, notes)?;
        return is_of_one_form.then_some(Bonus::Authors { ec });
    }
    let (noise, norm) = (NOISE.needed().value(table), NORM.needed().value(table));
    let delta = OFUL_DELTA.or_note(table, notes);
    let bonus = Bonus::AbbasiYadkori {
        noise: noise?,
        delta: delta?,
        norm: norm?,
    };
    is_of_one_form.then_some(bonus)
}

/// Refuses the keys of the other form. Returns true if there are none.
fn refuse_other_form(table: &mut Reader<'_>, form: BoundForm) -> bool {
    let (others, other): (&[ConfigKey<f64>], _) = match form {
        BoundForm::Authors => (&[NOISE, NORM, OFUL_DELTA], "abbasi_yadkori"),
        BoundForm::AbbasiYadkori => (&[EC], "authors"),
    };
    let fields = others.iter().map(|key| (key.name(), key.field(table)));
    let given: Vec<_> = fields.filter(|(_, field)| field.is_given()).collect();
    for (key, field) in &given {
        field.refuse(
            format!("`{key}` belongs to form = \"{other}\""),
            "leave it out, or set the form",
        );
    }
    given.is_empty()
}

fn ridge_greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let lambda = RIDGE.or_note(table, &mut notes);
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let contexts = contexts(table, brief, 0)?;
    let policy = sound(table, RidgeGreedy::new(contexts, lambda?))?;
    (one && learns).then(|| Ready::blind(policy).noted(notes))
}

/// An oracle that chooses one by the contexts and the groups' distributions.
fn oracle(
    table: &Reader<'_>,
    brief: &Brief<'_>,
    truth: Option<&GroupTruth>,
    made: impl FnOnce(Contexts, &GroupTruth) -> Ready,
) -> Option<Ready> {
    let one = chooses_one(table, brief);
    let truth = truth?;
    let contexts = contexts(table, brief, truth.attribute)?;
    one.then(|| made(contexts, truth))
}

fn oracle_cdf(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    truth: Option<&GroupTruth>,
) -> Option<Ready> {
    let mut notes = Vec::new();
    let lambda = RIDGE.or_note(table, &mut notes);
    let one = chooses_one(table, brief);
    let learns = learns(table, brief);
    let truth = truth?;
    let contexts = contexts(table, brief, truth.attribute)?;
    let cdf = Arc::clone(&truth.cdf);
    let oracle = sound(table, OracleCdf::new(contexts, lambda?, cdf))?;
    (one && learns).then(|| Ready::sighted(oracle).noted(notes))
}

/// Returns whether the rules let a policy choose one of a slate; that they don't is noted.
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

/// The attribute within whose values candidates are ranked: `by`, or what the source says, or the
/// only one.
fn ranked_by(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<usize> {
    let by = RANKED_BY.field(table);
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
        return table.refused(
            "this policy ranks candidates within groups, and it is not said which \
             attribute makes them",
            format!("set `by` to one of {}", names.join(", ")),
        );
    }
    Some(group.unwrap_or(0))
}

/// Returns the contexts and the groups, and notes a problem if the source has no features.
fn contexts(table: &Reader<'_>, brief: &Brief<'_>, attribute: usize) -> Option<Contexts> {
    let schema = brief.schema?;
    if schema.features().is_empty() {
        return table.refused(
            "this policy judges candidates by their features, and those of this source have none",
            "take a source of type \"linear_groups\", or a file with [source.features]",
        );
    }
    sound(table, Contexts::of(schema, attribute))
}

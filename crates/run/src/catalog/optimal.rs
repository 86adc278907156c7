//! The policy that looks ahead: its keys, the reader of its table, and its entry.
//!
//! Its plan is worked out when it is needed, not here.

use std::sync::Arc;

use super::kind::PolicyKind;
use super::pool::{
    self, GREEDY_TERM, INFEASIBLE, Setting, greedy_term, infeasible, prospect, setting,
};
use super::ready::Ready;
use super::sound::sound;
use crate::document::param::Shape;
use crate::document::range::PROBABILITY;
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use crate::keys;
use crate::limits::MOST_OPTIMAL_ROUNDS;
use kleroterion_core::brief::Brief;
use kleroterion_core::pool::{Eta, Response};
use kleroterion_core::protocol::Choose;
use kleroterion_core::score::PoolAim;
use kleroterion_policies::pool::optimal::{AheadState, Foresight, LookAhead, Optimal};
use kleroterion_policies::pool::{GreedyTerm, ScoreLaw};

const TARGET: ConfigKey<Later> = pool::TARGET.needed();

const LAMBDA: ConfigKey<f64> = pool::LAMBDA.like("lambda = 1.5").needed();

const GAMMA: ConfigKey<f64> = ConfigKey::number("gamma", PROBABILITY)
    .about("what a round is worth against the one before; below 1 without a `horizon`")
    .like("gamma = 0.99")
    .needed();

/// The number of rounds that count.
#[derive(Clone, Copy, PartialEq)]
enum Horizon {
    Rounds(u64),
    Run,
}

const RUN: [(&str, Horizon); 1] = [("run", Horizon::Run)];

const HORIZON: ConfigKey<Horizon> = ConfigKey::of("horizon", Shape::OneOf(&[Shape::Whole(1, MOST_OPTIMAL_ROUNDS), Shape::Word(&RUN)]), |field| match field.value()? {
        Value::Text(_) => field.choice(&RUN),
        _ => field.whole_in(1..=MOST_OPTIMAL_ROUNDS).map(Horizon::Rounds),
    }).about("how many rounds count, those of the run with \"run\"; all that could follow, where it is absent");

/// The state that a plan follows.
#[derive(Clone, Copy)]
enum StateBy {
    Theta,
    Share,
}

const STATE: ConfigKey<StateBy> = ConfigKey::word(
    "state",
    &[("theta", StateBy::Theta), ("share", StateBy::Share)],
)
.about("what is looked ahead by")
.like("state = \"theta\"")
.needed();

/// The movement of the pool.
#[derive(Clone, Copy)]
enum Transition {
    Poisson,
    MeanField,
}

const TRANSITIONS: ConfigKey<Transition> = ConfigKey::word(
    "transitions",
    &[
        ("poisson", Transition::Poisson),
        ("mean_field", Transition::MeanField),
    ],
)
.about("how the pool moves")
.or_word("poisson");

/// The setting.
const SETTING: &str = "pool";

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[PolicyKind::built_in(
    SETTING,
    "optimal",
    "admits as many of each group as make the discounted sum of all rounds' utilities \
     the greatest (Puranik 2022, A.2)",
    optimal,
)
.with(keys! {
    TARGET, LAMBDA, GAMMA, HORIZON, STATE, TRANSITIONS, GREEDY_TERM, INFEASIBLE,
})
.once_a_round()];

/// States of theta, and of s without chance, less one.
const CELLS: u32 = 1000;

/// The tolerance of the computed values, in units of the scores.
const TOLERANCE: f64 = 1e-6;

fn optimal(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let target = TARGET.field(table);
    let lambda = LAMBDA.value(table);
    let gamma = GAMMA.field(table);
    let horizon = HORIZON.field(table);
    let horizon = horizon.optional(|field| rounds(field, brief, &mut notes));
    let gamma = discount(&gamma, horizon.is_absent());
    let by = STATE.value(table);
    let moves = TRANSITIONS.field(table);
    let transition = TRANSITIONS.value_of(&moves);
    let term = match transition {
        Some(Transition::MeanField) => mean_field(table, brief),
        _ => greedy_term(table, brief, &mut notes),
    };
    let infeasible = infeasible(table, brief);
    let setting = setting(table, brief);
    let world = world(table, brief);
    let setting = setting?;
    let (target, steered) = setting.target(&target)?;
    let world = world?;
    let laws = laws(table, &setting, &term.as_ref()?.1)?;
    let state = state(&moves, transition?, by?, world.applicants)?;
    let ahead = LookAhead {
        laws,
        admitted: world.admitted,
        target: target[0],
        lambda: lambda?,
        eta: world.eta,
        gamma: gamma?,
        horizon: horizon.unless_bad()?,
        greedy_term: term?.0,
        infeasible: infeasible?,
        state,
        tolerance: TOLERANCE,
    };
    let prospect = prospect(brief, &setting).map(|of| of.optimal(&ahead));
    let foresight = Arc::new(sound(table, Foresight::new(ahead))?);
    let policy = Optimal::new(setting.attribute, Arc::clone(&foresight), world.start);
    let ready = Ready::blind(sound(table, policy)?);
    Some(Ready {
        foresight: Some(foresight),
        aim: Some(PoolAim {
            target,
            steered,
            lambda: Some(ahead.lambda),
        }),
        ..ready.foretold(prospect).noted(notes)
    })
}

/// gamma; `endless`: whether all rounds count that could follow.
fn discount(field: &Field<'_>, endless: bool) -> Option<f64> {
    let gamma = GAMMA.value_of(field)?;
    if gamma < 1.0 || !endless {
        return Some(gamma);
    }
    field.refused(
        "gamma = 1 counts every round alike, and without a horizon there is no last one",
        "set horizon = \"run\", or a gamma below 1",
    )
}

/// Reads the number of rounds that count. Adds a note if the run has more.
fn rounds(field: &Field<'_>, brief: &Brief<'_>, notes: &mut Vec<String>) -> Option<u32> {
    let asked = HORIZON.of_value(field)?;
    let horizon = match asked {
        Horizon::Rounds(rounds) => rounds,
        Horizon::Run => brief.rules?.horizon(),
    };
    if horizon > MOST_OPTIMAL_ROUNDS {
        return field.refused(
            format!("the run may have more than {MOST_OPTIMAL_ROUNDS} rounds"),
            "set until = { rounds = 300 } in [rules], or a number: horizon = 300",
        );
    }
    if asked != Horizon::Run && brief.rules.is_some_and(|rules| rules.horizon() > horizon) {
        notes.push(format!(
            "horizon = {horizon}, and the run may have more rounds: each of them is played as a last \
             one"
        ));
    }
    u32::try_from(horizon).ok()
}

/// Returns the mean-field term for scores and the laws of scores, for a pool that moves
/// deterministically.
fn mean_field(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<(GreedyTerm, Vec<ScoreLaw>)> {
    let only = |field: &Field<'_>| field.choice(&[("mean_field", ())]);
    // A wrong word is noted.
    let _ = GREEDY_TERM.field(table).optional(only);
    let laws = brief.known?.scores.get().cloned();
    Some((GreedyTerm::MeanField, laws.unwrap_or_default()))
}

/// The state that the plan follows. `moves`: the field of the transition.
fn state(
    moves: &Field<'_>,
    transition: Transition,
    by: StateBy,
    applicants: u32,
) -> Option<AheadState> {
    match (transition, by) {
        (Transition::Poisson, StateBy::Theta) => Some(AheadState::Theta {
            applicants,
            cells: CELLS,
        }),
        (Transition::Poisson, StateBy::Share) => Some(AheadState::Share { applicants }),
        (Transition::MeanField, StateBy::Share) => Some(AheadState::MeanField { cells: CELLS }),
        (Transition::MeanField, StateBy::Theta) => moves.refused(
            "without chance theta and the applicants' share are one",
            "set state = \"share\"",
        ),
    }
}

/// The laws of two groups.
fn laws(table: &Reader<'_>, setting: &Setting<'_>, laws: &[ScoreLaw]) -> Option<[ScoreLaw; 2]> {
    let both = laws.try_into().ok().filter(|_| setting.values.len() == 2);
    both.or_else(|| {
        table.refused(
            "this policy looks ahead over two groups whose scores it knows",
            "take a source of type \"gaussian_groups\" with two groups and greedy_term \
             = \"blom\", or another policy",
        )
    })
}

/// The pool for which the policy looks ahead.
struct PoolAhead {
    /// The share of the applicants that is admitted, abar.
    admitted: f64,
    eta: f64,
    /// The first group's initial share, theta_0.
    start: f64,
    /// The number of applicants in a round, N.
    applicants: u32,
}

/// The pool, where the config has one that can be looked ahead at; what it lacks is noted.
fn world(table: &Reader<'_>, brief: &Brief<'_>) -> Option<PoolAhead> {
    let eta = match brief.pool.is() {
        Some(pool) if pool.response == Response::Share => match pool.eta {
            Eta::Constant(eta) if eta > 0.0 => Some((eta, pool.start[0])),
            _ => None,
        },
        _ => None,
    };
    if eta.is_none() && !brief.pool.is_bad() {
        table.refuse(
            "this policy looks ahead at a pool that moves by a constant eta (a - s)",
            "for example: [pool] with type = \"positive_reinforcement\", start = { u = \
             0.1 } and eta = 0.05",
        );
    }
    let rules = brief.rules?;
    let Choose::Share(admitted) = rules.choose else {
        // Said of the setting where it is open how many are chosen.
        if let Choose::Exactly(_) = rules.choose {
            table.refuse(
                "this policy looks ahead at a share of the applicants",
                "set choose = { share = 0.3 } in [rules]",
            );
        }
        return None;
    };
    let Some(applicants) = brief.slate else {
        return table.refused(
            "this policy looks ahead at rounds of one size",
            "set slate = 100 in [rules]",
        );
    };
    let (eta, start) = eta?;
    Some(PoolAhead {
        admitted,
        eta,
        start,
        applicants,
    })
}

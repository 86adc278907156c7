//! Sets up the policy that looks ahead from its table in a config; its plan is worked out when it is needed, not here.

use std::sync::Arc;

use super::keys::policies as keys;
use super::pool::{Setting, aimed, greedy_term, infeasible, led, prospect, setting};
use super::ready::Ready;
use super::set_up::{Assumed, sound};
use crate::document::Reader;
use crate::policy::Brief;
use crate::policy::pool::optimal::{AheadState, Foresight, LookAhead, Optimal};
use crate::policy::pool::{GreedyTerm, ScoreLaw};
use crate::pool::{Eta, Response};
use crate::protocol::Choose;
use crate::score::PoolAim;

/// States of theta, and of s without chance, less one.
const CELLS: u32 = 1000;

/// How far off the values may be, in units of the scores.
const TOLERANCE: f64 = 1e-6;

pub(super) fn optimal(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let target = table.need("target", "target = { u = 0.4 }");
    let lambda = table.need("lambda", "lambda = 1.5").not_negative();
    let gamma = table.need("gamma", "gamma = 0.99");
    let gamma = keys::GAMMA.read_number(&gamma);
    let follows = table.need("state", "state = \"theta\"");
    let follows = follows.choice(&[("theta", true), ("share", false)]);
    let transitions = table.get("transitions");
    let drawn = if transitions.is_given() {
        transitions.choice(&[("poisson", true), ("mean_field", false)])
    } else {
        Some(true)
    };
    let term = if drawn == Some(false) {
        let field = table.get("greedy_term");
        if field.is_given() {
            field.choice(&[("mean_field", ())]);
        }
        let laws = brief.known.map(|known| known.scores.get().cloned());
        laws.map(|laws| (GreedyTerm::MeanField, laws.unwrap_or_default()))
    } else {
        greedy_term(table, brief, &mut assumed)
    };
    let infeasible = infeasible(table, brief);
    let setting = setting(table, brief);
    let world = world(table, brief);
    let setting = setting?;
    let (target, steered) = setting.target(&target)?;
    let (admitted, eta, start, applicants) = world?;
    let laws = laws(table, &setting, &term.as_ref()?.1)?;
    let state = match (drawn?, follows?) {
        (true, true) => AheadState::Theta {
            applicants,
            cells: CELLS,
        },
        (true, false) => AheadState::Share { applicants },
        (false, false) => AheadState::MeanField { cells: CELLS },
        (false, true) => {
            transitions.refuse(
                "without chance theta and the applicants' share are one",
                "set state = \"share\"",
            );
            return None;
        }
    };
    let ahead = LookAhead {
        laws,
        admitted,
        target: target[0],
        lambda: lambda?,
        eta,
        gamma: gamma?,
        greedy_term: term?.0,
        infeasible: infeasible?,
        state,
        tolerance: TOLERANCE,
    };
    let prospect = prospect(brief, &setting).map(|of| of.optimal(&ahead));
    let foresight = Arc::new(sound(table, Foresight::new(ahead))?);
    let policy = Optimal::new(setting.attribute, Arc::clone(&foresight), start);
    let mut ready = Ready::blind(sound(table, policy)?)?;
    ready.foresight = Some(foresight);
    let aim = PoolAim {
        target,
        steered,
        lambda: Some(ahead.lambda),
    };
    assumed.say(led(aimed(Some(ready), Some(aim)), prospect))
}

/// The laws of two groups.
fn laws(table: &Reader<'_>, setting: &Setting<'_>, laws: &[ScoreLaw]) -> Option<[ScoreLaw; 2]> {
    let both = laws.try_into().ok().filter(|_| setting.values.len() == 2);
    if both.is_none() {
        table.refuse(
            "this policy looks ahead over two groups whose scores it knows",
            "take a source of type \"gaussian_groups\" with two groups and greedy_term = \"blom\", or another policy",
        );
    }
    both
}

/// abar, eta, theta_0 and N.
fn world(table: &Reader<'_>, brief: &Brief<'_>) -> Option<(f64, f64, f64, u32)> {
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
            "for example: [pool] with type = \"positive_reinforcement\", start = { u = 0.1 } and eta = 0.05",
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
        table.refuse(
            "this policy looks ahead at rounds of one size",
            "set slate = 100 in [rules]",
        );
        return None;
    };
    let (eta, start) = eta?;
    Some((admitted, eta, start, applicants))
}

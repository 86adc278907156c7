//! Sets up the committee policies from their tables in a config.

use super::keys::policies as keys;
use super::ready::Ready;
use crate::arena::{Blind, Prototype};
use crate::document::{Reader, Value};
use crate::policy::Brief;
use crate::policy::committee::learning::extended::ProgramForm;
use crate::policy::committee::learning::{Parameters, ZeroRule};
use crate::policy::committee::outlook::Outlook;
use crate::policy::committee::pilot;
use crate::policy::committee::program::ProgramError;
use crate::policy::committee::{
    AcceptAll, Cmdp, Greedy, Learning, Proportional, QuotaLookahead, VirtualQueue,
};
use crate::protocol::{Law, Target, Until};

pub(super) fn accept_all(_: &mut Reader<'_>, _: &Brief<'_>) -> Option<Ready> {
    Ready::blind(AcceptAll)
}

/// The target; that there is none is noted.
fn target<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<&'a Target> {
    if brief.target.is_absent() {
        table.refuse(
            "this policy needs the shares that are wanted, and the config has no [target]",
            "for example: [target] with gender = { M = 0.49, F = 0.51 }",
        );
    }
    brief.target.is()
}

/// The law of the candidates; that it is unknown is noted.
fn law<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<&'a Law> {
    let law = brief.known?.law.get();
    if law.is_none() {
        table.refuse(
            "this policy needs the law of the candidates (p), which is unknown here",
            "take a source whose law is known (categorical, file), or a policy that needs none (virtual_queue)",
        );
    }
    law.map(|law| &**law)
}

/// The law of the candidates, where it is known exactly.
fn exact_law<'a>(brief: &Brief<'a>) -> Option<&'a Law> {
    brief.known?.law.exact().map(|law| &**law)
}

pub(super) fn greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let tolerance = table.get("tolerance");
    let (given, tolerance) = (tolerance.is_given(), tolerance.not_negative());
    let target = target(table, brief);
    let law = exact_law(brief);
    if let Some(quotas) = brief.quotas.filter(|_| !given) {
        return Ready::blind(Greedy::capped(brief.schema?, target?, quotas, law));
    }
    if brief.target.is_bad() && !given {
        // Its quotas might do without the size.
        return None;
    }
    let members = members(table, brief);
    let tolerance = tolerance.unwrap_or(0.0);
    Ready::blind(Greedy::new(
        brief.schema?,
        target?,
        members?,
        tolerance,
        law,
    ))
}

pub(super) fn quota_lookahead(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let target = target(table, brief);
    let members = members(table, brief);
    let law = exact_law(brief);
    let Ok(members) = u32::try_from(members?) else {
        table.refuse(
            "the committee is too large",
            "at most 4,294,967,295 members",
        );
        return None;
    };
    Ready::blind(match brief.quotas {
        Some(quotas) => QuotaLookahead::with(brief.schema?, quotas, members, law),
        None => QuotaLookahead::new(brief.schema?, target?, members, law),
    })
}

pub(super) fn rl_cmdp(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let delta = keys::DELTA.number(table);
    let scale = keys::CONFIDENCE_SCALE.number(table);
    let form = keys::PROGRAM.word(table);
    let form = form.map(|at| [ProgramForm::Full, ProgramForm::Small][at]);
    let zero = keys::ZERO_RULE.word(table);
    let rules = [
        ZeroRule::Half,
        ZeroRule::Accept,
        ZeroRule::Reject,
        ZeroRule::Plugin,
    ];
    let zero = zero.map(|at| rules[at]);
    let target = target(table, brief);
    let parameters = Parameters {
        delta: delta?,
        confidence_scale: scale?,
        form: form?,
        zero_rule: zero?,
    };
    let target = target?;
    let learner = Learning::optimist(brief.schema?, target, parameters);
    learning(table, brief, target, learner)
}

pub(super) fn plugin_cmdp(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let target = target(table, brief)?;
    let learner = Learning::plugin(brief.schema?, target);
    learning(table, brief, target, learner)
}

fn learning<P>(
    table: &Reader<'_>,
    brief: &Brief<'_>,
    target: &Target,
    learner: Result<Learning<P>, ProgramError>,
) -> Option<Ready>
where
    Blind<Learning<P>>: Prototype + 'static,
{
    match learner {
        Ok(learner) => Ready::blind(learner),
        Err(error) => refuse_program(table, brief, target, &error),
    }
}

/// Notes why a program has no answer, at the policy's place.
fn refuse_program<T>(
    table: &Reader<'_>,
    brief: &Brief<'_>,
    target: &Target,
    error: &ProgramError,
) -> Option<T> {
    let attributes = brief.schema?.attributes();
    let name = |i: usize, j: usize| {
        let (attribute, _) = &target.rows()[i];
        let attribute = &attributes[*attribute];
        format!("{} = {}", attribute.name, attribute.values[j])
    };
    for mut problem in error.problems(name).0 {
        problem.place = table.place().clone();
        table.report(problem);
    }
    None
}

/// The committee's size; that the rules set none is noted.
fn members(table: &Reader<'_>, brief: &Brief<'_>) -> Option<u64> {
    if let Until::Accepted(members) = brief.rules?.until {
        return Some(members);
    }
    table.refuse(
        "this policy needs the committee's size, which the rules leave open",
        "end the run with until = { accepted = 150 } in [rules]",
    );
    None
}

pub(super) fn cmdp(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let (target, law) = (target(table, brief), law(table, brief));
    let target = target?;
    let policy = Cmdp::new(brief.schema?, target, law?);
    match policy {
        Ok(policy) => {
            let solution = policy.solution();
            let note = format!(
                "the program's gain is {:.6}: {:.2} are screened for each accepted, in expectation ({})",
                solution.gain,
                1.0 / solution.gain,
                solution.method
            );
            Ready::blind(policy).map(|mut ready| {
                ready.notes.push(note);
                ready
            })
        }
        Err(error) => refuse_program(table, brief, target, &error),
    }
}

pub(super) fn proportional(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let (target, law) = (target(table, brief), law(table, brief));
    let schema = brief.schema?;
    let marginals = law?.marginals(&schema.levels());
    match Proportional::new(target?, &marginals) {
        Ok(policy) => Ready::blind(policy),
        Err(error) => {
            let attribute = &schema.attributes()[error.attribute];
            let value = &attribute.values[error.value];
            let name = &attribute.name;
            table.refuse(
                format!("{name} = {value} has a target but never comes"),
                "change the target or the source so that every wanted value comes",
            );
            None
        }
    }
}

pub(super) fn virtual_queue(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let v = table.get("v");
    if let Some(Value::Text(_)) = v.value() {
        let target = target(table, brief);
        v.choice(&[("pilot", ())])?;
        return piloted_queue(table, brief, target?);
    }
    let (given, v) = (v.is_given(), v.not_negative());
    let target = target(table, brief);
    let v = if given { v? } else { 2.0 };
    Ready::blind(VirtualQueue::new(target?, v))
}

/// A queue whose V a pilot finds, which takes the law and the committee's size.
fn piloted_queue(table: &Reader<'_>, brief: &Brief<'_>, target: &Target) -> Option<Ready> {
    let (law, members) = (law(table, brief), members(table, brief));
    let (law, members, schema) = (law?, members?, brief.schema?);
    let gain = match Outlook::new(schema, target, law) {
        Ok(outlook) => outlook.gain,
        Err(error) => return refuse_program(table, brief, target, &error),
    };
    let v = match pilot::smallest_v(schema, target, law, members, gain) {
        Ok(v) => v,
        Err(error) => {
            table.refuse(
                format!("nobody can be drawn for the pilot: {error}"),
                "give v as a number",
            );
            return None;
        }
    };
    let mut ready = Ready::blind(VirtualQueue::new(target, v))?;
    let note = format!(
        "v = {v}, the smallest of a grid with which a pilot screened no more than {:.1} people, as cmdp does",
        members as f64 / gain
    );
    ready.notes.push(note);
    Some(ready)
}

//! Every policy by its `kind`: a new one is a line here.

use crate::arena::{Blind, Prototype};
use crate::config::Reader;
use crate::policy::committee;
use crate::protocol::{Known, Law, Rules, Schema, Target, Until};

/// What a policy may know when it is set up.
pub struct Brief<'a> {
    /// The candidates' columns.
    pub schema: &'a Schema,
    /// The rules.
    pub rules: &'a Rules,
    /// The shares that are wanted, where there are any.
    pub target: Option<&'a Target>,
    /// What is known of the world.
    pub known: &'a Known,
}

/// A policy ready to play, and what it assumed or found out when it was set up.
pub struct Ready {
    /// The policy.
    pub prototype: Box<dyn Prototype>,
    /// Sentences for the reader of the run.
    pub notes: Vec<String>,
}

/// Sets a policy up from its table in the config; what is wrong is noted with the reader.
type Build = fn(&mut Reader<'_>, &Brief<'_>) -> Option<Ready>;

/// One kind of policy.
pub struct Kind {
    /// Its name in configs.
    pub name: &'static str,
    /// Its setting.
    pub setting: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Its parameters beside `label` and `kind`.
    pub parameters: &'static str,
    build: Build,
}

/// All kinds, by setting.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "accept_all",
        setting: "committee",
        about: "accepts everybody while there are places",
        parameters: "",
        build: |_, _| ready(committee::AcceptAll),
    },
    Kind {
        name: "greedy",
        setting: "committee",
        about: "accepts while no quota is exceeded (Do 2021, Section 3.2)",
        parameters: "tolerance (0 or more, default 0)",
        build: greedy,
    },
    Kind {
        name: "cmdp",
        setting: "committee",
        about: "accepts with the probabilities that solve the constrained program; needs p (Do 2021, Section 4)",
        parameters: "",
        build: cmdp,
    },
    Kind {
        name: "proportional",
        setting: "committee",
        about: "accepts in proportion to target over share, attribute by attribute; needs p",
        parameters: "",
        build: proportional,
    },
    Kind {
        name: "quota_lookahead",
        setting: "committee",
        about: "accepts under every maximum while the seats left cover every unmet minimum; quotas are the target's seats rounded down and up",
        parameters: "",
        build: quota_lookahead,
    },
    Kind {
        name: "virtual_queue",
        setting: "committee",
        about: "accepts who lengthens the queues of over-represented values by at most v; knows nothing of p",
        parameters: "v (0 or more, default 2)",
        build: virtual_queue,
    },
];

/// Sets up the policy that a `[[policy]]` table describes, once its `label` has been read.
pub fn build(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<(&'static str, Ready)> {
    let names: Vec<_> = KINDS.iter().map(|kind| (kind.name, kind)).collect();
    let kind = table.need("kind", "kind = \"greedy\"").choice(&names)?;
    Some((kind.name, (kind.build)(table, brief)?))
}

fn ready<P>(policy: P) -> Option<Ready>
where
    Blind<P>: Prototype + 'static,
{
    Some(Ready {
        prototype: Box::new(Blind(policy)),
        notes: Vec::new(),
    })
}

/// The target; that there is none is noted.
fn target<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<&'a Target> {
    if brief.target.is_none() {
        table.refuse(
            "this policy needs the shares that are wanted, and the config has no [target]",
            "for example: [target] with gender = { M = 0.49, F = 0.51 }",
        );
    }
    brief.target
}

/// The law of the candidates; that it is unknown is noted.
fn law<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<&'a Law> {
    let law = brief.known.law.get();
    if law.is_none() {
        table.refuse(
            "this policy needs the law of the candidates (p), which is unknown here",
            "take a source whose law is known (categorical, file), or a policy that needs none (virtual_queue)",
        );
    }
    law.map(|law| &**law)
}

fn greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let tolerance = table.get("tolerance").not_negative();
    let target = target(table, brief);
    let members = members(table, brief);
    let law = brief.known.law.exact().map(|law| &**law);
    let tolerance = tolerance.unwrap_or(0.0);
    ready(committee::Greedy::new(
        brief.schema,
        target?,
        members?,
        tolerance,
        law,
    ))
}

fn quota_lookahead(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let target = target(table, brief);
    let members = members(table, brief);
    let law = brief.known.law.exact().map(|law| &**law);
    let Ok(members) = u32::try_from(members?) else {
        table.refuse(
            "the committee is too large",
            "at most 4,294,967,295 members",
        );
        return None;
    };
    ready(committee::QuotaLookahead::new(
        brief.schema,
        target?,
        members,
        law,
    ))
}

/// The committee's size; that the rules set none is noted.
fn members(table: &Reader<'_>, brief: &Brief<'_>) -> Option<u64> {
    if let Until::Accepted(members) = brief.rules.until {
        return Some(members);
    }
    table.refuse(
        "this policy's quotas need the committee's size",
        "end the run with until = { accepted = 150 } in [rules]",
    );
    None
}

fn cmdp(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let (target, law) = (target(table, brief), law(table, brief));
    let (policy, target) = (
        committee::Cmdp::new(brief.schema, target?, law?),
        target?.rows(),
    );
    match policy {
        Ok(policy) => {
            let solution = policy.solution();
            let note = format!(
                "the program's gain is {:.6}: {:.2} are screened for each accepted, in expectation ({})",
                solution.gain,
                1.0 / solution.gain,
                solution.method
            );
            ready(policy).map(|mut ready| {
                ready.notes.push(note);
                ready
            })
        }
        Err(error) => {
            let name = |i: usize, j: usize| {
                let (attribute, _) = &target[i];
                let attribute = &brief.schema.attributes()[*attribute];
                format!("{} = {}", attribute.name, attribute.values[j])
            };
            for mut problem in error.problems(name).0 {
                problem.place = table.place().clone();
                table.report(problem);
            }
            None
        }
    }
}

fn proportional(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let (target, law) = (target(table, brief), law(table, brief));
    let marginals = law?.marginals(&brief.schema.levels());
    match committee::Proportional::new(target?, &marginals) {
        Ok(policy) => ready(policy),
        Err(error) => {
            let attribute = &brief.schema.attributes()[error.attribute];
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

fn virtual_queue(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let v = table.get("v").not_negative();
    let target = target(table, brief);
    ready(committee::VirtualQueue::new(target?, v.unwrap_or(2.0)))
}

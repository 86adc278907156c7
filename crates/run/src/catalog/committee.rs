//! The policies of the committee setting: their keys, the readers of their tables, and their
//! entries.

use super::cohort::DELTA;
use super::kind::PolicyKind;
use super::known_pool::{Ahead, KEEP_FEASIBLE, Keeps, UNDECIDED};
use super::ready::Ready;
use super::sound::target;
use crate::document::param::Shape;
use crate::document::range::NOT_NEGATIVE;
use crate::document::{ConfigKey, Literal, Reader, Value};
use crate::keys;
use kleroterion_core::arena::{Blind, Prototype};
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{Choose, Law, Rules, Target, Until};
use kleroterion_policies::committee::learning::extended::ProgramForm;
use kleroterion_policies::committee::learning::{ConfidenceSet, Parameters, ZeroRule};
use kleroterion_policies::committee::outlook::Outlook;
use kleroterion_policies::committee::program::ProgramError;
use kleroterion_policies::committee::{
    AcceptAll, Cmdp, Greedy, KeepFeasible, Learning, Proportional, QuotaLookahead, VirtualQueue,
    pilot,
};

const TOLERANCE: ConfigKey<f64> = ConfigKey::number("tolerance", NOT_NEGATIVE)
    .about(
        "by how much a share may exceed its target; with a categories file and none given, \
         its maximums are the caps",
    )
    .or(0.0);

const CONFIDENCE_SET: ConfigKey<ConfidenceSet> = ConfigKey::word(
    "confidence_set",
    &[
        ("printed", ConfidenceSet::Printed),
        ("weissman", ConfidenceSet::Weissman),
        ("bernstein", ConfidenceSet::Bernstein),
    ],
)
.about(
    "the laws held possible: within the radius of equation (3), within Weissman's, which is \
     tighter, or within Bernstein's interval of each type",
)
.or_word("printed");

const CONFIDENCE_SCALE: ConfigKey<f64> = ConfigKey::number("confidence_scale", NOT_NEGATIVE)
    .about("what the confidence radius is multiplied by; 1 is as printed")
    .or(1.0);

const PROGRAM: ConfigKey<ProgramForm> = ConfigKey::word(
    "program",
    &[("full", ProgramForm::Full), ("small", ProgramForm::Small)],
)
.about("which form of the program")
.or_word("full");

const ZERO_RULE: ConfigKey<ZeroRule> = ConfigKey::word(
    "zero_rule",
    &[
        ("half", ZeroRule::Half),
        ("accept", ZeroRule::Accept),
        ("reject", ZeroRule::Reject),
        ("plugin", ZeroRule::Plugin),
    ],
)
.about("what becomes of a type that the program gives no chance")
.or_word("half");

/// The `v` of a virtual queue.
#[derive(Clone, Copy)]
enum QueueGrowth {
    By(f64),
    Pilot,
}

const PILOT: [(&str, QueueGrowth); 1] = [("pilot", QueueGrowth::Pilot)];

const V: ConfigKey<QueueGrowth> = ConfigKey::of(
    "v",
    Shape::OneOf(&[Shape::Number(NOT_NEGATIVE), Shape::Word(&PILOT)]),
    |field| match field.value()? {
        Value::Text(_) => field.choice(&PILOT),
        _ => field.not_negative().map(QueueGrowth::By),
    },
)
.about(
    "by how much a queue may grow; \"pilot\" is the smallest that screens no more than \
     cmdp, found by simulation, and needs p",
)
.or_literal(Literal::Number(2.0));

/// The setting.
const SETTING: &str = "committee";

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[
    PolicyKind::built_in(
        SETTING,
        "accept_all",
        "accepts every candidate while there are places",
        accept_all,
    )
    .with(keys![KEEP_FEASIBLE])
    .yardstick(),
    PolicyKind::built_in(
        SETTING,
        "greedy",
        "accepts while no quota is exceeded (Do 2021, Section 3.2)",
        greedy,
    )
    .with(keys![TOLERANCE, KEEP_FEASIBLE]),
    PolicyKind::built_in(
        SETTING,
        "cmdp",
        "accepts with the probabilities that solve the constrained program; needs p (Do \
         2021, Section 4)",
        cmdp,
    )
    .with(keys![KEEP_FEASIBLE]),
    PolicyKind::built_in(
        SETTING,
        "proportional",
        "accepts in proportion to target over share, attribute by attribute; needs p",
        proportional,
    )
    .with(keys![KEEP_FEASIBLE]),
    PolicyKind::built_in(
        SETTING,
        "rl_cmdp",
        "learns p and plans with optimism, episode by episode (Do 2021, Algorithm 1)",
        rl_cmdp,
    )
    .with(keys! {
        DELTA, CONFIDENCE_SET, CONFIDENCE_SCALE, PROGRAM, ZERO_RULE, KEEP_FEASIBLE,
    })
    .measuring(&["unsolved"]),
    PolicyKind::built_in(
        SETTING,
        "plugin_cmdp",
        "learns p and plans as if the counts were the law: no optimism",
        plugin_cmdp,
    )
    .with(keys![KEEP_FEASIBLE])
    .measuring(&["unsolved"]),
    PolicyKind::built_in(
        SETTING,
        "quota_lookahead",
        "accepts under every maximum while the seats left cover every unmet minimum, and over \
         known respondents while some still to come complete the committee; quotas are those of \
         a categories file, else the target's seats rounded down and up",
        quota_lookahead,
    )
    .measuring(&[UNDECIDED]),
    PolicyKind::built_in(
        SETTING,
        "virtual_queue",
        "accepts who lengthens the queues of over-represented values by at most v; knows \
         nothing of p",
        virtual_queue,
    )
    .with(keys![V, KEEP_FEASIBLE]),
];

fn accept_all(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    Some(Keeps::read(table, brief)?.ready(AcceptAll))
}

/// The law of the candidates; that it is unknown is noted.
fn law<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<&'a Law> {
    let law = brief.known?.law.get();
    if law.is_none() {
        table.refuse(
            "this policy needs the law of the candidates (p), which is unknown here",
            "take a source whose law is known (categorical, file), or a policy that \
             needs none (virtual_queue)",
        );
    }
    law.map(|law| &**law)
}

/// The law of the candidates, where it is known exactly.
fn exact_law<'a>(brief: &Brief<'a>) -> Option<&'a Law> {
    brief.known?.law.exact().map(|law| &**law)
}

fn greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let tolerance = TOLERANCE.read(table);
    let keeps = Keeps::read(table, brief);
    let is_capped = tolerance.is_absent();
    let target = target(table, brief);
    let law = exact_law(brief);
    if let Some(quotas) = brief.quotas.filter(|_| is_capped) {
        target?;
        let greedy = Greedy::capped(brief.schema?, quotas, law);
        return Some(keeps?.ready(greedy));
    }
    if brief.target.is_bad() && is_capped {
        // Its quotas might do without the size.
        return None;
    }
    let members = members(table, brief);
    let (members, tolerance) = (members?, tolerance.or_else(|| TOLERANCE.assumed())?);
    let greedy = Greedy::new(brief.schema?, target?, members, tolerance, law);
    Some(keeps?.ready(greedy))
}

fn quota_lookahead(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    target(table, brief);
    let members = match brief.rules.and_then(one_choice) {
        Some(members) => Some(members),
        None => members(table, brief),
    };
    let law = exact_law(brief);
    let Ok(members) = u32::try_from(members?) else {
        return table.refused(
            "the committee is too large",
            "at most 4,294,967,295 members",
        );
    };
    let ahead = Ahead::new(brief, members)?;
    let policy = QuotaLookahead::new(brief.schema?, ahead.quotas, members, law);
    Some(Ready::blind(policy.over(ahead.known)).noted(ahead.notes))
}

fn rl_cmdp(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let (delta, set) = (DELTA.value(table), CONFIDENCE_SET.value(table));
    let (scale, form) = (CONFIDENCE_SCALE.value(table), PROGRAM.value(table));
    let zero = ZERO_RULE.value(table);
    let keeps = Keeps::read(table, brief);
    let target = target(table, brief);
    let parameters = Parameters {
        delta: delta?,
        confidence_set: set?,
        confidence_scale: scale?,
        form: form?,
        zero_rule: zero?,
    };
    let target = target?;
    let learner = Learning::optimist(brief.schema?, target, parameters);
    learning(table, brief, target, keeps, learner)
}

fn plugin_cmdp(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let keeps = Keeps::read(table, brief);
    let target = target(table, brief)?;
    let learner = Learning::plugin(brief.schema?, target);
    learning(table, brief, target, keeps, learner)
}

fn learning<P>(
    table: &Reader<'_>,
    brief: &Brief<'_>,
    target: &Target,
    keeps: Option<Keeps>,
    learner: Result<Learning<P>, ProgramError>,
) -> Option<Ready>
where
    Blind<Learning<P>>: Prototype + 'static,
    Blind<KeepFeasible<Learning<P>>>: Prototype + 'static,
{
    match learner {
        Ok(learner) => Some(keeps?.ready(learner)),
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

/// The committee's size where all of it is chosen in one round.
fn one_choice(rules: &Rules) -> Option<u64> {
    match (rules.until, rules.choose) {
        (Until::Rounds(1), Choose::Exactly(members)) => Some(u64::from(members)),
        _ => None,
    }
}

/// The committee's size; that the rules set none is noted.
fn members(table: &Reader<'_>, brief: &Brief<'_>) -> Option<u64> {
    if let Until::Accepted(members) = brief.rules?.until {
        return Some(members);
    }
    table.refused(
        "this policy needs the committee's size, which the rules leave open",
        "end the run with until = { accepted = 150 } in [rules]",
    )
}

fn cmdp(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let keeps = Keeps::read(table, brief);
    let (target, law) = (target(table, brief), law(table, brief));
    let target = target?;
    let policy = Cmdp::new(brief.schema?, target, law?);
    match policy {
        Ok(policy) => {
            let solution = policy.solution();
            let note = format!(
                "will look at about {:.2} people for each one it accepts (gain of the \
                 program {:.6}, {})",
                1.0 / solution.gain,
                solution.gain,
                solution.method
            );
            Some(keeps?.ready(policy).noted([note]))
        }
        Err(error) => refuse_program(table, brief, target, &error),
    }
}

fn proportional(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let keeps = Keeps::read(table, brief);
    let (target, law) = (target(table, brief), law(table, brief));
    let schema = brief.schema?;
    let marginals = law?.marginals(&schema.levels());
    match Proportional::new(target?, &marginals) {
        Ok(policy) => Some(keeps?.ready(policy)),
        Err(error) => {
            let attribute = &schema.attributes()[error.attribute];
            let value = &attribute.values[error.value];
            let name = &attribute.name;
            table.refused(
                format!("{name} = {value} has a target but never comes"),
                "change the target or the source so that every wanted value comes",
            )
        }
    }
}

fn virtual_queue(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let v = V.value(table);
    let keeps = Keeps::read(table, brief);
    let target = target(table, brief);
    match v? {
        QueueGrowth::By(v) => Some(keeps?.ready(VirtualQueue::new(target?, v))),
        QueueGrowth::Pilot => piloted_queue(table, brief, target?, keeps),
    }
}

/// A queue whose V a pilot finds, which takes the law and the committee's size.
fn piloted_queue(
    table: &Reader<'_>,
    brief: &Brief<'_>,
    target: &Target,
    keeps: Option<Keeps>,
) -> Option<Ready> {
    let (law, members) = (law(table, brief), members(table, brief));
    let (law, members, schema) = (law?, members?, brief.schema?);
    let gain = match Outlook::new(schema, target, law) {
        Ok(outlook) => outlook.gain,
        Err(error) => return refuse_program(table, brief, target, &error),
    };
    let v = match pilot::smallest_v(schema, target, law, members, gain) {
        Ok(v) => v,
        Err(error) => {
            return table.refused(
                format!("no candidate can be drawn for the pilot: {error}"),
                "give v as a number",
            );
        }
    };
    let note = format!(
        "v = {v}, the smallest of a grid with which a pilot screened no more than {:.1} \
         people, as cmdp does",
        members as f64 / gain
    );
    Some(keeps?.ready(VirtualQueue::new(target, v)).noted([note]))
}

//! The policies for pools: their keys, the readers of their tables, and their entries.

use super::kind::PolicyKind;
use super::ready::Ready;
use super::shares::shares as group_shares;
use super::sound::sound;
use crate::document::param::Shape;
use crate::document::range::{NOT_NEGATIVE, PART};
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use crate::keys;
use kleroterion_core::brief::Brief;
use kleroterion_core::pool::Response;
use kleroterion_core::protocol::{Choose, Rules};
use kleroterion_core::score::PoolAim;
use kleroterion_policies::pool::{
    Coordination, FairGreedyPool, GreedyTerm, Infeasible, Institutions, ProportionalPool, ScoreLaw,
    TargetShare, Weighing, prospect,
};

pub(super) const TARGET: ConfigKey<Later> =
    ConfigKey::later("target", Shape::Map(&Shape::Number(NOT_NEGATIVE)))
        .about("shares by group; one may be left out")
        .like("target = { u = 0.4 }");

pub(super) const LAMBDA: ConfigKey<f64> = ConfigKey::number("lambda", NOT_NEGATIVE)
    .about("the weight of unfairness")
    .like("lambda = 2.0");

pub(super) const GREEDY_TERM: ConfigKey<GreedyTerm> = ConfigKey::word(
    "greedy_term",
    &[
        ("blom", GreedyTerm::Blom),
        ("exact", GreedyTerm::Exact),
        ("mean_field", GreedyTerm::MeanField),
        ("realised", GreedyTerm::Realised),
    ],
)
.about("how the scores of the admitted are foreseen")
.or_word("blom");

pub(super) const INFEASIBLE: ConfigKey<Infeasible> = ConfigKey::word(
    "infeasible",
    &[
        ("feasible", Infeasible::Feasible),
        ("authors", Infeasible::Authors),
    ],
)
.about("what becomes of a share that can't be met")
.or_word("feasible");

const PARTS: ConfigKey<Vec<f64>> =
    ConfigKey::of("parts", Shape::List(&Shape::Number(PART)), |field| {
        field.each(|part| part.number_in(&PART))
    })
    .about("each institution's part of the places, the most wanted first")
    .like("parts = [0.5, 0.3, 0.2]")
    .needed();

const LAMBDAS: ConfigKey<Vec<f64>> = ConfigKey::of(
    "lambda",
    Shape::OneOf(&[
        Shape::Number(NOT_NEGATIVE),
        Shape::List(&Shape::Number(NOT_NEGATIVE)),
    ]),
    |field| match field.value()? {
        Value::List(_) => field.each(Field::not_negative),
        _ => field.not_negative().map(|one| vec![one]),
    },
)
.about("the weight of unfairness, of all institutions or of each")
.like("lambda = 2.0")
.needed();

const TOGETHER: ConfigKey<bool> = ConfigKey::flag("together")
    .about("whether they choose for the sum of their utilities, not each in turn for its own")
    .or(false);

/// The setting.
const SETTING: &str = "pool";

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[
    PolicyKind::built_in(
        SETTING,
        "fair_greedy_pool",
        "admits as many of each group as make scores less lambda times unfairness the \
         greatest (Puranik 2022, Eq. 4)",
        fair_greedy_pool,
    )
    .with(keys![
        TARGET.needed(),
        LAMBDA.needed(),
        GREEDY_TERM,
        INFEASIBLE
    ])
    .measuring(&["nominal_share"])
    .once_a_round(),
    PolicyKind::built_in(
        SETTING,
        "fair_greedy_institutions",
        "several institutions admit from one pool, each by scores less its lambda times \
         unfairness (Multi-agent Fair-Greedy, Puranik 2024)",
        fair_greedy_institutions,
    )
    .with(keys![TARGET.needed(), PARTS, LAMBDAS, TOGETHER])
    .measuring(&["first_share", "last_share"])
    .once_a_round(),
    PolicyKind::built_in(
        SETTING,
        "score_greedy",
        "admits the highest scores to be expected, whatever the groups (lambda = 0)",
        score_greedy,
    )
    .with(keys![GREEDY_TERM, TARGET, LAMBDA])
    .once_a_round(),
    PolicyKind::built_in(
        SETTING,
        "proportional_pool",
        "admits of each group in proportion to its applicants",
        proportional_pool,
    )
    .with(keys![TARGET, LAMBDA])
    .once_a_round(),
    PolicyKind::built_in(
        SETTING,
        "target_share",
        "admits of each group as the target says, as far as there are applicants",
        target_share,
    )
    .with(keys![TARGET.needed(), LAMBDA])
    .once_a_round(),
];

fn fair_greedy_pool(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let target = TARGET.needed().field(table);
    let lambda = LAMBDA.needed().value(table);
    let term = greedy_term(table, brief, &mut notes);
    let infeasible = infeasible(table, brief);
    let setting = setting(table, brief);
    let setting = setting?;
    let (target, steered) = setting.target(&target)?;
    let (greedy_term, laws) = term?;
    let (lambda, infeasible) = (lambda?, infeasible?);
    let weighing = Weighing {
        target: target.clone(),
        lambda,
        greedy_term,
        laws,
        infeasible,
    };
    let prospect = prospect(brief, &setting).map(|of| of.fair_greedy(&weighing));
    let policy = sound(table, FairGreedyPool::new(setting.attribute, weighing))?;
    let aim = PoolAim {
        target,
        steered,
        lambda: Some(lambda),
    };
    let ready = Ready::blind(policy).aiming(Some(aim));
    Some(ready.foretold(prospect).noted(notes))
}

fn fair_greedy_institutions(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let target = TARGET.needed().field(table);
    let (parts, lambda) = (PARTS.field(table), LAMBDAS.field(table));
    let together = TOGETHER.value(table);
    let (read, weights) = (PARTS.value_of(&parts), LAMBDAS.value_of(&lambda));
    let setting = setting(table, brief)?;
    let (target, steered) = setting.target(&target)?;
    let (read, weights) = (read?, weights?);
    if setting.values.len() != 2 {
        return table.refused(
            format!(
                "institutions choose between two groups, and here are {}",
                setting.values.len()
            ),
            "take kind = \"fair_greedy_pool\", or merge the groups",
        );
    }
    if weights.len() != 1 && weights.len() != read.len() {
        return lambda.refused(
            format!("{} institutions have {} lambdas", read.len(), weights.len()),
            "give one number for all, or one for each of `parts`",
        );
    }
    let total: f64 = read.iter().sum();
    if (total - 1.0).abs() > 1e-9 {
        return parts.refused(
            format!("the parts of the places sum to {total}, not to 1"),
            "for example: parts = [0.5, 0.3, 0.2]",
        );
    }
    let each = weights.iter().copied().cycle();
    let all: Vec<(f64, f64)> = read.into_iter().zip(each).collect();
    let coordination = match together? {
        true => Coordination::Together,
        false => Coordination::InTurn,
    };
    let made = Institutions::new(setting.attribute, &target, &all, coordination);
    let aim = PoolAim {
        target,
        steered,
        lambda: (weights.len() == 1).then(|| weights[0]),
    };
    Some(Ready::blind(sound(table, made)?).aiming(Some(aim)))
}

fn score_greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut notes = Vec::new();
    let wish = Wish::read(table);
    let term = greedy_term(table, brief, &mut notes);
    let setting = setting(table, brief)?;
    let aim = wish.aim(&setting)?;
    let (term, laws) = term?;
    let groups = setting.values.len();
    let made = FairGreedyPool::score_greedy(setting.attribute, groups, term, laws);
    let policy = sound(table, made)?;
    Some(Ready::blind(policy).aiming(aim).noted(notes))
}

fn proportional_pool(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let wish = Wish::read(table);
    let setting = setting(table, brief)?;
    let aim = wish.aim(&setting)?;
    let made = ProportionalPool::new(setting.attribute, setting.values.len());
    Some(Ready::blind(sound(table, made)?).aiming(aim))
}

fn target_share(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let wish = Wish {
        target: TARGET.needed().field(table),
        lambda: LAMBDA.field(table),
    };
    let setting = setting(table, brief)?;
    let aim = wish.aim(&setting)??;
    let made = TargetShare::new(setting.attribute, aim.target.clone());
    let prospect = prospect(brief, &setting).map(|of| of.target_share(aim.target[0]));
    let policy = sound(table, made)?;
    Some(Ready::blind(policy).aiming(Some(aim)).foretold(prospect))
}

/// Returns the parameters of the theory. It covers two groups in a pool that moves by eta (a - s).
/// `None` in other cases.
pub(super) fn prospect(brief: &Brief<'_>, setting: &Setting<'_>) -> Option<prospect::PoolSetting> {
    let pool = brief.pool.is();
    let pool = pool.filter(|pool| pool.response == Response::Share)?;
    let [first, _] = setting.values else {
        return None;
    };
    let admitted = match (brief.rules?.choose, brief.slate) {
        (Choose::Share(share), _) => share,
        (Choose::Exactly(places), Some(slate)) if places <= slate => {
            f64::from(places) / f64::from(slate)
        }
        _ => return None,
    };
    Some(prospect::PoolSetting {
        group: first.clone(),
        admitted,
        applicants: brief.slate,
        start: pool.start[0],
        eta: pool.eta,
    })
}

/// A target and a weight that a policy is scored by and need not follow.
struct Wish<'a> {
    target: Field<'a>,
    lambda: Field<'a>,
}

impl<'a> Wish<'a> {
    fn read(table: &mut Reader<'a>) -> Self {
        Self {
            target: TARGET.field(table),
            lambda: LAMBDA.field(table),
        }
    }

    /// The aim, where there is one; the outer `None`: it is wrong, which is noted.
    fn aim(&self, setting: &Setting<'_>) -> Option<Option<PoolAim>> {
        let lambda = LAMBDA.given(&self.lambda);
        if !self.target.is_given() {
            if !lambda.is_absent() {
                return self.lambda.refused(
                    "lambda weighs a loss against a target, and there is none",
                    "for example: target = { u = 0.4 }",
                );
            }
            return Some(None);
        }
        let (target, steered) = setting.target(&self.target)?;
        Some(Some(PoolAim {
            target,
            steered,
            lambda: lambda.unless_bad()?,
        }))
    }
}

/// The groups that all policies for pools need.
pub(super) struct Setting<'a> {
    pub(super) attribute: usize,
    pub(super) values: &'a [String],
}

impl Setting<'_> {
    /// The wanted share of each group, and the group that is named first.
    pub(super) fn target(&self, field: &Field<'_>) -> Option<(Vec<f64>, usize)> {
        pool_target(field, self.values)
    }
}

/// The wanted share of each group of a pool, and the group that is named first.
pub(crate) fn pool_target(field: &Field<'_>, values: &[String]) -> Option<(Vec<f64>, usize)> {
    let target = group_shares(field, values)?;
    let first = field.table()?.rest().first().map(|(key, _)| &key.name);
    let steered = values.iter().position(|value| Some(value) == first);
    Some((target, steered.unwrap_or(0)))
}

pub(super) fn setting<'a>(table: &Reader<'_>, brief: &Brief<'a>) -> Option<Setting<'a>> {
    let mut sound = true;
    let fills = |rules: &Rules| matches!(rules.choose, Choose::Share(_) | Choose::Exactly(_));
    if brief.rules.is_some_and(|rules| !fills(rules)) {
        table.refuse(
            "this policy fills the places of a round, and the rules leave open how many",
            "for example: choose = { share = 0.3 } in [rules]",
        );
        sound = false;
    }
    let schema = brief.schema?;
    if !schema.scored() {
        table.refuse(
            "this policy admits the best-scored, and the people of this source have no scores",
            "take a source of type \"gaussian_groups\", or give a file `score`",
        );
        sound = false;
    }
    if brief.pool.is_bad() {
        return None;
    }
    let attribute = brief.pool.is().map(|pool| pool.attribute);
    let Some(attribute) = attribute.or(brief.known?.group) else {
        return table.refused(
            "this policy is about groups, and nothing says which attribute makes them",
            "add [pool] with `by`",
        );
    };
    sound.then(|| Setting {
        attribute,
        values: &schema.attributes()[attribute].values,
    })
}

/// Reads the term for expected scores, and returns it with the laws of scores.
pub(super) fn greedy_term(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    notes: &mut Vec<String>,
) -> Option<(GreedyTerm, Vec<ScoreLaw>)> {
    let term = GREEDY_TERM.or_note(table, notes)?;
    if term == GreedyTerm::Realised {
        return Some((term, Vec::new()));
    }
    // Without scores that is said of the setting.
    let Some(laws) = brief.known?.scores.get() else {
        if brief.schema?.scored() {
            table.refuse(
                "what scores are to be expected is not known of this source",
                "set greedy_term = \"realised\", or take a source of type \"gaussian_groups\"",
            );
        }
        return None;
    };
    Some((term, laws.clone()))
}

pub(super) fn infeasible(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Infeasible> {
    let field = INFEASIBLE.field(table);
    let word = INFEASIBLE.value_of(&field)?;
    if !field.is_given() {
        return Some(word);
    }
    let attributes = brief.schema?.attributes();
    let two = |at: usize| attributes[at].values.len() == 2;
    let attribute = brief.pool.is().map(|pool| pool.attribute);
    if word == Infeasible::Authors && !attribute.is_none_or(two) {
        return field.refused(
            "the authors' handling of shares that can't be filled is for two groups",
            "set infeasible = \"feasible\", or leave it out",
        );
    }
    Some(word)
}

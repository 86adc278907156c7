//! Sets up the policies for pools from their tables in a config.

use super::ready::Ready;
use super::set_up::{Assumed, sound};
use super::shares::shares as group_shares;
use crate::document::{Field, Reader};
use crate::policy::Brief;
use crate::policy::pool::{
    FairGreedyPool, GreedyTerm, Infeasible, ProportionalPool, Prospect, ScoreLaw, TargetShare,
    Weighing, prospect,
};
use crate::pool::Response;
use crate::protocol::{Choose, Rules};
use crate::score::PoolAim;

pub(super) fn fair_greedy_pool(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let target = table.need("target", "target = { u = 0.4 }");
    let lambda = table.need("lambda", "lambda = 2.0").not_negative();
    let term = greedy_term(table, brief, &mut assumed);
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
    assumed.say(led(aimed(Ready::blind(policy), Some(aim)), prospect))
}

pub(super) fn score_greedy(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let mut assumed = Assumed::default();
    let wish = Wish::read(table);
    let term = greedy_term(table, brief, &mut assumed);
    let setting = setting(table, brief)?;
    let aim = wish.aim(&setting)?;
    let (term, laws) = term?;
    let groups = setting.values.len();
    let made = FairGreedyPool::score_greedy(setting.attribute, groups, term, laws);
    let policy = sound(table, made)?;
    assumed.say(aimed(Ready::blind(policy), aim))
}

pub(super) fn proportional_pool(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let wish = Wish::read(table);
    let setting = setting(table, brief)?;
    let aim = wish.aim(&setting)?;
    let made = ProportionalPool::new(setting.attribute, setting.values.len());
    aimed(Ready::blind(sound(table, made)?), aim)
}

pub(super) fn target_share(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let wish = Wish {
        target: table.need("target", "target = { u = 0.4 }"),
        lambda: table.get("lambda"),
    };
    let setting = setting(table, brief)?;
    let aim = wish.aim(&setting)??;
    let made = TargetShare::new(setting.attribute, aim.target.clone());
    let prospect = prospect(brief, &setting).map(|of| of.target_share(aim.target[0]));
    led(
        aimed(Ready::blind(sound(table, made)?), Some(aim)),
        prospect,
    )
}

pub(super) fn aimed(ready: Option<Ready>, aim: Option<PoolAim>) -> Option<Ready> {
    let mut ready = ready?;
    ready.aim = aim;
    Some(ready)
}

/// With what theory says of the pool.
pub(super) fn led(ready: Option<Ready>, prospect: Option<Prospect>) -> Option<Ready> {
    let mut ready = ready?;
    let sentence = prospect.as_ref().and_then(Prospect::sentence);
    ready.notes.extend(sentence);
    ready.prospect = prospect;
    Some(ready)
}

/// What theory needs, where it has something to say: of two groups, in a pool that moves by eta (a - s).
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

/// A target and a weight that a policy is scored by, and need not heed.
struct Wish<'a> {
    target: Field<'a>,
    lambda: Field<'a>,
}

impl<'a> Wish<'a> {
    fn read(table: &mut Reader<'a>) -> Self {
        Self {
            target: table.get("target"),
            lambda: table.get("lambda"),
        }
    }

    /// The aim, where there is one; the outer `None`: it is wrong, which is noted.
    fn aim(&self, setting: &Setting<'_>) -> Option<Option<PoolAim>> {
        let given = self.lambda.is_given();
        let lambda = self.lambda.not_negative();
        if !self.target.is_given() {
            if given {
                self.lambda.refuse(
                    "lambda weighs a loss against a target, and there is none",
                    "for example: target = { u = 0.4 }",
                );
                return None;
            }
            return Some(None);
        }
        let (target, steered) = setting.target(&self.target)?;
        (lambda.is_some() || !given).then_some(Some(PoolAim {
            target,
            steered,
            lambda,
        }))
    }
}

/// What all policies for pools need.
pub(super) struct Setting<'a> {
    pub(super) attribute: usize,
    pub(super) values: &'a [String],
}

impl Setting<'_> {
    /// The wanted share of each group, and the group that is named first.
    pub(super) fn target(&self, field: &Field<'_>) -> Option<(Vec<f64>, usize)> {
        let target = group_shares(field, self.values)?;
        let first = field.table()?.rest().first().map(|(key, _)| &key.name);
        let steered = self.values.iter().position(|value| Some(value) == first);
        Some((target, steered.unwrap_or(0)))
    }
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
        table.refuse(
            "this policy is about groups, and nothing says which attribute makes them",
            "add [pool] with `by`",
        );
        return None;
    };
    sound.then(|| Setting {
        attribute,
        values: &schema.attributes()[attribute].values,
    })
}

/// What is expected of scores, and by which laws.
pub(super) fn greedy_term(
    table: &mut Reader<'_>,
    brief: &Brief<'_>,
    assumed: &mut Assumed,
) -> Option<(GreedyTerm, Vec<ScoreLaw>)> {
    let field = table.get("greedy_term");
    let term = if field.is_given() {
        field.choice(&[
            ("blom", GreedyTerm::Blom),
            ("exact", GreedyTerm::Exact),
            ("mean_field", GreedyTerm::MeanField),
            ("realised", GreedyTerm::Realised),
        ])?
    } else {
        let note = "greedy_term = \"blom\" (the config gives none)";
        assumed.notes.push(note.into());
        GreedyTerm::Blom
    };
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
    let field = table.get("infeasible");
    if !field.is_given() {
        return Some(Infeasible::Feasible);
    }
    let word = field.choice(&[
        ("feasible", Infeasible::Feasible),
        ("authors", Infeasible::Authors),
    ])?;
    let attributes = brief.schema?.attributes();
    let two = |at: usize| attributes[at].values.len() == 2;
    let attribute = brief.pool.is().map(|pool| pool.attribute);
    if word == Infeasible::Authors && !attribute.is_none_or(two) {
        field.refuse(
            "the authors' handling of shares that can't be filled is for two groups",
            "set infeasible = \"feasible\", or leave it out",
        );
        return None;
    }
    Some(word)
}

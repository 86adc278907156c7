//! A draw: the seed, the play, the panel and its alternates.

use super::again::Again;
use super::chances::Chances;
use super::code::Codes;
use super::commitment::Commitment;
use super::inputs::Inputs;
use super::left::whole_quotas;
use super::play::{PassedOver, PlayedDraw, Why, play};
use super::question::DrawQuestion;
use super::seed::{DrawSeed, Randomness};
use super::stand_ins::StandIns;
use kleroterion_core::problem::Problems;
use kleroterion_core::protocol::Ending;
use kleroterion_run::run::RunError;
use kleroterion_sortition::PanelBreach;

/// The checked inputs of a draw.
pub struct CheckedInputs {
    /// The question that is played.
    pub question: DrawQuestion,
    /// The whole panel, if some of its members stay.
    pub again: Option<Again>,
    /// The codes of all respondents of the whole question.
    pub codes: Codes,
}

impl CheckedInputs {
    /// Checks the inputs of a draw.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn of(inputs: &Inputs) -> Result<Self, Problems> {
        let mut again = Again::of(inputs)?;
        let question = match &mut again {
            Some(again) => {
                let left = DrawQuestion::of(&again.reduced)?;
                let quotas = whole_quotas(&again.whole, &again.kept, &left);
                again.whole.panel.quotas = quotas;
                left
            }
            None => DrawQuestion::of(inputs)?,
        };
        let whole = again.as_ref().map_or(&question, |again| &again.whole);
        let codes = Codes::of(inputs, &whole.panel.respondents);
        Ok(Self {
            question,
            again,
            codes,
        })
    }

    /// The question of the whole panel.
    #[must_use]
    pub fn whole(&self) -> &DrawQuestion {
        match &self.again {
            Some(again) => &again.whole,
            None => &self.question,
        }
    }

    /// The question of the whole panel, mutable.
    pub(super) fn whole_mut(&mut self) -> &mut DrawQuestion {
        match &mut self.again {
            Some(again) => &mut again.whole,
            None => &mut self.question,
        }
    }

    /// The members who stay.
    fn kept(&self) -> &[u32] {
        self.again.as_ref().map_or(&[], |again| &again.kept)
    }

    /// The respondents who no longer take part.
    fn out(&self) -> &[u32] {
        self.again.as_ref().map_or(&[], |again| &again.out)
    }

    /// The respondent of the whole that one of the question played is.
    pub(super) fn in_whole(&self, respondent: u32) -> u32 {
        match &self.again {
            Some(again) => again.people[respondent as usize],
            None => respondent,
        }
    }
}

/// A draw that was made.
pub struct FinishedDraw {
    /// The checked inputs.
    pub stage: CheckedInputs,
    /// The commitment to the inputs.
    pub commitment: Commitment,
    /// The public randomness.
    pub randomness: Randomness,
    /// The seed.
    pub seed: DrawSeed,
    /// The reason why the draw ended.
    pub ending: Ending,
    /// The members: those who stay, then those drawn, in the order of acceptance.
    pub members: Vec<u32>,
    /// The number of members who stay from an earlier draw.
    pub kept: usize,
    /// The respondents who are not on the panel, with the reasons.
    pub passed: Vec<PassedOver>,
    /// The alternates, in the order in which they step in.
    pub alternates: StandIns,
    /// The rules that the panel breaks. Empty if it is as requested.
    pub breaches: Vec<PanelBreach>,
    /// The chances that the policy gives, if requested.
    pub chances: Option<Chances>,
    /// The seed of the config.
    own_seed: u64,
}

impl FinishedDraw {
    /// Makes a draw. `threads` is their number, and does not change results.
    ///
    /// # Errors
    /// Where a task other than the policy fails.
    pub fn make(
        mut stage: CheckedInputs,
        commitment: Commitment,
        randomness: Randomness,
        threads: Option<usize>,
    ) -> Result<Self, RunError> {
        let seed = DrawSeed::of(&commitment.sha256(), &randomness.sha256());
        let own_seed = stage.question.plan.seed;
        stage.question.plan.set_seed(seed.number);
        let played = play(&stage.question.plan, &stage.question.panel, threads)?;
        let ending = played.ending;
        let kept = stage.kept().len();
        let drawn = played.members.iter().map(|one| stage.in_whole(*one));
        let members: Vec<u32> = stage.kept().iter().copied().chain(drawn).collect();
        let passed = passed(&stage, played, &members);
        let alternates = {
            let (whole, out) = (stage.whole(), stage.out());
            StandIns::of(whole, out, &members, commitment.alternates, seed.number)
        };
        let breaches = stage.whole().panel.breaches(&members);
        Ok(Self {
            stage,
            commitment,
            randomness,
            seed,
            ending,
            members,
            kept,
            passed,
            alternates,
            breaches,
            chances: None,
            own_seed,
        })
    }

    /// Adds the chances that the rule gives, from replications by the config's own seed. `threads`
    /// is their number, and does not change results.
    ///
    /// # Errors
    /// Where a task other than the policy fails.
    pub fn with_chances(
        mut self,
        replications: u64,
        threads: Option<usize>,
    ) -> Result<Self, RunError> {
        let plan = &mut self.stage.question.plan;
        plan.set_seed(self.own_seed);
        self.chances = Chances::of(plan, replications, threads)?;
        Ok(self)
    }

    /// Returns the member who lives in a respondent's household, if households matter and there is
    /// one.
    #[must_use]
    pub fn kin(&self, respondent: u32) -> Option<u32> {
        kin(&self.stage, &self.members, respondent)
    }

    /// Returns true if the panel is filled and keeps every rule.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.breaches.is_empty()
    }
}

/// Returns the respondents who are not on the panel, as respondents of the whole question.
fn passed(stage: &CheckedInputs, played: PlayedDraw, members: &[u32]) -> Vec<PassedOver> {
    let whole = |why: Why| match why {
        Why::Household { member } => Why::Household {
            member: member.map(|one| stage.in_whole(one)),
        },
        why => why,
    };
    let played = played.passed.into_iter();
    let mut passed: Vec<PassedOver> = played
        .map(|one| PassedOver {
            respondent: stage.in_whole(one.respondent),
            why: whole(one.why),
            ..one
        })
        .collect();
    let out = stage.out();
    // Those who were no part of the question that was played.
    let mut known = vec![false; stage.whole().panel.respondents.len()];
    let seen = members
        .iter()
        .chain(passed.iter().map(|one| &one.respondent));
    seen.for_each(|one| known[*one as usize] = true);
    let others = (0..known.len() as u32).filter(|one| !known[*one as usize]);
    passed.extend(others.map(|respondent| PassedOver {
        respondent,
        round: None,
        why: match out.contains(&respondent) {
            true => Why::Out,
            false => Why::Household {
                member: kin(stage, stage.kept(), respondent),
            },
        },
    }));
    passed
}

/// Returns the member, if any, who lives in the respondent's household.
fn kin(stage: &CheckedInputs, members: &[u32], respondent: u32) -> Option<u32> {
    let homes = stage.whole().panel.respondents.households()?;
    let home = homes[respondent as usize];
    let mut members = members.iter().copied();
    members.find(|member| homes[*member as usize] == home)
}

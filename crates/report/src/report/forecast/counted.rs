//! The supply for a run's committee, if the number screened can be computed from it.

use kleroterion_core::protocol::{Choose, Law, Respondents, Target};
use kleroterion_core::source::Sizes;
use kleroterion_policies::committee::outlook::{Filling, Loosening, Outlook, Screened};
use kleroterion_run::config::Plan;

/// The reasons why the number screened is not given.
const HOUSEHOLDS: &str = "who shares a household with a member is screened and can't be chosen \
                          (`unique` in [rules])";
const REFILLED: &str = "those of a slate whom it has passed over are judged again where a place is \
                        declined (`refill` in [yield])";
const FIXED: &str = "the rules fix how many of a slate are chosen (`choose`)";
pub(super) const UNKNOWN_YIELD: &str =
    "how likely people are to take a place is not known ([yield])";
const UNKNOWN_SLATES: &str = "the sizes of slates follow no one law (`slate` in [rules])";
pub(super) const TOO_MANY: &str = "so many members from slates so large take too long to compute";

/// The supply that a run's committee is filled from.
pub(super) struct Counted<'a> {
    plan: &'a Plan,
    law: &'a Law,
    slates: &'a Sizes,
    most: u64,
    rounds: u64,
}

impl<'a> Counted<'a> {
    /// Collects the supply of a plan whose candidates have a law.
    ///
    /// # Errors
    /// The reason why the number screened can't be computed.
    pub(super) fn of(plan: &'a Plan, law: &'a Law) -> Result<Self, &'static str> {
        let rules = &plan.rules;
        let most = match rules.choose {
            Choose::Any => u64::MAX,
            Choose::AtMost(most) => u64::from(most),
            Choose::Exactly(_) | Choose::Share(_) => return Err(FIXED),
        };
        if plan.households {
            return Err(HOUSEHOLDS);
        }
        let slates = plan.slates.as_ref().ok_or(UNKNOWN_SLATES)?;
        if rules.refill && plan.feedback.offers.is_some() && *slates != Sizes::Constant(1) {
            return Err(REFILLED);
        }
        let whole = match (slates, plan.world.people) {
            (_, None) => u64::MAX,
            // The rest that makes no slate never comes.
            (Sizes::Constant(size), Some(people)) => people / u64::from((*size).max(1)),
            (_, Some(_)) => return Err(UNKNOWN_SLATES),
        };
        Ok(Self {
            plan,
            law,
            slates,
            most,
            rounds: whole.min(rules.max_rounds),
        })
    }

    /// The probability that one whom the policy accepts takes the place. `None` if it is unknown.
    pub(super) fn taken(&self, outlook: &Outlook) -> Option<f64> {
        if self.plan.feedback.offers.is_none() {
            return Some(1.0);
        }
        let world = &self.plan.world;
        let respondents = world.known.respondents.as_deref();
        outlook.taken(
            &world.schema,
            self.law,
            self.plan.yields.as_ref()?,
            respondents,
        )
    }

    /// The people screened once a target is loosened.
    pub(super) fn loosened(
        &self,
        members: u64,
        found: &Loosening,
        target: &Target,
    ) -> Option<Screened> {
        if self.plan.feedback.offers.is_none() && self.known().is_none() {
            return self.filled(members, found.gain, 1.0);
        }
        let schema = &self.plan.world.schema;
        let mut rows = target.rows().to_vec();
        rows[found.attribute].1.clone_from(&found.target);
        let target = Target::new(schema, rows);
        let outlook = Outlook::new(schema, &target, self.law).ok()?;
        self.screened(members, &outlook, self.taken(&outlook)?)
    }

    /// The respondents, where they come once and one by one and all can come.
    fn known(&self) -> Option<&Respondents> {
        let people = self.plan.world.known.respondents.as_deref()?;
        let is_whole = *self.slates == Sizes::Constant(1) && self.rounds >= people.len() as u64;
        is_whole.then_some(people)
    }

    /// The people screened by the policy of an outlook; `taken`: as [`Counted::taken`] says.
    pub(super) fn screened(&self, members: u64, outlook: &Outlook, taken: f64) -> Option<Screened> {
        let is_drawn = !self.plan.world.fixed;
        let once = self.known().and_then(|people| {
            outlook.screened_once(people, self.plan.yields.as_deref(), members, is_drawn)
        });
        once.or_else(|| self.filled(members, outlook.gain, taken))
    }

    fn filled(&self, members: u64, accepted: f64, taken: f64) -> Option<Screened> {
        let filling = Filling {
            members,
            accepted,
            taken,
            slates: self.slates.clone(),
            most: self.most,
            rounds: self.rounds,
        };
        filling.screened()
    }
}

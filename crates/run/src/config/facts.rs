//! The facts that a plan's policies know when they are set up.

use super::plan::Plan;
use kleroterion_core::brief::Brief;
use kleroterion_core::problem::Given;
use kleroterion_io::seat::{hello, wire::Hello};

impl Plan {
    /// The knowledge of each policy of the plan when it is set up. A program sets up policies of its
    /// own by it.
    ///
    /// ```
    /// use kleroterion_core::protocol::{Move, Policy, View};
    /// use kleroterion_run::config::{ConfigInputs, Document, check};
    /// use kleroterion_run::presets::PRESETS;
    ///
    /// /// Accepts as many as it is asked for, whoever comes first.
    /// struct First(u64);
    ///
    /// impl Policy for First {
    ///     fn act(&mut self, _: &mut View<'_>) -> Move {
    ///         let accept = self.0 > 0;
    ///         self.0 -= u64::from(accept);
    ///         Move::decide(accept)
    ///     }
    /// }
    ///
    /// let plan = check(&Document::parse(PRESETS[0].text)?, ConfigInputs::default())?;
    /// let places = plan.brief().rules.and_then(|rules| rules.places_left(0));
    /// let policy = First(places.unwrap_or(0));
    /// // A program in the place of a policy receives the same as a message.
    /// let label = &plan.lanes[0].label;
    /// assert_eq!(plan.hello(label).map(|hello| hello.label).as_ref(), Some(label));
    /// # drop(policy);
    /// # Ok::<(), kleroterion_core::problem::Problems>(())
    /// ```
    #[must_use]
    pub fn brief(&self) -> Brief<'_> {
        let facts = &self.0.known;
        Brief {
            schema: Some(&self.world.schema),
            rules: Some(&self.rules),
            target: Given::of(false, self.target.as_deref()),
            quotas: facts.quotas.as_deref(),
            kept: facts.kept.as_deref(),
            round_quotas: facts.round_quotas.as_ref().and_then(|rows| Some(&**rows)),
            known: Some(&self.world.known),
            pool: Given::of(false, self.pool.as_ref()),
            slate: facts.slate,
            yields: self.yields.as_ref(),
            outcomes: self.outcomes.is_some(),
        }
    }

    /// Returns the greeting of the policy with this label, as a program in its place at a seat
    /// receives it. Its seed is that of no replication. `None` if no policy has the label.
    #[must_use]
    pub fn hello(&self, label: &str) -> Option<Hello> {
        let mut lanes = self.lanes.iter();
        let is_there = lanes.any(|lane| lane.label == label);
        is_there.then(|| hello(label, &self.brief())).flatten()
    }
}

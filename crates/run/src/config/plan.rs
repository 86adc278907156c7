//! The plan of a run: the content of a checked config. Other code trusts it without further checks.

mod lane;
mod live;
mod outcomes;
mod wanted;
mod world;

pub use lane::{LanePlan, Slow};
pub use live::{InterviewerSpec, LivePlan, NatsPlan, SlateTime};
pub use outcomes::{OutcomePlan, OutcomeReach};
pub use wanted::{LetterPopulation, OrganiserFiles, Recruitment};
pub use world::{Merits, Pace, PeopleFile, RecordedOutcomes, World};

use std::ops::Deref;
use std::sync::Arc;

use super::keep::Keep;
use kleroterion_core::feedback::Answers;
use kleroterion_core::pool::Dynamics;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{CohortObjective, Quota, Rules, Target, Yields};
use kleroterion_core::score::{
    Committee, Fairness, Kept, MetricNames, Moments, PoolAim, QuotaViolation, Scorer,
};
use kleroterion_core::source::Sizes;
use kleroterion_io::seat::AnsweringSpecs;
use kleroterion_policies::committee::outlook::Outlook;
use kleroterion_sortition::PanelQuestion;
use kleroterion_stats::Judge;

/// A note for readers of a pool's theory, used if those chosen may decline.
pub const ALL_ACCEPT: &str = "what theory expects is of runs in which all who are chosen take their \
                              places; here some decline";

/// A function that makes a scorer of each lane. `None` if the run does not have its measures.
pub type ScorerMaker = Arc<dyn Fn(&Plan) -> Option<Box<dyn Scorer>> + Send + Sync>;

/// A run, ready to play: a checked config. Its facts are read as fields; a program makes one by
/// [`Plan::builder`] or from a document.
///
/// ```compile_fail
/// fn reseeded(mut plan: kleroterion_run::config::Plan) {
///     plan.seed = 2;
/// }
/// ```
pub struct Plan(pub(crate) PlanFacts);

impl Deref for Plan {
    type Target = PlanFacts;

    fn deref(&self) -> &PlanFacts {
        &self.0
    }
}

/// The facts of a plan.
pub struct PlanFacts {
    /// The run's name.
    pub name: String,
    /// The seed of every random number.
    pub seed: u64,
    /// The number of replications.
    pub replications: u64,
    /// The origin of the candidates.
    pub world: World,
    /// The sources of answers to interviews and of outcomes.
    pub feedback: Answers,
    /// The programs that answer interviews or report outcomes, if there are any.
    pub answering: AnsweringSpecs,
    /// The outcomes of those chosen, if the run has outcomes.
    pub outcomes: Option<OutcomePlan>,
    /// The dynamics of the pool, if not all who could apply do. Each lane has its own pool.
    pub pool: Option<Dynamics>,
    /// The rules of every lane.
    pub rules: Arc<Rules>,
    /// The sizes of the slates, if they follow one law in all rounds or are written down.
    pub slates: Option<Sizes>,
    /// True if at most one person of each household is accepted.
    pub households: bool,
    /// The probabilities that those chosen take their places, if acceptance is drawn.
    pub yields: Option<Arc<Yields>>,
    /// The target shares, if there are any.
    pub target: Option<Arc<Target>>,
    /// The organiser's files of quotas, if the target comes from them.
    pub organiser: Option<OrganiserFiles>,
    /// The counter of quota violations, if the rules set quotas.
    pub quotas: Option<QuotaViolation>,
    /// The counter of seats off the quotas or the target, if the lanes fill a committee.
    pub committee: Option<Committee>,
    /// The aim for the run's pools, if the config sets one.
    pub aim: Option<PoolAim>,
    /// The objectives by which cohorts are scored, the run's own first. Empty if no cohorts are
    /// scored.
    pub objectives: Vec<CohortObjective>,
    /// The forecast for the best stationary policy that keeps to the target. `None` if the law is
    /// unknown or no policy can keep to it.
    pub outlook: Option<Outlook>,
    /// The recruitment that letters are planned for, if the config says how many people answer.
    pub recruitment: Option<Recruitment>,
    /// The probability of each known respondent to leave after becoming a member, if the config
    /// sets them.
    pub dropout: Option<Vec<f64>>,
    /// The makers of a lane's scorers, in the order of the outputs.
    pub scorers: Vec<ScorerMaker>,
    /// The lanes.
    pub lanes: Vec<LanePlan>,
    /// The moments at which the scorers are read.
    pub moments: Moments,
    /// The metrics to judge, and the confidence required.
    pub judge: Judge,
    /// The values that are written for each replication.
    pub keep: Keep,
    /// The settings of a live run.
    pub live: LivePlan,
    /// Notes on defaults that were filled in, and on findings made during checks.
    pub notes: Vec<String>,
    /// The facts that policies know and no other part says.
    pub known: KnownRules,
}

/// Facts that policies know of a plan, and that no other part of it says: [`Plan::brief`].
pub struct KnownRules {
    /// The quotas of an organiser's file, a row for each attribute of the schema.
    pub(super) quotas: Option<Vec<Vec<Quota>>>,
    /// All quotas that the committee is to keep, in the same shape.
    pub(super) kept: Option<Vec<Vec<Quota>>>,
    /// The quotas of each round's choice, in the same shape.
    pub(super) round_quotas: Given<Vec<Vec<Quota>>>,
    /// The number of candidates on a slate, if all slates have the same size.
    pub(super) slate: Option<u32>,
}

/// Changes that leave a plan sound.
impl Plan {
    /// Sets the seed of every random number.
    pub fn set_seed(&mut self, seed: u64) {
        self.0.seed = seed;
    }

    /// Sets the number of replications.
    pub fn set_replications(&mut self, replications: u64) {
        self.0.replications = replications;
    }

    /// Plays all replications, even if the answer is decided before.
    pub fn play_all(&mut self) {
        self.0.judge.until_decided = false;
    }

    /// Sets the moments at which the scorers are read.
    pub fn set_moments(&mut self, moments: Moments) {
        self.0.moments = moments;
    }

    /// Sets the sources of answers to interviews and of outcomes.
    pub fn set_feedback(&mut self, feedback: Answers) {
        self.0.feedback = feedback;
    }

    /// Keeps only some lanes.
    pub fn keep_lanes(&mut self, keep: impl FnMut(&LanePlan) -> bool) {
        self.0.lanes.retain(keep);
    }

    /// Returns the lanes, for policies in place of theirs.
    pub fn lanes_mut(&mut self) -> &mut [LanePlan] {
        &mut self.0.lanes
    }
}

impl Plan {
    /// Returns the panel to choose, if a committee is chosen from people known beforehand.
    #[must_use]
    pub fn panel(&self) -> Option<PanelQuestion> {
        let respondents = Arc::clone(self.world.known.respondents.as_ref()?);
        let committee = self.committee.as_ref()?;
        let none = || vec![Vec::new(); self.world.schema.attributes().len()];
        Some(PanelQuestion {
            respondents,
            quotas: committee.quotas().unwrap_or_else(none),
            members: u32::try_from(committee.members()).ok()?,
        })
    }

    /// Returns the names of the metrics, with the means to split them into parts.
    #[must_use]
    pub fn metric_names(&self) -> MetricNames {
        let pool = self.pool.as_ref().map(|pool| pool.attribute);
        MetricNames::new(&self.world.schema, pool).knowing(&self.judge.catalogue)
    }

    /// Returns the values that are written for each replication.
    #[must_use]
    pub fn written(&self) -> Kept {
        self.keep.written(self.replications, &self.judge)
    }

    /// Returns the metrics that figures over the course of the run draw.
    #[must_use]
    pub fn drawn(&self) -> Kept {
        Keep::drawn(&self.judge)
    }

    /// Returns the values that verdicts and tests need, and those that are written.
    #[must_use]
    pub fn held(&self) -> Kept {
        let has_slates = self.world.truth.is_some() && Fairness::applies(&self.rules);
        self.keep.held(self.replications, &self.judge, has_slates)
    }
}

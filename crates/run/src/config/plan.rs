//! The plan of a run: the content of a checked config. Other code trusts it without further checks.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::keep::Keep;
use crate::catalog::Ready;
use kleroterion_core::feedback::Answers;
use kleroterion_core::pool::Dynamics;
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::{
    CohortObjective, GroupTruth, Known, Quota, Role, Rules, Schema, Target, Yields,
};
use kleroterion_core::score::{
    Committee, Direction, Fairness, GoodOutcome, Kept, MeasureDefinition, MetricNames, Moments,
    PoolAim, QuotaViolation, Scorer, Utilities, Volunteering,
};
use kleroterion_core::source::admissions::Admissions;
use kleroterion_core::source::{Sizes, SourceMaker};
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::people::organisers::{Categories, Intersections};
use kleroterion_io::people::table::Doubles;
use kleroterion_io::record::file::How;
use kleroterion_io::seat::AnsweringSpecs;
use kleroterion_io::secrets::Secrets;
use kleroterion_policies::committee::outlook::Outlook;
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::letters::LettersQuestion;
use kleroterion_stats::Judge;
use kleroterion_stats::sequence::Range;

/// A note for readers of a pool's theory, used if those chosen may decline.
pub const ALL_ACCEPT: &str = "what theory expects is of runs in which all who are chosen take their \
                              places; here some decline";

/// The origin of the candidates, and the facts about them.
pub struct World {
    /// The schema of the candidates' columns.
    pub schema: Arc<Schema>,
    /// The facts about the candidates that policies may know.
    pub known: Known,
    /// The maker of a replication's stream.
    pub source: SourceMaker,
    /// True if the stream is the same in every replication.
    pub fixed: bool,
    /// The number of people, if each comes once.
    pub people: Option<u64>,
    /// The number of rows of the people's file, kept or not, if they come from one.
    pub rows_read: Option<u64>,
    /// The file of separated text that the people come from, if there is one.
    pub file: Option<PeopleFile>,
    /// Sentences about the people that every output states, since a reader would assume otherwise.
    pub disclosures: Vec<String>,
    /// The model of which contacted people volunteer, if the config sets one.
    pub volunteering: Option<Volunteering>,
    /// The merits of the candidates. Interviews and outcomes are drawn around them.
    pub merits: Merits,
    /// True if the candidates' scores by reviewers are recorded. Interviews can then replay them.
    pub records: bool,
    /// The distribution of merits in each group, if candidates have merits. Oracles and scorers use
    /// it.
    pub truth: Option<GroupTruth>,
    /// The season of admissions, if the source is one. Studies use it to compare a chair's
    /// decisions with those of policies.
    pub season: Option<Arc<Admissions>>,
    /// The summary of the recorded outcomes, if a column of the people's file holds them.
    pub outcomes: Option<RecordedOutcomes>,
    /// The least and the greatest score of all possible candidates, if known.
    pub score_range: Option<(f64, f64)>,
    /// The feed, if candidates come from outside. In that case `source` only reports that the feed
    /// has not been opened.
    pub feed: Option<FeedSpec>,
    /// The pace at which people come, if the config sets one. It never affects decisions.
    pub pace: Option<Pace>,
    /// The mean number of arrivals per second, if people arrive independently at a constant rate.
    pub arrivals: Option<f64>,
}

/// An organiser's files of quotas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganiserFiles {
    /// The quotas of values.
    pub categories: Categories,
    /// The quotas of pairs of values, if there is a file of them.
    pub intersections: Option<Intersections>,
}

/// A file of people, and the rows of the people who come from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The way to open the file.
    pub how: How,
    /// The names of the columns, if the file has no header.
    pub columns: Option<Vec<String>>,
    /// The row number of each person, from 1. The header and blank lines are not counted.
    pub rows: Vec<u64>,
    /// True if a column names the people. Otherwise their row numbers do.
    pub is_named: bool,
    /// The rows that occur twice.
    pub doubles: Doubles,
}

/// A summary of people's recorded outcomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedOutcomes {
    /// The least and the greatest recorded outcome.
    pub range: (f64, f64),
    /// True if every outcome is 0 or 1.
    pub is_binary: bool,
    /// The number of people with an outcome.
    pub people: u64,
}

impl RecordedOutcomes {
    /// Returns the outcomes that count as good by default: those of 1 if all are 0 or 1, else
    /// `None`.
    #[must_use]
    pub fn good(&self) -> Option<GoodOutcome> {
        self.is_binary.then_some(GoodOutcome::AtLeast(1.0))
    }
}

/// The people whose outcomes a run comes to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeReach {
    /// All people shown, chosen or not. The world has their outcomes.
    All,
    /// The people chosen, about whom someone outside is asked.
    Chosen,
    /// The people whose outcomes are reported from outside.
    Reported,
}

/// The outcomes of those chosen, as far as measures depend on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutcomePlan {
    /// The people whose outcomes are known.
    pub reach: OutcomeReach,
    /// The least and the greatest possible outcome, if bounded.
    pub range: Option<(f64, f64)>,
    /// The outcomes that count as good, if the config or the data define them.
    pub good: Option<GoodOutcome>,
    /// True if scores and outcomes share one scale, from 0 to 1.
    pub is_scored: bool,
}

impl OutcomePlan {
    /// Returns the outcomes that count as good, if the outcome of everyone shown is known.
    #[must_use]
    pub fn separated(&self) -> Option<GoodOutcome> {
        self.good.filter(|_| self.reach == OutcomeReach::All)
    }

    /// Returns true if outcomes are reported from outside. The observer of the run then records
    /// them, not its lanes.
    #[must_use]
    pub fn is_reported(&self) -> bool {
        self.reach == OutcomeReach::Reported
    }

    /// Returns the metrics whose better side follows from which outcomes are good.
    #[must_use]
    pub fn sides(&self) -> Option<(String, Direction)> {
        let side = match self.good? {
            GoodOutcome::AtLeast(_) => Direction::Higher,
            GoodOutcome::AtMost(_) => Direction::Lower,
        };
        Some(("outcome_mean".to_owned(), side))
    }
}

/// The pace at which people come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// A constant number of people per second.
    Persons(f64),
    /// The recorded arrival times.
    Arrivals {
        /// The factor by which time runs faster.
        speed: f64,
    },
}

/// The merits of candidates.
#[derive(Clone, Debug, PartialEq)]
pub enum Merits {
    /// No merits.
    None,
    /// Merits drawn for each candidate.
    Drawn,
    /// Merits drawn for each candidate between these ends, both included.
    Within(f64, f64),
    /// Known merits, one of these for each candidate.
    Known(Utilities),
}

impl Merits {
    /// Returns the merits of people with these utilities, or [`Merits::Drawn`] if there are none.
    #[must_use]
    pub fn known(utilities: Option<Utilities>) -> Self {
        utilities.map_or(Self::Drawn, Self::Known)
    }

    /// Returns true if candidates have merits.
    #[must_use]
    pub fn exist(&self) -> bool {
        *self != Self::None
    }
}

impl World {
    /// A world of people without merits or recorded data, drawn anew in each replication.
    #[must_use]
    pub fn new(schema: Arc<Schema>, known: Known, source: SourceMaker) -> Self {
        Self {
            schema,
            known,
            source,
            fixed: false,
            people: None,
            rows_read: None,
            file: None,
            disclosures: Vec::new(),
            volunteering: None,
            merits: Merits::None,
            records: false,
            truth: None,
            season: None,
            outcomes: None,
            score_range: None,
            feed: None,
            pace: None,
            arrivals: None,
        }
    }
}

/// One lane of the run.
pub struct LanePlan {
    /// The unique label.
    pub label: String,
    /// The kind of its policy.
    pub kind: &'static str,
    /// The policy, ready to play.
    pub role: Role,
    /// Its policy.
    pub policy: Ready,
    /// The treatment of a slow lane, if a live run has the lane played elsewhere.
    pub elsewhere: Option<Slow>,
    /// The measures of the lane, each with its definition.
    pub definitions: BTreeMap<String, MeasureDefinition>,
}

/// The stream's reaction to a slow lane that plays elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slow {
    /// The stream waits once the lane is as far behind as a shadow may be.
    Block,
    /// The stream goes on, however far behind the lane is.
    #[default]
    Lag,
}

/// The NATS connection between the run and the lanes that play elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsPlan {
    /// The servers, separated by commas.
    pub url: Box<str>,
    /// The name of the run at the servers.
    pub run: Box<str>,
    /// The number of servers that hold a copy of its streams.
    pub replicas: usize,
    /// The time to wait for a lane after the last person came.
    pub patience: Duration,
}

/// The deadline of a slate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlateTime {
    /// This long after the first person of each slate.
    After(Duration),
    /// An instant that closes the first slate, in milliseconds since 1970.
    At(u64),
}

/// The people who answer interviews.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterviewerSpec {
    /// The least and the greatest answer, if the config declares them.
    pub range: Option<Range>,
}

/// The settings of a live run, beyond those of a simulated one.
#[derive(Clone, Debug, PartialEq)]
pub struct LivePlan {
    /// The place of the acting policy, if there is one.
    pub acting: Option<usize>,
    /// The place of the fallback policy, if there is one. It decides once the acting one has ended
    /// early.
    pub fallback: Option<usize>,
    /// The address of its board.
    pub board: SocketAddr,
    /// The origins of web pages that may call its servers, in lower case.
    pub origins: Arc<[Box<str>]>,
    /// The interviewers, if people answer interviews.
    pub interviewers: Option<InterviewerSpec>,
    /// True if the people chosen are asked whether they take their places.
    pub offers: bool,
    /// The deadline of a slate, if slates are closed by time.
    pub close: Option<SlateTime>,
    /// The time that interviewers have for an interview, if limited.
    pub look_deadline: Option<Duration>,
    /// True if outcomes are reported from outside.
    pub reported: bool,
    /// The least and greatest outcome that may be reported, if the config declares them.
    pub outcome_range: Option<Range>,
    /// The NATS connection to lanes that play elsewhere.
    pub nats: NatsPlan,
    /// The secrets of the servers and of the connection.
    pub secrets: Secrets,
}

impl LivePlan {
    /// Returns true if people answer interviews or offers during the run.
    #[must_use]
    pub fn asks_people(&self) -> bool {
        self.interviewers.is_some() || self.offers
    }
}

impl Plan {
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

/// A recruitment of volunteers by letters.
#[derive(Clone, Debug, PartialEq)]
pub struct Recruitment {
    /// The people who get letters.
    pub population: LetterPopulation,
    /// The question to answer: the letters needed for the committee.
    pub question: LettersQuestion,
    /// The required probability that the pool contains a committee.
    pub sure: f64,
}

/// The people who get letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterPopulation {
    /// People with the target's shares, and independent attributes.
    Target,
    /// People whose repliers have the law of the source.
    Source,
    /// People of the types that the config lists.
    Types,
}

/// A function that makes a scorer of each lane. `None` if the run does not have its measures.
pub type ScorerMaker = Arc<dyn Fn(&Plan) -> Option<Box<dyn Scorer>> + Send + Sync>;

/// Facts that policies know of a plan, and that no other part of it says: [`Plan::brief`].
pub struct PlanFacts {
    /// The quotas of an organiser's file, a row for each attribute of the schema.
    pub(super) quotas: Option<Vec<Vec<Quota>>>,
    /// All quotas that the committee is to keep, in the same shape.
    pub(super) kept: Option<Vec<Vec<Quota>>>,
    /// The quotas of each round's choice, in the same shape.
    pub(super) round_quotas: Given<Vec<Vec<Quota>>>,
    /// The number of candidates on a slate, if all slates have the same size.
    pub(super) slate: Option<u32>,
}

/// A run, ready to play.
pub struct Plan {
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
    pub facts: PlanFacts,
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
}

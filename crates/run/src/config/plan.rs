//! What a checked config asks for. Trusted from here on.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::feedback::Interviewers;
use super::keep::Keep;
use crate::catalog::Ready;
use kleroterion_core::arena::Prototype;
use kleroterion_core::feedback::Answers;
use kleroterion_core::pool::Dynamics;
use kleroterion_core::protocol::{
    CohortObjective, GroupTruth, Known, Role, Rules, Schema, Target, Yields,
};
use kleroterion_core::score::{
    Committee, Direction, Fairness, GoodOutcome, Kept, MeasureDefinition, MetricNames, Moments,
    PoolAim, QuotaViolation, Utilities, Volunteering,
};
use kleroterion_core::source::admissions::Admissions;
use kleroterion_core::source::{Sizes, SourceMaker};
use kleroterion_io::feed::FeedSpec;
use kleroterion_io::people::organisers::{Categories, Intersections};
use kleroterion_io::people::table::Doubles;
use kleroterion_io::record::file::How;
use kleroterion_io::seat::AnsweringSpecs;
use kleroterion_policies::committee::outlook::Outlook;
use kleroterion_sortition::PanelQuestion;
use kleroterion_sortition::letters::LettersQuestion;
use kleroterion_stats::Judge;
use kleroterion_stats::sequence::Range;

/// What a reader of a pool's theory should know where those chosen may decline.
pub const ALL_ACCEPT: &str = "what theory expects is of runs in which all who are chosen take their \
                              places; here some decline";

/// Where candidates come from.
pub struct World {
    /// The candidates' columns.
    pub schema: Arc<Schema>,
    /// What may be known of them.
    pub known: Known,
    /// Makes the stream of a replication.
    pub source: SourceMaker,
    /// Whether the stream is the same in every replication.
    pub fixed: bool,
    /// How many people there are, where each comes once.
    pub people: Option<u64>,
    /// The file of separated text that they come from, where it is one.
    pub file: Option<PeopleFile>,
    /// What every output is to say of them, since a reader would assume otherwise.
    pub disclosures: Vec<String>,
    /// Who of those contacted volunteers, where the config says it.
    pub volunteering: Option<Volunteering>,
    /// Whether candidates are worth something: then looks and outcomes can be drawn around it.
    pub merits: Merits,
    /// Whether reviewers' scores of the candidates are recorded: then looks can replay them.
    pub records: bool,
    /// How merits are distributed in each group, where candidates have merits; for oracles and
    /// scorers.
    pub truth: Option<GroupTruth>,
    /// The season of admissions, where it is one: for studies, which set what a chair decided
    /// next to what policies do.
    pub season: Option<Arc<Admissions>>,
    /// What is recorded of their outcomes, where a column of their file says what became of them.
    pub outcomes: Option<OutcomeRecord>,
    /// The least and the greatest score of all who may come, where that is known.
    pub score_range: Option<(f64, f64)>,
    /// The feed that they come by, where they come from outside: then `source` only says that it
    /// has not been opened.
    pub feed: Option<FeedSpec>,
    /// When persons come, where the config says: it never matters to what is decided.
    pub pace: Option<Pace>,
    /// How many arrive a second in the mean, where they do so independently and at one rate.
    pub arrivals: Option<f64>,
}

/// An organiser's files of quotas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganiserFiles {
    /// The quotas of values.
    pub categories: Categories,
    /// The quotas of pairs of values, where there is a file of them.
    pub intersections: Option<Intersections>,
}

/// A file of people, and the rows of the people who come from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleFile {
    /// The file.
    pub path: PathBuf,
    /// How it is opened.
    pub how: How,
    /// The names of the columns, where the file has no header.
    pub columns: Option<Vec<String>>,
    /// The number of each person's row, from 1, the header and blank lines not counted.
    pub rows: Vec<u64>,
    /// Whether a column names people; else the numbers of their rows do.
    pub is_named: bool,
    /// The rows that are there twice.
    pub doubles: Doubles,
}

/// What is recorded of people's outcomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutcomeRecord {
    /// The least and the greatest.
    pub range: (f64, f64),
    /// Whether each is 0 or 1.
    pub is_binary: bool,
    /// How many people have one.
    pub people: u64,
}

impl OutcomeRecord {
    /// Which are good where the config does not say: of zeros and ones the ones.
    #[must_use]
    pub fn good(&self) -> Option<GoodOutcome> {
        self.is_binary.then_some(GoodOutcome::AtLeast(1.0))
    }
}

/// The people whose outcomes a run comes to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeReach {
    /// All who are shown, chosen or not: the world has them.
    All,
    /// The chosen: someone outside is asked.
    Chosen,
    /// Those whose outcomes people report.
    Reported,
}

/// What becomes of the chosen, as far as measures need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutcomePlan {
    /// Whose outcomes are known.
    pub reach: OutcomeReach,
    /// The least and the greatest outcome there can be, where there are ends.
    pub range: Option<(f64, f64)>,
    /// The outcomes that are good, where that is said.
    pub good: Option<GoodOutcome>,
    /// Whether people have scores on the scale of outcomes: both from 0 to 1.
    pub is_scored: bool,
}

impl OutcomePlan {
    /// The outcomes that are good, where the world knows of each person shown whether theirs is.
    #[must_use]
    pub fn separated(&self) -> Option<GoodOutcome> {
        self.good.filter(|_| self.reach == OutcomeReach::All)
    }

    /// Whether outcomes are reported: who watches the run writes them down, not its lanes.
    #[must_use]
    pub fn is_reported(&self) -> bool {
        self.reach == OutcomeReach::Reported
    }

    /// The better sides of metrics that follow from which outcomes are good.
    #[must_use]
    pub fn sides(&self) -> Option<(String, Direction)> {
        let side = match self.good? {
            GoodOutcome::AtLeast(_) => Direction::Higher,
            GoodOutcome::AtMost(_) => Direction::Lower,
        };
        Some(("outcome_mean".to_owned(), side))
    }
}

/// When persons come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// So many a second.
    Persons(f64),
    /// At the times of their arrivals.
    Arrivals {
        /// How many times as fast.
        speed: f64,
    },
}

/// What candidates are worth.
#[derive(Clone, Debug, PartialEq)]
pub enum Merits {
    /// Nothing in particular.
    None,
    /// What is drawn for each.
    Drawn,
    /// What is drawn for each, at least and at most so much.
    Within(f64, f64),
    /// One of these.
    Known(Utilities),
}

impl Merits {
    /// Of people with these utilities, if there are any.
    #[must_use]
    pub fn known(utilities: Option<Utilities>) -> Self {
        utilities.map_or(Self::Drawn, Self::Known)
    }

    /// Whether candidates are worth something.
    #[must_use]
    pub fn exist(&self) -> bool {
        *self != Self::None
    }
}

impl World {
    /// People who are worth nothing in particular, of whom nothing is recorded, and who are drawn
    /// anew in each replication.
    #[must_use]
    pub fn new(schema: Arc<Schema>, known: Known, source: SourceMaker) -> Self {
        Self {
            schema,
            known,
            source,
            fixed: false,
            people: None,
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
    /// Its label, unique.
    pub label: String,
    /// The kind of its policy.
    pub kind: &'static str,
    /// Whether it can be the answer.
    pub role: Role,
    /// Its policy.
    pub policy: Ready,
    /// That a live run has it played elsewhere, and who waits for whom then.
    pub elsewhere: Option<Slow>,
    /// Each measure of the lane, and what it is by besides the lane's rounds.
    pub definitions: BTreeMap<String, MeasureDefinition>,
}

/// What the stream does for a lane elsewhere that is slow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slow {
    /// It waits once the lane is as far behind as a shadow may be.
    Block,
    /// It goes on, and the lane may be far behind.
    #[default]
    Lag,
}

/// Where lanes that play elsewhere meet the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsPlan {
    /// The servers, separated by commas.
    pub url: Box<str>,
    /// The run's name there.
    pub run: Box<str>,
    /// On how many servers its streams are.
    pub replicas: usize,
    /// How long a lane is waited for after the last person came.
    pub patience: Duration,
}

impl LanePlan {
    /// A lane of a policy that can be the answer, seeks no best cohort and steers no pool.
    #[must_use]
    pub fn new(label: &str, kind: &'static str, prototype: Box<dyn Prototype>) -> Self {
        Self {
            label: label.to_owned(),
            kind,
            role: Role::Policy,
            policy: Ready::new(prototype),
            elsewhere: None,
            definitions: BTreeMap::new(),
        }
    }
}

/// When a slate's time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlateTime {
    /// So long after the first person of each slate.
    After(Duration),
    /// At an instant, in milliseconds since 1970, which closes the first slate.
    At(u64),
}

/// What a live run does beyond a run.
#[derive(Clone, Debug, PartialEq)]
pub struct LivePlan {
    /// The place of the policy that counts, where one does.
    pub acting: Option<usize>,
    /// The place of the policy that counts once the acting one has ended otherwise than it was to,
    /// where one does.
    pub fallback: Option<usize>,
    /// Where its board is.
    pub board: SocketAddr,
    /// The origins of web pages that may ask its servers, in small letters.
    pub origins: Arc<[Box<str>]>,
    /// The people who answer interviews, where people do.
    pub interviewers: Option<Interviewers>,
    /// Whether people are asked whether they take their places.
    pub offers: bool,
    /// When a slate is closed, where its time ends it.
    pub close: Option<SlateTime>,
    /// How long interviewers have for an interview, where that is bounded.
    pub look_deadline: Option<Duration>,
    /// Whether outcomes are reported from outside.
    pub reported: bool,
    /// The least and greatest outcome that is reported, where the config declares them.
    pub outcome_range: Option<Range>,
    /// Where lanes that play elsewhere meet the run.
    pub nats: NatsPlan,
}

impl LivePlan {
    /// Whether people answer while the run goes on.
    #[must_use]
    pub fn asks_people(&self) -> bool {
        self.interviewers.is_some() || self.offers
    }
}

impl Plan {
    /// The values that are written down.
    #[must_use]
    pub fn written(&self) -> Kept {
        self.keep.written(self.replications, &self.judge)
    }

    /// The metrics that figures over the course of the run draw.
    #[must_use]
    pub fn drawn(&self) -> Kept {
        Keep::drawn(&self.judge)
    }

    /// The values that verdicts and tests are made from, and those that are written down.
    #[must_use]
    pub fn held(&self) -> Kept {
        let has_slates = self.world.truth.is_some() && Fairness::applies(&self.rules);
        self.keep.held(self.replications, &self.judge, has_slates)
    }
}

/// A recruitment by letters.
#[derive(Clone, Debug, PartialEq)]
pub struct Recruitment {
    /// Who gets letters.
    pub population: Population,
    /// What is asked.
    pub question: LettersQuestion,
    /// With which probability the pool is to have a committee.
    pub sure: f64,
}

/// Those who get letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Population {
    /// People with the target's shares, their attributes independent.
    Target,
    /// People of whom those who answer are like the people of the source.
    Source,
    /// The types that the config lists.
    Types,
}

/// A run, ready to go.
pub struct Plan {
    /// The run's name.
    pub name: String,
    /// The seed of every draw.
    pub seed: u64,
    /// How many replications.
    pub replications: u64,
    /// Where candidates come from.
    pub world: World,
    /// Who answers interviews, and who says what becomes of the chosen.
    pub feedback: Answers,
    /// The programs that answer, where some do.
    pub answering: AnsweringSpecs,
    /// What becomes of the chosen, where something does.
    pub outcomes: Option<OutcomePlan>,
    /// Who of those who could apply does, where not all do; each lane has a pool of its own.
    pub pool: Option<Dynamics>,
    /// The rules of every lane.
    pub rules: Arc<Rules>,
    /// How many make a slate, where that is one law in all rounds or is written down.
    pub slates: Option<Sizes>,
    /// Whether at most one of each household is accepted.
    pub households: bool,
    /// How likely those who are chosen are to take their places, where that is drawn.
    pub yields: Option<Arc<Yields>>,
    /// The shares that are wanted.
    pub target: Option<Arc<Target>>,
    /// The organiser's files of quotas, where the target is from them.
    pub organiser: Option<OrganiserFiles>,
    /// Counts what misses the quotas of the rules, where they set some.
    pub quotas: Option<QuotaViolation>,
    /// Counts what a committee is judged by, where the lanes are to fill one.
    pub committee: Option<Committee>,
    /// What the run wants of its pools, where it says.
    pub aim: Option<PoolAim>,
    /// By what objectives the cohorts of all lanes are scored, the run's own first; none where no
    /// cohorts are scored.
    pub objectives: Vec<CohortObjective>,
    /// What is to be expected of the best stationary policy that keeps to the target, where the law
    /// is known and allows one.
    pub outlook: Option<Outlook>,
    /// The recruitment that letters are planned for, where the config says how many answer.
    pub recruitment: Option<Recruitment>,
    /// Of each respondent known beforehand the probability to leave once they are a member, where
    /// the config says it.
    pub dropout: Option<Vec<f64>>,
    /// The lanes.
    pub lanes: Vec<LanePlan>,
    /// When the scorers are read.
    pub moments: Moments,
    /// What is judged, and how strictly.
    pub judge: Judge,
    /// The values that are written down.
    pub keep: Keep,
    /// How it is run live.
    pub live: LivePlan,
    /// What the config left open and how it was filled in; what was found out on the way.
    pub notes: Vec<String>,
}

impl Plan {
    /// What a panel must be, where a committee is chosen from people who are known beforehand.
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

    /// The metrics' names, to be taken apart.
    #[must_use]
    pub fn metric_names(&self) -> MetricNames {
        let pool = self.pool.as_ref().map(|pool| pool.attribute);
        MetricNames::new(&self.world.schema, pool)
    }
}

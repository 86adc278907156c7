//! How a run is carried out.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::config::Plan;
use kleroterion_core::arena::Carrier;
use kleroterion_io::seat::ProgramWords;
use kleroterion_io::trace::{Listed, Names};

/// Which tokio runtime an arena plays on. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// One thread an arena, as many arenas at once as there are threads.
    Current,
    /// One arena at a time on all threads.
    Multi,
}

/// What is written down besides the scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Who was selected.
    pub selected: bool,
    /// Who was shown, selected or not.
    pub people: bool,
    /// Every decision.
    pub decisions: bool,
    /// The measures over the course of the run, for figures.
    pub curves: bool,
    /// The people and the decisions of every replication, not only of the first.
    pub all_replications: bool,
}

impl Traces {
    /// The lists of people among it: of interviews and offers where a plan has some.
    pub fn lists(self, plan: &Plan) -> impl Iterator<Item = Listed> + use<> {
        let looks = self.selected && !plan.rules.interviews.is_empty();
        let offers = self.selected && plan.feedback.offers.is_some();
        let lists = [
            self.selected.then_some(Listed::Selected),
            self.people.then_some(Listed::Shown),
            (looks || offers).then_some(Listed::Cohort),
            looks.then_some(Listed::Interviews),
            offers.then_some(Listed::Offers),
        ];
        lists.into_iter().flatten()
    }
}

/// How a run is carried out; results do not depend on it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// About how many persons a batch holds; `None` = 1,024 persons or 64 KB, whichever is less.
    pub batch: Option<usize>,
    /// How many threads.
    pub threads: usize,
    /// On which runtime.
    pub runtime: Runtime,
    /// Who draws generated answers to interviews, and generated outcomes.
    pub carrier: Carrier,
    /// What is written down.
    pub traces: Traces,
    /// What people are called in it.
    pub names: Names,
    /// Whether values that the plan does not keep are folded as they come, in bounded memory. Else
    /// all are held in the result.
    pub folds: bool,
    /// Ends the run early once it is set.
    pub interrupt: Arc<AtomicBool>,
}

impl Settings {
    /// How what programs say is repeated.
    pub(super) fn words(&self) -> ProgramWords {
        ProgramWords::hidden(!self.names.shows_numbers())
    }
}

impl Default for Settings {
    /// All cores, nothing written down.
    fn default() -> Self {
        Self {
            batch: None,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            runtime: Runtime::Current,
            carrier: Carrier::default(),
            traces: Traces::default(),
            names: Names::default(),
            folds: false,
            interrupt: Arc::default(),
        }
    }
}

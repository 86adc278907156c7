//! The settings of a run's execution.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::config::Plan;
use kleroterion_core::arena::Carrier;
use kleroterion_io::seat::ProgramWords;
use kleroterion_io::trace::{ListedPeople, Names};

/// The tokio runtime that an arena plays on. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// One thread for each arena, with as many arenas at once as there are threads.
    Current,
    /// One arena at a time, on all threads.
    Multi,
}

/// The traces that are written besides the scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// True if the people selected are written.
    pub selected: bool,
    /// True if all people shown are written.
    pub people: bool,
    /// True if every decision is written.
    pub decisions: bool,
    /// True if the curves of measures over the run are written, for figures.
    pub curves: bool,
    /// True if people and decisions of every replication are written, not only those of the first.
    pub all_replications: bool,
}

impl Traces {
    /// Returns the lists of people among the traces. Lists of interviews and offers are included if
    /// the plan has these.
    pub fn lists(self, plan: &Plan) -> impl Iterator<Item = ListedPeople> + use<> {
        let looks = self.selected && !plan.rules.interviews.is_empty();
        let offers = self.selected && plan.feedback.offers.is_some();
        let lists = [
            self.selected.then_some(ListedPeople::Selected),
            self.people.then_some(ListedPeople::Shown),
            (looks || offers).then_some(ListedPeople::Cohort),
            looks.then_some(ListedPeople::Interviews),
            offers.then_some(ListedPeople::Offers),
        ];
        lists.into_iter().flatten()
    }
}

/// The settings of a run's execution. Results do not depend on them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The approximate number of people in a batch. If `None`, 1,024 people or 64 KB, whichever is
    /// less.
    pub batch: Option<usize>,
    /// The number of threads.
    pub threads: usize,
    /// The tokio runtime.
    pub runtime: Runtime,
    /// The component that draws generated answers to interviews and generated outcomes.
    pub carrier: Carrier,
    /// The traces to write.
    pub traces: Traces,
    /// The names by which traces call people.
    pub names: Names,
    /// True if values that the plan does not keep are summarised as they come, in bounded memory.
    /// Otherwise the result holds all of them.
    pub folds: bool,
    /// A flag that ends the run early once it is set.
    pub interrupt: Arc<AtomicBool>,
}

impl Settings {
    /// Returns the form in which messages of programs are shown. It hides numbers if the names of
    /// people do.
    pub(super) fn words(&self) -> ProgramWords {
        ProgramWords::hidden(!self.names.shows_numbers())
    }
}

impl Default for Settings {
    /// Settings with all cores and without traces.
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

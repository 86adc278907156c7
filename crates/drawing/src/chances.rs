//! The chances of respondents: the rule of a draw played many times with other randomness.

use kleroterion_run::config::Plan;
use kleroterion_run::run::{RunError, Settings, run};
use kleroterion_stats::ChanceSummary;

/// The number of times that a rule chose each respondent.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// The spread of the chances.
    pub summary: ChanceSummary,
    /// The number of replications in which each respondent was chosen.
    pub counts: Vec<u64>,
}

impl Chances {
    /// Counts the chances under a plan of one policy. `threads` is their number, and does not
    /// change results. Returns `None` if the plan draws no committee.
    ///
    /// # Errors
    /// Where a task other than the policy fails.
    pub fn of(
        plan: &mut Plan,
        replications: u64,
        threads: Option<usize>,
    ) -> Result<Option<Self>, RunError> {
        plan.set_replications(replications);
        plan.play_all();
        let mut settings = Settings {
            folds: true,
            ..Settings::default()
        };
        settings.threads = threads.unwrap_or(settings.threads);
        let result = run(plan, &settings, |_| Ok(()))?;
        Ok(result.seats.and_then(|mut seats| {
            let summary = seats.summary(0)?;
            let counts = seats.counts.swap_remove(0);
            Some(Self { summary, counts })
        }))
    }
}

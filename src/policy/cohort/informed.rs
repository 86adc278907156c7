//! A cohort policy that starts from forecasts.

use super::Forecast;
use crate::policy::Policy;
use crate::protocol::{File, Move, Outcome, View};

/// A policy whose files hold, before any look, what is forecast of each; looks are added to that.
#[derive(Clone, Debug)]
pub struct Informed<P> {
    policy: P,
    forecast: Forecast,
    round: u64,
    /// Forecasts and looks so far, by slot.
    files: Vec<File>,
    forecasts: Vec<File>,
}

impl<P> Informed<P> {
    /// Before the first round.
    #[must_use]
    pub fn new(policy: P, forecast: Forecast) -> Self {
        Self {
            policy,
            forecast,
            round: 0,
            files: Vec::new(),
            forecasts: Vec::new(),
        }
    }
}

/// A forecast and looks as one file.
fn joined(forecast: File, looks: File) -> File {
    let mut file = forecast;
    if looks.looks > 0 {
        file.add(looks.mean, looks.weight);
        file.looks = looks.looks;
    }
    file
}

impl<P: Policy> Policy for Informed<P> {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        if view.round() != self.round {
            self.round = view.round();
            self.forecasts = self.forecast.open(view.slate());
            self.files.clone_from(&self.forecasts);
        }
        for answer in view.answers() {
            let slot = answer.pull.slot as usize;
            self.files[slot] = joined(self.forecasts[slot], view.file(answer.pull.slot));
        }
        let answer = self.policy.act(&mut view.with_files(&self.files));
        if let Move::Select(selection) = &answer {
            let chosen = selection.chosen.as_slice();
            self.forecast
                .close(view.round(), view.slate(), view.files, chosen);
        }
        answer
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.forecast.learn(outcome);
        self.policy.learn(outcome);
    }
}

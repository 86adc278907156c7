//! The examination of a program: it plays several settings, and its faults are reported.

mod seating;

pub use seating::{ExamSetting, SETTINGS, Seating};

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::run::{Settings, run};
use kleroterion_core::lock::locked;
use kleroterion_core::problem::Problems;
use kleroterion_core::protocol::Ending;
use kleroterion_io::seat::{Exchange, ProgramWords, Spec, Talk, overstayed};

/// A fault of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The setting in which the fault was found.
    pub setting: String,
    /// The fault.
    pub what: String,
    /// The message before the fault. `None` if there was none.
    pub told: Option<String>,
    /// The program's answer to that message. `None` if it gave no answer.
    pub said: Option<String>,
}

/// The findings of an examination.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// The faults found.
    pub findings: Vec<Finding>,
    /// The time of each answer, in increasing order.
    pub took: Vec<Duration>,
    /// The time of each start until the program was ready, in increasing order.
    pub started: Vec<Duration>,
}

impl Examined {
    /// The number of questions that the program answered.
    #[must_use]
    pub fn exchanges(&self) -> usize {
        self.took.len() + self.started.len()
    }
}

/// Returns the time within which a share of the answers came. `took` is in increasing order, and
/// `share` is from 0 to 1. `None` if there were no answers.
#[must_use]
pub fn quantile(took: &[Duration], share: f64) -> Option<Duration> {
    let last = took.len().checked_sub(1)?;
    let at = (share * took.len() as f64).ceil() as usize;
    Some(took[at.saturating_sub(1).min(last)])
}

/// Plays programs in their settings, each twice. `patience` is the longest silence allowed.
///
/// # Errors
/// Where one can't be started, or a config is wrong.
pub fn examine(seatings: &[Seating], patience: Duration) -> Result<Examined, Problems> {
    let mut examined = Examined::default();
    for seating in seatings {
        let first = play(seating, patience, &mut examined)?;
        let again = play(seating, patience, &mut examined)?;
        if let (Some(first), Some(again)) = (first, again) {
            compare(seating, &first, &again, &mut examined);
        }
    }
    examined.took.sort();
    examined.started.sort();
    // What it does wrong in both plays is said once.
    let mut once: Vec<Finding> = Vec::new();
    for finding in examined.findings {
        if !once.contains(&finding) {
            once.push(finding);
        }
    }
    examined.findings = once;
    Ok(examined)
}

/// Plays once, and notes what is wrong; the exchanges, where nothing is.
fn play(
    seating: &Seating,
    patience: Duration,
    examined: &mut Examined,
) -> Result<Option<Vec<Exchange>>, Problems> {
    let mut plan = seating.plan()?;
    let talk = Arc::new(Mutex::new(Talk::default()));
    for lane in &mut plan.lanes {
        lane.policy.outside = lane.policy.outside.as_deref().map(|spec| {
            Arc::new(Spec {
                patience,
                talk: Some(Arc::clone(&talk)),
                ..spec.clone()
            })
        });
    }
    let settings = Settings {
        threads: 1,
        ..Settings::default()
    };
    let played = run(&plan, &settings, |_| Ok(()));
    let mut talk = locked(&talk);
    examined.took.append(&mut talk.took);
    examined.started.append(&mut talk.started);
    let before = examined.findings.len();
    let mut find = |what: String, said: Option<String>| {
        examined.findings.push(Finding {
            setting: seating.name().to_owned(),
            what,
            told: (!talk.last.is_empty()).then(|| talk.last.clone()),
            said,
        });
    };
    let lines = |lines: &[Vec<u8>]| {
        lines
            .iter()
            .map(|line| ProgramWords::Shown.line(line))
            .collect::<Vec<_>>()
    };
    let answer = || {
        talk.answer
            .as_deref()
            .map(|line| ProgramWords::Shown.line(line))
    };
    match played {
        Err(error) => find(format!("the run failed: {error}"), answer()),
        Ok(result) => {
            let lane = &result.policies[0].lanes()[0];
            if matches!(lane.ending, Ending::Left | Ending::Disqualified) {
                let detail = lane.detail.clone();
                find(detail.unwrap_or_else(|| lane.ending.to_string()), answer());
            } else if !talk.unasked.is_empty() {
                let said = lines(&talk.unasked).join(" ");
                find(
                    "said something that was not asked for, after its last answer".into(),
                    Some(said),
                );
            }
            if talk.overstayed {
                find(overstayed(), None);
            }
        }
    }
    let well = examined.findings.len() == before;
    Ok(well.then(|| std::mem::take(&mut talk.exchanges)))
}

/// Checks that a repeated run gives the same answers. Otherwise it could not be reproduced.
fn compare(seating: &Seating, first: &[Exchange], again: &[Exchange], examined: &mut Examined) {
    let other = first
        .iter()
        .zip(again)
        .find(|(first, again)| first != again);
    if let Some((first, again)) = other {
        let (one, two) = (
            ProgramWords::Shown.line(&first.said),
            ProgramWords::Shown.line(&again.said),
        );
        examined.findings.push(Finding {
            setting: seating.name().to_owned(),
            what: "answered the same question in two ways, started twice with the same seed: \
                 draw all that is random from the seed in `hello`"
                .into(),
            told: Some(first.told.clone()),
            said: Some(format!("{one} and {two}")),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_answers_there_were() {
        let took = |n: u64| (1..=n).map(Duration::from_millis).collect::<Vec<_>>();
        let ms = |took: &[Duration], share| quantile(took, share).map(|t| t.as_millis());
        assert_eq!(ms(&took(0), 0.5), None);
        assert_eq!((ms(&took(1), 0.5), ms(&took(1), 0.99)), (Some(1), Some(1)));
        assert_eq!(
            (ms(&took(200), 0.5), ms(&took(200), 0.99)),
            (Some(100), Some(198))
        );
    }
}

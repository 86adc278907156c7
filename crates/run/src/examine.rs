//! The examination of a program: it plays several settings, and its faults are reported.

mod seating;

pub use seating::{ExamSetting, SETTINGS, Seating};

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::run::{Settings, run};
use kleroterion_core::lock::locked;
use kleroterion_core::problem::Problems;
use kleroterion_core::protocol::Ending;
use kleroterion_core::watch::{Interrupted, Watch};
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

/// A watcher of an examination.
pub type ExamWatch<'a> = Watch<'a, ExamProgress>;

/// The progress of an examination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamProgress {
    /// The number of settings that were played.
    pub done: usize,
    /// The number of all settings.
    pub of: usize,
    /// The setting that is played now.
    pub setting: String,
}

impl fmt::Display for ExamProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { done, of, setting } = self;
        write!(f, "{done} of {of} settings are played; now {setting}")
    }
}

/// The reason why an examination has no findings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotExamined {
    /// A program can't be started, or a config is wrong.
    #[error(transparent)]
    Wrong(#[from] Problems),
    /// The watch stopped it.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Plays programs in their settings, each twice. `patience` is the longest silence allowed.
///
/// # Errors
/// Where one can't be started, or a config is wrong.
pub fn examine(seatings: &[Seating], patience: Duration) -> Result<Examined, Problems> {
    match examine_unless(seatings, patience, &ExamWatch::patient()) {
        Ok(examined) => Ok(examined),
        Err(NotExamined::Wrong(problems)) => Err(problems),
        Err(NotExamined::Interrupted(_)) => Ok(Examined::default()),
    }
}

/// Plays programs as [`examine`] does, unless the watch stops it. A program that is silent holds it
/// up for `patience`; [`Watch::awaited`] ends the wait at once.
///
/// # Errors
/// Where one can't be started, a config is wrong, or the watch stops it.
pub fn examine_unless(
    seatings: &[Seating],
    patience: Duration,
    watch: &ExamWatch<'_>,
) -> Result<Examined, NotExamined> {
    let mut examined = Examined::default();
    for (done, seating) in seatings.iter().enumerate() {
        watch.go_on()?;
        watch.see(ExamProgress {
            done,
            of: seatings.len(),
            setting: seating.name().to_owned(),
        });
        let first = play(seating, patience, watch, &mut examined)?;
        let again = play(seating, patience, watch, &mut examined)?;
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
    watch: &ExamWatch<'_>,
    examined: &mut Examined,
) -> Result<Option<Vec<Exchange>>, NotExamined> {
    let mut plan = seating.plan()?;
    let talk = Arc::new(Mutex::new(Talk::default()));
    for lane in plan.lanes_mut() {
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
        interrupt: Arc::clone(watch.interrupt()),
        ..Settings::default()
    };
    watch.go_on()?;
    let played = run(&plan, &settings, |_| Ok(()));
    // What it did not play to the end says nothing of the program.
    watch.go_on()?;
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
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn an_examination_is_given_up_at_once() {
        // It reads for ever and says nothing.
        let silent = ["sh", "-c", "cat > /dev/null"].map(str::to_owned);
        let seatings: Vec<Seating> = SETTINGS[..2]
            .iter()
            .map(|setting| Seating::in_setting(setting, &silent).unwrap())
            .collect();
        let interrupt: Arc<AtomicBool> = Arc::default();
        let seen = Mutex::new(Vec::new());
        let see = |progress: ExamProgress| {
            locked(&seen).push(progress.setting);
            interrupt.store(true, Ordering::Relaxed);
        };
        let watch = ExamWatch::new(&interrupt, &see);
        let patience = Duration::from_secs(60);
        let stopped = Some(NotExamined::Interrupted(Interrupted));
        let why = || examine_unless(&seatings, patience, &watch).err();
        assert_eq!(why(), stopped);
        assert_eq!(*locked(&seen), ["committee"]);
        assert_eq!(why(), stopped);
        assert_eq!(locked(&seen).len(), 1);
    }

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

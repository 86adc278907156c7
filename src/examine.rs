//! Examines a program: has it play several settings, and says what it does wrong.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::config::{Document, Plan, check};
use crate::problem::{Place, Problems};
use crate::protocol::Ending;
use crate::run::{Settings, run};
use crate::seat::{Exchange, Spec, Talk, overstayed, shown};

/// A setting that a program is examined in.
#[derive(Debug)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its config, without policies.
    pub config: &'static str,
}

/// The settings.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "committee",
        about: "one candidate at a time, at most one is chosen, until 20 are",
        config: r#"
            name = "committee"
            [source]
            type = "categorical"
            shares = { gender = { M = 0.6, F = 0.4 }, vote = { L = 0.3, R = 0.7 } }
            [target]
            gender = { M = 0.5, F = 0.5 }
            vote = { L = 0.4, R = 0.6 }
            [rules]
            slate = 1
            choose = "at_most_one"
            until = { accepted = 20 }
            max_rounds = 200
        "#,
    },
    Setting {
        name: "exactly",
        about: "ten candidates a round, exactly three are chosen; then slates of other sizes",
        config: r#"
            name = "exactly"
            [source]
            type = "gaussian_groups"
            groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }
            [target]
            group = { u = 0.5, v = 0.5 }
            [rules]
            slate = [10, 10, 10, 2, 1, 7, 10, 3, 4, 10]
            choose = { exactly = 3 }
            until = { rounds = 10 }
            [pool]
            type = "fixed"
            start = { u = 0.5 }
        "#,
    },
    Setting {
        name: "interviews",
        about: "eight candidates, looks of two kinds for sale, three are chosen",
        config: r#"
            name = "interviews"
            [source]
            type = "arms"
            means = { linear = { n = 8, from = 0.0, to = 1.0 } }
            groups = { modulo = 2 }
            [rules]
            slate = "all"
            choose = { exactly = 3 }
            until = { rounds = 5 }
            interviews = [{ name = "weak", cost = 1, gain = 1 }, { name = "strong", cost = 2, gain = 5 }]
            interview_cap = 40
            budget = 30
            [feedback.interview]
            type = "gaussian_looks"
            sd = 0.1
        "#,
    },
    Setting {
        name: "outcomes",
        about: "four candidates with features, exactly one is chosen; what came of it is reported \
             up to three rounds later",
        config: r#"
            name = "outcomes"
            [source]
            type = "linear_groups"
            preset = "grazzi2022-section6"
            [rules]
            slate = 4
            choose = "exactly_one"
            until = { rounds = 20 }
            [feedback.outcome]
            type = "linear"
            noise = 2.0
            delay = { uniform = [0, 3] }
        "#,
    },
    Setting {
        name: "share",
        about: "a pool of changing size that reacts, candidates with scores; three tenths are \
             chosen",
        config: r#"
            name = "share"
            [source]
            type = "gaussian_groups"
            groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }
            [rules]
            slate = { poisson = 20 }
            choose = { share = 0.3 }
            until = { rounds = 10 }
            [pool]
            type = "positive_reinforcement"
            start = { u = 0.3 }
            eta = 0.05
        "#,
    },
];

/// Something that a program does wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// In which setting.
    pub setting: &'static str,
    /// What.
    pub what: String,
    /// The message that it was sent; none where none came to it.
    pub told: Option<String>,
    /// What it said to that; none where it said nothing.
    pub said: Option<String>,
}

/// What an examination found.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// What it does wrong.
    pub findings: Vec<Finding>,
    /// How long each answer took, shortest first.
    pub took: Vec<Duration>,
    /// How long the program took to be ready, shortest first.
    pub started: Vec<Duration>,
}

impl Examined {
    /// How many questions were answered.
    #[must_use]
    pub fn exchanges(&self) -> usize {
        self.took.len() + self.started.len()
    }
}

/// The time within which a share of them all came, from 0 to 1; none where there was none. `took`:
/// shortest first.
#[must_use]
pub fn quantile(took: &[Duration], share: f64) -> Option<Duration> {
    let last = took.len().checked_sub(1)?;
    let at = (share * took.len() as f64).ceil() as usize;
    Some(took[at.saturating_sub(1).min(last)])
}

/// Has a program play settings, each twice; `patience`: how long it may be silent.
///
/// # Errors
/// Where it can't be started.
pub fn examine(
    command: &[String],
    settings: &[&'static Setting],
    patience: Duration,
) -> Result<Examined, Problems> {
    let mut examined = Examined::default();
    for setting in settings {
        let first = play(command, setting, patience, &mut examined)?;
        let again = play(command, setting, patience, &mut examined)?;
        if let (Some(first), Some(again)) = (first, again) {
            compare(setting, &first, &again, &mut examined);
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

/// A plan with the program as its only policy.
fn plan(command: &[String], setting: &Setting) -> Result<Plan, Problems> {
    // A JSON list of strings is one of TOML too.
    let command = serde_json::json!(command);
    let policy =
        format!("[[policy]]\nlabel = \"examined\"\nkind = \"exec\"\ncommand = {command}\n");
    let plan = Document::parse(&format!("{}\n{policy}", setting.config));
    let plan = plan.and_then(|document| check(&document, Path::new(".")));
    plan.map_err(|mut problems| {
        // The config is ours: its lines say nothing to who wrote the program.
        for problem in &mut problems.0 {
            problem.place = Place::Request;
        }
        problems
    })
}

/// Plays a setting once, and notes what is wrong; the exchanges, where nothing is.
fn play(
    command: &[String],
    setting: &'static Setting,
    patience: Duration,
    examined: &mut Examined,
) -> Result<Option<Vec<Exchange>>, Problems> {
    let mut plan = plan(command, setting)?;
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
    let mut talk = talk.lock().unwrap_or_else(PoisonError::into_inner);
    examined.took.append(&mut talk.took);
    examined.started.append(&mut talk.started);
    let before = examined.findings.len();
    let mut find = |what: String, said: Option<String>| {
        examined.findings.push(Finding {
            setting: setting.name,
            what,
            told: (!talk.last.is_empty()).then(|| talk.last.clone()),
            said,
        });
    };
    let lines = |lines: &[Vec<u8>]| lines.iter().map(|line| shown(line)).collect::<Vec<_>>();
    let answer = || talk.answer.as_deref().map(shown);
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

/// The same run gives the same answers, or it can't be done again.
fn compare(
    setting: &'static Setting,
    first: &[Exchange],
    again: &[Exchange],
    examined: &mut Examined,
) {
    let other = first
        .iter()
        .zip(again)
        .find(|(first, again)| first != again);
    if let Some((first, again)) = other {
        let (one, two) = (shown(&first.said), shown(&again.said));
        examined.findings.push(Finding {
            setting: setting.name,
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
    fn all_settings_are_sound_but_for_the_program() {
        for setting in SETTINGS {
            let found = plan(&["/nowhere/to/be/found".to_owned()], setting);
            let found = found.err().map(|problems| problems.to_string());
            assert!(
                found.as_ref().is_some_and(|f| f.contains("/nowhere")),
                "{}: {found:?}",
                setting.name
            );
            assert_eq!(found.unwrap().lines().count(), 1, "{}", setting.name);
        }
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

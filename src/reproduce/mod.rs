//! The papers' figures, tables and examples: each is a study, which plays the configs that come with the program, sets the
//! paper's sentences beside our numbers and says by a rule whether they hold.
//!
//! No number of ours stands in the code: what a claim shows is measured by a run (with its standard error), or computed from a
//! law or a policy. A verdict is the strongest thing that the numbers establish at [`SURE`] standard errors; where they
//! establish nothing it is *undecided*, never *reproduced*.

mod again;
mod chance;
mod claim;
mod do2021;
mod grazzi2022;
mod growth;
mod numbers;
mod page;
mod puranik2022;
mod schumann2019;
mod told;

use crate::config::{DATA, Document, check, located};
use crate::presets::{preset, renamed};
use crate::problem::{Place, Problem, Problems};
use crate::report::figure::{Figure, Table, alike};
use crate::report::page::Finding;
use crate::report::plans::Plans;
use crate::run::{RunError, Settings, run};
use crate::source::table::LoadError;

pub use claim::{Claim, Number, SURE, Source};
pub use do2021::wait::{Wait, wait};
pub use numbers::{Estimate, Played, Runs};
pub use page::{file_of, page_of, pages};
pub use told::{csv, json, text};

/// A figure, table or example of a paper.
pub struct Study {
    /// Its name, as `klero reproduce` takes it.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The presets it plays.
    pub presets: &'static [Part],
    /// A file that does not come with the program, without which none of its sentences can be judged. Where only some rest on one,
    /// `find` says `not run` of those.
    pub needs: Option<&'static str>,
    find: fn(&Runs) -> Result<Findings, StudyError>,
}

/// A preset that a study plays.
pub struct Part {
    /// Its name.
    pub preset: &'static str,
    /// Replications of the quick form; the full form takes the config's own.
    pub quick: u64,
}

/// How much work a study is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Few replications: enough to see that everything runs and nothing is far off.
    pub quick: bool,
    /// The seed of every run, instead of the configs' own.
    pub seed: Option<u64>,
}

/// What a study has come to, for whoever waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A run of a preset begins, of so many replications.
    Run(&'a str, u64),
    /// A replication is done.
    Replication,
}

/// What a study's `find` makes of its runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// What must be known to read them: the instance, what is calibrated, what the paper leaves open.
    pub statements: Vec<String>,
    /// The paper's sentences.
    pub claims: Vec<Claim>,
    /// The figures; the first is named after the study.
    pub figures: Vec<Figure>,
    /// Further tables, each under what it shows.
    pub tables: Vec<(String, Table)>,
}

/// A study that has been made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The study's name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The presets it played, each with seed and replications.
    pub runs: Vec<(&'static str, u64, u64)>,
    /// What it found.
    pub findings: Findings,
}

/// Why a study could not be made.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A config that comes with the program is wrong.
    #[error("the preset {0} is wrong: {1}")]
    Config(&'static str, Problems),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A run lacks a number that it was to give.
    #[error("{0}")]
    Missing(String),
    /// A file of people is at hand, but not as it is to be.
    #[error("{0}")]
    File(#[from] LoadError),
    /// It was interrupted; nothing is said of half a study.
    #[error("interrupted")]
    Interrupted,
}

/// All studies, a paper after the other.
pub fn studies() -> impl Iterator<Item = &'static Study> {
    let papers = [
        do2021::STUDIES,
        grazzi2022::STUDIES,
        schumann2019::STUDIES,
        puranik2022::STUDIES,
    ];
    papers.into_iter().flatten()
}

/// The study of a name.
#[must_use]
pub fn study(name: &str) -> Option<&'static Study> {
    let name = renamed(name);
    studies().find(|study| study.name == name)
}

impl Study {
    /// Makes the study. `watch` sees every step.
    ///
    /// # Errors
    /// Where a run fails or is interrupted; a claim that does not hold is a finding, not an error, and so is a file that is
    /// not at hand.
    pub fn run(
        &self,
        order: Order,
        settings: &Settings,
        watch: &mut dyn FnMut(Step<'_>),
    ) -> Result<Made, StudyError> {
        if let Some(missing) = self.needs.and_then(absent) {
            return Ok(self.not_run(missing));
        }
        let mut runs = Runs::default();
        let mut told = Vec::new();
        for part in self.presets {
            let played = part.play(order, settings, watch)?;
            if let Some(first) = played.first() {
                told.push((part.preset, first.plan.seed, first.plan.replications));
            }
            runs.0.insert(part.preset, played);
        }
        let mut findings = (self.find)(&runs)?;
        alike(&mut findings.figures);
        Ok(Made {
            name: self.name,
            about: self.about,
            runs: told,
            findings,
        })
    }

    /// What is said where the file is not at hand.
    fn not_run(&self, missing: Finding) -> Made {
        let claims = vec![Claim {
            place: "All its sentences".into(),
            paper: "none is judged".into(),
            ours: vec![],
            rule: "none: nothing was played".into(),
            finding: missing,
        }];
        Made {
            name: self.name,
            about: self.about,
            runs: vec![],
            findings: Findings {
                claims,
                ..Findings::default()
            },
        }
    }
}

impl Part {
    /// Plays the preset at every point of its sweep.
    fn play(
        &self,
        order: Order,
        settings: &Settings,
        watch: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<Played>, StudyError> {
        let wrong = |problems| StudyError::Config(self.preset, problems);
        let text = preset(self.preset).map(|preset| preset.text);
        let text = text.ok_or_else(|| wrong(none(self.preset).into()))?;
        let mut document = Document::parse(text).map_err(wrong)?;
        let replications = order.quick.then_some(self.quick);
        for (key, number) in [("replications", replications), ("seed", order.seed)] {
            if let Some(number) = number {
                let set = document.set(&format!("{key}={number}"));
                set.map_err(|problem| wrong(problem.into()))?;
            }
        }
        let mut all = Vec::new();
        let mut plans = Plans::default();
        for point in document.points().map_err(wrong)? {
            let folder = std::path::Path::new(".");
            let plan = check(&point.document, folder).map_err(wrong)?;
            for lane in &plan.lanes {
                let found = lane.foresight.as_ref().map(|ahead| plans.supply(ahead));
                let found = found.transpose();
                found.map_err(|why| RunError::Plan(lane.label.clone(), why))?;
            }
            watch(Step::Run(self.preset, plan.replications));
            let result = run(&plan, settings, |_| {
                watch(Step::Replication);
                Ok(())
            })?;
            if settings
                .interrupt
                .load(std::sync::atomic::Ordering::Relaxed)
            {
                return Err(StudyError::Interrupted);
            }
            let set = point.named();
            all.push(Played { plan, set, result });
        }
        Ok(all)
    }
}

/// That a file is not at hand, as the finding on what rests on it.
fn absent(file: &str) -> Option<Finding> {
    let why = format!(
        "needs {file}, which is neither in the current folder nor in one that the environment variable {DATA} names"
    );
    (!located(file).exists()).then_some(Finding::NotRun(why))
}

fn none(preset: &str) -> Problem {
    Problem::new(Place::Request, format!("there is no preset {preset}"))
}

//! A study: the presets it plays, and what it makes of their runs.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::claim::StudyClaim;
use super::error::{Result, StudyError};
use super::findings::StudyFindings;
use super::ground::ClaimGround;
use super::played::{StudyRun, StudyRuns};
use kleroterion_core::problem::{Place, Problem};
use kleroterion_report::report::figure::alike;
use kleroterion_report::report::page::ClaimFinding;
use kleroterion_report::report::plans::Plans;
use kleroterion_run::config::{ConfigInputs, DATA, Document, check, located};
use kleroterion_run::presets::preset;
use kleroterion_run::run::{RunError, Settings, run};

/// A preset that a study plays, and its replications in the quick form; the full form takes the
/// config's own.
pub(super) type StudyPreset = (&'static str, u64);

/// A study: a figure, table or example of a paper, played and judged.
pub struct Study {
    /// The name, as `klero reproduce` takes it.
    pub name: &'static str,
    /// The description, in one line.
    pub about: &'static str,
    presets: &'static [StudyPreset],
    needs: Option<&'static str>,
    ground: ClaimGround,
    find: fn(&StudyRuns) -> Result<StudyFindings>,
}

/// The options with which a study is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StudyOptions {
    /// True for few replications: enough to see that everything runs and no number is far off.
    pub quick: bool,
    /// The seed of every run; `None` for the configs' own seeds.
    pub seed: Option<u64>,
}

/// The progress of a study, for a display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyProgress<'a> {
    /// A run of this preset begins, of this many replications.
    Run(&'a str, u64),
    /// A replication is done.
    Replication,
}

/// The result of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyResult {
    /// The study's name.
    pub name: &'static str,
    /// The description, in one line.
    pub about: &'static str,
    /// The presets it played, each with seed and replications.
    pub runs: Vec<(&'static str, u64, u64)>,
    /// The findings.
    pub findings: StudyFindings,
}

impl Study {
    /// A study that plays some presets.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        presets: &'static [StudyPreset],
        find: fn(&StudyRuns) -> Result<StudyFindings>,
    ) -> Self {
        Self {
            name,
            about,
            presets,
            needs: None,
            ground: ClaimGround::Open,
            find,
        }
    }

    /// Returns the study with a file that it needs and that does not come with the program. Without
    /// it, no sentence can be judged. If only some sentences need a file, `find` gives `not run`
    /// for those.
    pub(super) const fn needs(mut self, file: &'static str) -> Self {
        self.needs = Some(file);
        self
    }

    /// Returns the study with this ground for all its sentences, except those that name another.
    pub(super) const fn on(mut self, ground: ClaimGround) -> Self {
        self.ground = ground;
        self
    }

    /// Makes the study. Its files are in the current folder or in `data`. `watch` sees its progress.
    ///
    /// # Errors
    /// Where a run fails or is interrupted; a claim that does not hold is a finding, not an error,
    /// and so is a missing file.
    pub fn run(
        &self,
        options: StudyOptions,
        settings: &Settings,
        data: Option<&Path>,
        watch: &mut dyn FnMut(StudyProgress<'_>),
    ) -> Result<StudyResult> {
        if let Some(missing) = self.needs.and_then(|file| absent(file, data)) {
            return Ok(self.not_run(missing));
        }
        let mut runs = StudyRuns {
            data: data.map(Path::to_path_buf),
            ..StudyRuns::default()
        };
        let mut played = Vec::new();
        for &(preset, quick) in self.presets {
            let points = play((preset, quick), options, settings, data, watch)?;
            if let Some(first) = points.first() {
                played.push((preset, first.plan.seed, first.plan.replications));
            }
            runs.runs.insert(preset, points);
        }
        let mut findings = (self.find)(&runs)?;
        let claims = findings.claims.into_iter();
        findings.claims = claims
            .map(|claim| claim.grounded_else(self.ground))
            .collect();
        alike(&mut findings.figures);
        Ok(self.result(played, findings))
    }

    /// The result where the file is missing.
    fn not_run(&self, missing: ClaimFinding) -> StudyResult {
        let claim = StudyClaim::at("All its sentences")
            .says("none is judged")
            .rule("none: nothing was played")
            .found(missing);
        let findings = StudyFindings {
            claims: vec![claim],
            ..StudyFindings::default()
        };
        self.result(vec![], findings)
    }

    fn result(&self, runs: Vec<(&'static str, u64, u64)>, findings: StudyFindings) -> StudyResult {
        StudyResult {
            name: self.name,
            about: self.about,
            runs,
            findings,
        }
    }
}

/// Plays a preset at every point of its sweep. Its files are in the current folder or in `data`.
pub(super) fn play(
    (name, quick): StudyPreset,
    options: StudyOptions,
    settings: &Settings,
    data: Option<&Path>,
    watch: &mut dyn FnMut(StudyProgress<'_>),
) -> Result<Vec<StudyRun>> {
    let wrong = |problems| StudyError::Config(name, problems);
    let document = document((name, quick), options)?;
    let inputs = ConfigInputs::of_folder(".").with_data(data.map(Path::to_path_buf));
    let mut all = Vec::new();
    let mut plans = Plans::default();
    for point in document.points().map_err(wrong)? {
        let plan = check(&point.document, &inputs).map_err(wrong)?;
        for lane in &plan.lanes {
            let found = lane
                .policy
                .foresight
                .as_ref()
                .map(|ahead| plans.supply(ahead));
            let found = found.transpose();
            found.map_err(|why| RunError::Plan(lane.label.clone(), why))?;
        }
        watch(StudyProgress::Run(name, plan.replications));
        let result = run(&plan, settings, |_| {
            watch(StudyProgress::Replication);
            Ok(())
        })?;
        if settings.interrupt.load(Ordering::Relaxed) {
            return Err(StudyError::Interrupted);
        }
        let set = point.named();
        all.push(StudyRun { plan, set, result });
    }
    Ok(all)
}

/// A preset with the replications and the seed of the options.
fn document((name, quick): StudyPreset, options: StudyOptions) -> Result<Document> {
    let wrong = |problems| StudyError::Config(name, problems);
    let none = || Problem::new(Place::Request, format!("there is no preset {name}"));
    let preset = preset(name).ok_or_else(|| wrong(none().into()))?;
    let mut document = Document::parse(preset.text).map_err(wrong)?;
    let replications = options.quick.then_some(quick);
    for (key, number) in [("replications", replications), ("seed", options.seed)] {
        if let Some(number) = number {
            let set = document.set(&format!("{key}={number}"));
            set.map_err(|problem| wrong(problem.into()))?;
        }
    }
    Ok(document)
}

/// Returns the finding for sentences that need a missing file, or `None` if the file is there.
pub(super) fn absent(file: &str, data: Option<&Path>) -> Option<ClaimFinding> {
    let why = format!(
        "needs {file}, which is neither in the current folder nor in one that the environment \
         variable {DATA} names"
    );
    let path = located(file, Path::new("."), data);
    (!path.exists()).then_some(ClaimFinding::NotRun(why))
}

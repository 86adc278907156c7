//! The one real panel: commitments, draws and their checks; and the plan of a recruitment.

use std::path::PathBuf;
use std::sync::Arc;

use kleroterion::config::ConfigInputs;
use kleroterion::drawing::{
    Commitment, DrawCheck, DrawFolder, FinishedDraw, Held, Publish, Randomness, SeedOrigin,
    outputs, verify_drawn, verify_numbered,
};
use kleroterion::jobs::{
    AskedDraw, DrawRequest, JobError, JobProgress, PlansAhead, RecruitPlan, RecruitRequest,
    await_lottery, keep_lottery,
};
use kleroterion::panel::lottery::LotteryWatch;
use pyo3::prelude::*;

use super::play::watched;
use super::request::{Asked, Columns, memory_table};

/// The arguments of a draw, as `_draw.py` collects them.
#[derive(FromPyObject)]
pub struct AskedPanelDraw {
    /// A config, or the folder of a commitment.
    config: String,
    policy: Option<String>,
    out: Option<PathBuf>,
    alternates: Option<u32>,
    title: Option<String>,
    tables: Vec<(String, Columns)>,
    data: Option<PathBuf>,
    ids: bool,
    chances: Option<u64>,
    threads: Option<usize>,
}

impl AskedPanelDraw {
    fn request(&self) -> Result<DrawRequest, JobError> {
        let mut outside = ConfigInputs::default().with_data(self.data.clone());
        for (name, columns) in &self.tables {
            outside = outside.with_table(name, memory_table(columns)?);
        }
        Ok(DrawRequest {
            config: Some(self.config.clone()),
            policy: self.policy.clone(),
            out: self.out.clone(),
            alternates: self.alternates,
            title: self.title.clone(),
            outside,
            ..DrawRequest::default()
        })
    }
}

/// Public randomness: its bytes, and true if they are of a file.
type Published = (Vec<u8>, bool);

fn randomness((bytes, is_file): Published) -> Randomness {
    let origin = match is_file {
        true => SeedOrigin::File,
        false => SeedOrigin::Text,
    };
    Randomness { bytes, origin }
}

/// Makes a draw. Returns its record, and what its reader should know.
#[pyfunction]
pub fn draw(
    py: Python<'_>,
    asked: AskedPanelDraw,
    published: Published,
    progress: Option<Py<PyAny>>,
    cancel: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    watched(py, progress, cancel, move |watch| {
        let mut draw = AskedDraw::of(&asked.request()?, watch)?;
        let stage = draw.stage_for(true, watch)?;
        let folder = &draw.folder;
        let (alternates, title) = (draw.alternates, draw.title.as_deref());
        let commitment = folder.followed(&draw.inputs, &stage, alternates, title)?;
        let kept = draw.kept_lotteries();
        let awaited = await_lottery(&stage, &kept, watch)?;
        let randomness = randomness(published);
        folder.begin(&draw.inputs, &commitment, &randomness)?;
        awaited
            .iter()
            .for_each(|lottery| keep_lottery(lottery, &kept));
        let failed = |error: kleroterion::run::RunError| JobError::Failed(error.to_string());
        let mut drawn = FinishedDraw::make(stage, commitment, randomness, asked.threads);
        if let Some(many) = asked.chances {
            drawn = drawn.and_then(|drawn| drawn.with_chances(many, asked.threads));
        }
        let drawn = drawn.map_err(failed)?;
        let publish = Publish {
            ids: asked.ids,
            title: draw.title.clone(),
            for_spreadsheet: false,
        };
        let (record, files) = outputs(&drawn, &draw.inputs, &publish);
        let reduced = drawn.stage.again.as_ref().map(|again| &again.reduced);
        let written = folder.finish(&files, reduced);
        written.map_err(|problems| JobError::Failed(problems.to_string()))?;
        Ok(record.text())
    })
}

/// Commits to a draw. Returns the hash to publish, and what its reader should know.
#[pyfunction]
pub fn commit(
    py: Python<'_>,
    asked: AskedPanelDraw,
    name: String,
) -> PyResult<(String, Vec<String>)> {
    watched(py, None, None, move |watch| {
        let mut draw = AskedDraw::of(&asked.request()?, watch)?;
        let stage = draw.stage_for(false, watch)?;
        let (policy, title) = (stage.question.policy(), draw.title.as_deref());
        let commitment = Commitment::to(&draw.inputs, policy, draw.alternates, Some(&name), title);
        draw.folder.commit(&draw.inputs, &commitment)?;
        Ok(commitment.sha256())
    })
}

/// A check: what was checked, what differs, and whether it was read.
type Check = (String, Option<String>, bool);

/// Computes the draw in a folder again, and compares.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    folder: PathBuf,
    commitment: Option<String>,
    published: Option<Published>,
    respondents: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
    cancel: Option<Py<PyAny>>,
) -> PyResult<Vec<Check>> {
    let (found, _) = watched(py, progress, cancel, move |watch| {
        let is_folder = folder.is_dir();
        let folder = DrawFolder::at(&folder);
        if !is_folder || folder.commitment().is_ok_and(|one| one.is_none()) {
            folder.drawn()?;
        }
        let known = Held {
            commitment,
            randomness: published.map(randomness),
            config: None,
            respondents,
            after: None,
            threads: None,
        };
        let what = |come| JobProgress::Computes("drawing again", come);
        let again = move |watch: &LotteryWatch<'_>| {
            let numbered = verify_numbered(&folder, &known, watch).transpose();
            numbered.unwrap_or_else(|| verify_drawn(&folder, &known, watch))
        };
        Ok(PlansAhead::new(None, watch).awaited(what, again)??)
    })?;
    let check = |found: DrawCheck| (found.what, found.differs, found.is_checked);
    Ok(found.into_iter().map(check).collect())
}

/// The plan of a config's recruitment as text and as JSON.
#[pyfunction]
pub fn letters(
    py: Python<'_>,
    asked: Asked,
    sure: Option<f64>,
    simulations: u32,
    panel: Option<PathBuf>,
    alternates: Option<u32>,
) -> PyResult<(String, String)> {
    let hosts = asked.hosts(py, &Arc::default());
    let request = asked.request(py, &hosts)?;
    let recruit = RecruitRequest {
        sure,
        simulations,
        panel,
        alternates,
    };
    let (planned, _) = watched(py, None, None, move |_| {
        let job = asked.job(request)?;
        let run = job.runs.first();
        let run = run.ok_or_else(|| JobError::Failed("the sweep has no run".into()))?;
        let plan = RecruitPlan::of(run, &recruit)?;
        Ok((plan.text(run), plan.object(run).to_string()))
    })?;
    Ok(planned)
}

//! The one real panel: commitments, draws and their checks; and the plan of a recruitment.

use std::path::PathBuf;
use std::sync::Arc;

use kleroterion::config::ConfigInputs;
use kleroterion::drawing::{
    Commitment, DrawCheck, DrawFolder, DrawnNumber, FinishedDraw, Held, Publish, Randomness,
    SeedOrigin, after as before, outputs, verify_drawn, verify_numbered,
};
use kleroterion::jobs::{
    AskedDraw, ConfigSource, DrawList, DrawRequest, JobError, JobProgress, JobWatch, PlansAhead,
    RecruitPlan, RecruitRequest, await_lottery, keep_lottery, make_numbered,
};
use kleroterion::panel::lottery::LotteryWatch;
use kleroterion::problem::{Place, Problem, Problems};
use pyo3::prelude::*;

use super::play::watched;
use super::request::{Asked, Columns, memory_table};

/// A list of people: the bytes of a file, or its path.
#[derive(FromPyObject)]
enum List {
    Bytes(Vec<u8>),
    File(PathBuf),
}

impl List {
    fn given(&self) -> DrawList {
        match self {
            Self::Bytes(bytes) => DrawList::Bytes(bytes.clone()),
            Self::File(path) => DrawList::File(path.clone()),
        }
    }
}

/// The arguments of a draw, as `_draw.py` collects them.
#[derive(FromPyObject)]
pub struct AskedPanelDraw {
    /// The text of a config. Without one it is that of the draw before, or the commitment in `out`.
    config: Option<String>,
    policy: Option<String>,
    out: PathBuf,
    alternates: Option<u32>,
    title: Option<String>,
    after: Option<PathBuf>,
    keep: Option<List>,
    without: Option<List>,
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
        let text = self.config.clone();
        let text = text.map(|text| ConfigSource::Text("draw".into(), text, ".".into()));
        let committed = || ConfigSource::Named(self.out.display().to_string());
        let is_committed = text.is_none() && self.after.is_none();
        Ok(DrawRequest {
            config: text.or_else(|| is_committed.then(committed)),
            policy: self.policy.clone(),
            out: (!is_committed).then(|| self.out.clone()),
            alternates: self.alternates,
            title: self.title.clone(),
            after: self.after.clone(),
            keep: self.keep.as_ref().map(List::given),
            without: self.without.as_ref().map(List::given),
            outside,
            ..DrawRequest::default()
        })
    }
}

/// Public randomness.
#[derive(FromPyObject)]
pub enum Published {
    /// Its bytes, and true if they are of a file.
    Bytes(Vec<u8>, bool),
    /// The number of a panel, drawn by hand.
    #[pyo3(transparent)]
    Number(u32),
}

impl Published {
    fn randomness(self) -> Randomness {
        let (bytes, origin) = match self {
            Self::Bytes(bytes, true) => (bytes, SeedOrigin::File),
            Self::Bytes(bytes, false) => (bytes, SeedOrigin::Text),
            Self::Number(number) => (number.to_string().into_bytes(), SeedOrigin::Text),
        };
        Randomness { bytes, origin }
    }
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
        let draw = AskedDraw::of(&asked.request()?, watch).map_err(unseen)?;
        let committed = draw.folder.commitment()?;
        let numbered = committed.filter(|one| one.numbered.is_some() && asked.config.is_none());
        match numbered {
            Some(commitment) => number(&asked, &draw, &commitment, published),
            None => make(&asked, draw, published, watch).map_err(unseen),
        }
    })
}

/// A failure whose problems have no place in the config, which the program never saw.
fn unseen(error: JobError) -> JobError {
    match error {
        JobError::Wrong(mut problems, _) => {
            for problem in &mut problems.0 {
                if matches!(problem.place, Place::Config { .. }) {
                    problem.place = Place::Request;
                }
            }
            problems.into()
        }
        error => error,
    }
}

/// Makes a draw of one panel. Returns its record.
fn make(
    asked: &AskedPanelDraw,
    mut draw: AskedDraw,
    published: Published,
    watch: &JobWatch<'_>,
) -> Result<String, JobError> {
    if matches!(published, Published::Number(_)) {
        let what = "only numbered panels have numbers, and there are none in this folder";
        let help = "name the folder of some: out=; or give randomness=";
        return Err(Problem::of_option("--number", what).help(help).into());
    }
    let stage = draw.stage_for(true, watch)?;
    let folder = &draw.folder;
    let (alternates, title) = (draw.alternates, draw.title.as_deref());
    let commitment = folder.followed(&draw.inputs, &stage, alternates, title)?;
    let kept = draw.kept_lotteries();
    let awaited = await_lottery(&stage, &kept, watch)?;
    let randomness = published.randomness();
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
    folder.finish(&files, reduced).map_err(unwritten)?;
    Ok(record.text())
}

/// Draws the number of a panel. Returns its record.
fn number(
    asked: &AskedPanelDraw,
    draw: &AskedDraw,
    commitment: &Commitment,
    published: Published,
) -> Result<String, JobError> {
    let needless = [
        ("--title", draw.title.is_some(), "the title was committed"),
        (
            "--publish-ids",
            asked.ids,
            "the panels are published by code",
        ),
        (
            "--chances",
            asked.chances.is_some(),
            "the page has the exact chances",
        ),
    ];
    let needless = needless.into_iter().filter(|(_, is_given, _)| *is_given);
    let problems = needless.map(|(option, _, what)| {
        Problem::of_option(option, format!("of numbered panels {what}"))
            .help("leave the argument out")
    });
    Problems(problems.collect()).or(())?;
    let (folder, inputs) = (&draw.folder, &draw.inputs);
    let _held = folder.hold(true)?;
    let by_hand = matches!(published, Published::Number(_));
    let randomness = published.randomness();
    let drawn = DrawnNumber::of(folder, inputs, commitment, &randomness, by_hand)?;
    folder.begin(inputs, commitment, &randomness)?;
    folder.finish(&drawn.files(), None).map_err(unwritten)?;
    Ok(drawn.record.text())
}

fn unwritten(problems: impl ToString) -> JobError {
    JobError::Failed(problems.to_string())
}

/// Commits to a draw. Returns the hash to publish, and what its reader should know.
#[pyfunction]
pub fn commit(
    py: Python<'_>,
    asked: AskedPanelDraw,
    name: String,
) -> PyResult<(String, Vec<String>)> {
    watched(py, None, None, move |watch| {
        let mut draw = AskedDraw::of(&asked.request()?, watch).map_err(unseen)?;
        let stage = draw.stage_for(false, watch).map_err(unseen)?;
        let (policy, title) = (stage.question.policy(), draw.title.as_deref());
        let commitment = Commitment::to(&draw.inputs, policy, draw.alternates, Some(&name), title);
        draw.folder.commit(&draw.inputs, &commitment)?;
        Ok(commitment.sha256())
    })
}

/// Makes numbered panels and commits to them. Returns their record, and notes for its reader.
#[pyfunction]
pub fn numbered(
    py: Python<'_>,
    asked: AskedPanelDraw,
    panels: u32,
    name: String,
    progress: Option<Py<PyAny>>,
    cancel: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    watched(py, progress, cancel, move |watch| {
        let made = make_numbered(&asked.request()?, panels, &name, watch);
        Ok(made.map_err(unseen)?.0.text())
    })
}

/// A check: what was checked, what differs, and whether it was read.
type Check = (String, Option<String>, bool);

/// Pieces that the caller has from elsewhere: the published hash, the randomness, the file of
/// people and the folder of the draw before.
type Elsewhere = (
    Option<String>,
    Option<Published>,
    Option<PathBuf>,
    Option<PathBuf>,
);

/// Computes the draw in a folder again, and compares it with what the caller has.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    folder: PathBuf,
    elsewhere: Elsewhere,
    progress: Option<Py<PyAny>>,
    cancel: Option<Py<PyAny>>,
) -> PyResult<Vec<Check>> {
    let (commitment, published, respondents, after) = elsewhere;
    let (found, _) = watched(py, progress, cancel, move |watch| {
        let is_folder = folder.is_dir();
        let folder = DrawFolder::at(&folder);
        if !is_folder || folder.commitment().is_ok_and(|one| one.is_none()) {
            folder.drawn()?;
        }
        let after = after.map(|earlier| before(&DrawFolder::at(&earlier)));
        let known = Held {
            commitment,
            randomness: published.map(Published::randomness),
            config: None,
            respondents,
            after: after.transpose()?,
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

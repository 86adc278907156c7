//! Lotteries over panels of respondents from memory or from files.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use kleroterion::panel::PanelQuestion;
use kleroterion::panel::feasibility::{
    Bound, Clash, ClashWatch, Feasibility, NODES, Shift, Supply, feasibility_unless,
};
use kleroterion::panel::lottery::{
    AwaitedLottery, LotteryCertificate, LotteryRule, LotteryWatch, NoLottery, PanelLottery,
};
use kleroterion::people::organisers::{Categories, RespondentsSpec};
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::protocol::{Respondents, Side};
use kleroterion::record::file::How;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use super::errors;
use super::play::{Wait, held};
use super::request::{Sheet, memory_table};

/// The arguments, as `_people.py` collects them.
#[derive(FromPyObject)]
pub struct AskedPanel {
    respondents: Sheet,
    quotas: Sheet,
    size: u32,
    kind: String,
    id: Option<String>,
    unique: Vec<String>,
}

/// A panel that is asked for, with the names of quotas.
struct Asked {
    question: PanelQuestion,
    categories: Categories,
}

/// Why there is no lottery.
enum Refused {
    Wrong(Problems),
    Clash(Box<(Clash, Problem, Categories)>),
    None(NoLottery),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self::Wrong(problem.into())
    }
}

/// A lottery over panels, and the names of its respondents.
#[pyclass(module = "kleroterion._klero", name = "Lottery", frozen)]
pub struct Lottery {
    found: Arc<PanelLottery>,
    names: Arc<[Box<str>]>,
}

#[pymethods]
impl Lottery {
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.names.iter().map(|name| &**name).collect()
    }

    #[getter]
    fn chances(&self) -> Vec<f64> {
        self.found.chances.clone()
    }

    /// The panels: the probability and the members of each.
    #[getter]
    fn panels(&self) -> Vec<(f64, Vec<&str>)> {
        let panel = self.found.panels.iter();
        let panel = panel.map(|panel| (panel.probability, self.named(&panel.members)));
        panel.collect()
    }

    #[getter]
    fn impossible(&self) -> Vec<&str> {
        self.named(&self.found.impossible)
    }

    #[getter]
    fn least(&self) -> f64 {
        self.found.least()
    }

    /// How much fairer a lottery could be, as far as is proved.
    #[getter]
    fn gap(&self) -> f64 {
        self.found.certificate.gap()
    }

    /// The stages of the proof: the weights of the respondents, and the bound on the heaviest panel.
    #[getter]
    fn certificate(&self) -> Vec<(Vec<f64>, f64)> {
        match &self.found.certificate {
            LotteryCertificate::Nash { weights, bound, .. } => vec![(weights.clone(), *bound)],
            LotteryCertificate::Stages(stages) => {
                let stages = stages.iter();
                stages
                    .map(|stage| (stage.weights.clone(), stage.bound))
                    .collect()
            }
        }
    }
}

impl Lottery {
    fn named(&self, members: &[u32]) -> Vec<&str> {
        let members = members.iter();
        members
            .map(|member| &*self.names[*member as usize])
            .collect()
    }
}

/// Computes a lottery.
#[pyfunction]
pub fn lottery(
    py: Python<'_>,
    asked: AskedPanel,
    progress: Option<Py<PyAny>>,
    cancel: Option<Py<PyAny>>,
) -> PyResult<Lottery> {
    let rule = asked.rule(py)?;
    let watched: Arc<Mutex<_>> = Arc::default();
    let see = Arc::clone(&watched);
    awaited(py, &watched, progress, cancel, move |interrupt| {
        let read = asked.read()?;
        clash(read, interrupt).and_then(|read| {
            let names = Arc::clone(read.question.respondents.names());
            let see = |progress| {
                *held(&see) = Some((ToString::to_string(&progress), 0, 0));
            };
            let awaited = AwaitedLottery::new(rule, read.question);
            let found = awaited.work_out_unless(&LotteryWatch::new(interrupt, &see));
            let found = found.cloned().map_err(Refused::None)?;
            Ok(Lottery { found, names })
        })
    })
}

/// Fails as a lottery of these people would.
#[pyfunction]
pub fn feasible(py: Python<'_>, asked: AskedPanel) -> PyResult<()> {
    asked.rule(py)?;
    let said = Mutex::default();
    awaited(py, &said, None, None, move |interrupt| {
        clash(asked.read()?, interrupt).map(|_| ())
    })
}

/// Does work on a thread, while the caller looks for signals.
fn awaited<T: Send + 'static>(
    py: Python<'_>,
    said: &Mutex<Option<super::play::Progress>>,
    tell: Option<Py<PyAny>>,
    is_over: Option<Py<PyAny>>,
    work: impl FnOnce(&Arc<AtomicBool>) -> Result<T, Refused> + Send + 'static,
) -> PyResult<T> {
    let interrupt: Arc<AtomicBool> = Arc::default();
    let wait = Wait {
        interrupt: Arc::clone(&interrupt),
        progress: said,
        tell,
        is_over,
        hosts: None,
    };
    let (found, left) = wait.until_done(py, move || work(&interrupt))?;
    match (found, left) {
        (_, Some(error)) => Err(error),
        (Some(found), None) => found.map_err(|refused| refused.exception(py)),
        (None, None) => Err(errors::panicked(py)),
    }
}

fn wrong(py: Python<'_>, problem: Problem) -> PyErr {
    errors::config_error(py, &problem.into(), None)
}

impl Sheet {
    /// The path by which problems name the table, and how it is opened.
    fn opened(self, name: &str) -> Result<(PathBuf, How), Problem> {
        match self {
            Self::File(path) => Ok((path, How::default())),
            Self::Columns(columns) => {
                let table = memory_table(&columns)?;
                let how = How {
                    held: Some(table.clone()),
                    ..How::default()
                };
                Ok((table.path(name), how))
            }
        }
    }
}

impl AskedPanel {
    fn rule(&self, py: Python<'_>) -> PyResult<LotteryRule> {
        let mut known = LotteryRule::ALL.into_iter();
        let rule = known.find(|rule| rule.name() == self.kind);
        rule.ok_or_else(|| {
            let known = LotteryRule::ALL.map(LotteryRule::name).join(", ");
            let what = format!("unknown word {:?} for `kind`", self.kind);
            let problem = Problem::new(Place::Key("kind".into()), what);
            wrong(py, problem.help(format!("known words: {known}")))
        })
    }

    fn read(self) -> Result<Asked, Refused> {
        let (path, how) = self.quotas.opened("quotas")?;
        let categories = Categories::load(Path::new(&path), &how, Some(self.size.into()));
        let categories = categories.map_err(|error| Refused::Wrong(error.problems))?;
        let (path, how) = self.respondents.opened("respondents")?;
        let spec = RespondentsSpec {
            path: &path,
            how: &how,
            categories: &categories,
            id: self.id.as_deref(),
            unique: &self.unique,
            filters: &[],
            bands: &[],
            keeps_others: false,
        };
        let people = spec
            .load()
            .map_err(|error| Refused::Wrong(error.problems))?;
        let rows = 0..people.len();
        let names = rows.clone().map(|row| Box::from(&*people.id(row)));
        let values = rows.flat_map(|row| people.values(row).to_vec());
        let respondents = Respondents::new(
            categories.attributes().len(),
            values.collect(),
            people.households().map(<[u32]>::to_vec),
            names.collect(),
        );
        Ok(Asked {
            question: PanelQuestion {
                respondents: Arc::new(respondents),
                quotas: categories.quotas(),
                members: self.size,
            },
            categories,
        })
    }
}

/// The same panel, if one keeps all quotas.
fn clash(asked: Asked, interrupt: &Arc<AtomicBool>) -> Result<Asked, Refused> {
    let question = &asked.question;
    let people = &question.respondents;
    let rows = (0..people.len() as u32).map(|one| people.values(one));
    let supply = Supply::people(rows, people.households());
    let watch = ClashWatch::new(interrupt, &|_| ());
    let found = feasibility_unless(&question.quotas, question.members, &supply, NODES, &watch);
    let found = found.map_err(|_| Refused::None(NoLottery::Interrupted))?;
    let problem = found.problem(question.members, |bound| asked.name(bound));
    match (found, problem) {
        (Feasibility::Clash(clash), Some(problem)) => {
            Err(Refused::Clash(Box::new((clash, problem, asked.categories))))
        }
        (Feasibility::TooFew { .. }, Some(problem)) => Err(problem.into()),
        _ => Ok(asked),
    }
}

impl Asked {
    fn name(&self, bound: &Bound) -> String {
        let [attribute, value] = names(&self.categories, bound);
        format!("{attribute} {value}")
    }
}

/// The attribute and the value of a bound.
fn names<'a>(categories: &'a Categories, bound: &Bound) -> [&'a str; 2] {
    let attribute = &categories.attributes()[bound.attribute];
    [&attribute.name, &attribute.values[bound.value].name]
}

impl Refused {
    fn exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Wrong(problems) => errors::config_error(py, &problems, None),
            Self::None(NoLottery::Interrupted) => PyKeyboardInterrupt::new_err(()),
            Self::None(why) => errors::exception(py, "RunError", (ToString::to_string(&why),)),
            Self::Clash(parts) => {
                let (clash, problem, categories) = *parts;
                let side = |bound: &Bound| match bound.side {
                    Side::Min => "min",
                    Side::Max => "max",
                };
                let bound = |bound: &Bound| {
                    let [attribute, value] = names(&categories, bound).map(str::to_owned);
                    (attribute, value, side(bound), bound.seats)
                };
                let bounds: Vec<_> = clash.bounds.iter().map(bound).collect();
                let shift = |shift: &Shift| (bound(&shift.bound), shift.to);
                let shifts: Vec<_> = clash.shifts.iter().map(shift).collect();
                let (minimal, least) = (clash.minimal, clash.least);
                let parts = (problem.what, problem.help, bounds, shifts, minimal, least);
                errors::exception(py, "no_panel", parts)
            }
        }
    }
}

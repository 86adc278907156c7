//! Verdicts on numbers of the program's own: a table of values, or values case by case.

use std::sync::Mutex;

use kleroterion::compare::Comparison;
use kleroterion::jobs::{self, CompareRequest, ComparedTable, JobWatch, PerMeasure};
use kleroterion::problem::{Place, Problem};
use kleroterion::report::account::case_page;
use kleroterion::report::cases::{case_json, case_table};
use kleroterion::score::Direction;
use pyo3::prelude::*;

use super::errors;
use super::play::{held, watched};
use super::request::{Sheet, memory_table};
use super::table::medium;

/// A value for the measure of a name, or for all measures.
type PerName<T> = Vec<(Option<String>, T)>;

/// The question, as `_compare.py` collects it.
#[derive(FromPyObject)]
pub struct AskedComparison {
    measures: Vec<String>,
    policy: String,
    pair: Option<String>,
    columns: Vec<String>,
    baseline: Option<String>,
    directions: PerName<String>,
    ranges: PerName<(f64, f64)>,
    margins: PerName<f64>,
    alpha: f64,
}

impl AskedComparison {
    fn request(self, py: Python<'_>) -> PyResult<CompareRequest> {
        let directions = self.directions.into_iter();
        let directions = directions.map(|(name, word)| Ok((name, side(&word)?)));
        let directions = directions.collect::<Result<PerName<Direction>, Problem>>();
        Ok(CompareRequest {
            directions: per_measure(directions.map_err(|problem| wrong(py, problem))?),
            ranges: per_measure(self.ranges),
            margins: per_measure(self.margins),
            measures: self.measures,
            policy: self.policy,
            pair: self.pair,
            columns: self.columns,
            baseline: self.baseline,
            alpha: self.alpha,
        })
    }
}

fn side(word: &str) -> Result<Direction, Problem> {
    match word {
        "higher" => Ok(Direction::Higher),
        "lower" => Ok(Direction::Lower),
        "none" => Ok(Direction::None),
        _ => {
            let what = format!("unknown word {word:?} for `direction`");
            let problem = Problem::new(Place::Key("direction".into()), what);
            Err(problem.help("known words: higher, lower, none"))
        }
    }
}

fn per_measure<T>(given: PerName<T>) -> PerMeasure<T> {
    let mut of = PerMeasure {
        all: None,
        by: Default::default(),
    };
    for (name, value) in given {
        match name {
            Some(name) => drop(of.by.insert(name, value)),
            None => of.all = Some(value),
        }
    }
    of
}

fn wrong(py: Python<'_>, problems: impl Into<kleroterion::problem::Problems>) -> PyErr {
    errors::config_error(py, &problems.into(), None)
}

/// The verdicts on a table or on the cases so far.
#[pyclass(module = "kleroterion._klero", name = "Compared", frozen)]
pub struct Compared(Comparison);

#[pymethods]
impl Compared {
    /// The contents as JSON, with the bytes of `klero compare --format json`.
    fn summary(&self) -> String {
        case_json(&self.0)
    }

    fn table(&self, format: &str, width: usize) -> String {
        case_table(&self.0, &medium(format, width))
    }

    /// The page with the picture, which needs no other file.
    fn page(&self) -> String {
        case_page(&self.0).html()
    }
}

/// Compares the policies of a table.
#[pyfunction]
pub fn compare(py: Python<'_>, table: Sheet, asked: AskedComparison) -> PyResult<Compared> {
    let request = asked.request(py)?;
    let table = match table {
        Sheet::File(path) => ComparedTable::file(&path),
        Sheet::Columns(columns) => {
            let held = memory_table(&columns).map_err(|problem| wrong(py, problem))?;
            ComparedTable::memory("table", held)
        }
    };
    let compared = move |_: &JobWatch<'_>| Ok(jobs::compare(&table, &request)?);
    let (found, _) = watched(py, None, None, compared)?;
    Ok(Compared(found))
}

/// A comparison to which cases are added.
#[pyclass(module = "kleroterion._klero", name = "Comparing", frozen)]
pub struct Comparing(Mutex<jobs::Comparing>);

#[pymethods]
impl Comparing {
    #[new]
    fn new(py: Python<'_>, policies: Vec<String>, asked: AskedComparison) -> PyResult<Self> {
        let begun = jobs::Comparing::new(policies, &asked.request(py)?);
        let begun = begun.map_err(|problems| wrong(py, problems))?;
        Ok(Self(Mutex::new(begun)))
    }

    fn add(&self, py: Python<'_>, values: Vec<(String, f64)>) -> PyResult<()> {
        let added = held(&self.0).add(values);
        added.map_err(|problems| wrong(py, problems))
    }

    #[getter]
    fn cases(&self) -> u64 {
        held(&self.0).cases()
    }

    fn comparison(&self, py: Python<'_>) -> Compared {
        Compared(py.detach(|| held(&self.0).comparison()))
    }
}

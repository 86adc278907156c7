//! A round, a candidate and an outcome as a policy in Python sees them.
//!
//! All is copied: a policy may keep a view as long as it likes. Candidates are rows of a copy of the
//! batch's shown part, made once a batch, so a view costs little and leads to no truth.

use std::sync::Arc;

use kleroterion::draw::Draw;
use kleroterion::protocol::{self, Id, LookAnswer, LookStats, Persons, Shown};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// The rows of a slate: nearly always one.
pub enum Rows {
    One(u32),
    Many(Box<[u32]>),
}

impl Rows {
    pub fn as_slice(&self) -> &[u32] {
        match self {
            Self::One(row) => std::slice::from_ref(row),
            Self::Many(rows) => rows,
        }
    }
}

/// A round as a policy sees it.
#[pyclass(module = "kleroterion", name = "View")]
pub struct View {
    pub persons: Arc<Persons>,
    pub rows: Rows,
    pub places: (u32, u32),
    #[pyo3(get)]
    pub round: u64,
    #[pyo3(get)]
    pub places_left: Option<u64>,
    #[pyo3(get)]
    pub looks_left: u64,
    #[pyo3(get)]
    pub money_left: f64,
    pub stats: Box<[LookStats]>,
    pub given: Box<[LookAnswer]>,
    pub draw: Draw,
    pub measures: Vec<(String, f64)>,
    pub reasons: Vec<(String, f64)>,
}

impl View {
    /// A copy of a round, whose rows are those of `persons`.
    pub fn of(view: &mut protocol::View<'_>, persons: &Arc<Persons>) -> Self {
        let slate = view.slate();
        let rows = match slate.len() {
            1 => Rows::One(slate.row(0)),
            many => Rows::Many((0..many).map(|slot| slate.row(slot)).collect()),
        };
        let places = view.places();
        Self {
            persons: Arc::clone(persons),
            rows,
            places: (places.min, places.max),
            round: view.round(),
            places_left: view.places_left(),
            looks_left: view.looks_left(),
            money_left: view.money_left(),
            stats: view.files().into(),
            given: view.answers().into(),
            draw: view.draw().clone(),
            measures: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// Hands back what the policy drew and noted.
    pub fn give_back(&mut self, view: &mut protocol::View<'_>) {
        *view.draw() = self.draw.clone();
        for (name, value) in self.measures.drain(..) {
            view.measure(name, value);
        }
        let reasons = std::mem::take(&mut self.reasons);
        if !reasons.is_empty() {
            view.reason(|| reasons);
        }
    }

    pub fn len(&self) -> usize {
        self.rows.as_slice().len()
    }

    fn shown(&self) -> impl Iterator<Item = Shown<'_>> {
        let rows = self.rows.as_slice().iter();
        rows.map(|row| self.persons.shown(*row))
    }

    fn at(&self, slot: isize) -> PyResult<Candidate> {
        let many = self.len();
        let slot = if slot < 0 { slot + many as isize } else { slot };
        let row = usize::try_from(slot).ok();
        let row = row.and_then(|slot| self.rows.as_slice().get(slot));
        let none = || PyIndexError::new_err(format!("no slot {slot} on a slate of {many}"));
        Ok(Candidate {
            persons: Arc::clone(&self.persons),
            row: *row.ok_or_else(none)?,
        })
    }
}

#[pymethods]
impl View {
    fn __len__(&self) -> usize {
        self.len()
    }

    fn __getitem__(&self, slot: isize) -> PyResult<Candidate> {
        self.at(slot)
    }

    fn candidate(&self, slot: isize) -> PyResult<Candidate> {
        self.at(slot)
    }

    #[getter]
    fn candidates(&self) -> Vec<Candidate> {
        let candidate = |row: &u32| Candidate {
            persons: Arc::clone(&self.persons),
            row: *row,
        };
        self.rows.as_slice().iter().map(candidate).collect()
    }

    #[getter]
    fn codes(&self) -> Vec<Vec<u16>> {
        self.shown().map(|one| one.values().to_vec()).collect()
    }

    #[getter]
    fn features(&self) -> Vec<Vec<f64>> {
        self.shown().map(|one| one.features().to_vec()).collect()
    }

    #[getter]
    fn scores(&self) -> Vec<Option<f64>> {
        self.shown().map(Shown::score).collect()
    }

    #[getter]
    fn least(&self) -> u32 {
        self.places.0
    }

    #[getter]
    fn most(&self) -> u32 {
        self.places.1
    }

    #[getter]
    fn files(&self) -> Vec<File> {
        let none = LookStats::default();
        let of = |slot| File(self.stats.get(slot).copied().unwrap_or(none));
        (0..self.len()).map(of).collect()
    }

    #[getter]
    fn answers(&self) -> Vec<Answer> {
        self.given.iter().copied().map(Answer).collect()
    }

    fn uniform(&mut self) -> f64 {
        self.draw.uniform()
    }

    fn normal(&mut self) -> f64 {
        self.draw.normal()
    }

    fn below(&mut self, n: u64) -> PyResult<u64> {
        match n {
            0 => Err(pyo3::exceptions::PyValueError::new_err(
                "below(0): nothing is below 0",
            )),
            _ => Ok(self.draw.below(n)),
        }
    }

    fn measure(&mut self, name: String, value: f64) {
        self.measures.push((name, value));
    }

    #[pyo3(signature = (**terms))]
    fn reason(&mut self, terms: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let terms = terms.into_iter().flat_map(|terms| terms.iter());
        for (name, value) in terms {
            self.reasons.push((name.extract()?, value.extract()?));
        }
        Ok(())
    }

    fn __repr__(&self) -> String {
        let (many, round) = (self.len(), self.round);
        format!("<View of round {round}: {many} on the slate>")
    }
}

/// A candidate as shown.
#[pyclass(module = "kleroterion", name = "Candidate", frozen)]
pub struct Candidate {
    persons: Arc<Persons>,
    row: u32,
}

impl Candidate {
    /// A copy of a candidate.
    pub fn of(shown: Shown<'_>) -> Self {
        let persons = Arc::new(shown.keep());
        Self { persons, row: 0 }
    }

    fn shown(&self) -> Shown<'_> {
        self.persons.shown(self.row)
    }

    fn value(&self, attribute: usize) -> &str {
        let code = self.shown().values()[attribute];
        &self.persons.schema().attributes()[attribute].values[usize::from(code)]
    }
}

#[pymethods]
impl Candidate {
    fn __getitem__(&self, name: &str) -> PyResult<&str> {
        let attributes = self.persons.schema().attributes();
        let at = attributes.iter().position(|one| one.name == name);
        let at = at.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        Ok(self.value(at))
    }

    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.shown().id() {
            Id::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
            Id::Name(name) => Ok(PyString::new(py, name).into_any()),
        }
    }

    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(py);
        for (at, attribute) in self.persons.schema().attributes().iter().enumerate() {
            groups.set_item(&attribute.name, self.value(at))?;
        }
        Ok(groups)
    }

    #[getter]
    fn codes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.shown().values())
    }

    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.shown().features())
    }

    #[getter]
    fn score(&self) -> Option<f64> {
        self.shown().score()
    }

    #[getter]
    fn arrival(&self) -> Option<f64> {
        self.shown().arrival()
    }

    fn __repr__(&self) -> String {
        format!("<Candidate {}>", self.shown().id())
    }
}

/// The interviews of a candidate so far in a round.
#[pyclass(module = "kleroterion", name = "File", frozen)]
pub struct File(LookStats);

#[pymethods]
impl File {
    #[getter]
    fn looks(&self) -> u32 {
        self.0.looks
    }

    #[getter]
    fn weight(&self) -> f64 {
        self.0.weight
    }

    #[getter]
    fn mean(&self) -> f64 {
        self.0.mean
    }
}

/// The answer to an interview.
#[pyclass(module = "kleroterion", name = "Answer", frozen)]
pub struct Answer(LookAnswer);

#[pymethods]
impl Answer {
    #[getter]
    fn slot(&self) -> u32 {
        self.0.pull.slot
    }

    #[getter]
    fn kind(&self) -> usize {
        self.0.pull.kind
    }

    #[getter]
    fn value(&self) -> f64 {
        self.0.value
    }
}

/// The outcome of a choice.
#[pyclass(module = "kleroterion", name = "Outcome", frozen, get_all)]
pub struct Outcome {
    round: u64,
    candidate: Py<Candidate>,
    value: f64,
    p: Option<f64>,
}

impl Outcome {
    /// A copy of an outcome.
    pub fn of(py: Python<'_>, outcome: &protocol::Outcome<'_>) -> PyResult<Self> {
        Ok(Self {
            round: outcome.decided(),
            candidate: Py::new(py, Candidate::of(outcome.person()))?,
            value: outcome.value(),
            p: outcome.p(),
        })
    }
}

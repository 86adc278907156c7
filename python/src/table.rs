//! Tables of columns: read from CSV or lines of JSON, handed on as Arrow without a copy.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, ListArray, RecordBatch, RecordBatchIterator,
    StringArray,
};
use kleroterion::config::ConfigInputs;
use kleroterion::jobs::{
    FilteredDecisions, FolderDecisions, FolderReport, JobError, JobWatch, RunQuestion,
};
use kleroterion::report::medium::Medium;
use kleroterion::report::story::Story;
use kleroterion::trace::read::{DecisionFilter, read_decisions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use super::errors;
use super::host::{Hosts, registry};

/// The columns of a table.
#[pyclass(module = "kleroterion._klero", name = "Columns", frozen)]
pub struct Columns(RecordBatch);

fn wrong(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Columns {
    /// The table of a CSV with a header. A column of whole numbers is one of integers, a column of
    /// numbers one of floats, and any other of texts. A blank cell is missing.
    #[staticmethod]
    fn of_csv(text: &str) -> PyResult<Self> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names: Vec<String> = reader
            .headers()
            .map_err(wrong)?
            .iter()
            .map(str::to_owned)
            .collect();
        let mut cells: Vec<Vec<Option<String>>> = names.iter().map(|_| Vec::new()).collect();
        for record in reader.records() {
            let record = record.map_err(wrong)?;
            for (column, cell) in cells.iter_mut().zip(&record) {
                column.push((!cell.is_empty()).then(|| cell.to_owned()));
            }
        }
        Self::of(names, cells.iter().map(|column| typed(column)).collect())
    }

    /// The table of lines of JSON objects, in the order of `names`. A list is a list of texts, and
    /// an object its JSON text.
    #[staticmethod]
    fn of_json_lines(text: &str, names: Vec<String>) -> PyResult<Self> {
        let lines = text.lines().map(serde_json::from_str);
        let lines: Vec<serde_json::Value> = lines.collect::<Result<_, _>>().map_err(wrong)?;
        let column = |name: &String| {
            let cells = lines.iter().map(|line| line.get(name));
            match lines
                .iter()
                .any(|line| line.get(name).is_some_and(|cell| cell.is_array()))
            {
                true => Arc::new(listed(cells)) as ArrayRef,
                false => {
                    let cells = cells.map(|cell| cell.filter(|cell| !cell.is_null()).map(words));
                    typed(&cells.collect::<Vec<_>>())
                }
            }
        };
        let columns = names.iter().map(column).collect();
        Self::of(names, columns)
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        let schema = self.0.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, column) in self.names().into_iter().zip(self.0.columns()) {
            all.set_item(name, cells(py, column)?)?;
        }
        Ok(all)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A request is a wish; the consumer casts.
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

impl Columns {
    fn of(names: Vec<String>, columns: Vec<ArrayRef>) -> PyResult<Self> {
        let columns = names.into_iter().zip(columns);
        let columns = columns.map(|(name, column)| (name, column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        batch.map(Self).map_err(wrong)
    }
}

/// The text of a JSON value: of a string its letters.
fn words(value: &serde_json::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn listed<'a>(cells: impl Iterator<Item = Option<&'a serde_json::Value>>) -> ListArray {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for cell in cells {
        let members = cell.and_then(serde_json::Value::as_array);
        for member in members.into_iter().flatten() {
            lists.values().append_value(words(member));
        }
        lists.append(members.is_some());
    }
    lists.finish()
}

fn typed(cells: &[Option<String>]) -> ArrayRef {
    fn all<T: std::str::FromStr>(cells: &[Option<String>]) -> Option<Vec<Option<T>>> {
        let cells = cells.iter().map(|cell| match cell {
            None => Some(None),
            Some(cell) => cell.parse().ok().map(Some),
        });
        cells.collect()
    }
    if cells.iter().any(Option::is_some) {
        if let Some(numbers) = all::<i64>(cells) {
            return Arc::new(Int64Array::from(numbers));
        }
        if let Some(numbers) = all::<f64>(cells) {
            return Arc::new(Float64Array::from(numbers));
        }
    }
    Arc::new(StringArray::from(cells.to_vec()))
}

/// A column as a list.
fn cells<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    let any = column.as_any();
    if let Some(numbers) = any.downcast_ref::<Int64Array>() {
        return numbers.iter().collect::<Vec<_>>().into_pyobject(py);
    }
    if let Some(numbers) = any.downcast_ref::<Float64Array>() {
        return numbers.iter().collect::<Vec<_>>().into_pyobject(py);
    }
    if let Some(texts) = any.downcast_ref::<StringArray>() {
        return texts.iter().collect::<Vec<_>>().into_pyobject(py);
    }
    let lists = any.downcast_ref::<ListArray>();
    let lists = lists.into_iter().flat_map(ListArray::iter);
    let lists = lists.map(|list| list.map(|list| cells(py, &list)).transpose());
    lists.collect::<PyResult<Vec<_>>>()?.into_pyobject(py)
}

/// Kinds and data of a run that was written.
fn inputs(folder: &PathBuf, data: Option<PathBuf>) -> ConfigInputs {
    let inputs = ConfigInputs::of_folder(folder).with_data(data);
    inputs.with_registry(registry(&Hosts::absent()))
}

/// The report of the run in a folder, written into it.
#[pyfunction]
pub fn page_of(py: Python<'_>, folder: PathBuf, data: Option<PathBuf>) -> PyResult<String> {
    let written = py.detach(|| {
        let (question, watch) = (RunQuestion::default(), JobWatch::default());
        let inputs = inputs(&folder, data);
        let report = FolderReport::read(&folder, &question, false, &inputs, &watch);
        let report = report.map_err(Ok)?;
        report.write().map_err(Err)?;
        Ok(report.path().display().to_string())
    });
    written.map_err(|error| match error {
        Ok(problems) => errors::config_error(py, &problems, None),
        Err(error) => errors::exception(py, "RunError", (ToString::to_string(&error),)),
    })
}

/// The table of the run in a folder.
#[pyfunction]
pub fn tables_of(
    py: Python<'_>,
    folder: PathBuf,
    data: Option<PathBuf>,
    format: &str,
    width: usize,
) -> PyResult<String> {
    let tables = py.detach(|| {
        let (question, watch) = (RunQuestion::default(), JobWatch::default());
        let inputs = inputs(&folder, data);
        let report = FolderReport::read(&folder, &question, true, &inputs, &watch);
        Ok(report?.tables(&medium(format, width)))
    });
    tables.map_err(|problems| errors::config_error(py, &problems, None))
}

/// The story of candidates or rounds in the decisions of the run in a folder, and what was not
/// found.
#[pyfunction]
pub fn story_of(
    py: Python<'_>,
    folder: PathBuf,
    candidates: Vec<String>,
    rounds: Vec<u64>,
    policies: Vec<String>,
    replications: Vec<u64>,
    width: usize,
) -> PyResult<String> {
    let told = py.detach(|| {
        let watch = JobWatch::default();
        let decisions = FolderDecisions::of(&folder, &watch)?;
        let filter = DecisionFilter {
            policies,
            candidates: decisions.called(candidates, &watch)?,
            rounds,
            replications,
        };
        let mut found = FilteredDecisions::default();
        let mut story = Story::new(&filter, decisions.kinds());
        let seen = read_decisions(decisions.open()?, &filter, |_, event| {
            found.note(&filter, &event);
            story.take(&event);
            Ok(())
        })?;
        let (problems, _) = decisions.refused(&filter, &seen);
        problems.or(())?;
        let mut text = decisions.unfound(&filter, &seen, &found)?;
        if found.decisions > 0 {
            text.push(story.text(&seen, &Medium::text(width)));
        }
        Ok(text.join("\n"))
    });
    told.map_err(|error: JobError| errors::of_job(py, error))
}

/// The medium of a name: Markdown, LaTeX, or else text of a width.
pub fn medium(format: &str, width: usize) -> Medium {
    match format {
        "markdown" => Medium::markdown(),
        "latex" => Medium::latex(),
        _ => Medium::text(width),
    }
}

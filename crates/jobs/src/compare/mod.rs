//! Verdicts on numbers that no run made: a table of values, or values one case after the other.

mod comparing;
mod form;
mod question;
mod rows;

pub use comparing::Comparing;
pub use question::{CompareRequest, PerMeasure};

use std::path::{Path, PathBuf};

use self::form::TableForm;
use self::question::facts;
use self::rows::CaseRows;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::record::file::{Grid, How, MemoryTable};
use kleroterion_stats::{CaseTable, Comparison};

/// A table to compare, and the name by which problems and reports call it.
#[derive(Clone, Debug)]
pub struct ComparedTable {
    path: PathBuf,
    name: String,
    held: Option<MemoryTable>,
}

impl ComparedTable {
    /// The table in a file of any format that can be read.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            name: path.display().to_string(),
            held: None,
        }
    }

    /// A table that a program holds.
    #[must_use]
    pub fn memory(name: &str, table: MemoryTable) -> Self {
        Self {
            path: table.path(name),
            name: name.to_owned(),
            held: Some(table),
        }
    }

    /// The bytes of a file that came in another way.
    #[must_use]
    pub fn bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self {
            path: name.into(),
            name: name.to_owned(),
            held: Some(MemoryTable::of_file(bytes)),
        }
    }
}

/// Compares the policies of a table, over the cases in the order in which they first appear.
///
/// The table has a row for each policy and case, and a column for each measure; or the columns
/// `metric` and `value`, as `replications.csv` has; or, where `columns` names them, a column for
/// each policy. The same numbers have the verdicts that they have in a run.
///
/// ```
/// use kleroterion_io::record::file::MemoryTable;
/// use kleroterion_jobs::{CompareRequest, ComparedTable, PerMeasure, compare};
///
/// let table = "problem,model,solved\n1,old,0\n1,new,1\n2,new,1\n2,old,0\n3,old,1\n3,new,1\n";
/// let table = ComparedTable::memory("scores", MemoryTable::of_file(table.as_bytes()));
/// let request = CompareRequest {
///     measures: vec!["solved".into()],
///     policy: "model".into(),
///     pair: Some("problem".into()),
///     ranges: PerMeasure::all((0.0, 1.0)),
///     ..CompareRequest::default()
/// };
/// let found = compare(&table, &request)?;
/// assert_eq!(found.pairs()[0].verdict.word(), "undecided");
/// # Ok::<(), kleroterion_core::problem::Problems>(())
/// ```
///
/// # Errors
/// All that is wrong with the table, each with its line and column, and with the request.
pub fn compare(table: &ComparedTable, request: &CompareRequest) -> Result<Comparison, Problems> {
    let how = How {
        held: table.held.clone(),
        ..How::default()
    };
    let grid = Grid::read(&table.path, &how)?;
    let form = TableForm::of(&grid, &table.path, request)?;
    let mut problems = Problems::default();
    let measures = request.measures(&form.measures, form.is_of_a_run, &mut problems);
    let mut rows = CaseRows::new(&table.path, &grid, &measures);
    rows.read(&form);
    problems.0.append(&mut rows.problems.0);
    let versus = request.versus(&rows.labels, &mut problems);
    problems.or(())?;
    let question = request.question(measures.clone(), versus, true);
    let labels = rows.labels.iter().map(String::as_str);
    let mut cases = CaseTable::new(&*table.name, labels, &question.measures);
    rows.fill(&mut cases);
    if !cases.has_pairs() {
        let what = "no case has values of two policies, so nothing can be compared";
        let help = match &form.pair {
            Some(column) => format!(
                "`{column}` must have the same text in the rows of all policies that belong \
                 together; --pair names another column"
            ),
            None => "give rows in which two of the columns have a value".to_owned(),
        };
        return Err(Problem::new(Place::file(&table.path), what)
            .help(help)
            .into());
    }
    let order = "in the order in which they first appear in the table";
    Ok(cases.compare(&question, &facts(&cases, &question, order)))
}

#[cfg(test)]
mod tests;

//! The form of a table: which columns hold the policies, the cases and the values.

use std::path::Path;

use super::question::CompareRequest;
use kleroterion_core::nearest::advice;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::record::file::{Grid, GridRow};
use kleroterion_report::report::csv::HEADER;

/// The column of values next to that of metrics, and the measure of a table that names none.
pub(super) const VALUE: &str = "value";
/// The column of the names of metrics.
const METRIC: &str = "metric";
/// The column of moments within a replication; the end of the run is blank there.
const AT: &str = "at";
/// The column of cases, if none is named.
const PAIR: &str = "replication";

/// The places of a table's columns.
#[derive(Debug, PartialEq)]
pub(super) enum Columns {
    /// A row for each policy and case, and a column for each measure.
    Measures {
        policy: usize,
        pair: usize,
        measures: Vec<usize>,
    },
    /// A row for each policy, case and metric.
    Metrics {
        policy: usize,
        pair: usize,
        metric: usize,
        value: usize,
        at: Option<usize>,
    },
    /// A row for each case, and a column for each policy.
    Policies {
        pair: Option<usize>,
        policies: Vec<usize>,
    },
}

/// A table's columns and the measures in them.
#[derive(Debug, PartialEq)]
pub(super) struct TableForm {
    pub(super) columns: Columns,
    pub(super) measures: Vec<String>,
    /// True if a run wrote the table, so that the catalogue describes its metrics.
    pub(super) is_of_a_run: bool,
    /// The name of the column of cases, if there is one.
    pub(super) pair: Option<String>,
}

impl TableForm {
    /// Finds the columns that a request asks for.
    ///
    /// # Errors
    /// All columns that are missing or there twice, and a request that names no measure.
    pub(super) fn of(grid: &Grid, path: &Path, request: &CompareRequest) -> Result<Self, Problems> {
        let mut header = Header {
            row: &grid.rows[0],
            path,
            problems: Problems::default(),
        };
        let form = match request.columns.is_empty() {
            true => header.rows_of_policies(grid, request),
            false => header.columns_of_policies(request),
        };
        let problems = header.problems;
        match form {
            Some(form) => problems.or(form),
            None => Err(problems),
        }
    }
}

/// The first row of a table, and what is wrong with it.
struct Header<'a> {
    row: &'a GridRow,
    path: &'a Path,
    problems: Problems,
}

impl Header<'_> {
    fn names(&self) -> Vec<&str> {
        self.row.cells.iter().map(String::as_str).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.row.cells.iter().any(|cell| cell == name)
    }

    fn place(&self, column: Option<usize>) -> Place {
        let line = Some(self.row.line).filter(|line| *line > 0);
        Place::field(self.path, line, column.map(|column| column as u64 + 1))
    }

    /// The place of a column that `option` asks for.
    fn column(&mut self, name: &str, option: &str) -> Option<usize> {
        let cells = self.row.cells.iter().enumerate();
        let found: Vec<usize> = cells
            .filter_map(|(at, cell)| (cell == name).then_some(at))
            .collect();
        let (place, what, help) = match found[..] {
            [at] => return Some(at),
            [] => (
                self.place(None),
                format!("there is no column `{name}`"),
                format!(
                    "{}; {option} names another",
                    advice(name, &self.names(), "columns")
                ),
            ),
            [_, second, ..] => (
                self.place(Some(second)),
                format!("there are {} columns `{name}`", found.len()),
                "give each column a name of its own".to_owned(),
            ),
        };
        self.problems.push(Problem::new(place, what).help(help));
        None
    }

    /// The measures that are named, each once.
    fn measures(&mut self, request: &CompareRequest, known: &[&str]) -> Vec<String> {
        let mut measures: Vec<String> = Vec::new();
        for name in &request.measures {
            match measures.contains(name) {
                true => {
                    let what = "this measure is named twice";
                    let problem = Problem::of_option(format!("--metric {name}"), what);
                    self.problems.push(problem.help("name each measure once"));
                }
                false => measures.push(name.clone()),
            }
        }
        if measures.is_empty() {
            let what = "no measure is named";
            let help = format!("name one by --metric; {}", advice("", known, "measures"));
            self.problems.push(Problem::of_request(what).help(help));
        }
        measures
    }

    fn rows_of_policies(&mut self, grid: &Grid, request: &CompareRequest) -> Option<TableForm> {
        let pair_name = request.pair.as_deref().unwrap_or(PAIR);
        let measures = &request.measures;
        let is_open = measures.is_empty() || measures.iter().any(|name| !self.has(name));
        let is_named = is_open && self.has(METRIC) && self.has(VALUE);
        let names = grid.rows.first().map(|row| row.cells.as_slice());
        let is_of_a_run = names.is_some_and(|names| names == HEADER);
        let policy = self.column(&request.policy, "--policy");
        let pair = self.column(pair_name, "--pair");
        let (measures, columns) = match is_named {
            true => self.by_name(grid, request, policy.zip(pair)),
            false => self.by_column(request, policy.zip(pair)),
        };
        Some(TableForm {
            columns: columns?,
            measures,
            is_of_a_run: is_named && is_of_a_run,
            pair: Some(pair_name.to_owned()),
        })
    }

    /// Metrics that a column names.
    fn by_name(
        &mut self,
        grid: &Grid,
        request: &CompareRequest,
        known: Option<(usize, usize)>,
    ) -> (Vec<String>, Option<Columns>) {
        let metric = self.column(METRIC, "--metric");
        let value = self.column(VALUE, "--metric");
        let (Some(metric), Some(value)) = (metric, value) else {
            return (Vec::new(), None);
        };
        let mut names: Vec<&str> = Vec::new();
        for row in &grid.rows[1..] {
            let name = row.cells.get(metric).map_or("", String::as_str);
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        let measures = self.measures(request, &names);
        for name in measures
            .iter()
            .filter(|name| !names.contains(&name.as_str()))
        {
            let what = format!("the column `{METRIC}` has no `{name}`");
            let help = advice(name, &names, "measures");
            let problem = Problem::of_option(format!("--metric {name}"), what).help(help);
            self.problems.push(problem);
        }
        let at = self.row.cells.iter().position(|cell| cell == AT);
        let columns = known.map(|(policy, pair)| Columns::Metrics {
            policy,
            pair,
            metric,
            value,
            at,
        });
        (measures, columns)
    }

    /// Measures that are columns.
    fn by_column(
        &mut self,
        request: &CompareRequest,
        known: Option<(usize, usize)>,
    ) -> (Vec<String>, Option<Columns>) {
        let names = self.names();
        let others = names
            .iter()
            .enumerate()
            .filter(|(at, _)| known.is_none_or(|(policy, pair)| *at != policy && *at != pair));
        let others: Vec<String> = others.map(|(_, name)| (*name).to_owned()).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let measures = self.measures(request, &others);
        let found = measures.iter().map(|name| self.column(name, "--metric"));
        let found: Vec<Option<usize>> = found.collect();
        let found: Option<Vec<usize>> = found.into_iter().collect();
        let columns = known
            .zip(found)
            .map(|((policy, pair), measures)| Columns::Measures {
                policy,
                pair,
                measures,
            });
        (measures, columns)
    }

    fn columns_of_policies(&mut self, request: &CompareRequest) -> Option<TableForm> {
        check_labels(&request.columns, &Place::Request, &mut self.problems);
        if request.measures.len() > 1 {
            let what = "a table with a column for each policy has one measure";
            let option = format!("--metric {}", request.measures.join(","));
            let problem = Problem::of_option(option, what);
            self.problems
                .push(problem.help("name one, as it is called in the report"));
        }
        let pair = request.pair.as_ref();
        let pair_column = pair.map(|name| self.column(name, "--pair"));
        let policies = request
            .columns
            .iter()
            .map(|name| self.column(name, "--columns"));
        let policies: Vec<Option<usize>> = policies.collect();
        let policies: Option<Vec<usize>> = policies.into_iter().collect();
        let columns = match pair_column {
            Some(None) => None,
            pair => policies.map(|policies| Columns::Policies {
                pair: pair.flatten(),
                policies,
            }),
        };
        let measure = request.measures.first().map_or(VALUE, String::as_str);
        Some(TableForm {
            columns: columns?,
            measures: vec![measure.to_owned()],
            is_of_a_run: false,
            pair: pair.cloned(),
        })
    }
}

/// Notes that there are not two policies at a place, or that one is named twice.
pub(super) fn check_labels(labels: &[String], place: &Place, problems: &mut Problems) {
    for (at, label) in labels.iter().enumerate() {
        if labels[..at].contains(label) {
            let what = format!("the policy `{label}` is named twice");
            problems.push(Problem::new(place.clone(), what).help("name each policy once"));
        }
    }
    if labels.len() < 2 {
        let what = match labels {
            [] => "there is no policy".to_owned(),
            [only, ..] => format!("`{only}` is the only policy"),
        };
        let help = "a comparison takes two policies or more";
        problems.push(Problem::new(place.clone(), what).help(help));
    }
}

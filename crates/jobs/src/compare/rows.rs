//! The rows of a table as the values of policies in cases.

use std::collections::BTreeMap;
use std::path::Path;

use super::form::{Columns, TableForm, check_labels};
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::decimal::stated;
use kleroterion_io::record::file::{Form, Grid, GridRow};
use kleroterion_stats::{CaseMeasure, CaseTable};

/// A value, and the line on which it is.
#[derive(Clone, Copy, Debug)]
struct FoundValue {
    policy: usize,
    measure: usize,
    value: f64,
    line: u64,
}

/// Names in the order in which they first came.
#[derive(Debug, Default)]
struct Places(BTreeMap<String, usize>);

impl Places {
    fn of(&mut self, name: &str) -> usize {
        if let Some(place) = self.0.get(name) {
            return *place;
        }
        let place = self.0.len();
        self.0.insert(name.to_owned(), place);
        place
    }
}

/// The values of a table, case by case, and all that is wrong with its rows.
pub(super) struct CaseRows<'a> {
    path: &'a Path,
    grid: &'a Grid,
    measures: &'a [CaseMeasure],
    delimiter: u8,
    /// The policies in the order in which they first came.
    pub(super) labels: Vec<String>,
    cases: Vec<Vec<FoundValue>>,
    /// The line of each case, where a row is a case.
    lines: Vec<u64>,
    pub(super) problems: Problems,
}

impl<'a> CaseRows<'a> {
    pub(super) fn new(path: &'a Path, grid: &'a Grid, measures: &'a [CaseMeasure]) -> Self {
        let delimiter = match grid.read_as.form {
            Form::Separated { delimiter } => delimiter,
            Form::Records => b',',
        };
        Self {
            path,
            grid,
            measures,
            delimiter,
            labels: Vec::new(),
            cases: Vec::new(),
            lines: Vec::new(),
            problems: Problems::default(),
        }
    }

    /// Reads all rows after the header.
    pub(super) fn read(&mut self, form: &TableForm) {
        let fields = self.grid.rows[0].cells.len();
        let (mut labels, mut pairs) = (Places::default(), Places::default());
        if let Columns::Policies { policies, .. } = &form.columns {
            let names = &self.grid.rows[0].cells;
            for at in policies {
                labels.of(&names[*at]);
            }
        }
        for row in &self.grid.rows[1..] {
            if row.cells.len() != fields {
                let what = format!(
                    "the row has {} fields, and the header {fields}",
                    row.cells.len()
                );
                let help =
                    "write a field for each column, and a field that holds the separator in quotes";
                self.note(row, None, what, help);
                continue;
            }
            match &form.columns {
                Columns::Measures {
                    policy,
                    pair,
                    measures,
                } => {
                    let sides = self.sides(row, [*policy, *pair], [&mut labels, &mut pairs]);
                    for (measure, at) in measures.iter().enumerate() {
                        self.take(row, sides, measure, *at);
                    }
                }
                Columns::Metrics {
                    policy,
                    pair,
                    metric,
                    value,
                    at,
                } => {
                    let is_end = at.is_none_or(|at| row.cells[at].is_empty());
                    let mut known = self.measures.iter();
                    let measure = known.position(|one| one.name == row.cells[*metric]);
                    if let Some(measure) = measure.filter(|_| is_end) {
                        let sides = self.sides(row, [*policy, *pair], [&mut labels, &mut pairs]);
                        self.take(row, sides, measure, *value);
                    }
                }
                Columns::Policies { pair, policies } => {
                    self.take_case(row, *pair, policies, &mut pairs);
                }
            }
        }
        let mut labels: Vec<(String, usize)> = labels.0.into_iter().collect();
        labels.sort_by_key(|(_, place)| *place);
        self.labels = labels.into_iter().map(|(label, _)| label).collect();
        // Of rows that are wrong all policies may be.
        if self.problems.0.is_empty() {
            check_labels(&self.labels, &Place::file(self.path), &mut self.problems);
        }
    }

    /// The policy and the case of a row.
    fn sides(
        &mut self,
        row: &GridRow,
        columns: [usize; 2],
        places: [&mut Places; 2],
    ) -> Option<[usize; 2]> {
        let mut is_named = true;
        for at in columns.iter().filter(|at| row.cells[**at].is_empty()) {
            is_named = false;
            let what = format!("the cell of `{}` is blank", self.name(*at));
            let help = "each row names its policy and its case";
            self.note(row, Some(*at), what, help);
        }
        let [labels, pairs] = places;
        is_named.then(|| {
            let [policy, pair] = columns.map(|at| row.cells[at].as_str());
            [labels.of(policy), pairs.of(pair)]
        })
    }

    /// Takes the value of a cell, or notes what is wrong with it.
    fn take(&mut self, row: &GridRow, sides: Option<[usize; 2]>, measure: usize, at: usize) {
        let value = self.number(row, measure, at);
        let (Some([policy, case]), Some(value)) = (sides, value) else {
            return;
        };
        if self.cases.len() <= case {
            self.cases.resize_with(case + 1, Vec::new);
        }
        let mut known = self.cases[case].iter();
        let before = known.find(|one| one.policy == policy && one.measure == measure);
        if let Some(before) = before {
            let name = &self.measures[measure].name;
            let what = format!(
                "this policy and case have a value of `{name}` on line {} already",
                before.line
            );
            let help =
                "leave one of the two rows out, or name the column that tells cases apart: --pair";
            self.note(row, Some(at), what, help);
            return;
        }
        self.cases[case].push(FoundValue {
            policy,
            measure,
            value,
            line: row.line,
        });
    }

    /// Takes a row that is a case, with a column for each policy.
    fn take_case(
        &mut self,
        row: &GridRow,
        pair: Option<usize>,
        policies: &[usize],
        pairs: &mut Places,
    ) {
        let mut case = Some(self.lines.len());
        if let Some(at) = pair {
            let known = match row.cells[at].is_empty() {
                true => Err(format!("the cell of `{}` is blank", self.name(at))),
                false => Ok(pairs.of(&row.cells[at])),
            };
            let found = known.and_then(|found| match self.lines.get(found) {
                Some(line) => Err(format!("this case is on line {line} already")),
                None => Ok(found),
            });
            case = found
                .map_err(|what| self.note(row, Some(at), what, "each row is a case of its own"))
                .ok();
        }
        if case.is_some() {
            self.lines.push(row.line);
            self.cases.push(Vec::new());
        }
        for (policy, at) in policies.iter().enumerate() {
            // A blank cell is the only way to leave a value out.
            if !row.cells[*at].is_empty() {
                self.take(row, case.map(|case| [policy, case]), 0, *at);
            }
        }
    }

    /// The number in a cell, if it is finite and in the range.
    fn number(&mut self, row: &GridRow, measure: usize, at: usize) -> Option<f64> {
        let (text, measure) = (row.cells[at].as_str(), &self.measures[measure]);
        let column = self.name(at).to_owned();
        let (what, help) = match stated(text, self.delimiter) {
            _ if text.is_empty() => (
                format!("the cell of `{column}` is blank"),
                "leave the row out where there is no value: the case is then counted as incomplete",
            ),
            Err(why) => {
                let why = match text.parse::<f64>() {
                    Ok(_) => "is not a finite number",
                    Err(_) => &why,
                };
                (
                    format!("{} in `{column}` {why}", shown(text)),
                    "write a finite number, or leave the row out: the case is then counted as incomplete",
                )
            }
            Ok(value) => match measure.range.map(|range| range.unit(value)) {
                Some(Err(outside)) => (
                    format!("`{column}`: {outside}"),
                    "state a range that holds every value that can come: --range",
                ),
                _ => return Some(value),
            },
        };
        self.note(row, Some(at), what, help);
        None
    }

    fn name(&self, column: usize) -> &str {
        &self.grid.rows[0].cells[column]
    }

    fn note(&mut self, row: &GridRow, column: Option<usize>, what: String, help: &str) {
        let column = column.map(|column| column as u64 + 1);
        let place = Place::field(self.path, Some(row.line), column);
        self.problems.push(Problem::new(place, what).help(help));
    }

    /// Adds the cases to a table of the same policies and measures.
    pub(super) fn fill(&self, cases: &mut CaseTable) {
        for case in &self.cases {
            let mut values = vec![vec![f64::NAN; self.measures.len()]; self.labels.len()];
            for found in case {
                values[found.policy][found.measure] = found.value;
            }
            cases.add(values);
        }
    }
}

//! Rows of a table that are not people: further header rows of survey tools, and rows of totals.

use std::collections::BTreeSet;

use super::labels::{Verdict, verdict};
use super::names::{RESPONSES, plain};
use kleroterion_io::record::cell::{can_be_quoted, without};
use kleroterion_io::record::file::GridRow;
use kleroterion_io::record::fold;
use kleroterion_io::record::plain::is_total as is_total_word;

/// Rows below the header among which survey tools put further ones.
const NEAR: usize = 4;

/// A row that names the columns once more.
const HEADER: &str = "a further header row of a survey tool";

/// A row that is not a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraRow {
    /// The line in the file.
    pub line: u64,
    /// The kind of the row, for example "a row of sums".
    pub what: &'static str,
    /// The filter that leaves out the row and no person. `None` if no cell distinguishes it.
    pub filter: Option<String>,
    /// The option that makes the row a person, if there is one.
    pub otherwise: Option<String>,
}

/// The rows that are no people, and the others. `names`: those of the columns; `headers`: how many
/// of the rows name them too.
pub(super) fn extra_rows(
    names: &[String],
    rows: Vec<GridRow>,
    headers: usize,
) -> (Vec<ExtraRow>, Vec<GridRow>) {
    let what = |at: usize| match &rows[at] {
        _ if at < headers => Some(HEADER),
        row if is_total(row) => Some("a row of sums"),
        _ => None,
    };
    let found: Vec<Option<&str>> = (0..rows.len()).map(what).collect();
    let people: Vec<&GridRow> = rows
        .iter()
        .zip(&found)
        .filter(|(_, f)| f.is_none())
        .map(|(r, _)| r)
        .collect();
    let extra = rows.iter().zip(&found).enumerate();
    let extra = extra.filter_map(|(at, (row, found))| {
        let what = (*found)?;
        Some(ExtraRow {
            line: row.line,
            what,
            filter: filter(names, row, &people),
            otherwise: (what == HEADER).then(|| format!("--header {}", at + 1)),
        })
    });
    let extra: Vec<ExtraRow> = extra.collect();
    let mut is_person = found.iter().map(Option::is_none);
    let people = rows
        .into_iter()
        .filter(|_| is_person.next() == Some(true))
        .collect();
    (extra, people)
}

/// Returns the number of further header rows below the header. These are rows with the marks of a
/// survey tool, rows of questions, and rows that name the columns again. `mark` is the byte between
/// fields.
pub(super) fn header_rows(rows: &[GridRow], mark: Option<u8>) -> usize {
    let near = &rows[..rows.len().min(NEAR)];
    let marked = near
        .iter()
        .rposition(|row| is_import(row) || is_of_responses(row));
    let asked = near
        .first()
        .is_some_and(|first| is_of_questions(first, &rows[1..]));
    let name = |many: &usize| {
        let (top, below) = rows.split_at(*many);
        let is_of_labels = |row| verdict(row, below, mark) == Verdict::Labels;
        top.iter().all(is_of_labels)
    };
    let labels = (1..near.len()).rev().find(name).unwrap_or(0);
    marked.map_or(usize::from(asked), |at| at + 1).max(labels)
}

/// Returns true if a row holds the marks of Qualtrics: `{"ImportId":"QID1"}`.
fn is_import(row: &GridRow) -> bool {
    row.cells
        .iter()
        .any(|cell| cell.starts_with("{\"ImportId\""))
}

/// Returns true if a row describes the responses to each question, as SurveyMonkey and LimeSurvey
/// write it: "Response", and blanks in other columns.
fn is_of_responses(row: &GridRow) -> bool {
    let filled: Vec<&String> = row.cells.iter().filter(|cell| !cell.is_empty()).collect();
    let responses = filled
        .iter()
        .filter(|cell| RESPONSES.has(&plain(cell)))
        .count();
    responses > 0 && responses * 2 >= filled.len()
}

/// Returns true if most cells of a row are questions, and no cell below is.
fn is_of_questions(row: &GridRow, below: &[GridRow]) -> bool {
    let is_question = |cell: &&String| cell.ends_with('?') || cell.ends_with(':');
    let questions = row.cells.iter().filter(is_question).count();
    let below = below.iter().take(50).flat_map(|row| &row.cells);
    questions > 0
        && questions * 2 >= row.cells.len()
        && !below.into_iter().any(|cell| cell.ends_with('?'))
}

/// Returns true if a row begins with a word for a total and has a blank cell, so that it is not a
/// person.
fn is_total(row: &GridRow) -> bool {
    let first = row.cells.iter().find(|cell| !cell.is_empty());
    first.is_some_and(|first| is_total_word(first)) && row.cells.iter().any(String::is_empty)
}

/// The filter that leaves out a row and no person.
fn filter(names: &[String], row: &GridRow, people: &[&GridRow]) -> Option<String> {
    let tells_apart = |at: &usize| {
        let cell = fold(&row.cells[*at]);
        let held: BTreeSet<String> = people.iter().map(|row| fold(&row.cells[*at])).collect();
        !names[*at].is_empty()
            && can_be_quoted(&row.cells[*at])
            && can_be_quoted(&names[*at])
            && !held.contains(&cell)
    };
    let mut columns = (0..names.len()).filter(tells_apart);
    let at = columns.next()?;
    Some(without(&names[at], &row.cells[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_io::record::Filter;

    /// Rows of cells separated by bars; the first has the names.
    fn table(text: &str) -> (Vec<String>, Vec<GridRow>) {
        let row = |line: &str| line.split('|').map(str::to_owned).collect::<Vec<_>>();
        let mut rows: Vec<Vec<String>> = text.lines().map(row).collect();
        let names = rows.remove(0);
        let rows = rows
            .into_iter()
            .zip(2..)
            .map(|(cells, line)| GridRow { line, cells });
        (names, rows.collect())
    }

    #[test]
    fn rows_that_are_no_people_are_found_and_filters_leave_them_out_alone() {
        let import = "{\"ImportId\":\"_recordId\"}|{\"ImportId\":\"QID1\"}";
        for (text, lines) in [
            (
                &*format!("ResponseId|Q1\nResponse ID|What is it?\n{import}\nR1|F\nR2|M"),
                &[2, 3][..],
            ),
            (
                "Respondent ID|Gender|Age\n|Response|Open-Ended Response\n1|F|3\n2|M|4",
                &[2],
            ),
            ("Id|G01Q01|Alter\n|Antwort|\n1|F|3\n2|M|4", &[2]),
            (
                "id|Q1|Q2\nNummer|Wie alt sind Sie?|Wo wohnen Sie?\n1|30|N\n2|40|S",
                &[2],
            ),
            ("id|gender|age\na|F|3\nb|M|4\nTotal|30|", &[4]),
            ("Nr|Geschlecht\n1|w\n2|m\n|\nSumme|", &[5]),
            ("Nr|Sexe|Age\n1|F|3\nTotal général||7\n2|M|4", &[3]),
            ("id|gender|age\nTotal|F|3\nb|M|4", &[]),
            ("id|gender\na|\nb|M", &[]),
        ] {
            let (names, rows) = table(text);
            let all = rows.clone();
            let headers = header_rows(&rows, Some(b'|'));
            let (extra, people) = extra_rows(&names, rows, headers);
            let found: Vec<u64> = extra.iter().map(|row| row.line).collect();
            assert_eq!(found, lines, "{text}");
            let filters: Vec<Filter> = extra
                .iter()
                .map(|row| Filter::parse(row.filter.as_ref().expect(text)).expect(text))
                .collect();
            let keeps = |row: &GridRow| {
                filters.iter().all(|filter| {
                    filter.holds(|at| {
                        let name = filter.clauses()[at].column();
                        let at = names.iter().position(|known| known == name).unwrap();
                        &row.cells[at]
                    })
                })
            };
            let kept: Vec<GridRow> = all.into_iter().filter(keeps).collect();
            assert_eq!(kept, people, "{text}");
        }
    }

    #[test]
    fn a_row_that_no_cell_tells_apart_has_no_filter() {
        let (names, rows) = table("|g\nTotal|\nx|F\ny|");
        assert_eq!(extra_rows(&names, rows, 0).0[0].filter, None);
    }
}

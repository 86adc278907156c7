//! The rows that belong to one person: those with the same id and the same cells.

use std::collections::BTreeMap;

use super::doubles::{Counters, DoubleFinder, Doubles, KnownAs, RowKey};
use crate::record::compared;

/// A row with its line, its id and its key.
pub struct NamedRow<'a> {
    /// The line in the file, from 1.
    pub line: u64,
    /// The cell of the id; `None` if the row has no id.
    pub id: Option<&'a str>,
    /// The key of all its cells.
    pub key: &'a RowKey,
}

/// The rows of a table grouped by person.
pub struct Identities {
    /// The index of the first row of each row's person. A row without a twin has its own index.
    pub first: Vec<usize>,
    /// Pairs of rows that share an id and differ. The first of each pair is the first row with the
    /// id.
    pub clashes: Vec<[usize; 2]>,
    /// The rows that count once together with others.
    pub doubles: Doubles,
}

impl Identities {
    /// Groups rows by person. Ids are equal if they differ only in case, blanks or Unicode form,
    /// unless `is_exact`. Rows with one id count once if their cells are equal, except for columns
    /// that count the rows.
    pub fn of(rows: &[NamedRow<'_>], known: &KnownAs, is_exact: bool) -> Self {
        let mut counters = Counters::default();
        for row in rows {
            counters.take(row.line, row.key);
        }
        let counters = counters.columns(known);
        let mut finder = DoubleFinder::default();
        let mut first: Vec<usize> = (0..rows.len()).collect();
        let mut clashes = Vec::new();
        let mut met: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(id) = row.id.map(|id| compared(id, is_exact)) else {
                finder.take(row.line, row.key, None);
                continue;
            };
            let key = known.id.map(|column| row.key.of_column(column, &id));
            let of_id = met.entry(id).or_default();
            let differing = |other: &usize| rows[*other].key.differing(row.key);
            let twin = of_id
                .iter()
                .map(|other| (*other, differing(other)))
                .find(|(_, columns)| columns.iter().all(|column| counters.contains(column)));
            if let Some((twin, columns)) = twin {
                first[at] = twin;
                finder.once(rows[twin].line, row.line, !columns.is_empty());
                continue;
            }
            clashes.extend(of_id.first().map(|other| [*other, at]));
            of_id.push(at);
            finder.take(row.line, row.key, key);
        }
        Self {
            first,
            clashes,
            doubles: finder.finish(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of rows that count once with an earlier one, and of those that clash.
    fn identities(
        text: &[&str],
        id: usize,
        read: &[usize],
        is_exact: bool,
    ) -> [Vec<(u64, u64)>; 2] {
        let cells: Vec<Vec<&str>> = text.iter().map(|row| row.split(',').collect()).collect();
        let key = |row: &Vec<&str>| {
            let mut key = RowKey::new(is_exact);
            row.iter().for_each(|cell| key.push(cell));
            key
        };
        let keys: Vec<RowKey> = cells.iter().map(key).collect();
        let rows = cells.iter().zip(&keys).zip(2..);
        let rows: Vec<NamedRow> = rows
            .map(|((cells, key), line)| NamedRow {
                line,
                id: Some(cells[id]).filter(|id| !id.is_empty()),
                key,
            })
            .collect();
        let known = KnownAs {
            id: Some(id),
            read: read.iter().copied().collect(),
            evidence: None,
        };
        let found = Identities::of(&rows, &known, is_exact);
        let line = |at: usize| rows[at].line;
        let once = (0..rows.len()).filter(|at| found.first[*at] != *at);
        let once = once.map(|at| (line(found.first[at]), line(at)));
        let clashes = found.clashes.iter().map(|[a, b]| (line(*a), line(*b)));
        [once.collect(), clashes.collect()]
    }

    #[test]
    fn ids_are_one_whatever_their_case_blanks_and_form() {
        for (rows, once, clashes) in [
            (&["a,F", "b,F", "A,F"][..], &[(2, 4)][..], &[][..]),
            (&["a,F", "b,F", "A,f "], &[(2, 4)], &[]),
            (&["a,F", "b,F", "A,M"], &[], &[(2, 4)]),
            (&["é,F", "b,F", "E\u{301},F"], &[(2, 4)], &[]),
            (&["a b,F", "b,F", "A\u{a0} b,M"], &[], &[(2, 4)]),
            (&["x@y.de,F", "b,F", "X@Y.DE,F"], &[(2, 4)], &[]),
            (&["a,F", "A,M", "a,F", "A,M"], &[(2, 4), (3, 5)], &[(2, 3)]),
            (&[",F", ",F", "a,F"], &[], &[]),
        ] {
            let due = [once.to_vec(), clashes.to_vec()];
            assert_eq!(identities(rows, 0, &[1], false), due, "{rows:?}");
        }
        let exact = identities(&["a,F", "b,F", "A,F", "a,F"], 0, &[1], true);
        assert_eq!(exact, [vec![(2, 5)], vec![]]);
    }

    #[test]
    fn a_column_that_counts_rows_makes_no_other_person() {
        for (rows, read, once, clashes) in [
            (
                &["1,a,F", "2,b,F", "3,a,F"][..],
                &[2][..],
                &[(2, 4)][..],
                &[][..],
            ),
            (&["1,a,F", "3,b,F", "4,A,F"], &[2], &[(2, 4)], &[]),
            (&["1,a,F", "2,b,F", "3,a,M"], &[2], &[], &[(2, 4)]),
            // A number that is read says something of a person.
            (&["1,a,F", "2,b,F", "3,a,F"], &[0, 2], &[], &[(2, 4)]),
            // So do numbers that do not count.
            (&["18,a,F", "34,b,F", "61,a,F"], &[2], &[], &[(2, 4)]),
            (&["3,a,F", "2,b,F", "1,a,F"], &[2], &[], &[(2, 4)]),
        ] {
            let due = [once.to_vec(), clashes.to_vec()];
            assert_eq!(identities(rows, 1, read, false), due, "{rows:?}");
        }
    }
}

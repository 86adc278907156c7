//! The `where` language: which records are kept.
//!
//! A filter is one or more clauses joined by `and`:
//!
//! ```text
//! AGEP >= 18                      a comparison of numbers: < <= > >=
//! INDP_CAT != 'N'                 equality: == (or =) and !=
//! RAC1P in [1, 2, 3]              one of a list; `not in [...]` for none of it
//! "marital status" == "Divorced"  names and texts with blanks are written in quotes
//! AGEP >= 18 and AGEP < 65        all must hold
//! ```
//!
//! A *number* in a filter compares by size with the cell's number; a *text* (in quotes) compares
//! with the cell's text, where case, blanks and Unicode form make no difference unless
//! [asked](Filter::exact). On a cell that is not a number (`N`, an empty one) every
//! comparison by size is false, `== 3` is false and `!= 3` is true. A member that a record lacks
//! counts as an empty cell.

use super::condition::{Clause, FilterError};
use super::grammar::Parser;

/// A parsed filter: all of its clauses must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    clauses: Vec<Clause>,
}

impl Filter {
    /// Reads a filter from its text.
    ///
    /// # Errors
    /// The first thing in the text that the language does not know, and where.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let mut parser = Parser::new(text);
        let mut clauses = vec![parser.clause()?];
        while parser.joined()? {
            clauses.push(parser.clause()?);
        }
        Ok(Self {
            text: text.trim().to_owned(),
            clauses,
        })
    }

    /// Returns the filter with exact texts: `'Female'` is not `'female'`.
    #[must_use]
    pub fn exact(self) -> Self {
        let clauses = self.clauses.into_iter().map(Clause::spelt);
        Self {
            clauses: clauses.collect(),
            ..self
        }
    }

    /// Returns the filter as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the filter with `…` in place of its values, which may tell who someone is. Bounds
    /// stay.
    pub fn unvalued(&self) -> String {
        let clauses = self.clauses.iter().map(Clause::unvalued);
        clauses.collect::<Vec<_>>().join(" and ")
    }

    /// Returns the clauses, in the order written.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Returns true if a row is kept; `cell(k)` is the row's cell in the column of clause `k`.
    pub fn holds<'a>(&self, mut cell: impl FnMut(usize) -> &'a str) -> bool {
        self.clauses
            .iter()
            .enumerate()
            .all(|(k, clause)| clause.holds(cell(k)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps(filter: &str, cell: &str) -> bool {
        let filter = Filter::parse(filter).unwrap_or_else(|e| panic!("{filter}: {e}"));
        filter.holds(|_| cell)
    }

    #[test]
    fn every_operator_on_a_number_a_text_and_nothing() {
        // Columns: the cells 17, 18, 18.0, 19, N and the empty one.
        let cells = ["17", "18", "18.0", "19", "N", ""];
        for (filter, kept) in [
            ("A == 18", [0, 1, 1, 0, 0, 0]),
            ("A = 18", [0, 1, 1, 0, 0, 0]),
            ("A != 18", [1, 0, 0, 1, 1, 1]),
            ("A < 18", [1, 0, 0, 0, 0, 0]),
            ("A <= 18", [1, 1, 1, 0, 0, 0]),
            ("A > 18", [0, 0, 0, 1, 0, 0]),
            ("A >= 1.8e1", [0, 1, 1, 1, 0, 0]),
            ("A in [17, 19]", [1, 0, 0, 1, 0, 0]),
            ("A not in [17, 19]", [0, 1, 1, 0, 1, 1]),
            ("A == '18'", [0, 1, 0, 0, 0, 0]),
            ("A != 'N'", [1, 1, 1, 1, 0, 1]),
            ("A == ''", [0, 0, 0, 0, 0, 1]),
            ("A IN ['N', 18]", [0, 1, 1, 0, 1, 0]),
            ("A >= 18 and A < 19", [0, 1, 1, 0, 0, 0]),
            ("A >= -3", [1, 1, 1, 1, 0, 0]),
        ] {
            for (cell, kept) in cells.iter().zip(kept) {
                assert_eq!(keeps(filter, cell), kept == 1, "{filter} on '{cell}'");
            }
        }
    }

    #[test]
    fn case_blanks_and_unicode_form_make_no_difference_unless_asked() {
        for (filter, cell, kept, exactly) in [
            ("A == 'Female'", "Female", true, true),
            ("A == 'Female'", "FEMALE", true, false),
            ("A == 'Female'", " fem\u{200b}ale\u{a0}", true, false),
            ("A != 'Female'", "female", false, true),
            (
                "A in ['x', 'St. Gallen']",
                "st.\u{a0}\u{a0}gallen",
                true,
                false,
            ),
            ("A not in ['x', 'Québec']", "QUE\u{301}BEC", false, true),
            ("A == 'Québec'", "Quebec", false, false),
            ("A == ''", " \u{a0}", true, false),
            ("A == 'ja'", "JA", true, false),
        ] {
            assert_eq!(keeps(filter, cell), kept, "{filter} on '{cell}'");
            let exact = Filter::parse(filter).unwrap().exact();
            assert_eq!(
                exact.holds(|_| cell),
                exactly,
                "{filter} exactly on '{cell}'"
            );
        }
    }

    #[test]
    fn nan_and_inf_in_a_cell_are_no_numbers() {
        for cell in ["NaN", "inf", "-infinity", "1e999"] {
            assert!(!keeps("A > 0", cell) && !keeps("A <= 0", cell) && keeps("A != 0", cell));
        }
    }

    #[test]
    fn columns_may_have_signs_blanks_and_no_blank_before_the_operator() {
        for (text, columns) in [
            ("hours-per-week>=40", vec!["hours-per-week"]),
            (
                "'marital status' == \"it's\" and x.y!=3",
                vec!["marital status", "x.y"],
            ),
            ("  âge >= 18 AND in in [1]", vec!["âge", "in"]),
        ] {
            let filter = Filter::parse(text).unwrap();
            let found: Vec<_> = filter.clauses().iter().map(Clause::column).collect();
            assert_eq!(found, columns);
            assert_eq!(filter.text(), text.trim());
        }
        assert!(keeps("a == \"it's\"", "it's"));
    }

    #[test]
    fn values_are_left_out_and_bounds_stay() {
        for (text, due) in [
            ("'E-mail' != 'a@b.c'", "'E-mail' != …"),
            (
                "id not in ['a', 'b'] and age>=18",
                "id not in […] and age >= 18",
            ),
            ("x == 3 and y in [1, 2]", "x == … and y in […]"),
        ] {
            assert_eq!(Filter::parse(text).unwrap().unvalued(), due);
        }
    }

    #[test]
    fn clauses_get_their_own_cells() {
        let filter = Filter::parse("a > 1 and b == 'x'").unwrap();
        assert!(filter.holds(|k| ["2", "x"][k]));
        assert!(!filter.holds(|k| ["x", "2"][k]));
    }

    #[test]
    fn every_wrong_text_is_told_where_and_what_to_write() {
        for (text, at, what, help) in [
            ("", 0, "name of a column", "COLUMN OPERATOR VALUE"),
            ("   ", 3, "name of a column", "AGEP >= 18"),
            (">= 18", 0, "name of a column", "COLUMN"),
            ("AGEP", 4, "operator must follow", "in [a, b]"),
            ("AGEP 18", 5, "`18` is no operator", "=="),
            ("AGEP <> 18", 5, "`<>` is no operator", "!="),
            ("AGEP like 'x'", 5, "`like`", "not in"),
            ("AGEP >=", 7, "a value belongs here", "a number"),
            ("AGEP == N", 8, "`N` is neither", "'N'"),
            ("AGEP == inf", 8, "`inf` is neither", "'inf'"),
            ("âé == N", 6, "`N` is neither", "'N'"),
            ("AGEP >= '18'", 8, "compares numbers", "without quotes"),
            ("A == 'N", 5, "never closes", "close it with '"),
            ("A in 1, 2", 5, "list must follow", "[1, 2, 3]"),
            ("A in []", 6, "empty", "[1, 2, 3]"),
            ("A in [1 2]", 8, "comma", "[1, 2, 3]"),
            ("A in [1,", 8, "a value belongs", "number"),
            ("A in [1", 7, "comma or `]`", "[1, 2, 3]"),
            ("A not [1]", 6, "`in` must follow", "not in"),
            ("A == 1 or B == 2", 7, "left over", "no `or`"),
            ("A == 1, B == 2", 6, "left over", "`and`"),
            ("A == 1 and", 10, "name of a column", "COLUMN"),
            ("A = = 1", 4, "a value belongs", "number"),
        ] {
            let error = Filter::parse(text).expect_err(text);
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.what.contains(what), "{text}: {error}");
            assert!(error.help.contains(help), "{text}: {error}");
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        let signs = [
            "a", " ", "==", "<", "'", "\"", "[", "]", ",", "in", "1", "é",
        ];
        for i in 0..signs.len().pow(4) {
            let text: String = (0..4).map(|k| signs[i / signs.len().pow(k) % 12]).collect();
            if let Err(error) = Filter::parse(&text) {
                assert!(error.at <= text.chars().count(), "{text}: {error}");
            }
        }
    }
}

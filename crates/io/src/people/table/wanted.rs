//! The columns that are read of a file, and those that it has.

use super::tally::{At, ProblemKind, ProblemTally};
use crate::record::alike;
use crate::record::cell::shown;
use crate::record::fault::FaultKind;
use kleroterion_core::nearest::nearest;

/// The columns that are read, each once; the place in the list is the column's *slot*.
#[derive(Default)]
pub(super) struct WantedColumns {
    columns: Vec<(String, Vec<String>)>,
}

impl WantedColumns {
    /// The slot of a column that the file may lack.
    pub(super) fn optional(&mut self, column: &str) -> usize {
        let found = self.columns.iter().position(|(name, _)| name == column);
        found.unwrap_or_else(|| {
            self.columns.push((column.to_owned(), Vec::new()));
            self.columns.len() - 1
        })
    }

    /// The slot of a column that the file must have; `user` says who wants it, as in "the
    /// attribute `sex`".
    pub(super) fn slot(&mut self, column: &str, user: String) -> usize {
        let slot = self.optional(column);
        let users = &mut self.columns[slot].1;
        if !users.contains(&user) {
            users.push(user);
        }
        slot
    }

    /// The place of each column among those of a file whose header is on this line: of the one that
    /// is spelt so, else of the only one that is alike. That several are, and none is spelt so, is
    /// noted.
    pub(super) fn places(
        &self,
        names: &[String],
        line: Option<u64>,
        tally: &mut ProblemTally,
    ) -> Vec<Option<usize>> {
        let mut place = |(column, users): &(String, Vec<String>)| match alike::find(
            column,
            names.iter().map(String::as_str),
        ) {
            Ok(place) => place,
            Err(_) if users.is_empty() => None,
            Err([first, second]) => {
                let at = At {
                    line,
                    column: line.map(|_| second as u64 + 1),
                };
                tally.note(ProblemKind::Shape(FaultKind::Columns), at, || {
                    let what = format!(
                        "{} and {} are both `{column}`, wanted by {}: case, blanks and Unicode \
                             form make no difference",
                        shown(&names[first]),
                        shown(&names[second]),
                        users.join(" and ")
                    );
                    (what, "name the column as one of them is spelt".into())
                });
                Some(first)
            }
        };
        self.columns.iter().map(&mut place).collect()
    }

    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Notes the columns that the file must have and lacks, of those in the slots `missing`.
    pub(super) fn note_missing(
        &self,
        missing: &[usize],
        known: &KnownColumns,
        tally: &mut ProblemTally,
    ) {
        let needed = self.columns.iter().filter(|(_, users)| !users.is_empty());
        let needed = needed.count();
        let columns = missing.iter().map(|slot| &self.columns[*slot]);
        let columns: Vec<_> = columns.filter(|(_, users)| !users.is_empty()).collect();
        for (name, users) in &columns {
            let at = At {
                line: known.line,
                column: None,
            };
            tally.note(ProblemKind::Shape(FaultKind::Columns), at, || {
                let mut help = known.help(name);
                if known.line.is_some() && columns.len() == needed {
                    help +=
                        "; if the file has no header line, say header = false and give `columns`";
                }
                let users = users.join(" and ");
                (
                    format!("there is no column `{name}`, wanted by {users}"),
                    help,
                )
            });
        }
    }
}

/// The columns that a file has.
pub(super) struct KnownColumns {
    pub(super) names: Vec<String>,
    /// The header's line.
    pub(super) line: Option<u64>,
}

impl KnownColumns {
    /// The nearest column and the list of all.
    pub(super) fn help(&self, wanted: &str) -> String {
        const LISTED: usize = 60;
        let listed = self.names.iter().take(LISTED).cloned();
        let mut list = listed.collect::<Vec<_>>().join(", ");
        if self.names.len() > LISTED {
            list += &format!(" and {} more", self.names.len() - LISTED);
        }
        match nearest(wanted, self.names.iter().map(String::as_str)) {
            Some(name) => format!("did you mean `{name}`? The columns are {list}"),
            None => format!("the columns are {list}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_wanted_twice_has_one_slot() {
        let mut wanted = WantedColumns::default();
        assert_eq!(wanted.slot("a", "one".into()), 0);
        assert_eq!(wanted.optional("b"), 1);
        assert_eq!(wanted.slot("b", "one".into()), 1);
        assert_eq!(wanted.slot("a", "two".into()), 0);
        assert_eq!(wanted.names().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn help_lists_sixty_columns_and_counts_the_others() {
        let help = |many: usize| {
            let names = (1..=many).map(|at| format!("column {at}")).collect();
            KnownColumns { names, line: None }.help("wanted")
        };
        for (many, end) in [
            (2, "column 1, column 2"),
            (60, ", column 59, column 60"),
            (61, ", column 60 and 1 more"),
            (99, ", column 60 and 39 more"),
        ] {
            let help = help(many);
            assert!(help.ends_with(end), "{many}: {help}");
        }
    }
}

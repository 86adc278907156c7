//! The columns of a file of quotas, recognised in several languages.

use std::path::Path;

use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::people::organisers::QuotaNames;
use kleroterion_io::people::organisers::quota_header::{
    CATEGORY, HeaderNames, MAX, MAX_FLEX, MIN, MIN_FLEX, NAME, QUOTA, SHARE, header_word,
};
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::file::{Grid, GridRow};
use kleroterion_io::record::fold;
use kleroterion_io::record::interval::Interval;

/// The role of a column in a file of quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuotaRole {
    /// The category, by which people are grouped.
    Category,
    /// A value of the category.
    Name,
    /// The minimum number of members.
    Min,
    /// The maximum number of members.
    Max,
    /// The amount by which the minimum may be lowered.
    MinFlex,
    /// The amount by which the maximum may be raised.
    MaxFlex,
    /// Minimum and maximum in one cell: a number, a range or a share.
    Quota,
}

/// The roles, each with the word by which options and configs name it.
pub const QUOTA_WORDS: [(&str, QuotaRole); 9] = [
    ("category", QuotaRole::Category),
    ("name", QuotaRole::Name),
    ("value", QuotaRole::Name),
    ("min", QuotaRole::Min),
    ("max", QuotaRole::Max),
    ("min_flex", QuotaRole::MinFlex),
    ("max_flex", QuotaRole::MaxFlex),
    ("quota", QuotaRole::Quota),
    ("feature", QuotaRole::Category),
];

/// The names of the column of each role.
const NAMES: [(QuotaRole, &[HeaderNames]); 7] = [
    (QuotaRole::Category, &[CATEGORY]),
    (QuotaRole::Name, &[NAME]),
    (QuotaRole::Min, &[MIN]),
    (QuotaRole::Max, &[MAX]),
    (QuotaRole::MinFlex, &[MIN_FLEX]),
    (QuotaRole::MaxFlex, &[MAX_FLEX]),
    (QuotaRole::Quota, &[QUOTA, SHARE]),
];

/// The columns of a file of quotas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuotaColumns {
    /// The roles, each with the name of its column.
    pub of: Vec<(QuotaRole, String)>,
    /// The columns without a role.
    pub others: Vec<String>,
    /// The cells of the header, in the order of the file.
    header: Vec<String>,
}

impl QuotaRole {
    /// The word for the role, as options spell it.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = QUOTA_WORDS.iter().find(|(_, role)| *role == self);
        found.map_or("", |(word, _)| word)
    }
}

impl QuotaColumns {
    /// Finds the columns that the user names, and others by their names.
    ///
    /// # Errors
    /// Columns that the file lacks.
    pub fn guess(
        path: &Path,
        first: &GridRow,
        named: &[(String, QuotaRole)],
    ) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let header = first.cells.iter().filter(|cell| !cell.is_empty());
        let header: Vec<String> = header.cloned().collect();
        let mut columns = Self {
            of: Vec::new(),
            others: header.clone(),
            header,
        };
        for (name, role) in named {
            let found = columns
                .others
                .iter()
                .position(|other| fold(other) == fold(name));
            match found {
                Some(at) => columns.of.push((*role, columns.others.remove(at))),
                None => {
                    let what = format!(
                        "--columns {name}={}: the file of quotas has no column `{name}`",
                        role.word()
                    );
                    let help = format!("its columns are {}", columns.list());
                    problems.push(Problem::of_file(path, what).help(help));
                }
            }
        }
        // Next to "value" the column "feature" names a group, and next to "category" a value.
        let has = |name: &str| {
            columns
                .others
                .iter()
                .any(|other| header_word(other) == name)
        };
        let feature_is_value = has("category") && has("feature") && !has("name") && !has("value");
        for (role, names) in NAMES {
            let is_named = |other: &String| match (role, &*header_word(other)) {
                (QuotaRole::Category, "feature") => !feature_is_value,
                (QuotaRole::Name, "feature") => feature_is_value,
                _ => names.iter().any(|names| names.knows(other)),
            };
            if columns.column(role).is_none()
                && let Some(at) = columns.others.iter().position(is_named)
            {
                let name = columns.others.remove(at);
                columns.of.push((role, name));
            }
        }
        columns.of.sort();
        problems.or(columns)
    }

    /// The column of a role, if there is one.
    #[must_use]
    pub fn column(&self, role: QuotaRole) -> Option<&str> {
        let found = self.of.iter().find(|(of, _)| *of == role);
        found.map(|(_, name)| &**name)
    }

    /// Returns the roles that quotas need and no column has.
    #[must_use]
    pub fn missing(&self) -> Vec<QuotaRole> {
        let needed = [
            QuotaRole::Category,
            QuotaRole::Name,
            QuotaRole::Min,
            QuotaRole::Max,
        ];
        let has_quota = self.column(QuotaRole::Quota).is_some();
        let is_missing = |role: &QuotaRole| {
            let is_bound = matches!(role, QuotaRole::Min | QuotaRole::Max);
            self.column(*role).is_none() && !(is_bound && has_quota)
        };
        needed.into_iter().filter(is_missing).collect()
    }

    /// Returns true if runs find the columns by their names alone.
    #[must_use]
    pub fn are_known(&self) -> bool {
        let name = |role| self.column(role).map(fold).unwrap_or_default();
        let (category, value) = (name(QuotaRole::Category), name(QuotaRole::Name));
        let pair = (&*category, &*value);
        matches!(
            pair,
            ("feature", "value") | ("category", "name" | "feature")
        ) && name(QuotaRole::Min) == "min"
            && name(QuotaRole::Max) == "max"
    }

    /// Returns the column names that a config must state. It is empty if runs find the columns
    /// themselves.
    #[must_use]
    pub fn names(&self) -> QuotaNames {
        if self.are_known() {
            return QuotaNames::default();
        }
        let name = |role| self.column(role).map(str::to_owned);
        QuotaNames {
            category: name(QuotaRole::Category),
            name: name(QuotaRole::Name),
            min: name(QuotaRole::Min),
            max: name(QuotaRole::Max),
            min_flex: name(QuotaRole::MinFlex),
            max_flex: name(QuotaRole::MaxFlex),
            quota: name(QuotaRole::Quota),
        }
    }

    /// Returns the problem of missing roles.
    #[must_use]
    pub fn unknown(&self, path: &Path) -> Problem {
        let words: Vec<&str> = self.missing().into_iter().map(QuotaRole::word).collect();
        let what = format!("no column of the quotas is known as {}", words.join(", "));
        if let Some(help) = self.no_header() {
            return Problem::of_file(path, what).help(help);
        }
        let first = self.others.first().map_or("NAME", String::as_str);
        let option = format!("{first}={}", words.first().unwrap_or(&"category"));
        let option = match option.contains(' ') {
            true => format!("'{option}'"),
            false => option,
        };
        let help = format!(
            "say which is which: --columns {option}, and so on; ROLE is category, value, min, max or quota; the columns are {}",
            self.list()
        );
        Problem::of_file(path, what).help(help)
    }

    /// Returns the advice if the first row is a title or a row of quotas.
    fn no_header(&self) -> Option<String> {
        let is_number = |cell: &String| Interval::read(cell).is_some();
        let what = match &self.header[..] {
            [one] => format!("the first row has one cell, {}", shown(one)),
            cells if cells.iter().any(is_number) => "the first row holds numbers".to_owned(),
            _ => return None,
        };
        Some(format!(
            "{what}, and must name the columns: write category, name, min, max above the quotas and nothing above that"
        ))
    }

    /// Returns sentences on the roles of columns, if runs must be given them.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let line = |(role, name): &(QuotaRole, String)| {
            format!(
                "column `{name}` of the quotas: {} (otherwise: --columns NAME={0})",
                role.word()
            )
        };
        let mut lines: Vec<String> = self.of.iter().map(line).collect();
        let out = |name: &String| {
            format!("column `{name}` of the quotas: left out (otherwise: --columns NAME=ROLE)")
        };
        lines.extend(self.others.iter().map(out));
        lines
    }

    fn list(&self) -> String {
        let names = self.header.iter().map(|name| shown(name));
        names.collect::<Vec<_>>().join(", ")
    }
}

/// Returns true if a table is one of quotas and not of people. Its header then has the columns of
/// quotas, and most cells of the minimum are numbers.
#[must_use]
pub fn is_of_quotas(grid: &Grid) -> bool {
    let path = Path::new("");
    let columns = QuotaColumns::guess(path, &grid.rows[0], &[]).unwrap_or_default();
    if !columns.missing().is_empty() || columns.others.len() > columns.of.len() {
        return false;
    }
    let bound = columns
        .column(QuotaRole::Min)
        .or(columns.column(QuotaRole::Quota));
    let at = grid.rows[0]
        .cells
        .iter()
        .position(|cell| Some(&**cell) == bound);
    let cells = grid.rows[1..].iter().filter_map(|row| row.cells.get(at?));
    let (numbers, all) = cells.fold((0, 0), |(numbers, all), cell| {
        let begins = cell.starts_with(|c: char| c.is_ascii_digit());
        (numbers + usize::from(begins), all + 1)
    });
    all > 0 && numbers * 2 >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &str) -> GridRow {
        GridRow {
            line: 1,
            cells: cells.split(',').map(str::to_owned).collect(),
        }
    }

    fn guess(header: &str) -> QuotaColumns {
        QuotaColumns::guess(Path::new("q.csv"), &row(header), &[]).expect(header)
    }

    #[test]
    fn headers_in_other_languages_are_known() {
        for (header, due, known) in [
            ("category,name,min,max", "category name min max", true),
            (
                "Feature,Value,MIN,max,min_flex,max_flex",
                "Feature Value MIN max min_flex max_flex",
                true,
            ),
            ("category,feature,min,max", "category feature min max", true),
            ("Kategorie,Wert,Min,Max", "Kategorie Wert Min Max", false),
            (
                "Merkmal,Ausprägung,mindestens,höchstens",
                "Merkmal Ausprägung mindestens höchstens",
                false,
            ),
            ("Merkmal,Wert,von,bis", "Merkmal Wert von bis", false),
            (
                "Catégorie,Valeur,Minimum,Maximum",
                "Catégorie Valeur Minimum Maximum",
                false,
            ),
            ("Critère,Modalité,Nombre", "Critère Modalité Nombre", false),
            (
                "Categoría,Valor,Mínimo,Máximo",
                "Categoría Valor Mínimo Máximo",
                false,
            ),
            (
                "Categoria,Valore,Minimo,Massimo",
                "Categoria Valore Minimo Massimo",
                false,
            ),
            (
                "Kenmerk,Waarde,minstens,hoogstens",
                "Kenmerk Waarde minstens hoogstens",
                false,
            ),
            (
                "Merkmal,Gruppe,Soll,Bemerkung",
                "Merkmal Gruppe Soll",
                false,
            ),
        ] {
            let columns = guess(header);
            let found: Vec<&str> = columns.of.iter().map(|(_, name)| &**name).collect();
            assert_eq!(found.join(" "), due, "{header}");
            assert!(columns.missing().is_empty(), "{header}");
            assert_eq!(columns.are_known(), known, "{header}");
        }
    }

    #[test]
    fn what_is_not_known_is_asked_for() {
        let columns = guess("Topic,Wert,Min,Max");
        assert_eq!(columns.missing(), [QuotaRole::Category]);
        let said = columns.unknown(Path::new("q.csv"));
        assert_eq!(said.what, "no column of the quotas is known as category");
        let help = said.help.unwrap();
        assert!(help.contains("--columns Topic=category"), "{help}");
        let named = [("topic".to_owned(), QuotaRole::Category)];
        let columns = QuotaColumns::guess(Path::new("q.csv"), &row("Topic,Wert,Min,Max"), &named);
        assert_eq!(columns.unwrap().column(QuotaRole::Category), Some("Topic"));
        let named = [("Topik".to_owned(), QuotaRole::Category)];
        let wrong = QuotaColumns::guess(Path::new("q.csv"), &row("Topic,Wert,Min,Max"), &named);
        assert!(wrong.unwrap_err().to_string().contains("no column `Topik`"));
    }
}

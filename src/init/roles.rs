//! Guesses of what each column of a file is for, by its name and its cells.

use super::column::{Column, ColumnKind};
use super::sheet::Sheet;

/// Attributes that a config has at first: more make rare types that no target can be set for.
const MOST_ATTRIBUTES: usize = 6;

/// Features that a config has at first.
const MOST_FEATURES: usize = 20;

/// Names of columns that name people, the surest first.
const IDS: [&str; 14] = [
    "id",
    "uuid",
    "key",
    "nr",
    "no",
    "number",
    "code",
    "token",
    "user",
    "username",
    "email",
    "e-mail",
    "name",
    "full_name",
];

/// Names of columns that say what became of people.
const OUTCOMES: [&str; 22] = [
    "outcome",
    "label",
    "target",
    "y",
    "result",
    "hired",
    "admitted",
    "accepted",
    "repaid",
    "repayment",
    "paid",
    "default",
    "defaulted",
    "success",
    "passed",
    "graduated",
    "performance",
    "income",
    "salary",
    "class",
    "approved",
    "bar_passed",
];

/// Names of columns that hold a score.
const SCORES: [&str; 12] = [
    "score",
    "probability",
    "prob",
    "rating",
    "gpa",
    "grade",
    "points",
    "exam",
    "test",
    "utility",
    "merit",
    "lsat",
];

/// An attribute of people, from a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The column.
    pub column: usize,
    /// Names of ranges of its numbers, from and below; none where its values are names.
    pub bands: Vec<(String, f64, f64)>,
}

/// What the columns of a sheet are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
    /// The column that names people.
    pub id: Option<usize>,
    /// What people are grouped by.
    pub attributes: Vec<Attribute>,
    /// Numbers that say something of a person.
    pub numbers: Vec<usize>,
    /// What became of people.
    pub outcome: Option<usize>,
    /// A score of each.
    pub score: Option<usize>,
}

impl Roles {
    /// The roles that names and cells suggest.
    #[must_use]
    pub fn guess(sheet: &Sheet) -> Self {
        let columns = &sheet.columns;
        let id = id(sheet);
        let named = |names: &[&str], fits: fn(&Column) -> bool| {
            let mut found = names.iter().filter_map(|name| sheet.column(name));
            found.find(|at| Some(*at) != id && fits(&columns[*at]))
        };
        let outcome = named(&OUTCOMES, is_outcome);
        let score = named(&SCORES, |column| column.numbers().is_some());
        let score = score.filter(|at| Some(*at) != outcome);
        let free = |at: &usize| ![id, outcome, score].contains(&Some(*at));
        let all = || (0..columns.len()).filter(free);
        let numbers = all().filter(|at| columns[*at].numbers().is_some());
        let mut attributes: Vec<Attribute> = all()
            .filter_map(|at| attribute(at, &columns[at]))
            .take(MOST_ATTRIBUTES)
            .collect();
        if attributes.is_empty() {
            let mut banded = all().chain(score).filter_map(|at| thirds(at, &columns[at]));
            attributes.extend(banded.next());
        }
        Self {
            id,
            attributes,
            numbers: numbers.take(MOST_FEATURES).collect(),
            outcome,
            score,
        }
    }
}

impl Roles {
    /// The roles with some columns named by the user, which then have no other role.
    #[must_use]
    pub fn with(mut self, id: Option<usize>, outcome: Option<usize>, score: Option<usize>) -> Self {
        let named = [id, outcome, score];
        let is_named = |at: usize| named.contains(&Some(at));
        let free = |role: Option<usize>| role.filter(|at| !is_named(*at));
        (self.id, self.outcome, self.score) = (
            id.or(free(self.id)),
            outcome.or(free(self.outcome)),
            score.or(free(self.score)),
        );
        self.attributes
            .retain(|attribute| !is_named(attribute.column));
        self.numbers.retain(|at| !is_named(*at));
        self
    }
}

/// The column that names people: one whose cells all differ, by its name, else the first.
fn id(sheet: &Sheet) -> Option<usize> {
    let columns = &sheet.columns;
    let names_people = |at: &usize| match &columns[*at].kind {
        ColumnKind::Unique => columns[*at].blank == 0,
        ColumnKind::Numbers(all) => {
            columns[*at].blank == 0 && all.windows(2).all(|pair| pair[0] < pair[1])
        }
        _ => false,
    };
    let mut exact = IDS.iter().filter_map(|name| sheet.column(name));
    let ends_in_id = |at: &usize| columns[*at].name.to_lowercase().trim().ends_with("id");
    let is_unique = |at: &usize| columns[*at].kind == ColumnKind::Unique;
    exact
        .find(names_people)
        .or_else(|| (0..columns.len()).find(|at| ends_in_id(at) && names_people(at)))
        .or_else(|| (0..columns.len()).find(|at| is_unique(at) && names_people(at)))
}

fn is_outcome(column: &Column) -> bool {
    let two = column.categories().is_some_and(|values| values.len() == 2);
    two || column.numbers().is_some()
}

/// The attribute that a column makes by itself: a few values, or ages.
fn attribute(at: usize, column: &Column) -> Option<Attribute> {
    let bands = match &column.kind {
        ColumnKind::Categories(values) if values.len() > 1 => Vec::new(),
        ColumnKind::Numbers(ages) if is_age(&column.name, ages) => {
            let bounds = [0.0, 18.0, 35.0, 60.0, f64::INFINITY];
            let names = ["under 18", "18-34", "35-59", "60+"];
            let bands = names.into_iter().zip(bounds.windows(2));
            let inhabited =
                bands.filter(|(_, band)| ages.iter().any(|age| (band[0]..band[1]).contains(age)));
            let bands: Vec<_> = inhabited
                .map(|(name, band)| (name.to_owned(), band[0], band[1]))
                .collect();
            (bands.len() > 1).then_some(bands)?
        }
        _ => return None,
    };
    Some(Attribute { column: at, bands })
}

fn is_age(name: &str, numbers: &[f64]) -> bool {
    let name = name.trim().to_lowercase();
    let named = matches!(&*name, "age" | "alter" | "âge" | "edad" | "agep");
    let (least, greatest) = (numbers.first(), numbers.last());
    named && least >= Some(&0.0) && greatest <= Some(&120.0)
}

/// Numbers in three bands that hold about as many people each.
fn thirds(at: usize, column: &Column) -> Option<Attribute> {
    let numbers = column.numbers()?;
    let quantile = |third: usize| numbers[numbers.len() * third / 3];
    let (first, second) = (quantile(1), quantile(2));
    (numbers[0] < first && first < second).then(|| Attribute {
        column: at,
        bands: vec![
            ("low".into(), f64::NEG_INFINITY, first),
            ("middle".into(), first, second),
            ("high".into(), second, f64::INFINITY),
        ],
    })
}

//! The keys `utility`, `score` and `reviews` in `[source]`: utilities of people in a file, their
//! visible scores, and reviewers' scores.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::located::{find, loaded_or_note};
use super::memory::{self, FILE};
use crate::document::param::{Param, Shape, TEXTS};
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use crate::keys;
use kleroterion_io::people::reviews::{Review, ReviewColumns, reviews};
use kleroterion_io::people::table::sheet::Sheet;
use kleroterion_io::people::table::{NumberColumns, PeopleTable};
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::file::How;

pub(super) const UTILITY: ConfigKey<String> =
    ConfigKey::text("utility").about("the column of what people are worth");

pub(super) const SCORE: ConfigKey<String> =
    ConfigKey::text("score").about("the column of a score that policies see");

const PATH: ConfigKey<Later> = ConfigKey::later("path", FILE).needed_like("path = \"reviews.csv\"");

const APPLICANT: ConfigKey<String> = ConfigKey::text("applicant").or_word("applicant");

const REVIEW_SCORE: ConfigKey<String> = ConfigKey::text("score").or_word("score");

const REVIEWS_FILE: &[Param] = keys![PATH, APPLICANT, REVIEW_SCORE];

pub(super) const REVIEWS: ConfigKey<Later> = ConfigKey::later(
    "reviews",
    Shape::OneOf(&[TEXTS, Shape::Table(REVIEWS_FILE)]),
)
.about("what reviewers said: columns, or a file");

/// The keys of `[source]` on applicants.
pub(super) struct Applicants<'a> {
    utility: Option<String>,
    score: Option<String>,
    reviews: Option<Reviews<'a>>,
    /// True if no problem was found in these keys.
    is_sound: bool,
}

/// The place of the reviews.
enum Reviews<'a> {
    /// Columns of the people's own file.
    Columns(Vec<String>),
    /// A separate file with a review in each row.
    File {
        path: Field<'a>,
        id: String,
        reviews: Vec<Review>,
    },
}

/// Reads the keys, and the file of reviews where there is one.
pub(super) fn read<'a>(
    table: &mut Reader<'a>,
    reward: &Field<'_>,
    id: &Field<'_>,
    context: &Context<'_>,
) -> Applicants<'a> {
    let (utility, reviews) = (UTILITY.field(table), REVIEWS.field(table));
    let column = UTILITY.given(&utility);
    let is_doubled = utility.is_given() && reward.is_given();
    if is_doubled {
        utility.refuse(
            "`utility` and [source.reward] both say what people are worth",
            "keep one of them",
        );
    }
    let score = SCORE.read(table);
    let reviews = reviews.optional(|reviews| match reviews.value()? {
        Value::List(_) => columns(reviews, column.as_ref().is()),
        Value::Table(_) => file(reviews, id, context),
        _ => reviews.expected(
            "a list of columns, [\"first_review\", \"second_review\"], \
             or a file, { path = \"reviews.csv\" },",
        ),
    });
    Applicants {
        is_sound: !(is_doubled || column.is_bad() || score.is_bad() || reviews.is_bad()),
        utility: column.is(),
        score: score.is(),
        reviews: reviews.is(),
    }
}

fn columns<'a>(field: &Field<'a>, utility: Option<&String>) -> Option<Reviews<'a>> {
    let mut known = BTreeSet::new();
    let columns = field.each(|member| {
        let column = member.text()?;
        if utility.is_some_and(|utility| utility == column) {
            return member.refused(
                "the utility's own column is among the reviews: the first look would \
                 tell the utility",
                "leave it out, or take another column for the utility",
            );
        }
        if !known.insert(column) {
            return member.refused(
                format!("the column {column} is among the reviews twice"),
                "name each column once",
            );
        }
        Some(column.to_owned())
    })?;
    if columns.is_empty() {
        return field.refused(
            "the reviews name no column",
            "for example: reviews = [\"first_review\", \"second_review\"]",
        );
    }
    Some(Reviews::Columns(columns))
}

fn file<'a>(field: &Field<'a>, id: &Field<'_>, context: &Context<'_>) -> Option<Reviews<'a>> {
    let mut table = field.table_of(REVIEWS_FILE)?;
    let path = PATH.field(&mut table);
    let (applicant, score) = (APPLICANT.value(&mut table), REVIEW_SCORE.value(&mut table));
    table.finish();
    if !id.is_given() {
        field.refuse(
            "a file of reviews names whom they are of, and [source] does not say which \
             column names its people",
            "for example: id = \"applicant\" in [source]",
        );
    }
    let found = find(&path, None, context.inputs);
    let columns = ReviewColumns {
        applicant: (&applicant?, "`applicant` of `reviews`"),
        kind: None,
        score: (&score?, "`score` of `reviews`"),
        cost: None,
    };
    let found = found?;
    let how = found.how(How::default());
    let sheet = loaded_or_note(Sheet::open(&found.path, "each review", &how), &path)?;
    let reviews = loaded_or_note(reviews(sheet, &columns), &path)?;
    Some(Reviews::File {
        path,
        id: id.text()?.to_owned(),
        reviews,
    })
}

impl Applicants<'_> {
    /// Asks for the columns of the people's own file that are needed.
    pub(super) fn ask(&self, numbers: &mut NumberColumns) {
        numbers.utility.clone_from(&self.utility);
        numbers.score.clone_from(&self.score);
        if let Some(Reviews::Columns(columns)) = &self.reviews {
            numbers.reviews.clone_from(columns);
        }
    }

    /// Returns the reviewers' scores of each row, in their order, and notes on them. There are no
    /// rows if the config names no reviews.
    pub(super) fn records(&self, people: &PeopleTable) -> Option<(Vec<Vec<f64>>, Vec<String>)> {
        if !self.is_sound {
            return None;
        }
        let (records, left_out) = match &self.reviews {
            None => return Some((Vec::new(), Vec::new())),
            Some(Reviews::Columns(_)) => (people.numbers.records.clone(), None),
            Some(Reviews::File { path, id, reviews }) => matched(path, id, reviews, people)?,
        };
        let scores: usize = records.iter().map(Vec::len).sum();
        let reviewed = records.iter().filter(|record| !record.is_empty()).count();
        let note = format!(
            "recorded scores: {scores}, of {reviewed} of the {} people",
            records.len()
        );
        Some((records, [note].into_iter().chain(left_out).collect()))
    }
}

/// The scores of each row by its id, and whose were left out; that no row has such an id is noted.
fn matched(
    path: &Field<'_>,
    id: &str,
    reviews: &[Review],
    people: &PeopleTable,
) -> Option<(Vec<Vec<f64>>, Option<String>)> {
    let rows: BTreeMap<_, _> = (0..people.len()).map(|row| (people.id(row), row)).collect();
    let mut records = vec![Vec::new(); people.len()];
    let (mut strangers, mut left_out) = (BTreeSet::new(), 0_u64);
    for review in reviews {
        match rows.get(review.applicant.as_str()) {
            Some(row) => records[*row].push(review.score),
            None => {
                strangers.insert(&review.applicant);
                left_out += 1;
            }
        }
    }
    let written = memory::called(path);
    if left_out == reviews.len() as u64 {
        return path.refused(
            format!("no review in {written} is of anyone among the rows kept"),
            format!(
                "the applicants there must be spelt as `{id}` spells them: {} there, {} here",
                shown(&reviews[0].applicant),
                shown(&people.id(0))
            ),
        );
    }
    let note = format!(
        "{written}: reviews left out since their applicants are not among the rows \
         kept: {left_out} (applicants: {})",
        strangers.len()
    );
    Some((records, (left_out > 0).then_some(note)))
}

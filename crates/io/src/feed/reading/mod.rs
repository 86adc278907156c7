//! Reading a record by the declarations of a run.
//!
//! ```
//! use kleroterion_io::feed::{Read, Reading, ReadingSpec};
//! use kleroterion_io::record::{AttributeSpec, Levels};
//!
//! let sex = vec![("1".into(), "male".into()), ("2".into(), "female".into())];
//! let reading = Reading::new(ReadingSpec {
//!     attributes: vec![AttributeSpec {
//!         name: "sex".into(),
//!         column: "SEX".into(),
//!         levels: Levels::values(sex).unwrap(),
//!     }],
//!     ..ReadingSpec::default()
//! })?;
//! let Read::Candidate(anna) = reading.json(r#"{"id": "anna", "SEX": 2}"#, 1)? else { panic!() };
//! assert_eq!((&*anna.id, &*anna.values), ("anna", &[1][..]));
//! let Read::Candidate(bert) = reading.json(r#"{"Sex": 1}"#, 2)? else { panic!() };
//! assert_eq!((&*bert.id, &*bert.values), ("2", &[0][..]));
//! assert_eq!(reading.json(r#"{"sx": 2}"#, 3).unwrap_err(),
//!     "there is no `SEX`, which gives the attribute `sex`; did you mean `sx`?");
//! # Ok::<(), String>(())
//! ```

mod cells;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::cells::Cells;
use super::items::{CandidateRecord, Naming};
use super::rows::ColumnUse;
use crate::limits::LONGEST_ID;
use crate::record::alike::alike;
use crate::record::cell::{number, shown};
use crate::record::coder::{CellRefusal, Coder};
use crate::record::fold;
use crate::record::json::Record;
use crate::record::{AttributeSpec, Clause, Codec, Filter, Span, Spans};
use kleroterion_core::protocol::{Attribute, Schema};

/// The most cells of an attribute that an error lists.
const LISTED: usize = 12;

/// The parts of each record that a run reads. A *column* is looked up among the record's members,
/// then in its `groups`, then in its `features`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadingSpec {
    /// The attributes, each with its column and its known values.
    pub attributes: Vec<AttributeSpec>,
    /// The filters of the config's `where`; a record that fails one is left out.
    pub filters: Vec<Filter>,
    /// The column of ids, required in each record. If it is `None`, the id is the member `id`, else
    /// that of the envelope (see [`Reading::json`]), else the record's number.
    pub id: Option<String>,
    /// The columns that together name a household; empty if households do not matter.
    pub unique: Vec<String>,
    /// True if the features begin with a constant 1.
    pub constant: bool,
    /// The columns of numbers, each a feature.
    pub numeric: Vec<String>,
    /// The declared ranges of the numeric columns.
    pub spans: Spans,
    /// The value of a numeric column where the record has no finite number there. `None` makes this
    /// an error.
    pub missing: Option<f64>,
    /// The attributes, by index, whose values become features: 1 for candidates with the value, 0
    /// for others.
    pub one_hot: Vec<usize>,
    /// The column of scores.
    pub score: Option<String>,
}

impl ReadingSpec {
    /// Iterates over the columns that are looked up, except the column of ids; some come more than
    /// once.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let attributes = self.attributes.iter().map(|attribute| &attribute.column);
        let of_numbers = self.numeric.iter().chain(&self.score);
        let named = attributes.chain(of_numbers).chain(&self.unique);
        let filters = self.filters.iter().flat_map(|filter| filter.clauses());
        named.map(String::as_str).chain(filters.map(Clause::column))
    }

    /// Returns the use of a column.
    pub(crate) fn use_of(&self, name: &str) -> ColumnUse {
        let id = self.id.as_deref().unwrap_or("id");
        let bands = self
            .attributes
            .iter()
            .filter(|one| one.levels.ends().next().is_some());
        let clauses = self.filters.iter().flat_map(|filter| filter.clauses());
        let clauses = clauses.filter(|clause| clause.is_of_numbers());
        let numbers = self.numeric.iter().chain(&self.score).map(String::as_str);
        let mut numbers = numbers
            .chain(bands.map(|one| one.column.as_str()))
            .chain(clauses.map(Clause::column));
        if numbers.any(|column| alike(column, name)) {
            return ColumnUse::Number;
        }
        match alike(id, name) || self.columns().any(|column| alike(column, name)) {
            true => ColumnUse::Text,
            false => ColumnUse::None,
        }
    }
}

/// Reads records against the attributes, features and score that a run declares.
#[derive(Clone, Debug)]
pub struct Reading {
    schema: Arc<Schema>,
    spec: ReadingSpec,
    codec: Codec,
}

/// A record that could be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// A candidate.
    Candidate(CandidateRecord),
    /// A record left out by the config's `where`.
    LeftOut,
}

impl Reading {
    /// Creates a reading of records by a spec.
    ///
    /// # Errors
    /// An attribute whose values would be known only once all records have been read; more than
    /// 2^32 - 1 combinations of values.
    pub fn new(mut spec: ReadingSpec) -> Result<Self, String> {
        let attributes = spec.attributes.iter().map(|attribute| {
            let values = attribute.levels.names().ok_or_else(|| {
                format!(
                    "the values of `{}` must be known before anyone comes: give it `values` or \
                     `bands`",
                    attribute.name
                )
            })?;
            Ok(Attribute {
                name: attribute.name.clone(),
                values: values.to_vec(),
            })
        });
        let attributes = attributes.collect::<Result<Vec<_>, String>>()?;
        let constant = spec.constant.then(|| "constant".to_owned());
        let levels = spec.one_hot.iter().flat_map(|at| {
            let Attribute { name, values } = &attributes[*at];
            values.iter().map(move |value| format!("{name}={value}"))
        });
        let features = constant.into_iter().chain(spec.numeric.iter().cloned());
        let features: Vec<String> = features.chain(levels).collect();
        let schema = Schema::new(attributes, features, spec.score.is_some());
        let schema = Arc::new(schema.map_err(|error| error.to_string())?);
        // Otherwise a record whose number is written into it would read differently the second
        // time.
        if spec.columns().any(|column| column == "id") {
            spec.id.get_or_insert_with(|| "id".to_owned());
        }
        Ok(Self {
            schema,
            spec,
            codec: Codec::Json,
        })
    }

    /// Returns the same reading for records in another format.
    #[must_use]
    pub fn coded(self, codec: Codec) -> Self {
        Self { codec, ..self }
    }

    /// The format of lines: JSON unless the config says otherwise. A request names the format of
    /// its own body.
    #[must_use]
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// Returns the schema of the candidates read.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The spec of this reading.
    #[must_use]
    pub fn spec(&self) -> &ReadingSpec {
        &self.spec
    }

    /// Reads one JSON record; `number`: which record of its feed it is, from 1, its name where it
    /// has none of its own. A CloudEvents envelope (with a member `specversion`) is unwrapped.
    /// Where its `data` has an `id` (or the column that names people), that names the person, and
    /// the envelope's `id` and `source` are the message's alone. Else the person is called `SOURCE
    /// ID`: the envelope's `source`, a blank, its `id` (the `id` alone where there is no source).
    /// Outcomes refer to the person by that name.
    ///
    /// # Errors
    /// All that is wrong with it, with places.
    pub fn json(&self, text: &str, number: u64) -> Result<Read, String> {
        let record = Record::parse(text).map_err(|fault| fault.line())?;
        let mut cells = Cells::new(&record);
        let mut kept = true;
        for filter in &self.spec.filters {
            let clauses = filter.clauses().iter();
            let found: Vec<_> = clauses
                .map(|clause| cells.get(clause.column()).unwrap_or_default())
                .collect();
            kept &= filter.holds(|clause| &found[clause]);
        }
        cells.check()?;
        if !kept {
            return Ok(Read::LeftOut);
        }
        let values = self.values(&mut cells);
        let features = self.features(&values, &mut cells);
        let score = self.score(&mut cells);
        let (id, naming) = self.id(&mut cells, number);
        let household = self.household(&mut cells);
        cells.check()?;
        let name = record
            .enveloped()
            .or(self.spec.id.is_none().then_some(id.as_str()));
        let record = record.compact(name);
        Ok(Read::Candidate(CandidateRecord {
            id: id.into(),
            naming,
            line: 0,
            values,
            features,
            score,
            household,
            record,
        }))
    }

    fn values(&self, cells: &mut Cells<'_>) -> Vec<u16> {
        let mut values = Vec::with_capacity(self.spec.attributes.len());
        for attribute in &self.spec.attributes {
            let AttributeSpec {
                name,
                column,
                levels,
            } = attribute;
            let user = || format!("gives the attribute `{name}`");
            let Some(cell) = cells.need(column, user) else {
                continue;
            };
            let mut coder = Coder::new(levels);
            match coder.code(&cell) {
                Ok(value) => values.push(value),
                Err(refusal) => {
                    let (mut what, _) = coder.explain(attribute, &cell, refusal);
                    if refusal == CellRefusal::Unlisted {
                        let listed: Vec<_> = levels.cells().take(LISTED + 1).map(shown).collect();
                        let more = if listed.len() > LISTED { ", …" } else { "" };
                        let listed = &listed[..listed.len().min(LISTED)];
                        what += &format!(": {}{more}", listed.join(", "));
                    }
                    cells.refuse(what);
                }
            }
        }
        values
    }

    /// Returns the features of a record. `values` are the attribute values as read; after a refusal
    /// some are missing, which does not matter.
    fn features(&self, values: &[u16], cells: &mut Cells<'_>) -> Vec<f64> {
        let spec = &self.spec;
        let mut features = Vec::with_capacity(self.schema.features().len());
        features.extend(spec.constant.then_some(1.0));
        for column in &spec.numeric {
            let span = spec.spans.of(column);
            let found = match spec.missing {
                Some(missing) => {
                    let cell = cells.get(column).filter(|cell| number(cell).is_some());
                    match cell {
                        Some(cell) => cells.stated(&cell, column, span),
                        None => Some(missing),
                    }
                }
                None => cells.number(column, || "is a feature".to_owned(), span),
            };
            features.extend(found);
        }
        for at in &spec.one_hot {
            let levels = self.schema.attributes()[*at].values.len();
            let own = values.get(*at).map(|value| usize::from(*value));
            features.extend((0..levels).map(|level| f64::from(u8::from(own == Some(level)))));
        }
        features
    }

    fn score(&self, cells: &mut Cells<'_>) -> Option<f64> {
        let column = self.spec.score.as_ref()?;
        cells.number(column, || "is the score".to_owned(), Span::SAFE)
    }

    fn id(&self, cells: &mut Cells<'_>, number: u64) -> (String, Naming) {
        let column = self.spec.id.as_deref();
        let found = match column {
            Some(column) => cells.need(column, || "names the person".to_owned()),
            None => cells.get("id"),
        };
        let Some(id) = found else {
            return (number.to_string(), Naming::Number);
        };
        let column = column.unwrap_or("id");
        match id.chars().count() {
            0 => cells.refuse(format!("the id in `{column}` is empty")),
            1..=LONGEST_ID => {}
            length => cells.refuse(format!(
                "the id in `{column}` has {length} characters, of at most {LONGEST_ID}"
            )),
        }
        (id.into_owned(), Naming::Own)
    }

    /// Returns the household's name: its folded cells as a JSON list. Returns `None` if households
    /// do not matter, or all cells are blank.
    fn household(&self, cells: &mut Cells<'_>) -> Option<Box<str>> {
        if self.spec.unique.is_empty() {
            return None;
        }
        let plain = |column: &String| {
            let cell = cells.get(column);
            cell.map_or(String::new(), |cell| fold(&cell))
        };
        let names: Vec<String> = self.spec.unique.iter().map(plain).collect();
        if names.iter().all(String::is_empty) {
            return Some("".into());
        }
        let text = serde_json::to_string(&names).expect("texts are JSON");
        Some(text.into())
    }
}

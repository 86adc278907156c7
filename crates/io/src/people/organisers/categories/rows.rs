//! From the rows of a categories file to attributes and their values.

use super::category::{Category, CategoryValue};
use crate::people::organisers::FlexibleQuota;
use crate::people::organisers::quota_columns::{Column, Fields, QuotaColumns};
use crate::people::organisers::quota_header::named_columns;
use crate::people::organisers::quota_said::Said;
use crate::people::organisers::{QuotaNames, QuotaSpec};
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::{At, ProblemKind, ProblemTally};
use crate::record::cell::shown;
use crate::record::fault::FaultKind;
use crate::record::fold;
use crate::record::plain::is_total;
use kleroterion_core::protocol::Quota;

/// The dialects: the columns of attributes and of their values.
const DIALECTS: [(&str, &str); 3] = [
    ("feature", "value"),
    ("category", "name"),
    ("category", "feature"),
];

/// The columns that matter; nothing for those that are missing or there twice.
#[derive(Default)]
pub(super) struct Columns {
    attribute: Option<Column>,
    value: Option<Column>,
    quotas: QuotaColumns,
    fields: Fields,
}

/// An attribute as far as it has been read.
pub(super) struct Listed {
    pub(super) name: String,
    /// The line of its first row.
    pub(super) line: u64,
    /// Each value, its line, and its quota where the row makes sense.
    pub(super) values: Vec<(String, u64, Option<FlexibleQuota>)>,
}

impl Columns {
    /// The columns by the header, or by the names that are given; those that are missing or there
    /// twice are noted.
    pub(super) fn find(sheet: &mut Sheet, spec: &QuotaSpec) -> Self {
        let QuotaNames { category, name, .. } = &spec.columns;
        let has = |name| sheet.find(name).is_some();
        let whole = DIALECTS.into_iter().find(|(a, v)| has(a) && has(v));
        let dialect = whole.or_else(|| DIALECTS.into_iter().find(|(a, v)| has(a) || has(v)));
        let named = category.as_deref().zip(name.as_deref());
        let half = |(a, v)| {
            (
                category.as_deref().unwrap_or(a),
                name.as_deref().unwrap_or(v),
            )
        };
        let is_half = category.is_some() || name.is_some();
        let dialect = dialect.or(is_half.then_some(DIALECTS[1])).map(half);
        let mut columns = Self::default();
        let fields = &mut columns.fields;
        if let Some((attribute, value)) = named.or(dialect) {
            columns.attribute = fields.need(sheet, attribute, "the attributes");
            columns.value = fields.need(sheet, value, "the attributes' values");
        } else {
            let at = At {
                line: sheet.header_line(),
                column: None,
            };
            let help = named_columns(sheet).unwrap_or_else(|| sheet.advice("feature"));
            sheet
                .tally
                .note(ProblemKind::Shape(FaultKind::Columns), at, || {
                    let what = "the header has neither `feature,value` nor `category,name` nor \
                            `category,feature`";
                    (what.into(), help)
                });
        }
        columns.quotas = QuotaColumns::find(fields, sheet, spec);
        columns
    }

    /// Learns from all rows what a number in them means.
    pub(super) fn learn(&mut self, rows: &[SheetRow]) {
        self.quotas.learn(rows);
    }

    /// The columns of quotas.
    pub(super) fn quotas(&self) -> &QuotaColumns {
        &self.quotas
    }

    /// The attribute of a row's value, `above` where the cell is blank, as merged cells are;
    /// nothing of rows of sums and of rows that name no value, which is said.
    fn category<'r>(
        &self,
        row: &'r SheetRow,
        attribute: &Column,
        above: &'r str,
        tally: &mut ProblemTally,
        said: &mut Said,
    ) -> Option<&'r str> {
        let value = self.value.as_ref().map_or("", |column| column.cell(row));
        match attribute.cell(row) {
            cell if is_total(value) || (value.is_empty() && is_total(cell)) => {
                said.sums.push(row.line);
                None
            }
            "" if value.is_empty() => {
                let nameless = (!self.quotas.are_blank(row)).then_some(row.line);
                said.nameless.extend(nameless);
                None
            }
            "" if above.is_empty() => {
                let value = shown(value);
                let what = format!("the category of {value} is blank, and no row above has one");
                attribute.note(row, tally, what, "write it into the row");
                None
            }
            "" => {
                said.merged.push(row.line);
                Some(above)
            }
            cell => Some(cell),
        }
    }

    /// The fields in the order in which [`read`] takes a row's cells.
    pub(super) fn fields(&self) -> &[usize] {
        &self.fields.0
    }
}

/// The attributes of all rows, in the order of first mention; none where no column names them.
///
/// With what is to be said of them; `is_exact`: whether each letter of values matters.
pub(super) fn read(
    rows: &[SheetRow],
    columns: &Columns,
    is_exact: bool,
    tally: &mut ProblemTally,
) -> (Vec<Listed>, Said) {
    let mut listed: Vec<Listed> = Vec::new();
    let mut said = Said::default();
    let Some(attribute) = &columns.attribute else {
        return (listed, said);
    };
    let mut above = "";
    for row in rows {
        let of = columns.value.as_ref().map_or("", |column| column.cell(row));
        let Some(name) = columns.category(row, attribute, above, tally, &mut said) else {
            continue;
        };
        above = name;
        let mut quota = columns.quotas.read(row, of, tally, &mut said);
        let Some(column) = &columns.value else {
            continue;
        };
        let found = listed.iter().position(|l| fold(&l.name) == fold(name));
        let index = found.unwrap_or_else(|| {
            listed.push(Listed {
                name: name.to_owned(),
                line: row.line,
                values: Vec::new(),
            });
            listed.len() - 1
        });
        let attribute = &mut listed[index];
        let value = column.cell(row);
        let mut refuse = |what: String, help: &str| {
            column.note(row, tally, what, help);
            quota = None;
        };
        let same = |(known, ..): &&(String, u64, _)| match is_exact {
            true => known == value,
            false => fold(known) == fold(value),
        };
        if value.is_empty() {
            let what = format!(
                "the value of `{}` in `{}` is blank",
                attribute.name,
                column.name()
            );
            refuse(what, "name the value, or leave out the row");
        } else if let Some((_, line, _)) = attribute.values.iter().find(same) {
            let (value, name) = (shown(value), &attribute.name);
            let what = format!("the value {value} of `{name}` is on line {line} already");
            let help = "keep one row a value; case and blanks make no difference";
            refuse(what, help);
        }
        attribute.values.push((value.to_owned(), row.line, quota));
    }
    (listed, said)
}

impl Listed {
    /// The quotas of all values; nothing where one could not be read.
    pub(super) fn quotas(&self) -> Option<Vec<Quota>> {
        let quotas = self.values.iter();
        quotas
            .map(|(_, _, quota)| Some(quota.as_ref()?.quota))
            .collect()
    }

    /// The flexible quotas of all values; nothing where one could not be read.
    pub(super) fn flexible(&self) -> Option<Vec<Quota>> {
        let quotas = self.values.iter();
        quotas
            .map(|(_, _, quota)| Some(quota.as_ref()?.flexible))
            .collect()
    }

    /// The attribute; values without a quota, which are noted, are left out.
    pub(super) fn finish(self) -> Category {
        let values = self.values.into_iter();
        let values = values.filter_map(|(name, line, quota)| {
            let FlexibleQuota {
                quota,
                flexible,
                is_unbounded,
            } = quota?;
            Some(CategoryValue {
                is_unbounded,
                name,
                line,
                quota,
                flexible,
            })
        });
        Category {
            name: self.name,
            values: values.collect(),
        }
    }
}

//! From the rows of a categories file to attributes and their values.

use crate::people::organisers::FlexibleQuota;
use crate::people::organisers::quota_columns::{Column, Fields, QuotaColumns};
use crate::people::organisers::quota_header::{DIALECTS, named_columns};
use crate::people::organisers::quota_said::Said;
use crate::people::organisers::{QuotaNames, QuotaSpec};
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::ProblemTally;
use crate::record::cell::shown;
use crate::record::fold;
use crate::record::plain::is_total;
use kleroterion_core::protocol::Quota;

/// The columns that matter; nothing for those that are missing or there twice.
#[derive(Default)]
pub(super) struct Columns {
    attribute: Option<Column>,
    value: Option<Column>,
    pub(super) quotas: QuotaColumns,
}

/// An attribute of a categories file. It has at least one value, and one with a maximum above 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// The name as first spelt in the file.
    pub name: String,
    /// The values in the order of the file.
    pub values: Vec<CategoryValue>,
}

/// A value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryValue {
    /// The name as spelt in the file.
    pub name: String,
    /// The line of the file, from 1.
    pub line: u64,
    /// The fewest and the most members with the value; both may be 0.
    pub quota: Quota,
    /// The bounds within which the quota may be relaxed if no committee keeps all quotas. Equal to
    /// the quota if the file gives none.
    pub flexible: Quota,
    /// True if the file gives no maximum, so that the maximum is the committee's size.
    pub is_unbounded: bool,
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
        let mut fields = Fields::default();
        if let Some((attribute, value)) = named.or(dialect) {
            columns.attribute = fields.need(sheet, attribute, "the attributes");
            columns.value = fields.need(sheet, value, "the attributes' values");
        } else {
            let help = named_columns(sheet).unwrap_or_else(|| sheet.advice("feature"));
            let what = "the header has neither `feature,value` nor `category,name` nor \
                        `category,feature`";
            sheet.note_header(what, help);
        }
        columns.quotas = QuotaColumns::find(fields, sheet, spec);
        columns
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

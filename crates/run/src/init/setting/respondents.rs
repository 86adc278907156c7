//! The first config of a committee of known respondents, chosen by an organiser's quotas.

use super::committee::{can_fill, unique};
use super::people;
use super::wishes::{QuotaWishes, Wishes};
use crate::init::draft::{Draft, table, text};
use crate::init::names::same;
use kleroterion_core::problem::Problem;
use kleroterion_io::people::organisers::Categories;

pub(super) fn write(
    draft: &mut Draft,
    wishes: &Wishes<'_>,
    quotas: QuotaWishes<'_>,
) -> Result<(), Problem> {
    draft.key("replications", "1000", "how often the rules are played");
    let places = match wishes.places {
        Some(places) => places,
        None => size(draft, quotas.categories),
    };
    can_fill(wishes, places)?;
    source(draft, wishes, quotas);
    target(draft, quotas);
    draft.assume("the target is the midpoint of each quota");
    draft.assume("which letters bring volunteers is not known, so letters are not counted; set volunteering_rate in [source]");
    let unique = unique(draft, wishes);
    let values = [("places", &*places.to_string()), ("unique", &unique)];
    draft.rest(include_str!("../template/respondents.toml"), &values);
    Ok(())
}

/// Writes who they are, and the ranges of numbers that the quotas name.
fn source(draft: &mut Draft, wishes: &Wishes<'_>, quotas: QuotaWishes<'_>) {
    draft.section("[source]");
    draft.key(
        "type",
        &text("respondents"),
        "volunteers, each of whom can be accepted once",
    );
    people::file(draft, wishes);
    draft.key(
        "order",
        &text("shuffled"),
        "people come in an order drawn anew in each replication",
    );
    let attributes = wishes.roles.attributes();
    let banded = attributes
        .iter()
        .filter(|attribute| !attribute.bands.is_empty());
    let banded = banded.filter_map(|attribute| {
        let column = &wishes.sheet.columns[attribute.column];
        let mut categories = quotas.categories.attributes().iter();
        let category = categories.find(|known| same(&known.name, &column.name))?;
        Some((category.name.clone(), people::bands(&attribute.bands)))
    });
    let banded: Vec<(String, String)> = banded.collect();
    if !banded.is_empty() {
        draft.key(
            "bands",
            &table(banded),
            "the numbers of each value, [from, below)",
        );
    }
}

/// Writes how many members may have each value.
fn target(draft: &mut Draft, quotas: QuotaWishes<'_>) {
    draft.section("[target]");
    draft.key(
        "categories",
        &text(quotas.path),
        "how many members may have each value",
    );
    if let Some(sheet) = quotas.sheet {
        draft.key("sheet", &text(sheet), "the sheet of the workbook");
    }
    if !quotas.columns.are_known() {
        let of = quotas.columns.of.iter();
        let entry = of.map(|(role, name)| (role.word().to_owned(), text(name)));
        draft.key(
            "columns",
            &table(entry),
            "which column of the quotas is which",
        );
    }
}

/// The committee's size that the quotas of all attributes allow.
fn size(draft: &mut Draft, quotas: &Categories) -> u64 {
    let sums = quotas.quotas().into_iter().map(|values| {
        let least: u64 = values.iter().map(|quota| u64::from(quota.min)).sum();
        let most: u64 = values.iter().map(|quota| u64::from(quota.max)).sum();
        (least, most)
    });
    let (least, most) = sums.fold((0, u64::MAX), |(a, b), (least, most)| {
        (a.max(least), b.min(most))
    });
    // A value without a maximum leaves the size open.
    if most >= u64::from(u32::MAX) {
        draft.assume(format!(
            "the committee has {least} members; the quotas allow more (otherwise: --places N)"
        ));
        return least;
    }
    let middle = least.midpoint(most);
    if least < most {
        draft.assume(format!(
            "the committee has {middle} members; the quotas allow {least} to {most} (otherwise: --places N)"
        ));
    }
    middle
}

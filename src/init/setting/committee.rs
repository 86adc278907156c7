//! A committee of people who come one by one.

use super::people;
use super::wishes::Wishes;
use crate::init::column::Column;
use crate::init::draft::{Draft, key, table, text};
use crate::init::roles::Attribute;
use crate::init::sheet::problem;
use crate::problem::Problem;
use crate::source::organisers::Categories;

/// A rule for respondents who are known beforehand.
const LOTTERY: &str = r#"
[[policy]]
label = "lottery"
kind = "leximin"                            # a lottery over panels that is fair to who has least
"#;

/// The most respondents for whom a first config has it: with more it takes long to compute.
const MOST_OF_A_LOTTERY: usize = 1_000;

pub(super) fn write(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<(), Problem> {
    draft.key("replications", "200", "how often the stream is drawn anew");
    let places = match wishes.quotas {
        Some(quotas) => respondents(draft, wishes, quotas)?,
        None => by_shares(draft, wishes)?,
    };
    let (judge, bound) = match wishes.quotas {
        Some(_) => (
            r#"["quotas_kept", "seats_off", "selection_rate"]"#,
            r#"{ quotas_kept = ">= 0.95" }"#,
        ),
        None => (
            r#"["representation_loss", "selection_rate"]"#,
            r#"{ representation_loss = "<= 0.1" }"#,
        ),
    };
    let lottery = match wishes.quotas {
        Some(_) if wishes.sheet.people <= MOST_OF_A_LOTTERY => LOTTERY,
        _ => "",
    };
    let places = places.to_string();
    let values = [
        ("places", &*places),
        ("lottery", lottery),
        ("judge", judge),
        ("bound", bound),
    ];
    draft.rest(include_str!("../template/committee.toml"), &values);
    Ok(())
}

/// The two files of an organiser.
fn respondents(
    draft: &mut Draft,
    wishes: &Wishes<'_>,
    quotas: &Categories,
) -> Result<u64, Problem> {
    let (sheet, roles) = (wishes.sheet, wishes.roles);
    let places = match wishes.places {
        Some(places) => places,
        None => size(draft, quotas),
    };
    let people = sheet.people as u64;
    if places > people {
        let what = format!("{people} people can't fill a committee of {places}");
        return Err(
            problem(&sheet.path, what).help("lower the quotas, or name a file with more people")
        );
    }
    draft.section("[source]");
    draft.key(
        "type",
        &text("respondents"),
        "volunteers, each of whom can be accepted once",
    );
    draft.key(
        "path",
        &text(wishes.people),
        "the file, looked for next to this config",
    );
    if let Some(id) = roles.id {
        draft.key(
            "id",
            &text(&sheet.columns[id].name),
            "the column that names people",
        );
    }
    draft.key(
        "order",
        &text("shuffled"),
        "people come in an order drawn anew in each replication",
    );
    draft.section("[target]");
    draft.key(
        "categories",
        &text(wishes.quotas_path),
        "how many members may have each value",
    );
    draft.assume("the target is the midpoint of each quota");
    draft.assume("which letters bring volunteers is not known, so letters are not counted; set volunteering_rate in [source]");
    Ok(places)
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
    let middle = least.midpoint(most);
    if least < most {
        draft.assume(format!(
            "the committee has {middle} members; the quotas allow {least} to {most}"
        ));
    }
    middle
}

/// A target equal to the shares of the file.
fn by_shares(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<u64, Problem> {
    let people = wishes.sheet.people as u64;
    let places = wishes.places.unwrap_or_else(|| (people / 5).clamp(1, 40));
    if places > people {
        let what = format!("{people} people can't fill a committee of {places}");
        return Err(problem(&wishes.sheet.path, what)
            .help("ask for fewer places, or name a file with more people"));
    }
    people::write(
        draft,
        wishes,
        (
            "shuffled",
            "each person once, in an order drawn anew in each replication",
        ),
        |_| {},
    )?;
    draft.section("[target]");
    draft.comment("The share of the committee that each value is to have; the shares of an attribute sum to 1.");
    for attribute in &wishes.roles.attributes {
        let column = &wishes.sheet.columns[attribute.column];
        let shares = shares(&counted(attribute, column));
        draft.key(
            &key(&people::name(column)),
            &table(shares),
            "as in the file",
        );
    }
    draft
        .assume("the target is the share of each value in the file; write those of the population");
    if wishes.places.is_none() {
        draft.assume(format!("{places} are chosen of {people}"));
    }
    Ok(places)
}

/// The values of an attribute and how many people have each.
fn counted(attribute: &Attribute, column: &Column) -> Vec<(String, usize)> {
    match column.categories() {
        Some(values) => values.to_vec(),
        None => {
            let numbers = column.numbers().unwrap_or_default();
            let band = |(name, from, below): &(String, f64, f64)| {
                let inside = numbers.iter().filter(|n| (*from..*below).contains(*n));
                (name.clone(), inside.count())
            };
            attribute.bands.iter().map(band).collect()
        }
    }
}

/// The share of each value, unrounded: values that always go together would rule each other out.
fn shares(counted: &[(String, usize)]) -> Vec<(String, String)> {
    let all: usize = counted.iter().map(|(_, n)| n).sum();
    let share =
        |(name, n): &(String, usize)| (name.clone(), format!("{:?}", *n as f64 / all as f64));
    counted.iter().map(share).collect()
}

//! The first config of a live run, whose people come from outside.

use super::choice::Setting;
use super::cohort;
use super::merit::{features, good, grouped, missing, numbers, outcome};
use super::people::{described, name};
use super::wishes::Wishes;
use crate::init::draft::{Draft, key, number, table, text};
use crate::init::outcome::OutcomeForm;
use crate::init::role::AttributeColumn;
use kleroterion_core::problem::Problem;

/// The way in which people's records arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doorway {
    /// Records posted to an address.
    Http,
    /// Records on the standard input, one a line.
    Stdin,
    /// Records over a TCP connection, one a line.
    Tcp,
}

/// An attribute: its name in a config, its values or bands there, and their names.
struct Group {
    name: String,
    described: String,
    values: Vec<String>,
}

/// Attributes and their values where no sample of people shows them.
const PLACEHOLDERS: [(&str, &[&str]); 2] = [
    ("gender", &["F", "M", "X"]),
    ("age", &["18-34", "35-59", "60+"]),
];

/// Writes the config of a live run. Its records hold what a sample of people has: attributes,
/// numbers, score, and an outcome if there is one.
///
/// # Errors
/// Where the sample lacks what the setting needs.
pub fn live(
    doorway: Doorway,
    setting: Setting,
    sample: Option<&Wishes<'_>>,
    places: Option<u64>,
) -> Result<Draft, Problem> {
    let mut draft = Draft::default();
    draft.rest(include_str!("../template/live-head.toml"), &[]);
    let source = match doorway {
        Doorway::Http => include_str!("../template/http.toml"),
        Doorway::Stdin => include_str!("../template/stdin.toml"),
        Doorway::Tcp => include_str!("../template/tcp.toml"),
    };
    draft.rest(source, &[]);
    if let Some(sample) = sample {
        score(&mut draft, setting, sample)?;
    }
    let groups = groups(sample);
    attributes(&mut draft, &groups);
    if let Some(sample) = sample {
        context(&mut draft, setting, sample, &groups)?;
    }
    match setting {
        Setting::Committee => {
            committee(&mut draft, &groups, places.unwrap_or(30));
            if places.is_none() {
                draft.assume("there are 30 places (otherwise: --places N)");
            }
        }
        Setting::Merit => merit(&mut draft, sample)?,
        Setting::Cohort => interviews(&mut draft, sample, places),
        Setting::Pool => pool(&mut draft, sample, &groups)?,
    }
    Ok(draft)
}

/// Writes the member of the id, and that of the score where the setting reads one.
fn score(draft: &mut Draft, setting: Setting, sample: &Wishes<'_>) -> Result<(), Problem> {
    let (sheet, roles) = (sample.sheet, sample.roles);
    if let Some(id) = roles.id().filter(|id| sheet.columns[*id].name != "id") {
        draft.key(
            "id",
            &text(&sheet.columns[id].name),
            "the member that names people",
        );
    }
    match roles.score() {
        Some(score) => draft.key(
            "score",
            &text(&sheet.columns[score].name),
            "the member of a score, which policies see",
        ),
        None if setting == Setting::Pool => {
            let what = "no column holds a score, by which applicants are admitted";
            return Err(Problem::of_file(&sheet.path, what).help("name it: --score COLUMN"));
        }
        None => {}
    }
    Ok(())
}

/// Writes what people are grouped by.
fn attributes(draft: &mut Draft, groups: &[Group]) {
    draft.section("[source.attributes]");
    draft
        .comment("What records say of people: {\"id\": \"ann\", \"groups\": {\"gender\": \"F\"}}.");
    for Group {
        name, described, ..
    } in groups
    {
        draft.key(
            &key(name),
            described,
            "the member, and the values that it may have",
        );
    }
}

/// Attributes and their values: of a sample, else placeholders.
fn groups(sample: Option<&Wishes<'_>>) -> Vec<Group> {
    let of_sample = sample.into_iter().flat_map(|sample| {
        let attributes = sample.roles.attributes().into_iter();
        attributes.map(|attribute| group(sample, &attribute))
    });
    let of_sample: Vec<Group> = of_sample.collect();
    if !of_sample.is_empty() {
        return of_sample;
    }
    let placeholder = |(name, values): (&str, &[&str])| {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        Group {
            name: name.to_owned(),
            described: listed(name, &values),
            values,
        }
    };
    PLACEHOLDERS.into_iter().map(placeholder).collect()
}

fn group(sample: &Wishes<'_>, attribute: &AttributeColumn) -> Group {
    let column = &sample.sheet.columns[attribute.column];
    let (described, values) = if attribute.bands.is_empty() {
        let values = column.categories().unwrap_or_default().iter();
        let values: Vec<String> = values.map(|(value, _)| value.clone()).collect();
        (listed(&column.name, &values), values)
    } else {
        let names = attribute.bands.iter().map(|band| band.0.clone());
        (described(attribute, column), names.collect())
    };
    Group {
        name: name(column),
        described,
        values,
    }
}

/// An attribute whose values are listed.
fn listed(column: &str, values: &[String]) -> String {
    let names = values.iter().map(|value| (value.clone(), text(value)));
    table([
        ("column".to_owned(), text(column)),
        ("values".into(), table(names)),
    ])
}

/// Writes the features of a sample, and how outcomes are reported, where it has any.
fn context(
    draft: &mut Draft,
    setting: Setting,
    sample: &Wishes<'_>,
    groups: &[Group],
) -> Result<(), Problem> {
    let learns = setting == Setting::Merit;
    if learns || !numbers(sample).is_empty() {
        draft.section("[source.features]");
        features(draft, sample);
        missing(draft, sample);
        if learns && let Some(group) = groups.first() {
            grouped(draft, &group.name);
        }
        if !numbers(sample).is_empty() {
            draft.assume(
                "numbers come on one scale: a live run can't bring them to one (no `standardise`)",
            );
        }
    }
    if !learns && sample.roles.outcome().is_none() {
        return Ok(());
    }
    let (column, form) = outcome(sample)?;
    draft.section("[feedback.outcome]");
    draft.key(
        "type",
        &text("reported"),
        "posted to /v1/outcomes once it is known what became of people",
    );
    let range = match form {
        OutcomeForm::More => {
            let numbers = column.numbers().unwrap_or(&[0.0, 1.0]);
            let (least, most) = (numbers[0], numbers[numbers.len() - 1]);
            draft.assume(format!(
                "outcomes are from {least} to {most}, as in the sample; others are refused"
            ));
            format!("[{}, {}]", number(least), number(most))
        }
        _ => "[0, 1]".into(),
    };
    draft.key("range", &range, "the least and the greatest outcome");
    if let Some(good) = good(form) {
        draft.key("good", &text(good), "which outcomes are good");
    }
    if let OutcomeForm::Cells { good, .. } = form {
        draft.assume(format!(
            "report 1 where {} is {}, else 0",
            column.name,
            good.join(" or ")
        ));
    }
    Ok(())
}

/// Writes a committee: the target, the rules, policies.
fn committee(draft: &mut Draft, groups: &[Group], places: u64) {
    draft.section("[target]");
    for Group { name, values, .. } in groups {
        draft.key(
            &key(name),
            &table(even(values)),
            "the share of the selected",
        );
    }
    draft.assume("the target gives each value of an attribute the same share");
    let places = places.to_string();
    draft.rest(
        include_str!("../template/live.toml"),
        &[("places", &places)],
    );
}

/// Writes one of ten chosen each round.
fn merit(draft: &mut Draft, sample: Option<&Wishes<'_>>) -> Result<(), Problem> {
    if sample.is_none() {
        let what =
            "--setting merit needs a sample of people: its columns say what is known of them";
        let help =
            "name a file: klero init people.csv --live http --setting merit --outcome COLUMN";
        return Err(Problem::of_request(what).help(help));
    }
    let form = sample.and_then(|sample| sample.roles.outcomes.as_ref());
    let direction = match form {
        Some(OutcomeForm::Zeros) => "lower",
        _ => "higher",
    };
    let values = [("direction", &*text(direction))];
    draft.rest(include_str!("../template/live-merit.toml"), &values);
    draft.assume("every ten people who come make a round, and one of them is chosen");
    Ok(())
}

/// Writes a cohort chosen at once, whom people interview.
fn interviews(draft: &mut Draft, sample: Option<&Wishes<'_>>, places: Option<u64>) {
    let spread = sample.and_then(|sample| {
        let worth = &sample.sheet.columns[cohort::worth(sample)?];
        Some(cohort::spread(worth.numbers()?))
    });
    let places = places.unwrap_or(3);
    let (budget, sd) = (20 * places, format!("{:.3}", spread.unwrap_or(1.0)));
    let values = [
        ("places", &*places.to_string()),
        ("budget", &*budget.to_string()),
        ("sd", &*sd),
    ];
    draft.rest(include_str!("../template/live-cohort.toml"), &values);
    draft.assume(format!(
        "{places} are chosen once the slate is closed; there is money for {budget} short interviews"
    ));
    draft.assume(format!("two interviews with one person are {sd} apart (`sd`); `klero fit looks` estimates it from reviews"));
}

/// Writes two groups of applicants whose numbers react.
fn pool(draft: &mut Draft, sample: Option<&Wishes<'_>>, groups: &[Group]) -> Result<(), Problem> {
    let Some((sample, group)) = sample.zip(groups.iter().find(|group| group.values.len() == 2))
    else {
        let what = "--setting pool needs a sample of people of two groups, with a score";
        let help = "name a file with a column of two values: klero init people.csv --live http --setting pool --score COLUMN";
        return Err(Problem::of_request(what).help(help));
    };
    let attributes = sample.roles.attributes();
    if attributes.len() > 1 {
        let others = attributes
            .iter()
            .map(|attribute| &sample.sheet.columns[attribute.column].name);
        let others: Vec<String> = others
            .filter(|other| **other != group.name)
            .map(|name| format!("{name}=out"))
            .collect();
        let what = format!(
            "a pool that reacts has one attribute, and the sample has {}",
            attributes.len()
        );
        let help = format!("leave out the others: --columns '{}'", others.join(","));
        return Err(Problem::of_file(&sample.sheet.path, what).help(help));
    }
    let start = table([(group.values[0].clone(), "0.5".to_owned())]);
    draft.rest(
        include_str!("../template/live-pool.toml"),
        &[("start", &start)],
    );
    draft.assume(format!(
        "half of the pool is {} at first; how strongly it reacts is not known",
        group.values[0]
    ));
    draft.assume("100 apply and 20 are admitted each season");
    Ok(())
}

/// Returns an equal share for each value, to three digits. The first value takes the rounding
/// error.
fn even(values: &[String]) -> Vec<(String, String)> {
    let each = 1000 / values.len();
    let share = |at: usize| match at {
        0 => 1000 - each * (values.len() - 1),
        _ => each,
    };
    let written =
        |(at, value): (usize, &String)| (value.clone(), format!("{}", share(at) as f64 / 1000.0));
    values.iter().enumerate().map(written).collect()
}

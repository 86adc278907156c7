//! The first config of a cohort, chosen at once after costly interviews.

use super::people;
use super::wishes::Wishes;
use crate::init::draft::{Draft, text};
use crate::init::sheet::moments;
use kleroterion_core::problem::Problem;

pub(super) fn write(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<(), Problem> {
    let sheet = wishes.sheet;
    let Some(worth) = worth(wishes) else {
        let what = "no column says by a number what people are worth";
        let help = "name it: --score COLUMN";
        return Err(Problem::of_file(&sheet.path, what).help(help));
    };
    let column = &sheet.columns[worth];
    let people = sheet.people as u64;
    let places = wishes.places.unwrap_or_else(|| (people / 5).clamp(1, 20));
    draft.key("replications", "200", "how often interviews are drawn anew");
    let order = ("shuffled", "in an order drawn anew in each replication");
    people::write(draft, wishes, order, |draft| {
        draft.key(
            "utility",
            &text(&column.name),
            "what people are worth: interviews estimate it",
        );
    })?;
    let sd = format!("{:.3}", spread(column.numbers().unwrap_or_default()));
    let (chosen, budget) = (places.to_string(), (3 * people).to_string());
    let values = [("places", &*chosen), ("budget", &budget), ("sd", &sd)];
    draft.rest(include_str!("../template/cohort.toml"), &values);
    draft.assume(format!(
        "{}; money for three short interviews each",
        super::wishes::chosen(places, people)
    ));
    draft.assume("an interview's noise is half of how much people differ; `klero fit looks` estimates it from reviews");
    Ok(())
}

/// The column that says by a number what people are worth.
pub(super) fn worth(wishes: &Wishes<'_>) -> Option<usize> {
    let is_of_numbers = |at: &usize| wishes.sheet.columns[*at].numbers().is_some();
    let outcome = wishes.roles.outcome().filter(is_of_numbers);
    wishes.roles.score().or(outcome)
}

/// Half the standard deviation of some numbers; above 0.
pub(super) fn spread(numbers: &[f64]) -> f64 {
    let (_, variance) = moments(numbers);
    (variance.sqrt() / 2.0).max(1e-3)
}

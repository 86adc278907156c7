//! The first config of a pool: two groups of applicants whose numbers react to admissions.

use super::people;
use super::wishes::Wishes;
use crate::init::draft::{Draft, table};
use kleroterion_core::problem::Problem;
use kleroterion_io::record::fold;

pub(super) fn write(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<(), Problem> {
    let (sheet, roles) = (wishes.sheet, wishes.roles);
    let two = roles.attributes().iter().find_map(|attribute| {
        let column = &sheet.columns[attribute.column];
        let values = column.categories().filter(|values| values.len() == 2)?;
        Some((attribute.column, values))
    });
    let Some((groups, values)) = two else {
        let what = "no column makes two groups, and pools that react have two";
        let help = "add a column with two values, or leave out --setting pool";
        return Err(Problem::of_file(&sheet.path, what).help(help));
    };
    let Some(score) = roles.score() else {
        let what = "no column holds a score, by which applicants are admitted";
        return Err(Problem::of_file(&sheet.path, what).help("name it: --score COLUMN"));
    };
    let group = people::name(&sheet.columns[groups]);
    let moments = sheet.moments(score, groups);
    let all = values.iter().map(|(_, n)| n).sum::<usize>() as f64;
    let law = |(value, _): &(String, usize)| {
        let (mean, variance) = moments.get(&fold(value)).copied().unwrap_or((0.0, 1.0));
        (
            value.clone(),
            format!("{{ mean = {mean:.4}, variance = {variance:.4} }}"),
        )
    };
    let share = values[0].1 as f64 / all;
    let laws = table(values.iter().map(law));
    let start = table([(values[0].0.clone(), format!("{share:.3}"))]);
    let template = include_str!("../template/pool.toml");
    draft.rest(template, &[("laws", &laws), ("start", &start)]);
    draft.assume(format!("the groups are those of {group}; their scores are normal, with the file's means and variances"));
    draft.assume(
        "100 apply and 20 are admitted each season; how strongly the pool reacts is not known",
    );
    Ok(())
}

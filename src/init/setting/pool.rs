//! Two groups of applicants whose numbers react to who was admitted.

use super::people;
use super::wishes::Wishes;
use crate::init::draft::{Draft, table, text};
use crate::init::sheet::problem;
use crate::problem::Problem;

pub(super) fn write(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<(), Problem> {
    let (sheet, roles) = (wishes.sheet, wishes.roles);
    let two = roles.attributes.iter().find_map(|attribute| {
        let column = &sheet.columns[attribute.column];
        let values = column.categories().filter(|values| values.len() == 2)?;
        Some((attribute.column, values))
    });
    let Some((groups, values)) = two else {
        let what = "no column makes two groups, and pools that react have two";
        let help = "add a column with two values, or leave out --setting pool";
        return Err(problem(&sheet.path, what).help(help));
    };
    let Some(score) = roles.score else {
        let what = "no column holds a score, by which applicants are admitted";
        return Err(problem(&sheet.path, what).help("name it: --score COLUMN"));
    };
    let group = people::name(&sheet.columns[groups]);
    let moments = sheet.moments(score, groups);
    let all = values.iter().map(|(_, n)| n).sum::<usize>() as f64;
    draft.key("replications", "200", "how often the stream is drawn anew");
    draft.section("[source]");
    draft.key(
        "type",
        &text("gaussian_groups"),
        "people of groups whose scores are normal",
    );
    let law = |(value, _): &(String, usize)| {
        let (mean, variance) = moments.get(&**value).copied().unwrap_or((0.0, 1.0));
        (
            value.clone(),
            format!("{{ mean = {mean:.4}, variance = {variance:.4} }}"),
        )
    };
    draft.key(
        "groups",
        &table(values.iter().map(law)),
        "mean and variance of each group's scores, from the file",
    );
    draft.section("[rules]");
    draft.key("slate", "100", "applicants of a round");
    draft.key("choose", "{ exactly = 20 }", "how many are admitted");
    draft.key("until", "{ rounds = 50 }", "seasons");
    draft.section("[pool]");
    draft.key(
        "type",
        &text("positive_reinforcement"),
        "a group applies more, the more of it were admitted",
    );
    let share = values[0].1 as f64 / all;
    draft.key(
        "start",
        &table([(values[0].0.clone(), format!("{share:.3}"))]),
        "the first group's share at first, from the file",
    );
    draft.key("eta", "0.1", "how strongly the pool reacts");
    draft.policy("by score", "score_greedy", &[]);
    let target = table([(values[0].0.clone(), format!("{share:.3}"))]);
    draft.policy(
        "fair greedy",
        "fair_greedy_pool",
        &[
            (
                "target",
                &target,
                "the share of the first group that is fair",
            ),
            ("lambda", "1", "the weight of fairness against scores"),
        ],
    );
    draft.policy(
        "in proportion",
        "proportional_pool",
        &[("target", &target, "shares by group")],
    );
    draft.section("[report]");
    draft.key(
        "at",
        "[1, 10, 20, 50]",
        "rounds at which measures are taken",
    );
    draft.key(
        "judge",
        r#"["fairness_loss"]"#,
        "the measures with verdicts",
    );
    draft.key(
        "baseline",
        &text("by score"),
        "the policy that the others are compared with",
    );
    draft.assume(format!("the groups are those of {group}; their scores are normal, with the file's means and variances"));
    draft.assume(
        "100 apply and 20 are admitted each season; how strongly the pool reacts is not known",
    );
    Ok(())
}

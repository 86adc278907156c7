//! The result of a goal, for a person at a terminal.

use super::grid::{GridColumn, render};
use super::medium::Medium;
use super::number::{about, brief, fixed};
use super::plain;
use kleroterion_stats::{GoalAnswer, Tested};

/// The goal, how sure its answer is, and a row for each policy and constraint.
pub(super) fn goal(goal: &GoalAnswer, medium: &Medium) -> String {
    let bounds = goal.bounds.iter();
    let bounds = bounds.map(|(metric, bound)| format!("{} {bound}", plain(metric)));
    let bounds: Vec<String> = bounds.collect();
    let best = plain(&goal.best);
    if bounds.is_empty() {
        return medium.title(&format!("Goal: best {best}")) + "\n";
    }
    let alpha: f64 = goal.tests.iter().map(|test| test.alpha).sum();
    let title = format!("Goal: best {best}, where {}", bounds.join(" and "));
    let head = format!(
        "{}\nAll {} tests hold together with {} % confidence, however often you look\n",
        medium.title(&title),
        goal.tests.len(),
        brief(100.0 * (1.0 - alpha), 4),
    );
    let words = |cell: &dyn Fn(&Tested) -> String| goal.tests.iter().map(cell).collect();
    let columns = [
        GridColumn::words(
            "bound",
            words(&|test| format!("{} {}", plain(&test.metric), test.bound)),
        ),
        GridColumn::words(
            "mean",
            words(&|test| test.mean.map_or("-".into(), |mean| fixed(mean, 4))),
        ),
        GridColumn::words("met", words(&|test| test.words().into())),
        GridColumn::words(
            "more needed",
            words(&|test| {
                test.needed
                    .map_or(String::new(), |more| format!("about {}", about(more)))
            }),
        ),
    ];
    let labels = GridColumn::words("policy", words(&|test| plain(&test.label)));
    format!("{head}\n{}", render(&[labels], &columns, medium))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_stats::Meets;

    #[test]
    fn a_row_a_policy_and_constraint() {
        let tested = |label: &str, mean, meets, needed| Tested {
            label: label.into(),
            metric: "representation_loss".into(),
            bound: "<= 0.05".into(),
            n: 20,
            mean: Some(mean),
            alpha: 0.0125,
            e_meets: 1.0,
            e_fails: 1.0,
            meets,
            needed,
            sure_at: None,
            open_at: None,
            since: None,
        };
        let asked = GoalAnswer {
            best: "selection_rate".into(),
            bounds: vec![("representation_loss".into(), "<= 0.05".into())],
            meets: Vec::new(),
            answer: Vec::new(),
            needed: Some(1234),
            settled: false,
            tests: vec![
                tested("queue", 0.0421, Meets::Surely, None),
                tested("cmdp", 0.0494, Meets::Open, Some(1234)),
            ],
        };
        let shown = goal(&asked, &Medium::default());
        let known = "Goal: best selection_rate, where representation_loss <= 0.05
All 2 tests hold together with 97.5 % confidence, however often you look

policy   bound                         mean     met      more needed
queue    representation_loss <= 0.05   0.0421   surely
cmdp     representation_loss <= 0.05   0.0494   open     about 1,300
";
        assert_eq!(shown, known, "\n{shown}");
    }
}

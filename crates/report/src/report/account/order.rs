//! The order of the policies over all measures, as far as it is sure.

use super::super::figure::PolicyLooks;
use super::super::finished::Finished;
use super::super::page::{PolicyName, SureOrder};
use kleroterion_stats::Answer;

/// Returns a clause on the pairs of those that are in the running.
pub(super) fn pairs_in_the_running(answer: &Answer) -> String {
    match answer.open {
        0 => "every pair of them is a trade-off or even".to_owned(),
        1 => "one pair of them is open".to_owned(),
        open => format!("{open} pairs of them are open"),
    }
}

/// The most relations that a sentence says, and the most policies that a picture has room for.
const SAID: usize = 2;
const DRAWN: usize = 12;

/// Returns true if the order of the policies is a picture: more is sure than a sentence says, and
/// not that one leads all others.
pub(super) fn is_drawn(answer: &Answer) -> bool {
    let labels = ordered(answer);
    let leads = |leader: &String| {
        let mut others = labels.iter().filter(|label| **label != leader);
        others.all(|other| {
            let mut pairs = answer.dominates.iter();
            pairs.any(|[a, b]| a == leader && b == *other)
        })
    };
    answer.goal.is_none()
        && answer.dominates.len() > SAID
        && labels.len() <= DRAWN
        && !answer.frontier.iter().any(leads)
}

/// The policies in the running, then those that are surely behind.
fn ordered(answer: &Answer) -> Vec<&String> {
    let mut labels: Vec<&String> = answer.frontier.iter().collect();
    for label in answer.dominates.iter().flatten() {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

/// The order of the policies over all measures, where it is a picture.
pub(super) fn order(run: &Finished, looks: &PolicyLooks) -> Option<SureOrder> {
    let answer = run.answer.as_ref().filter(|answer| is_drawn(answer))?;
    let labels = ordered(answer);
    let place = |label| labels.iter().position(|one| *one == label);
    let better = answer.dominates.iter();
    let better = better.filter_map(|[a, b]| Some([place(a)?, place(b)?]));
    let policies = labels.iter().map(|label| PolicyName {
        label: (*label).clone(),
        look: looks.look(label).unwrap_or_default(),
        is_yardstick: false,
    });
    let open = match answer.frontier.len() {
        0 | 1 => String::new(),
        _ => format!(
            " In the running are those to which none leads; {}.",
            pairs_in_the_running(answer)
        ),
    };
    Some(SureOrder {
        policies: policies.collect(),
        better: better.collect(),
        about: format!("A \u{2192} B: A is surely better than B.{open}"),
    })
}

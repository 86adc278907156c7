//! Reasons in words: why a policy chose or passed over the people of a slate.
//!
//! `SENTENCES` declares each kind of policy once, by the function that turns the terms of its
//! decisions into a sentence.

use super::number::{brief, minus};
use kleroterion_io::trace::Decision;

/// The most values that name a group.
const NAMED: usize = 3;

/// Makes the sentence of a decision. `None` if its terms are not those that it needs.
type Sentence = fn(&Reasons<'_>) -> Option<String>;

/// The kinds of policies by their sentences, and whether a sentence is about one person of the slate:
/// the first who was chosen, or the first of all where no one was.
const SENTENCES: [(&[&str], Sentence, bool); 15] = [
    (
        &["accept_all"],
        |_| Some("it accepts everyone".into()),
        false,
    ),
    (&["greedy", "quota_lookahead"], by_quota, true),
    (&["virtual_queue"], by_queue, true),
    (&["merit_queue"], by_merit_and_queue, true),
    (&["best_stationary"], by_bar, true),
    (
        &["cmdp", "proportional", "rl_cmdp", "plugin_cmdp"],
        by_lot,
        true,
    ),
    (&["legacy", "maximin", "leximin", "nash"], by_panel, true),
    (
        &[
            "fair_greedy",
            "fair_greedy_all",
            "gmf_oracle",
            "oracle_mu",
            "oracle_cdf",
        ],
        by_rank,
        false,
    ),
    (&["oful"], by_bound, false),
    (&["ridge_greedy"], by_reward, false),
    (&["best_reward"], by_worth, false),
    (&["uniform_choice"], at_random, false),
    (
        &[
            "swap",
            "uniform_interviews",
            "random_interviews",
            "boundary_reviews",
        ],
        by_interviews,
        false,
    ),
    (
        &[
            "fair_greedy_pool",
            "fair_greedy_institutions",
            "score_greedy",
            "proportional_pool",
            "target_share",
            "optimal",
        ],
        by_shares,
        false,
    ),
    // A program's terms are its own words.
    (&["exec"], |reasons| Some(terms(reasons.decision)), false),
];

/// Returns the reason for a decision of a policy of this kind, as a sentence without its full stop.
/// For an unknown kind and for programs, it lists the terms as they are. It is empty if there are
/// none.
#[must_use]
pub fn sentence(kind: &str, decision: &Decision) -> String {
    if decision.forfeit {
        return "it did not answer in time".into();
    }
    if decision.term("places") == Some(0.0) {
        return "no seat was left".into();
    }
    let reasons = Reasons::of(decision);
    let mut all = SENTENCES.iter();
    let declared = all.find(|(kinds, ..)| kinds.contains(&kind));
    let said = declared.and_then(|(_, sentence, of_one)| Some((sentence(&reasons)?, *of_one)));
    let Some((sentence, of_one)) = said else {
        return terms(decision);
    };
    let of = match decision.shown.get(reasons.slot) {
        Some(id) if of_one && decision.shown.len() > 1 => format!("{id}: "),
        _ => String::new(),
    };
    let overruled = match decision.term("overruled") {
        Some(_) => "; overruled, so that the committee can still be completed",
        None => "",
    };
    format!("{of}{sentence}{overruled}")
}

/// The terms as they are: "acceptance 0.31, v 2".
#[must_use]
pub fn terms(decision: &Decision) -> String {
    listed(&decision.reason, short)
}

/// The terms that have a value, each by its name.
pub(super) fn listed(terms: &[(String, Option<f64>)], short: fn(f64) -> String) -> String {
    let terms = terms.iter();
    let terms = terms.filter_map(|(name, value)| Some(format!("{name} {}", short((*value)?))));
    terms.collect::<Vec<_>>().join(", ")
}

/// A decision, and the person whom its terms are about.
struct Reasons<'a> {
    decision: &'a Decision,
    slot: usize,
}

impl<'a> Reasons<'a> {
    fn of(decision: &'a Decision) -> Self {
        let first = decision.chosen.first();
        let slot = first.and_then(|id| decision.shown.iter().position(|shown| shown == id));
        Self {
            decision,
            slot: slot.unwrap_or(0),
        }
    }

    fn is_taken(&self) -> bool {
        !self.decision.chosen.is_empty() || !self.decision.declined.is_empty()
    }

    /// The word for those taken, or that for those passed over.
    fn either(&self, taken: &'static str, passed: &'static str) -> &'static str {
        if self.is_taken() { taken } else { passed }
    }

    fn term(&self, name: &str) -> Option<f64> {
        self.decision.term(name)
    }

    fn number(&self, name: &str) -> Option<String> {
        self.term(name).map(short)
    }

    /// The person's value of the attribute that the decision hung on.
    fn value(&self) -> Option<&'a str> {
        let attribute = self.term("attribute")? as usize;
        let values = self.decision.values(self.slot);
        values
            .map(|(_, value)| value)
            .nth(attribute.checked_sub(1)?)
    }

    /// Returns the values of the person, for example "F, 55+".
    fn group(&self) -> String {
        let values = self.decision.values(self.slot).map(|(_, value)| value);
        let values: Vec<&str> = values.collect();
        match values.len() {
            0 => "this group".into(),
            1..=NAMED => values.join(", "),
            _ => "someone of these groups".into(),
        }
    }
}

/// A number in three digits.
fn short(value: f64) -> String {
    minus(&brief(value, 3))
}

fn percent(share: f64) -> String {
    format!("{} %", short(100.0 * share))
}

/// Seats under a maximum, and those that minimums need.
fn by_quota(reasons: &Reasons<'_>) -> Option<String> {
    let is_taken = reasons.is_taken();
    if reasons.term("completes") == Some(0.0) {
        return Some("with this person, the respondents left can't complete the committee".into());
    }
    if let (Some(owed), false) = (reasons.number("owed"), is_taken) {
        let left = reasons.number("seats_left")?;
        let value = reasons.value().unwrap_or("its group");
        return Some(format!(
            "of {left} seats left, groups other than {value} need {owed} to reach their minimum"
        ));
    }
    let Some(slack) = reasons.term("slack") else {
        return Some(match is_taken {
            true => "no quota concerns its groups".into(),
            false => "no one who may come fits the quotas any more".into(),
        });
    };
    let seats = |value: &str| {
        let (taken, most) = (reasons.number("taken")?, reasons.number("most")?);
        Some(format!("{value} has {taken} of at most {most} seats"))
    };
    let seats = reasons.value().and_then(seats);
    Some(match (is_taken, seats) {
        (true, Some(seats)) => format!("there is room: {seats}"),
        (false, Some(seats)) if slack <= 0.0 => format!("no room: {seats}"),
        (true, None) => "every quota of its groups has room".into(),
        (false, _) => "a quota of its groups has no room".into(),
    })
}

/// Returns a phrase on the over- or under-representation of a value, for example "55+ is
/// over-represented (14 seats, 12.2 by the target)".
fn represented(reasons: &Reasons<'_>) -> Option<String> {
    let (taken, wanted) = (reasons.term("taken")?, reasons.term("wanted")?);
    let value = reasons.value()?;
    let word = match taken.total_cmp(&wanted) {
        std::cmp::Ordering::Less => "under-represented",
        std::cmp::Ordering::Equal => "as the target has it",
        std::cmp::Ordering::Greater => "over-represented",
    };
    let seats = if taken == 1.0 { "seat" } else { "seats" };
    let (taken, wanted) = (short(taken), short((10.0 * wanted).round() / 10.0));
    Some(format!(
        "{value} is {word} ({taken} {seats}, {wanted} by the target)"
    ))
}

/// The sum of queues against the limit v.
fn by_queue(reasons: &Reasons<'_>) -> Option<String> {
    let (score, v) = (reasons.number("score")?, reasons.number("v")?);
    let side = reasons.either("within", "above");
    let queue = format!("queue {score}, {side} the limit of {v}");
    Some(match represented(reasons) {
        Some(represented) => format!("{represented}: {queue}"),
        None => queue,
    })
}

/// Merit against the queues of groups and of the rate.
fn by_merit_and_queue(reasons: &Reasons<'_>) -> Option<String> {
    let merit = reasons.number("estimated_merit")?;
    let queues = short(reasons.term("score")? + reasons.term("pace")?);
    let verb = reasons.either("outweighs", "does not outweigh");
    let weighed = format!("its estimated merit {merit} {verb} the queues ({queues})");
    Some(match represented(reasons) {
        Some(represented) => format!("{weighed}; {represented}"),
        None => weighed,
    })
}

/// The true merit against its group's bar.
fn by_bar(reasons: &Reasons<'_>) -> Option<String> {
    let (merit, bar) = (reasons.number("merit")?, reasons.number("bar")?);
    let side = reasons.either("above", "not above");
    Some(format!("its merit {merit} is {side} its group's bar {bar}"))
}

/// A lot that depends on the person's groups.
fn by_lot(reasons: &Reasons<'_>) -> Option<String> {
    let acceptance = reasons.term("acceptance")?;
    let group = reasons.group();
    Some(match acceptance {
        _ if acceptance >= 1.0 => format!("{group} is always accepted"),
        _ if acceptance <= 0.0 => format!("{group} is never accepted"),
        _ => {
            let drawn = reasons.either("drawn", "not drawn");
            format!(
                "{drawn} by lot: {group} has a chance of {}",
                percent(acceptance)
            )
        }
    })
}

/// A panel that was drawn as a whole.
fn by_panel(reasons: &Reasons<'_>) -> Option<String> {
    let on = reasons.either("on", "not on");
    let chance = reasons.term("chance").map(percent);
    let chance = chance.map_or(String::new(), |chance| format!("; its chance was {chance}"));
    Some(format!("{on} the panel that was drawn{chance}"))
}

/// The highest of some numbers: "rank 0.93 within its own group, the next has 0.91".
fn highest(reasons: &Reasons<'_>, name: &str, what: &str) -> Option<String> {
    let value = reasons.number(name)?;
    let next = reasons.number("highest_passed");
    let next = next.map_or(String::new(), |next| format!(", the next has {next}"));
    let ties = match reasons.term("ties") {
        Some(ties) if ties > 1.0 => format!("; drawn by lot of {} equals", short(ties)),
        _ => String::new(),
    };
    Some(format!("{what} {value}{next}{ties}"))
}

fn by_rank(reasons: &Reasons<'_>) -> Option<String> {
    let what = "the highest rank within its own group,";
    let spread = || {
        highest(
            reasons,
            "spread_rank",
            "the highest rank, spread by what is unknown,",
        )
    };
    highest(reasons, "relative_rank", what).or_else(spread)
}

fn by_bound(reasons: &Reasons<'_>) -> Option<String> {
    let what = highest(reasons, "upper_bound", "the highest upper bound,")?;
    let (estimate, radius) = (
        reasons.number("estimated_reward")?,
        reasons.number("radius")?,
    );
    Some(format!("{what}; estimate {estimate} \u{b1} {radius}"))
}

fn by_reward(reasons: &Reasons<'_>) -> Option<String> {
    highest(reasons, "estimated_reward", "the highest estimate,")
}

fn by_worth(reasons: &Reasons<'_>) -> Option<String> {
    highest(reasons, "merit", "worth most,")
}

fn at_random(reasons: &Reasons<'_>) -> Option<String> {
    let chance = percent(reasons.term("acceptance")?);
    Some(format!("drawn by lot, each with a chance of {chance}"))
}

/// The line between those taken and those passed over.
fn by_interviews(reasons: &Reasons<'_>) -> Option<String> {
    let taken = reasons.number("lowest_taken");
    let passed = reasons.number("highest_passed");
    let line = match (taken, passed) {
        (Some(taken), Some(passed)) => {
            format!("the lowest estimate taken is {taken}, the highest passed over {passed}")
        }
        (Some(taken), None) => format!("the lowest estimate taken is {taken}"),
        _ => "no estimate decides".into(),
    };
    let cost = reasons.number("cost");
    let cost = cost.map_or(String::new(), |cost| format!("; interviews cost {cost}"));
    let sure = match reasons.term("gap") {
        Some(gap) if gap <= 0.0 => ", and the choice is sure".into(),
        Some(gap) => match reasons.term("contested") {
            // How much a cohort could gain at most is a sum of radii, which says little.
            Some(contested) => {
                let places = reasons.decision.chosen.len() + reasons.decision.declined.len();
                format!(
                    ", and for {} of {places} places another could still be better",
                    short(contested)
                )
            }
            None => format!(", and a better choice could gain {}", short(gap)),
        },
        None => String::new(),
    };
    Some(line + &cost + &sure)
}

/// The first group's share of those admitted, and the lowest scores.
fn by_shares(reasons: &Reasons<'_>) -> Option<String> {
    let share = percent(reasons.term("share")?);
    let applying = percent(reasons.term("applying")?);
    let planned = reasons.term("planned_share").map(percent);
    let planned = planned.map_or(String::new(), |planned| format!(" (planned {planned})"));
    let lowest = match (
        reasons.number("lowest_of_first"),
        reasons.number("lowest_of_others"),
    ) {
        (Some(first), Some(others)) => {
            format!("; scores from {first} on, of the others from {others} on")
        }
        (Some(score), None) | (None, Some(score)) => format!("; scores from {score} on"),
        (None, None) => String::new(),
    };
    Some(format!(
        "the first group has {share} of the seats{planned} and {applying} of the applicants{lowest}"
    ))
}

#[cfg(test)]
mod tests;

//! The next steps of interviewers and the organiser in a hiring round, the money and the quotas, and
//! the people whom the policies propose.

use chrono::{DateTime, Utc};

use super::applicants::{applicants, shows};
use super::hiring::{Applying, HiringRound, decision};
use super::model::{HELD, Model, Words};
use super::moment::Moment;
use crate::looks::{ListedLook, LookState};
use crate::watch::{Stage, Watched};
use kleroterion_core::protocol::{OFFER, Quota};
use kleroterion_report::report::account::quoted;
use kleroterion_report::report::number::grouped;

/// The most people named in a sentence.
const NAMED: usize = 6;

/// Kinds of interview whose names are those of a means, not of a meeting.
const MEANS: [&str; 3] = ["phone", "telephone", "video"];

/// Fills the section, and says what to do next in place of who leads. It fills nothing but the
/// slate's progress if no person holds interviews or replies to offers.
pub(super) fn interviews(model: &mut Model, moment: &Moment<'_>) {
    let watched = moment.watched;
    model.text("slate", slate(watched).unwrap_or_default());
    let Some(round) = HiringRound::of(watched) else {
        return;
    };
    say(model, moment, &round);
    model.text("money", money(&round));
    model.text("waits", waits(&round));
    model.text("quota", quota(&round).unwrap_or_default());
    applicants(model, &round);
}

/// The progress of the slates as a sentence.
fn slate(watched: &Watched) -> Option<String> {
    let slate = (*watched.slate.borrow())?;
    let round = slate.closed + 1;
    Some(match (slate.closed < slate.last, slate.people) {
        (false, _) => "The last slate is closed.".into(),
        (true, 1) => format!("The slate of round {round} is open, with 1 candidate so far."),
        (true, people) => {
            let people = grouped(people);
            format!("The slate of round {round} is open, with {people} candidates so far.")
        }
    })
}

/// Replaces the headline and the lines below it. Verdicts, where there are any, follow.
fn say(model: &mut Model, moment: &Moment<'_>, round: &HiringRound<'_>) {
    let open = round.desk.listed(LookState::Open..=LookState::Open);
    let headline = headline(moment, round, &open);
    let compared = model.texts.get(HELD).filter(|_| moment.compared > Some(0));
    let compared = compared.map(|words| format!("Compared so far: {}", words.text));
    let is_done = open.is_empty() && round.decision.is_some();
    let (question, look) = match is_done {
        true => ("What the policies propose", "proposed"),
        false => ("What to do next", "todo"),
    };
    model.text("question", question);
    model.text(HELD, Words::new(format!("{headline}.")).looking(look));
    model.list(
        "answer-lines",
        lines(moment, round).into_iter().chain(compared),
    );
}

/// The next step, or whom the policy proposes.
fn headline(moment: &Moment<'_>, round: &HiringRound<'_>, open: &[ListedLook]) -> String {
    let slate = *moment.watched.slate.borrow();
    let slate = slate.filter(|slate| slate.closed < slate.last);
    match (open, &round.decision, slate) {
        ([one], ..) if round.is_offer(one) => {
            format!("Ask for a reply to the offer: {}", name(round, one))
        }
        ([one], ..) => format!("Hold {} {}", an(&meeting(round, one)), with(round, one)),
        ([first, ..], ..) if open.iter().all(|one| round.is_offer(one)) => {
            let (many, first) = (grouped(open.len() as u64), name(round, first));
            format!("Replies to offers wait: {many}, first that of {first}")
        }
        ([first, ..], ..) => {
            let many = grouped(open.len() as u64);
            format!(
                "Interviews wait: {many}, first {} {}",
                meeting(round, first),
                with(round, first)
            )
        }
        ([], _, Some(slate)) if slate.people == 0 => "Send the first applicant".into(),
        ([], _, Some(slate)) => {
            let people = grouped(slate.people);
            format!("Close the slate once all have applied: {people} so far")
        }
        ([], Some(_), None) => format!("Proposed: {}", named(&proposed(round))),
        ([], None, None) if moment.stage == Stage::Over => {
            "The run has ended before anyone was proposed".into()
        }
        ([], None, None) if round.people.is_empty() => "Wait for applicants".into(),
        ([], None, None) => format!(
            "{} decides what comes next",
            quoted(moment.label(round.lane))
        ),
    }
}

fn name(round: &HiringRound<'_>, look: &ListedLook) -> String {
    round.desk.called(&look.look.candidate)
}

fn with(round: &HiringRound<'_>, look: &ListedLook) -> String {
    format!("with {}", name(round, look))
}

/// The kind of an interview, as a meeting that one can hold.
fn meeting(round: &HiringRound<'_>, look: &ListedLook) -> String {
    let kind = &*round.desk.kinds()[look.look.kind].name;
    match MEANS.contains(&kind) {
        true => format!("{kind} call"),
        false => kind.to_owned(),
    }
}

fn an(word: &str) -> String {
    let is_vowel = word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {word}", if is_vowel { "an" } else { "a" })
}

/// The people whom the policy proposes, best first.
fn proposed(round: &HiringRound<'_>) -> Vec<String> {
    let listed = round.people.iter().filter(|one| one.place.is_in());
    let listed: Vec<String> = listed.map(|one| round.desk.called(&one.id)).collect();
    match (&round.decision, listed.is_empty()) {
        (Some(decided), true) => decided.event.decision.chosen.clone(),
        _ => listed,
    }
}

/// The first of some names, and the number of the others.
fn named(names: &[String]) -> String {
    match names.len() {
        0 => "no one".into(),
        many if many > NAMED => {
            let (first, rest) = names.split_at(NAMED - 1);
            format!(
                "{} and {} more",
                first.join(", "),
                grouped(rest.len() as u64)
            )
        }
        _ => names.join(", "),
    }
}

/// The lines below the headline: whom the policy would propose now, or that a person decides and
/// whom the other policies propose.
fn lines(moment: &Moment<'_>, round: &HiringRound<'_>) -> Vec<String> {
    let label = quoted(moment.label(round.lane));
    let Some(decided) = &round.decision else {
        let so_far = round.says.then(|| {
            let names = named(&proposed(round));
            format!("If no more is heard, {label} proposes {names}.")
        });
        return so_far.into_iter().collect();
    };
    let own = format!(
        "{label} proposes this. A person decides, outside this program: nothing here hires anyone."
    );
    let chosen = &decided.event.decision.chosen;
    let others = moment.order.iter().filter(|lane| **lane != round.lane);
    let other = |lane: &usize| {
        let other = decision(moment.watched, *lane, decided.round())?;
        let theirs = &other.event.decision.chosen;
        let is_same = theirs.len() == chosen.len() && theirs.iter().all(|id| chosen.contains(id));
        let what = if is_same {
            "the same".to_owned()
        } else {
            named(theirs)
        };
        Some(format!(
            "{} would propose {what}.",
            quoted(moment.label(*lane))
        ))
    };
    std::iter::once(own)
        .chain(others.filter_map(other))
        .collect()
}

/// The money spent of the budget, for what, and what one more interview costs.
fn money(round: &HiringRound<'_>) -> Words {
    let kinds = round
        .desk
        .kinds()
        .iter()
        .filter(|kind| *kind.name != *OFFER);
    if kinds.clone().next().is_none() {
        return Words::default();
    }
    let held = |name: &str| {
        let looks = round
            .people
            .iter()
            .flat_map(|one| one.in_state(LookState::Answered));
        looks
            .filter(|one| *round.desk.kinds()[one.look.kind].name == *name)
            .filter(|one| one.wanted_by.contains(&round.lane))
            .count()
    };
    let counts = kinds.clone().map(|kind| (held(&kind.name), &kind.name));
    let counts = counts.filter(|(many, _)| *many > 0);
    let counts: Vec<String> = counts
        .map(|(many, name)| format!("{name} {many}"))
        .collect();
    let costs: Vec<String> = kinds
        .map(|kind| format!("{} {}", kind.name, kind.cost))
        .collect();
    let held = match counts.is_empty() {
        true => "none held yet".to_owned(),
        false => format!("held: {}", counts.join(", ")),
    };
    let below = format!("{held}; one more costs: {}", costs.join(", "));
    let spent = round.spent;
    match round.terms().budget {
        Some(budget) if budget > 0.0 => Words::new(format!("Budget: {spent} of {budget} spent"))
            .share(spent / budget)
            .below(below),
        _ => Words::new(format!("{spent} spent, without a budget")).below(below),
    }
}

/// The number of interviews that wait, and the oldest one's time.
fn waits(round: &HiringRound<'_>) -> Words {
    let [open, answered, missed] = round.desk.counts();
    let mut below = Vec::new();
    if let Some(oldest) = round.desk.listed(LookState::Open..=LookState::Open).first() {
        below.push(format!("asked {}", instant(oldest.since)));
        if let Some(deadline) = round.terms().deadline {
            let due = oldest.since.saturating_add(deadline.as_millis() as u64);
            below.push(format!("answer by {}", instant(due)));
        }
    }
    below.push(format!("{} answered", grouped(answered)));
    if missed > 0 {
        below.push(format!("{} not answered in time", grouped(missed)));
    }
    let waits = match open {
        0 => "No answer is awaited".to_owned(),
        1 => "1 answer is awaited".to_owned(),
        many => format!("{} answers are awaited", grouped(many)),
    };
    Words::new(waits).below(below.join(", "))
}

/// An instant to the minute, in UTC.
fn instant(millis: u64) -> String {
    let at = DateTime::<Utc>::from_timestamp_millis(millis as i64).unwrap_or_default();
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// The members of each group with a quota, among those proposed so far, and whether the quotas are
/// kept. `None` without quotas.
fn quota(round: &HiringRound<'_>) -> Option<Words> {
    let terms = round.terms();
    let (mut counted, mut wanted, mut is_kept) = (Vec::new(), Vec::new(), true);
    let members = round.people.iter().filter(|one| one.place.is_in());
    let known = members.clone().next().is_some();
    for (at, (attribute, row)) in terms.attributes.iter().zip(&terms.quotas).enumerate() {
        for (value, quota) in attribute.values.iter().zip(row) {
            let has = |one: &&Applying| {
                let value_of = one
                    .values
                    .get(at)
                    .and_then(|of| attribute.values.get(usize::from(*of)));
                value_of == Some(value)
            };
            let count = members.clone().filter(has).count() as u64;
            is_kept &= quota.off(count) == 0;
            if shows(round.desk.names(), &attribute.name) {
                counted.push(format!("{value} {count}"));
                wanted.push(format!("{value} {}", asked(*quota)));
            }
        }
    }
    if terms.quotas.iter().all(Vec::is_empty) {
        return None;
    }
    let state = match (known, is_kept) {
        (false, _) => "",
        (true, true) => ": kept",
        (true, false) => ": not kept",
    };
    let wanted = match wanted.is_empty() {
        true => String::new(),
        false => format!("quota {}{state}", wanted.join(", ")),
    };
    Some(match known && !counted.is_empty() {
        true => Words::new(counted.join(" \u{b7} ")).below(wanted),
        false => Words::new(format!("Quota{state}")).below(wanted),
    })
}

fn asked(quota: Quota) -> String {
    match quota {
        Quota { min, max } if min == max => min.to_string(),
        Quota { min: 0, max } => format!("at most {max}"),
        Quota { min, max } if max == u32::MAX => format!("at least {min}"),
        Quota { min, max } => format!("{min} to {max}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_are_cut() {
        let names = |many: usize| named(&(0..many).map(|n| format!("p{n}")).collect::<Vec<_>>());
        assert_eq!(names(0), "no one");
        assert_eq!(names(3), "p0, p1, p2");
        assert_eq!(names(9), "p0, p1, p2, p3, p4 and 4 more");
        assert_eq!(an("visit"), "a visit");
        assert_eq!(an("interview"), "an interview");
    }
}

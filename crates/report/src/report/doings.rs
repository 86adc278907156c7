//! Sentences about a lane's actions in a round besides choosing: interviews, offers, observed
//! outcomes, its pool and its notes.

use super::number::{brief, minus};
use super::why::listed;
use kleroterion_io::trace::{BoughtLook, Decision, Heard, MadeOffer, PoolRounds};

/// The most interviews, offers or outcomes of a round that are told of each.
const TOLD: usize = 12;

/// The most people named of a set.
const NAMED: usize = 6;

/// Returns sentences on the actions in the round of a decision besides choosing. If `people` is not
/// empty, only actions on these people are included.
#[must_use]
pub fn doings(decision: &Decision, people: &[String]) -> Vec<String> {
    let is_meant = |id: &String| people.is_empty() || people.contains(id);
    let mut told = Vec::new();
    if let Some(pool) = decision.pool.as_ref() {
        told.push(pooled(pool));
    }
    let all = decision.looks.len() as u64 + decision.more_looks;
    let mut looks: Vec<_> = (1..).zip(&decision.looks).collect();
    let more = if people.is_empty() {
        decision.more_looks
    } else {
        0
    };
    if people.is_empty() {
        let first = looks
            .iter()
            .take_while(|(_, look)| look.term("first").is_some());
        let first = first.count();
        if first > 1 {
            told.push(format!(
                "interviews 1 to {first} of {all}: a first look at everyone"
            ));
            looks.drain(..first);
        }
    }
    looks.retain(|(_, look)| is_meant(&look.candidate));
    let some = looks.iter().take(TOLD);
    told.extend(some.map(|(nth, look)| bought(*nth, all, look)));
    told.extend(others(looks.len() as u64 + more, "interview"));
    let offers: Vec<_> = decision
        .offers
        .iter()
        .filter(|offer| is_meant(&offer.candidate))
        .collect();
    told.extend(offers.iter().take(TOLD).map(|offer| offered(offer)));
    told.extend(others(offers.len() as u64, "offer"));
    let all: Vec<_> = decision
        .heard
        .iter()
        .filter(|one| is_meant(&one.candidate))
        .collect();
    told.extend(all.iter().take(TOLD).map(|one| heard(one)));
    told.extend(others(all.len() as u64, "outcome"));
    if people.is_empty() && !decision.noted.is_empty() {
        told.push(format!("it noted {}", listed(&decision.noted, short)));
    }
    told
}

/// Returns a sentence on those that are not listed, if there are any.
fn others(all: u64, what: &str) -> Option<String> {
    let more = all.saturating_sub(TOLD as u64);
    let ending = if more == 1 { "" } else { "s" };
    (more > 0).then(|| format!("\u{2026} and {more} more {what}{ending}"))
}

/// An interview: "interview 31 of 40: onsite with f, 8.5, cost 6".
fn bought(nth: u64, all: u64, look: &BoughtLook) -> String {
    let BoughtLook {
        candidate, kind, ..
    } = look;
    let mut told = format!("interview {nth} of {all}: {kind} with {candidate}");
    match look.value {
        Some(value) => told += &format!(", {}", short(value)),
        None if look.cost == 0.0 => told += ", never answered",
        None => {}
    }
    if look.cost > 0.0 {
        told += &format!(", cost {}", short(look.cost));
    }
    match why(look) {
        Some(why) => told + "; " + &why,
        None => told,
    }
}

/// Returns the reason why this candidate was interviewed.
fn why(look: &BoughtLook) -> Option<String> {
    if look.term("first").is_some() {
        return Some("a first look at everyone".into());
    }
    let (Some(radius), false) = (look.term("radius"), look.cohorts.is_empty()) else {
        let said = listed(&look.why, short);
        return (!said.is_empty()).then_some(said);
    };
    let (m, rival) = (look.cohort("m"), look.cohort("m_tilde"));
    let has = |cohort: &[String]| cohort.contains(&look.candidate);
    let estimate = look.term("estimate").map_or(String::new(), short);
    let place = match (has(m), has(rival)) {
        (true, false) => "has a place at the estimates and could lose it",
        (false, true) => "has no place at the estimates and could win one",
        (true, true) => "has a place in both cohorts",
        (false, false) => "is known least",
    };
    let only = |one: &[String], other: &[String]| {
        let only = one.iter().filter(|id| !other.contains(id));
        named(&only.cloned().collect::<Vec<_>>())
    };
    let contest = match (only(m, rival), only(rival, m)) {
        (Some(out), Some(new)) => format!("; M has {out}, M~ has {new} instead"),
        (Some(out), None) => format!("; M has {out}, M~ has not"),
        (None, Some(new)) => format!("; M~ has {new}, M has not"),
        (None, None) => String::new(),
    };
    let contested = m.iter().filter(|id| !rival.contains(id)).count()
        + rival.iter().filter(|id| !m.contains(id)).count();
    let radius = short(radius);
    Some(format!(
        "at {estimate} \u{b1} {radius} it {place}, with the widest radius of {contested}{contest}"
    ))
}

/// Some people: "a, b and 3 more". `None` if there are none.
fn named(people: &[String]) -> Option<String> {
    let shown = people.iter().take(NAMED).map(String::as_str);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match people.len() {
        0 => None,
        n if n > NAMED => Some(format!("{shown} and {} more", n - NAMED)),
        _ => Some(shown),
    }
}

fn offered(offer: &MadeOffer) -> String {
    let reply = if offer.takes { "accepted" } else { "declined" };
    let again = match offer.turn {
        1 => String::new(),
        turn => format!(" (choice {turn} of the round)"),
    };
    format!("offer to {}{again}: {reply}", offer.candidate)
}

fn heard(heard: &Heard) -> String {
    let Heard {
        candidate, decided, ..
    } = heard;
    let value = heard
        .value
        .map_or(String::new(), |value| format!(", {}", short(value)));
    let late = match heard.late {
        0 => String::new(),
        1 => ", one round late".into(),
        late => format!(", {late} rounds late"),
    };
    let corrects = heard.corrects.map_or(String::new(), |before| {
        format!(", which corrects {}", short(before))
    });
    format!("outcome of {candidate}, chosen in round {decided}{value}{late}{corrects}")
}

/// The pool: "17 of 100 applied (A 5, B 12); shares A 30 % -> 31.2 %, B 70 % -> 68.8 %".
fn pooled(pool: &PoolRounds) -> String {
    let all: u64 = pool.applied.iter().map(|(_, count)| count).sum();
    let counts = pool
        .applied
        .iter()
        .map(|(group, count)| format!("{group} {count}"));
    let applied = if pool.applied.is_empty() {
        String::new()
    } else {
        let counts = counts.collect::<Vec<_>>().join(", ");
        format!("{all} of {} applied ({counts}); ", pool.could_apply)
    };
    let share = |at: usize| {
        let (group, before) = &pool.before[at];
        let percent = |share: f64| format!("{} %", short(100.0 * share));
        match pool.after.get(at) {
            Some((_, after)) => {
                format!("{group} {} \u{2192} {}", percent(*before), percent(*after))
            }
            None => format!("{group} {}", percent(*before)),
        }
    };
    let shares = (0..pool.before.len())
        .map(share)
        .collect::<Vec<_>>()
        .join(", ");
    let word = if pool.after.is_empty() {
        "the pool"
    } else {
        "the pool before and after"
    };
    format!("{applied}{word}: {shares}")
}

/// A number in four digits.
fn short(value: f64) -> String {
    minus(&brief(value, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &str) -> Vec<String> {
        ids.split_whitespace().map(str::to_owned).collect()
    }

    fn look(candidate: &str, value: Option<f64>, why: &[(&str, f64)]) -> BoughtLook {
        BoughtLook {
            candidate: candidate.into(),
            kind: "onsite".into(),
            value,
            cost: value.map_or(0.0, |_| 6.0),
            why: why
                .iter()
                .map(|(name, value)| ((*name).into(), Some(*value)))
                .collect(),
            cohorts: Vec::new(),
        }
    }

    #[test]
    fn an_interview_says_with_whom_what_was_seen_and_why_that_one() {
        let why = [("radius", 1.25), ("gap", 0.5), ("estimate", 8.0)];
        let of_two = |candidate| BoughtLook {
            cohorts: vec![("m".into(), ids("e f")), ("m_tilde".into(), ids("d f"))],
            ..look(candidate, Some(8.5), &why)
        };
        let cases = [
            (
                look("f", Some(8.5), &[("first", 1.0)]),
                "interview 1 of 1: onsite with f, 8.5, cost 6; a first look at everyone",
            ),
            (
                of_two("e"),
                "interview 1 of 1: onsite with e, 8.5, cost 6; at 8 \u{b1} 1.25 it has a place at the \
                 estimates and could lose it, with the widest radius of 2; M has e, M~ has d instead",
            ),
            (
                of_two("d"),
                "interview 1 of 1: onsite with d, 8.5, cost 6; at 8 \u{b1} 1.25 it has no place at \
                 the estimates and could win one, with the widest radius of 2; M has e, M~ has d \
                 instead",
            ),
            (
                look("f", None, &[]),
                "interview 1 of 1: onsite with f, never answered",
            ),
            (
                look("f", Some(-1.0), &[("hunch", 2.0)]),
                "interview 1 of 1: onsite with f, \u{2212}1, cost 6; hunch 2",
            ),
        ];
        for (look, known) in cases {
            let decision = Decision {
                looks: vec![look],
                ..Decision::default()
            };
            assert_eq!(doings(&decision, &[]), [known]);
            assert_eq!(doings(&decision, &ids("other")), [""; 0]);
        }
    }

    #[test]
    fn offers_outcomes_pools_and_notes_have_sentences() {
        let decision = Decision {
            offers: vec![
                MadeOffer {
                    candidate: "a".into(),
                    turn: 1,
                    takes: false,
                },
                MadeOffer {
                    candidate: "b".into(),
                    turn: 2,
                    takes: true,
                },
            ],
            heard: vec![
                Heard {
                    candidate: "c".into(),
                    decided: 3,
                    value: Some(1.0),
                    late: 0,
                    corrects: None,
                },
                Heard {
                    candidate: "a".into(),
                    decided: 2,
                    value: Some(0.0),
                    late: 4,
                    corrects: Some(1.0),
                },
            ],
            pool: Some(PoolRounds {
                could_apply: 10,
                applied: vec![("A".into(), 2), ("B".into(), 3)],
                before: vec![("A".into(), 0.25), ("B".into(), 0.75)],
                after: vec![("A".into(), 0.3), ("B".into(), 0.7)],
            }),
            noted: vec![("temperature".into(), Some(0.5))],
            ..Decision::default()
        };
        let known = [
            "5 of 10 applied (A 2, B 3); the pool before and after: A 25 % \u{2192} 30 %, B 75 % \
             \u{2192} 70 %",
            "offer to a: declined",
            "offer to b (choice 2 of the round): accepted",
            "outcome of c, chosen in round 3, 1",
            "outcome of a, chosen in round 2, 0, 4 rounds late, which corrects 1",
            "it noted temperature 0.5",
        ];
        assert_eq!(doings(&decision, &[]), known);
        assert_eq!(doings(&decision, &ids("a")), [known[0], known[1], known[4]]);
    }

    #[test]
    fn first_looks_at_everyone_are_one_sentence_unless_one_person_is_meant() {
        let mut looks: Vec<_> = ["a", "b", "c"]
            .map(|id| look(id, Some(1.0), &[("first", 1.0)]))
            .into();
        looks.push(look("b", Some(2.0), &[("hunch", 2.0)]));
        let decision = Decision {
            looks,
            ..Decision::default()
        };
        let last = "interview 4 of 4: onsite with b, 2, cost 6; hunch 2";
        let first = "interviews 1 to 3 of 4: a first look at everyone";
        assert_eq!(doings(&decision, &[]), [first, last]);
        let of_b = "interview 2 of 4: onsite with b, 1, cost 6; a first look at everyone";
        assert_eq!(doings(&decision, &ids("b")), [of_b, last]);
    }

    #[test]
    fn a_long_round_is_told_in_part_and_says_so() {
        let decision = Decision {
            looks: vec![look("a", Some(1.0), &[]); 30],
            more_looks: 5,
            ..Decision::default()
        };
        let told = doings(&decision, &[]);
        assert_eq!(told.len(), TOLD + 1);
        assert_eq!(told[TOLD], "\u{2026} and 23 more interviews");
        assert!(told[0].starts_with("interview 1 of 35: "), "{}", told[0]);
    }
}

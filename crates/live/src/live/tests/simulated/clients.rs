//! Senders of people and outcomes, which repeat what was not acknowledged.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use tokio::io::duplex;
use tokio::task::spawn_local;
use tokio::time::sleep;

use super::network::{ON_THE_WAY, converse};
use super::parts::Parts;
use kleroterion_io::feed::serve_one;
use kleroterion_testkit::Chances;

/// A record to send.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Person(String),
    Outcome(String),
}

impl Wanted {
    fn line(&self) -> String {
        match self {
            Self::Person(id) => format!("{{\"id\":\"{id}\",\"SEX\":\"{}\"}}\n", 1 + id.len() % 2),
            Self::Outcome(id) => {
                format!("{{\"candidate_id\":\"{id}\",\"outcome\":{}.5}}\n", id.len())
            }
        }
    }
}

/// Sends all people of one sender, and outcomes of some, until all are acknowledged. Senders have a
/// few people in common.
pub(super) async fn send_all(parts: Parts, sender: u64, people: u64, mut chances: Chances) {
    let own = (0..people).map(|n| match n % 7 {
        6 => format!("common-{n}"),
        _ => format!("{}-{n}", ["a", "bb", "ccc"][sender as usize]),
    });
    let own: Vec<String> = own.collect();
    while !parts.promises.are_broken() {
        let wanted = wanted(&parts, &own);
        if wanted.is_empty() {
            return;
        }
        let from = chances.below(2.min(wanted.len() as u64)) as usize;
        let many = 1 + chances.below(8) as usize;
        let mut group: Vec<Wanted> = wanted.into_iter().skip(from).take(many).collect();
        if chances.one_in(5) {
            // A repeat of someone who was acknowledged.
            group.push(Wanted::Person(own[0].clone()));
        }
        let lines: String = group.iter().map(Wanted::line).collect();
        let (ours, theirs) = duplex(ON_THE_WAY);
        let (feed, deliveries) = (parts.feed.clone(), parts.deliveries.clone());
        let stop = parts.stop.clone();
        spawn_local(async move { serve_one(theirs, &feed, deliveries, stop).await });
        let answer = converse(ours, lines.as_bytes(), &mut chances).await;
        if !parts.disk.has_power() {
            return;
        }
        if let Some(answer) = answer {
            take(&parts, &group, &answer);
        }
        sleep(Duration::from_millis(1 + chances.below(60))).await;
    }
}

/// The records still to send: people in order, then outcomes of every third of them.
fn wanted(parts: &Parts, own: &[String]) -> Vec<Wanted> {
    parts.promises.with(|promised| {
        let people = own.iter().filter(|id| !promised.people.contains(*id));
        let people = people.map(|id| Wanted::Person(id.clone()));
        let told = own.iter().step_by(3).filter(|id| {
            let is_told = promised.outcomes.contains(*id) || promised.late.contains(*id);
            promised.people.contains(*id) && !is_told
        });
        let told = told.map(|id| Wanted::Outcome(id.clone()));
        told.chain(people).collect()
    })
}

/// Notes what an answer acknowledges.
fn take(parts: &Parts, group: &[Wanted], answer: &[u8]) {
    let Ok(answer) = serde_json::from_slice::<Value>(answer) else {
        return parts.promises.wrong("an answer is no JSON".into());
    };
    if answer.get("error").is_some() {
        // How far it came is not said: all of it is sent again.
        return;
    }
    let rejected = answer["rejected"].as_array();
    let rejected: Vec<(u64, String)> = rejected
        .into_iter()
        .flatten()
        .map(|one| {
            let why = one["error"].as_str().unwrap_or_default().to_owned();
            (one["line"].as_u64().unwrap_or_default(), why)
        })
        .collect();
    let lines: BTreeSet<u64> = rejected.iter().map(|(line, _)| *line).collect();
    parts.promises.with(|promised| {
        for (line, one) in (1..).zip(group) {
            match one {
                Wanted::Person(id) if !lines.contains(&line) => {
                    promised.people.insert(id.clone());
                }
                Wanted::Outcome(id) if !lines.contains(&line) => {
                    promised.outcomes.insert(id.clone());
                }
                Wanted::Outcome(id) if parts.feed.horizon.is_some() => {
                    promised.late.insert(id.clone());
                }
                _ => {
                    let what = format!("{one:?} was refused: {rejected:?}");
                    promised.wrong.get_or_insert(what);
                }
            }
        }
    });
    parts.hold_at_worst();
}

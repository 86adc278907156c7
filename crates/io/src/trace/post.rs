//! The lane that a witness watches, and its rounds as decisions.

use std::fmt;
use std::sync::Arc;

use super::decision::Decision;
use super::doings::{BoughtLook, Heard, MadeOffer, PoolRounds};
use super::names::Names;
use kleroterion_core::protocol::{
    Attribute, HeardOutcome, OfferedPlace, RoundEntry, Shown, SoldLook,
};

/// Terms of reasons that give away an attribute value of the person. They are kept only if all
/// attributes are shown.
const OF_A_GROUP: [&str; 5] = ["attribute", "taken", "most", "wanted", "owed"];

/// The person who answered an interview or offer, and the moment of the question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCredit {
    /// The name that they gave; `None` if they gave none.
    pub by: Option<String>,
    /// The moment at which they were asked, in milliseconds since 1970.
    pub asked: Option<u64>,
}

/// Looks up who answered an interview or offer, by the candidate's id, the kind, and the number
/// among those of its kind.
#[derive(Clone)]
pub struct Interviewers(pub Arc<Answering>);

/// The look-up by candidate, kind of interview or offer, and number among its kind.
type Answering = dyn Fn(&str, &str, u64) -> AnswerCredit + Send + Sync;

impl fmt::Debug for Interviewers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interviewers")
    }
}

/// The lane and the replication that a witness watches.
#[derive(Clone, Debug, Default)]
pub struct Post {
    /// The replication, from 0.
    pub replication: u64,
    /// The lane's label.
    pub label: String,
    /// The names of people in the outputs.
    pub names: Names,
    /// The parts of the run's setting that traces name.
    pub setting: Arc<PostSetting>,
}

/// The parts of a run's setting that traces name: interviews, offers and the pool.
#[derive(Clone, Debug, Default)]
pub struct PostSetting {
    /// The names of the kinds of interviews, by their index in the rules.
    pub kinds: Vec<String>,
    /// The index of the attribute whose values are the pool's groups; `None` without a pool.
    pub pool: Option<usize>,
    /// The word for whoever answers interviews (for example a model), used where no people answer
    /// them.
    pub looks_by: String,
    /// The word for whoever replies to offers, used where no people reply.
    pub offers_by: String,
    /// Names the person who answered each interview or offer; `None` where no people answer.
    pub interviewers: Option<Interviewers>,
}

/// Returns the numbers that the policy noted in a round; the last of each name.
fn noted(entry: &RoundEntry<'_>) -> Vec<(String, Option<f64>)> {
    let mut noted: Vec<(String, Option<f64>)> = Vec::new();
    for (name, value) in entry.measures() {
        let value = Some(value).filter(|value| value.is_finite());
        match noted.iter_mut().find(|(known, _)| known == name) {
            Some((_, last)) => *last = value,
            None => noted.push((name.to_owned(), value)),
        }
    }
    noted
}

impl Post {
    /// Returns the decision of a round.
    pub fn decision(&self, entry: &RoundEntry<'_>) -> Decision {
        let shown = self.names.shows_numbers();
        let finite = |(name, value): (&str, f64)| {
            (
                name.to_owned(),
                Some(value).filter(|value| value.is_finite()),
            )
        };
        Decision {
            replication: self.replication,
            round: entry.round(),
            policy: self.label.clone(),
            shown: self.ids(entry.slate().candidates()),
            groups: self.groups(entry),
            chosen: self.ids(entry.chosen()),
            declined: self.ids(entry.declined()),
            forfeit: entry.is_forfeit(),
            p: entry.p(),
            reason: entry
                .reasons()
                .filter(|(name, _)| shown || !OF_A_GROUP.contains(name))
                .map(finite)
                .collect(),
            cost: entry.spent(),
            at: self.arrivals(entry),
            looks: self.looks(entry),
            more_looks: entry.more_looks(),
            offers: self.offers(entry),
            heard: self.heard(entry),
            pool: self.pool(entry),
            noted: noted(entry),
        }
    }

    /// Returns the name of a kind of interview.
    pub(super) fn kind(&self, kind: usize) -> String {
        self.setting.kinds.get(kind).cloned().unwrap_or_default()
    }

    /// Returns a number of a person, or `None` if numbers are not shown.
    pub(super) fn number(&self, value: f64) -> Option<f64> {
        (self.names.shows_numbers() && value.is_finite()).then_some(value)
    }

    fn looks(&self, entry: &RoundEntry<'_>) -> Vec<BoughtLook> {
        let shown = self.names.shows_numbers();
        let bought = |(person, look): (Shown<'_>, &SoldLook)| {
            let why = look.why.as_deref();
            let terms = why.into_iter().flat_map(|why| &why.terms);
            let terms = terms.filter(|(name, _)| shown || !OF_A_GROUP.contains(&&**name));
            let sets = why.into_iter().flat_map(|why| &why.people);
            BoughtLook {
                candidate: self.names.of(person.id()),
                kind: self.kind(look.kind),
                value: look.value.and_then(|value| self.number(value)),
                cost: look.cost,
                why: terms
                    .map(|(name, value)| (name.to_string(), Some(*value).filter(|v| v.is_finite())))
                    .collect(),
                cohorts: sets
                    .map(|(name, rows)| {
                        let people = rows.iter().map(|row| entry.person_at(*row));
                        (name.to_string(), self.ids(people))
                    })
                    .collect(),
            }
        };
        entry.sold_looks().map(bought).collect()
    }

    fn offers(&self, entry: &RoundEntry<'_>) -> Vec<MadeOffer> {
        let made = |(person, offer): (Shown<'_>, OfferedPlace)| MadeOffer {
            candidate: self.names.of(person.id()),
            turn: offer.turn,
            takes: offer.takes,
        };
        entry.offers().map(made).collect()
    }

    fn heard(&self, entry: &RoundEntry<'_>) -> Vec<Heard> {
        let heard = |heard: &HeardOutcome| Heard {
            candidate: self.names.of(heard.id.as_id()),
            decided: heard.decided,
            value: self.number(heard.value),
            late: heard.late,
            corrects: heard.corrects.and_then(|before| self.number(before)),
        };
        entry.heard().map(heard).collect()
    }

    /// Returns the pool before and after the round, or `None` if its groups are not shown.
    fn pool(&self, entry: &RoundEntry<'_>) -> Option<PoolRounds> {
        let (at, before) = (self.setting.pool?, entry.pool_state());
        let schema = entry.schema();
        let attribute = schema.attributes().get(at)?;
        if before.is_empty() || !self.names.shows(&attribute.name) {
            return None;
        }
        let named = |shares: &[f64]| -> Vec<(String, f64)> {
            let values = attribute.values.iter().cloned();
            values.zip(shares.iter().copied()).collect()
        };
        let mut applied = vec![0; attribute.values.len()];
        if !self.names.is_hidden() {
            for person in entry.slate().candidates() {
                applied[usize::from(person.values()[at])] += 1;
            }
        }
        let applied = attribute.values.iter().cloned().zip(applied);
        Some(PoolRounds {
            could_apply: entry.roster_len(),
            applied: applied.filter(|_| !self.names.is_hidden()).collect(),
            before: named(before),
            after: entry.pool_after().map(named).unwrap_or_default(),
        })
    }

    /// Returns the attribute values of the slate's candidates, if identities are shown.
    fn groups(&self, entry: &RoundEntry<'_>) -> Vec<(String, Vec<String>)> {
        let slate = entry.slate();
        let Some(first) = slate
            .candidates()
            .next()
            .filter(|_| !self.names.is_hidden())
        else {
            return Vec::new();
        };
        let attributes = first.schema().attributes().iter().enumerate();
        let attributes = attributes.filter(|(_, attribute)| self.names.shows(&attribute.name));
        let column = |(at, attribute): (usize, &Attribute)| {
            let value =
                |person: Shown<'_>| attribute.values[usize::from(person.values()[at])].clone();
            (
                attribute.name.clone(),
                slate.candidates().map(value).collect(),
            )
        };
        attributes.map(column).collect()
    }

    /// Returns the arrival times of the slate's candidates, if numbers are shown.
    fn arrivals(&self, entry: &RoundEntry<'_>) -> Vec<f64> {
        if !self.names.shows_numbers() {
            return Vec::new();
        }
        entry
            .slate()
            .candidates()
            .filter_map(Shown::arrival)
            .collect()
    }

    fn ids<'a>(&self, persons: impl Iterator<Item = Shown<'a>>) -> Vec<String> {
        persons.map(|person| self.names.of(person.id())).collect()
    }
}

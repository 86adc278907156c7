//! Rows about interviews, offers and cohorts, for lists of people.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat};

use super::people::PeopleLog;
use super::post::{AnswerCredit, Post};
use crate::record::shortest;
use kleroterion_core::protocol::{LookStats, OFFER, OfferedPlace, RoundEntry, Shown, SoldLook};

/// The words of a reply to an offer.
const REPLIES: [&str; 2] = ["declined", "accepted"];

impl Post {
    /// Returns the cells `by` and `asked` of an answer. People who answer are named as other people
    /// are.
    fn answered(&self, person: Shown<'_>, kind: &str, nth: u64, word: &str) -> [String; 2] {
        let Some(who) = &self.setting.interviewers else {
            return [word.to_owned(), String::new()];
        };
        let AnswerCredit { by, asked } = (who.0)(&person.id().to_string(), kind, nth);
        let asked = asked.and_then(|at| DateTime::from_timestamp_millis(i64::try_from(at).ok()?));
        let asked = asked.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
        let by = by.map(|by| self.names.called(&by));
        [by.unwrap_or_default(), asked.unwrap_or_default()]
    }

    fn cell(&self, value: Option<f64>) -> String {
        let value = value.and_then(|value| self.number(value));
        value.map_or_else(String::new, shortest)
    }
}

impl PeopleLog {
    /// Returns one row per interview, in the order of buying.
    pub(super) fn interviews(&self, entry: &RoundEntry<'_>) -> Vec<Vec<String>> {
        let mut counts: BTreeMap<(u64, usize), u64> = BTreeMap::new();
        let row = |(person, look): (Shown<'_>, &SoldLook)| {
            let count = counts.entry((person.number(), look.kind)).or_default();
            let nth = *count;
            *count += 1;
            let kind = self.post.kind(look.kind);
            let word = &self.post.setting.looks_by;
            let answered = self.post.answered(person, &kind, nth, word);
            let mut row = self.lead(entry.round(), person);
            row.extend([
                kind,
                (nth + 1).to_string(),
                self.post.cell(look.value),
                shortest(look.cost),
            ]);
            row.extend(answered);
            row
        };
        entry.sold_looks().map(row).collect()
    }

    /// Returns one row per offer, in the order of making.
    pub(super) fn offers(&self, entry: &RoundEntry<'_>) -> Vec<Vec<String>> {
        let row = |(person, offer): (Shown<'_>, OfferedPlace)| {
            let word = &self.post.setting.offers_by;
            let mut row = self.lead(entry.round(), person);
            row.extend([
                offer.turn.to_string(),
                REPLIES[usize::from(offer.takes)].to_owned(),
            ]);
            row.extend(self.post.answered(person, OFFER, 0, word));
            row
        };
        entry.offers().map(row).collect()
    }

    /// Returns one row per person on the slate.
    pub(super) fn cohort(&self, entry: &RoundEntry<'_>) -> Vec<Vec<String>> {
        let mut files: BTreeMap<u64, (LookStats, f64)> = BTreeMap::new();
        for (person, look) in entry.sold_looks() {
            let (file, spent) = files.entry(person.number()).or_default();
            if let Some(value) = look.value {
                file.add(value, look.gain);
            }
            *spent += look.cost;
        }
        let replies = entry.offers();
        let replies: BTreeMap<u64, bool> = replies
            .map(|(p, offer)| (p.number(), offer.takes))
            .collect();
        let row = |(person, is_chosen): (Shown<'_>, bool)| {
            let (file, spent) = files.get(&person.number()).copied().unwrap_or_default();
            let reply = replies.get(&person.number());
            let is_chosen = is_chosen || reply.is_some();
            let mut row = self.lead(entry.round(), person);
            row.extend([
                file.looks.to_string(),
                self.post.cell((file.looks > 0).then_some(file.mean)),
                shortest(spent),
                u8::from(is_chosen).to_string(),
                reply
                    .map_or("", |takes| REPLIES[usize::from(*takes)])
                    .to_owned(),
            ]);
            row.extend(self.values(person));
            row
        };
        entry.decided().map(row).collect()
    }
}

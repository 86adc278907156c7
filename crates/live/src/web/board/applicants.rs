//! The table of the applicants of a hiring round: marks, estimates, who is in and who is out, and
//! the interview that waits.

use serde_json::{Value, json};

use super::hiring::{Applying, HiringRound, Place};
use super::model::{Model, Words};
use crate::limits::MOST_APPLICANTS;
use crate::looks::{ListedLook, LookState};
use kleroterion_core::protocol::OFFER;
use kleroterion_io::trace::Names;
use kleroterion_report::report::number::{brief, fixed, grouped, telling};

/// The most marks of a kind in a cell.
const MARKS: usize = 3;

/// Returns true if the board shows the values of an attribute.
pub(super) fn shows(names: &Names, attribute: &str) -> bool {
    !names.is_hidden() && names.shows(attribute)
}

/// The parts that all rows of the table share.
struct Columns<'a> {
    round: &'a HiringRound<'a>,
    /// The kinds of interview, offers left out.
    kinds: Vec<usize>,
    /// The ends of the scale on which marks are drawn; `None` if nothing is drawn.
    scale: Option<(f64, f64)>,
    /// The mark between the last who is in and the first who is out.
    cut: Option<f64>,
    decimals: Option<i32>,
}

/// Fills the table and the note below it.
pub(super) fn applicants(model: &mut Model, round: &HiringRound<'_>) {
    let columns = Columns::of(round);
    let mut rows = Vec::new();
    if !round.people.is_empty() {
        rows.push(columns.heads());
    }
    let ins = round.people.iter().filter(|one| one.place.is_in()).count();
    let shown = round.people.iter().take(MOST_APPLICANTS).enumerate();
    rows.extend(shown.map(|(at, one)| columns.row(one, at + 1 == ins)));
    model.table("applicants", rows);
    model.text("applicants-note", columns.note());
}

impl<'a> Columns<'a> {
    fn of(round: &'a HiringRound<'a>) -> Self {
        let kinds = round.desk.kinds().iter().enumerate();
        let kinds = kinds.filter(|(_, kind)| *kind.name != *OFFER);
        let sd = round.terms().sd;
        let halves = round.people.iter().filter_map(|one| one.half(sd));
        let widest = halves.reduce(f64::max);
        Self {
            round,
            kinds: kinds.map(|(at, _)| at).collect(),
            scale: scale(round),
            cut: cut(&round.people),
            decimals: widest.and_then(|half| telling(-half, half)),
        }
    }

    fn heads(&self) -> Vec<Words> {
        let known = match self.scale {
            Some((lo, hi)) => format!("What is known ({} to {})", brief(lo, 3), brief(hi, 3)),
            None => "What is known".into(),
        };
        let kinds = self
            .kinds
            .iter()
            .map(|kind| &*self.round.desk.kinds()[*kind].name);
        let heads = ["Applicant", &known].into_iter().chain(kinds);
        heads
            .chain(["Estimate", "State"])
            .map(Words::from)
            .collect()
    }

    fn row(&self, one: &Applying, is_last_in: bool) -> Vec<Words> {
        let desk = self.round.desk;
        let name = Words::new(desk.called(&one.id)).below(self.values(one));
        let name = if is_last_in {
            name.looking("last-in")
        } else {
            name
        };
        let known = Words::default().data(self.drawn(one).as_ref());
        let marks = self.kinds.iter().map(|kind| self.marks(one, *kind));
        let mut row = vec![name, known];
        row.extend(marks);
        row.extend([self.estimate(one), self.state(one)]);
        row
    }

    /// The values of the attributes that may be shown.
    fn values(&self, one: &Applying) -> String {
        let desk = self.round.desk;
        let attributes = desk.terms().attributes.iter().zip(&one.values);
        let shown = attributes.filter(|(attribute, _)| shows(desk.names(), &attribute.name));
        let values =
            shown.filter_map(|(attribute, value)| attribute.values.get(usize::from(*value)));
        values.map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// The marks of a kind, and who gave them. Where marks are not shown, the number of them.
    fn marks(&self, one: &Applying, kind: usize) -> Words {
        let desk = self.round.desk;
        let of_kind = one
            .in_state(LookState::Answered)
            .filter(|look| look.look.kind == kind);
        let of_kind: Vec<&ListedLook> = of_kind.collect();
        if of_kind.is_empty() {
            let is_missed = one
                .in_state(LookState::Missed)
                .any(|look| look.look.kind == kind);
            return Words::new(if is_missed { "not held" } else { "\u{2013}" });
        }
        if !desk.names().shows_numbers() {
            return Words::new("\u{2713}".repeat(of_kind.len().min(MARKS)));
        }
        let last = &of_kind[of_kind.len().saturating_sub(MARKS)..];
        let marks = last.iter().filter_map(|look| look.value);
        let mut marks = marks
            .map(|mark| brief(mark, 4))
            .collect::<Vec<_>>()
            .join(", ");
        if last.len() < of_kind.len() {
            marks = format!("\u{2026} {marks}");
        }
        let by = |look: &&ListedLook| {
            let key = &look.look;
            desk.by(&key.candidate, &desk.kinds()[kind].name, key.nth)
        };
        let mut by: Vec<String> = last.iter().map(by).filter(|by| !by.is_empty()).collect();
        by.dedup();
        Words::new(marks.replace('-', "\u{2212}")).below(by.join(", "))
    }

    fn estimate(&self, one: &Applying) -> Words {
        let Some(mean) = one.mean() else {
            return Words::new("\u{2013}");
        };
        let half = one.half(self.round.terms().sd);
        let words = match (half, self.decimals) {
            (Some(half), Some(decimals)) => {
                format!("{} \u{b1} {}", fixed(mean, decimals), fixed(half, decimals))
            }
            _ => brief(mean, 3),
        };
        Words::new(words.replace('-', "\u{2212}"))
    }

    /// The state of the applicant: proposed or not, or the interview that waits for its mark.
    fn state(&self, one: &Applying) -> Words {
        let (state, look) = self.place(one);
        let mut waiting = one.in_state(LookState::Open);
        let Some(next) = waiting.next() else {
            return Words::new(state).looking(look);
        };
        let kind = &self.round.desk.kinds()[next.look.kind].name;
        let (nth, more) = (next.look.nth + 1, waiting.count());
        let mut words = match (self.round.is_offer(next), nth) {
            (true, _) => "offer: reply waits".to_owned(),
            (false, 1) => format!("{kind} next"),
            (false, _) => format!("{kind} no. {nth} next"),
        };
        if more > 0 {
            words += &format!(" (then {more} more)");
        }
        let range = self
            .round
            .terms()
            .range
            .filter(|_| !self.round.is_offer(next));
        let data = json!({
            "candidate": self.round.desk.called(&one.id),
            "kind": &**kind,
            "nth": nth,
            "range": range.map(|(lo, hi)| [lo, hi]),
            "is_offer": self.round.is_offer(next),
        });
        Words::new(words)
            .below(state)
            .looking("waits")
            .data(Some(&data))
    }

    fn place(&self, one: &Applying) -> (&'static str, &'static str) {
        let replies = one
            .in_state(LookState::Answered)
            .filter(|look| self.round.is_offer(look));
        match (replies.last().and_then(|look| look.value), one.place) {
            (Some(reply), _) if reply > 0.0 => ("\u{2713} takes the place", "chip sure"),
            (Some(_), _) => ("declined", "out"),
            (None, Place::Proposed) => ("\u{2713} proposed", "chip sure"),
            (None, Place::In) => ("in so far", "chip"),
            (None, _) if one.has_withdrawn => ("withdrew", "out"),
            (None, Place::Open) => ("open", "out"),
            (None, Place::Out) => ("out so far", "out"),
            (None, Place::Refused) => ("not proposed", "out"),
        }
    }

    /// The numbers from which the page's script draws what is known of a person, as shares of the
    /// scale.
    fn drawn(&self, one: &Applying) -> Option<Value> {
        let (mean, (lo, hi)) = (one.mean()?, self.scale?);
        let share = |value: f64| (1e3 * ((value - lo) / (hi - lo)).clamp(0.0, 1.0)).round() / 1e3;
        let half = one.half(self.round.terms().sd);
        let marks = one.in_state(LookState::Answered).filter_map(|look| {
            let kind = self.kinds.iter().position(|kind| *kind == look.look.kind)?;
            Some((kind, share(look.value?)))
        });
        Some(json!({
            "range": half.map(|half| [share(mean - half), share(mean + half)]),
            "mean": share(mean),
            "cut": self.cut.map(share),
            "is_in": one.place.is_in(),
            "marks": marks.collect::<Vec<_>>(),
        }))
    }

    /// The meaning of an estimate, and the number of people who are not listed.
    fn note(&self) -> String {
        let people = &self.round.people;
        let mut note = String::new();
        if let Some(more) = people
            .len()
            .checked_sub(MOST_APPLICANTS)
            .filter(|more| *more > 0)
        {
            note += &format!("{} more people are not listed. ", grouped(more as u64));
        }
        if !self.round.desk.names().shows_numbers() {
            return note
                + "Marks are not shown, because people or attributes are hidden in this run.";
        }
        if people.iter().all(|one| one.mean().is_none()) {
            return note;
        }
        note += "Estimate: the mean of the marks, weighted by the gain of their interviews";
        if let Some(sd) = self.round.terms().sd {
            note += &format!(
                ", \u{b1} 95 % of the noise that the config assumes (sd {} of an interview of gain 1)",
                brief(sd, 3)
            );
        }
        note += ". Ticks: the marks, the first kind above.";
        if self.cut.is_some() {
            note += " Dashed: between the last who is in and the first who is out.";
        }
        note
    }
}

/// The ends of the scale: the range of marks that the config declares, or else that of all that is
/// known.
fn scale(round: &HiringRound<'_>) -> Option<(f64, f64)> {
    let sd = round.terms().sd;
    let ends = round.people.iter().flat_map(|one| {
        let half = one.half(sd).unwrap_or(0.0);
        let mean = one.mean();
        let marks = one
            .in_state(LookState::Answered)
            .filter(|look| !round.is_offer(look));
        let marks = marks.filter_map(|look| look.value);
        mean.into_iter()
            .flat_map(move |mean| [mean - half, mean + half])
            .chain(marks)
    });
    let known = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), end| {
        (lo.min(end), hi.max(end))
    });
    let shows = round.desk.names().shows_numbers();
    let ends = round.terms().range.unwrap_or(known);
    Some(ends).filter(|(lo, hi)| shows && lo < hi && (hi - lo).is_finite())
}

/// The middle between the worst mark of those who are in and the best of the others; `None` if the
/// two overlap, as a quota may have it.
fn cut(people: &[Applying]) -> Option<f64> {
    let of = |is_in: bool| {
        let some = people.iter().filter(move |one| one.place.is_in() == is_in);
        some.filter_map(Applying::mean)
    };
    let (last, first) = (of(true).reduce(f64::min)?, of(false).reduce(f64::max)?);
    (last >= first).then_some(f64::midpoint(last, first))
}

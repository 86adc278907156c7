//! The section `[feedback.outcome]`: the outcomes of those chosen, and their delays.

use std::sync::Arc;

use super::answer_kinds::{DrawnOutcomes, OutcomeForm, OutcomeReader, OutcomesKind};
use super::goal;
use super::program::Program;
use super::seconds::time;
use crate::document::{Field, Reader, Value};
use crate::limits::MOST_DELAY;
use kleroterion_core::feedback::{AnsweredBy, BernoulliLooks, Gaussian};
use kleroterion_core::problem::Given;
use kleroterion_core::protocol::Delay;
use kleroterion_core::score::GoodOutcome;
use kleroterion_io::feed::OutcomeHorizon;
use kleroterion_io::people::table::OutcomeCells;
use kleroterion_stats::GoalBound;
use kleroterion_stats::sequence::Range;

/// An example of the section.
pub(super) const EXAMPLE: &str = "outcome = { type = \"linear\", noise = 2.0 }";

/// The content of `[feedback.outcome]`.
pub(super) struct OutcomeSection<'a> {
    pub(super) kind: OutcomeKind<'a>,
    /// The number of rounds between a choice and its outcome.
    pub(super) delay: Delay,
    /// The outcomes that the config calls good.
    pub(super) good: Option<GoodOutcome>,
    /// The field `flip`, not read yet: its keys depend on the source.
    pub(super) flip: Option<Field<'a>>,
    pub(super) field: Field<'a>,
}

/// The origin of outcomes.
pub(super) enum OutcomeKind<'a> {
    /// Drawn: the person's merit plus normal noise of this standard deviation.
    Linear(f64),
    /// Drawn: 1 with the person's merit as probability, else 0.
    Bernoulli,
    /// A column of the people's file.
    Recorded(OutcomeColumn<'a>),
    /// Reported by people, with an optional range and an optional deadline.
    Reported(Option<Range>, Option<OutcomeHorizon>),
    /// Drawn by a generator of a program's own.
    Own(DrawnOutcomes),
    /// Reported by a program that is asked after each choice, with an optional range.
    Asked(Program, Option<Range>),
}

/// The column that holds what became of people.
pub(super) struct OutcomeColumn<'a> {
    pub(super) name: String,
    /// The least and the greatest outcome, where the config declares them.
    pub(super) range: Option<Range>,
    pub(super) field: Field<'a>,
    /// The cells that are words or codes.
    pub(super) cells: OutcomeCells,
}

impl<'a> OutcomeSection<'a> {
    /// Reads the section.
    pub(super) fn read(field: &Field<'a>, kinds: &[OutcomesKind]) -> Option<Self> {
        let mut table = field.table()?;
        let kind = table.need("type", "type = \"linear\"");
        let kinds: Vec<_> = kinds.iter().map(|kind| (kind.name, kind)).collect();
        let (form, read) = match &kind.choice(&kinds)?.read {
            OutcomeReader::BuiltIn(form) => (Some(*form), form.read(&mut table)),
            OutcomeReader::Own(read) => (None, read(&mut table).map(OutcomeKind::Own)),
        };
        let delay = match form {
            Some(OutcomeForm::Reported) => Some(Delay::Fixed(0)),
            _ => delay(&table.get("delay")),
        };
        let good = match form {
            Some(OutcomeForm::Bernoulli) => Given::Absent,
            _ => table.get("good").optional(good),
        };
        let flip = matches!(form, Some(OutcomeForm::Bernoulli)).then(|| table.get("flip"));
        table.finish();
        Some(Self {
            flip: flip.filter(Field::is_given),
            kind: read?,
            delay: delay?,
            good: good.unless_bad()?,
            field: field.clone(),
        })
    }

    /// Returns the source that is asked after each choice, if any.
    pub(super) fn answered_by(&self) -> Option<AnsweredBy> {
        match &self.kind {
            OutcomeKind::Linear(noise) => Some(AnsweredBy::Drawn(Arc::new(Gaussian::new(*noise)))),
            OutcomeKind::Bernoulli => Some(AnsweredBy::Drawn(Arc::new(BernoulliLooks))),
            OutcomeKind::Own(own) => Some(AnsweredBy::Drawn(Arc::clone(&own.feedback))),
            OutcomeKind::Asked(..) => Some(AnsweredBy::Outside),
            OutcomeKind::Recorded(_) | OutcomeKind::Reported(..) => None,
        }
    }

    /// The program that is asked, where one is.
    pub(super) fn program(&self) -> Option<&Program> {
        match &self.kind {
            OutcomeKind::Asked(program, _) => Some(program),
            _ => None,
        }
    }

    /// The noise around what a person is worth, where outcomes are drawn. A toss is
    /// 1/2-sub-Gaussian whatever its mean.
    pub(super) fn noise(&self) -> Option<f64> {
        match &self.kind {
            OutcomeKind::Linear(noise) => Some(*noise),
            OutcomeKind::Bernoulli => Some(0.5),
            OutcomeKind::Own(own) => own.noise,
            OutcomeKind::Recorded(_) | OutcomeKind::Reported(..) | OutcomeKind::Asked(..) => None,
        }
    }

    /// Returns true if outcomes or their delays differ between replications, all else being equal.
    pub(super) fn is_random(&self) -> bool {
        matches!(self.kind, OutcomeKind::Own(_))
            || self.noise().is_some_and(|noise| noise > 0.0)
            || self.program().is_some()
            || matches!(self.delay, Delay::Uniform { low, high } if low < high)
    }

    /// Returns true if outcomes are drawn around what people are worth.
    pub(super) fn of_merit(&self) -> bool {
        match &self.kind {
            OutcomeKind::Linear(_) | OutcomeKind::Bernoulli => true,
            OutcomeKind::Own(own) => own.needs_merit,
            OutcomeKind::Recorded(_) | OutcomeKind::Reported(..) | OutcomeKind::Asked(..) => false,
        }
    }

    /// Returns true if people outside report the outcomes.
    pub(super) fn is_reported(&self) -> bool {
        matches!(self.kind, OutcomeKind::Reported(..))
    }

    /// The column that holds them, where one does.
    pub(super) fn column(&self) -> Option<&OutcomeColumn<'a>> {
        match &self.kind {
            OutcomeKind::Recorded(column) => Some(column),
            _ => None,
        }
    }

    /// Returns the time to wait for a reported outcome, if limited.
    pub(super) fn horizon(&self) -> Option<OutcomeHorizon> {
        match self.kind {
            OutcomeKind::Reported(_, horizon) => horizon,
            _ => None,
        }
    }

    /// The range that the config declares.
    pub(super) fn declared(&self) -> Option<Range> {
        match self.kind {
            OutcomeKind::Reported(range, _) | OutcomeKind::Asked(_, range) => range,
            _ => None,
        }
    }
}

impl OutcomeForm {
    /// Reads the keys that the kind has alone.
    fn read<'a>(self, table: &mut Reader<'a>) -> Option<OutcomeKind<'a>> {
        match self {
            Self::Linear => {
                let noise = table.need("noise", "noise = 2.0").not_negative()?;
                Some(OutcomeKind::Linear(noise))
            }
            Self::Bernoulli => Some(OutcomeKind::Bernoulli),
            Self::Recorded => {
                let field = table.need("column", "column = \"repaid\"");
                let range = table.get("range").optional(declared).unless_bad();
                let cells = cells(table);
                let name = field.text()?.to_owned();
                Some(OutcomeKind::Recorded(OutcomeColumn {
                    name,
                    range: range?,
                    field,
                    cells: cells?,
                }))
            }
            Self::Reported => {
                let range = table.get("range").optional(declared);
                let until = table.get("horizon").optional(horizon);
                Some(OutcomeKind::Reported(
                    range.unless_bad()?,
                    until.unless_bad()?,
                ))
            }
            Self::Exec => {
                let program = Program::read(table, "my_outcomes");
                let range = table.get("range").optional(declared);
                Some(OutcomeKind::Asked(program?, range.unless_bad()?))
            }
        }
    }
}

/// The outcomes that count as good: `">= 1"` or `"<= 0"`.
fn good(field: &Field<'_>) -> Option<GoodOutcome> {
    Some(match goal::bound(field)? {
        GoalBound::AtLeast(bound) => GoodOutcome::AtLeast(bound),
        GoalBound::AtMost(bound) => GoodOutcome::AtMost(bound),
    })
}

/// The cells of recorded outcomes that are words or codes: `values` gives each its number, `missing`
/// lists those that say nothing.
fn cells(table: &mut Reader<'_>) -> Option<OutcomeCells> {
    let values = table
        .get("values")
        .optional(|field| field.pairs(Field::finite));
    let missing = table.get("missing").optional(Field::texts);
    Some(OutcomeCells::new(
        values.or(Vec::new())?,
        missing.or(Vec::new())?,
    ))
}

/// The least and the greatest outcome: `[0, 1]`.
pub(super) fn declared(field: &Field<'_>) -> Option<Range> {
    let ends = field.each(|member| member.number())?;
    let range = match ends[..] {
        [least, most] => Range::new(least, most),
        _ => None,
    };
    range.or_else(|| {
        field.refused(
            "a range is the least and the greatest value there can be",
            "for example: range = [0, 1]",
        )
    })
}

/// Reads the time to wait for an outcome: a number of people, or a duration.
fn horizon(field: &Field<'_>) -> Option<OutcomeHorizon> {
    match field.value()? {
        Value::Text(_) => time(field).map(OutcomeHorizon::Time),
        _ => field
            .whole_in(1..=1_000_000_000_000)
            .map(OutcomeHorizon::People),
    }
}

/// Reads the number of rounds between a choice and its outcome: a number, or `{ uniform = [1, 10]
/// }`.
fn delay(field: &Field<'_>) -> Option<Delay> {
    // Far beyond any run, and sums of rounds stay whole numbers of 64 bits.
    match field.value() {
        None => Some(Delay::Fixed(0)),
        Some(Value::Table(_)) => {
            let (_, bounds) = field.form(&[], &["uniform"])?;
            let ends = bounds.each(|member| member.whole_in(..=MOST_DELAY))?;
            match ends[..] {
                [low, high] if low <= high => Some(Delay::Uniform { low, high }),
                _ => bounds.refused(
                    "a delay is drawn from the shortest to the longest, both included",
                    "for example: delay = { uniform = [1, 10] }",
                ),
            }
        }
        Some(_) => field.whole_in(..=MOST_DELAY).map(Delay::Fixed),
    }
}

//! The section `[feedback.outcome]`: the outcomes of those chosen, and their delays.

use std::sync::Arc;

use super::answer_kinds::{DrawnOutcomes, OutcomeForm, OutcomeReader, OutcomesKind};
use super::by_value;
use super::goal;
use super::program::{COMMAND, PATIENCE, Program};
use super::seconds::time;
use crate::document::kind_list::KindList;
use crate::document::param::{Entry, Param, Shape};
use crate::document::range::{FINITE, NOT_NEGATIVE, PROBABILITY};
use crate::document::{ConfigKey, Field, Later, Literal, Reader, Value};
use crate::keys;
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
const EXAMPLE: &str = "outcome = { type = \"linear\", noise = 2.0 }";

const TYPE: ConfigKey<Later> =
    ConfigKey::later(KindList::Outcomes.tag(), Shape::Text).needed_like("type = \"linear\"");

const NOISE: ConfigKey<f64> = ConfigKey::number("noise", NOT_NEGATIVE)
    .about("its standard deviation")
    .needed_like("noise = 2.0");

const COLUMN: ConfigKey<String> = ConfigKey::text("column")
    .about("the column")
    .needed_like("column = \"repaid\"");

const VALUES: ConfigKey<Vec<(String, f64)>> =
    ConfigKey::of("values", Shape::Map(&Shape::Number(FINITE)), |field| {
        field.pairs(Field::finite)
    })
    .about("of a column of words or codes, the file's cell = the outcome: { yes = 1, no = 0 }");

const MISSING: ConfigKey<Vec<String>> =
    ConfigKey::texts("missing").about("cells that say nothing, as blank ones do: [\"NA\"]");

const RANGE: ConfigKey<Range> =
    ConfigKey::of("range", Shape::Tuple(&Shape::Number(FINITE), 2), declared)
        .about("the least and the greatest outcome");

const HORIZON: ConfigKey<OutcomeHorizon> = ConfigKey::of(
    "horizon",
    Shape::OneOf(&[Shape::Whole(1, MOST_DELAY), Shape::Text]),
    |field| match field.value()? {
        Value::Text(_) => time(field).map(OutcomeHorizon::Time),
        _ => field.whole_in(1..=MOST_DELAY).map(OutcomeHorizon::People),
    },
)
.about(
    "how long an outcome is waited for: people who come meanwhile, or a time such as \
     \"90d\"; without it, for ever, some 250 bytes a person and policy",
);

/// The probability of the other outcome, where it is the same of all.
pub(super) const FLIP_OF_ALL: ConfigKey<f64> = ConfigKey::number("", PROBABILITY);

const FLIP: ConfigKey<Later> = ConfigKey::later(
    "flip",
    Shape::OneOf(&[
        FLIP_OF_ALL.shape(),
        Shape::Table(&[
            by_value::BY.param,
            by_value::of(Shape::Map(&FLIP_OF_ALL.shape()), "a probability a value").param,
        ]),
    ]),
)
.about("label noise: how likely the other outcome is reported");

const ROUNDS: Shape = Shape::Whole(0, MOST_DELAY);

const UNIFORM: ConfigKey<Later> = ConfigKey::later("uniform", Shape::Tuple(&ROUNDS, 2)).needed();

const DELAY: ConfigKey<Delay> = ConfigKey::of(
    "delay",
    Shape::OneOf(&[ROUNDS, Shape::Table(keys![UNIFORM])]),
    delay,
)
.about("rounds until it is heard")
.or_literal(Literal::Whole(0));

const GOOD: ConfigKey<GoodOutcome> = ConfigKey::of("good", Shape::Text, good).about(
    "which outcomes are good: \">= 1\", which is assumed of recorded zeros and ones, or \"<= 0\"",
);

/// The built-in kinds of outcomes.
pub(crate) fn kinds() -> [OutcomesKind; 5] {
    let built_in = OutcomesKind::built_in;
    [
        built_in(
            OutcomeForm::Linear,
            "linear",
            "the merit and normal noise",
            keys![NOISE, DELAY, GOOD],
        ),
        built_in(
            OutcomeForm::Bernoulli,
            "bernoulli",
            "1, which is good, with the merit as its chance, else 0",
            keys![DELAY, FLIP],
        ),
        built_in(
            OutcomeForm::Recorded,
            "recorded",
            "what a column of the people's file says; where its cell is blank none ever comes",
            keys![COLUMN, VALUES, MISSING, RANGE, DELAY, GOOD],
        ),
        built_in(
            OutcomeForm::Reported,
            "reported",
            "what is reported from outside",
            keys![RANGE, HORIZON, GOOD],
        ),
        built_in(
            OutcomeForm::Exec,
            "exec",
            "what a program of your own says once someone is chosen",
            keys![COMMAND, RANGE, PATIENCE, DELAY, GOOD],
        ),
    ]
}

/// The keys of a kind, but the one that names it. Those of a program's own have `delay` and `good`
/// too.
fn keys(kind: &OutcomesKind) -> Vec<Param> {
    let common: &[Param] = match kind.read {
        OutcomeReader::BuiltIn(_) => &[],
        OutcomeReader::Own(_) => keys![DELAY, GOOD],
    };
    [kind.params, common].concat()
}

/// A kind with all its keys.
pub(crate) fn entry(kind: &OutcomesKind) -> Entry {
    Entry {
        name: kind.name,
        about: kind.about,
        params: keys(kind),
    }
}

pub(super) const OUTCOME: ConfigKey<Later> =
    ConfigKey::later("outcome", Shape::Registered(KindList::Outcomes))
        .about("what comes of a choice")
        .like(EXAMPLE);

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
        let kinds: Vec<_> = kinds.iter().map(|kind| (kind.name, kind)).collect();
        let kind = TYPE.field(&mut table).choice(&kinds)?;
        let keys = [keys![TYPE], &keys(kind)[..]].concat();
        let (form, read) = match &kind.read {
            OutcomeReader::BuiltIn(form) => {
                table.declare(keys);
                (Some(*form), form.read(&mut table))
            }
            OutcomeReader::Own(read) => {
                table.declare_own(keys);
                (None, read(&mut table).map(OutcomeKind::Own))
            }
        };
        let delay = match form {
            Some(OutcomeForm::Reported) => Some(Delay::Fixed(0)),
            _ => DELAY.value(&mut table),
        };
        let good = match form {
            Some(OutcomeForm::Bernoulli) => Given::Absent,
            _ => GOOD.read(&mut table),
        };
        let is_toss = matches!(form, Some(OutcomeForm::Bernoulli));
        let flip = is_toss.then(|| FLIP.field(&mut table));
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
            Self::Linear => NOISE.value(table).map(OutcomeKind::Linear),
            Self::Bernoulli => Some(OutcomeKind::Bernoulli),
            Self::Recorded => {
                let field = COLUMN.field(table);
                let range = RANGE.read(table).unless_bad();
                let cells = cells(table);
                Some(OutcomeKind::Recorded(OutcomeColumn {
                    name: COLUMN.value_of(&field)?,
                    range: range?,
                    field,
                    cells: cells?,
                }))
            }
            Self::Reported => {
                let (range, until) = (RANGE.read(table), HORIZON.read(table));
                Some(OutcomeKind::Reported(
                    range.unless_bad()?,
                    until.unless_bad()?,
                ))
            }
            Self::Exec => {
                let example = "command = [\"python3\", \"my_outcomes.py\"]";
                let program = Program::read(table, "my_outcomes", example);
                let range = RANGE.read(table);
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
    let (values, missing) = (VALUES.read(table), MISSING.read(table));
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

/// Reads the number of rounds between a choice and its outcome: a number, or `{ uniform = [1, 10]
/// }`.
fn delay(field: &Field<'_>) -> Option<Delay> {
    let Value::Table(_) = field.value()? else {
        return field.whole_in(..=MOST_DELAY).map(Delay::Fixed);
    };
    let (_, bounds) = field.form(&[], &[UNIFORM.name()])?;
    let ends = bounds.each(|member| member.whole_in(..=MOST_DELAY))?;
    match ends[..] {
        [low, high] if low <= high => Some(Delay::Uniform { low, high }),
        _ => bounds.refused(
            "a delay is drawn from the shortest to the longest, both included",
            "for example: delay = { uniform = [1, 10] }",
        ),
    }
}

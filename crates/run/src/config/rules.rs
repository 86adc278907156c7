//! The section `[rules]`.

use super::by_value;
use super::plan::World;
use super::seconds::seconds;
use crate::document::param::{Param, Shape, WHOLE};
use crate::document::range::{NOT_NEGATIVE, POSITIVE, PROBABILITY, UP_TO_A_MILLION};
use crate::document::{ConfigKey, Field, Later, Literal, Reader, Value, all_read};
use crate::limits::{MOST_INTERVIEWS, MOST_ROUNDS};
use crate::{case, keys};
use kleroterion_core::limits::MOST_SLATE;
use kleroterion_core::protocol::{Choose, OFFER, Rules, Until};
use kleroterion_core::source::Sizes;

/// The number of people that a round shows or chooses at most.
const PEOPLE: u64 = MOST_SLATE as u64;

const POISSON: ConfigKey<f64> = ConfigKey::number("poisson", UP_TO_A_MILLION).needed();

const EVERY: ConfigKey<f64> = ConfigKey::of(
    "every",
    Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]),
    seconds,
)
.about("all who arrive within so long, such as \"1m\"")
.needed();

const ALL: [(&str, ()); 1] = [("all", ())];

const SLATE: ConfigKey<SlateSize> = ConfigKey::of(
    "slate",
    Shape::OneOf(&[
        Shape::Whole(1, PEOPLE),
        Shape::Word(&ALL),
        Shape::List(&Shape::Whole(0, PEOPLE)),
        Shape::Table(keys![POISSON]),
        Shape::Table(keys![EVERY]),
    ]),
    slate,
)
.about("how many candidates a round shows")
.or_literal(Literal::Whole(1));

const AT_MOST: ConfigKey<u64> = ConfigKey::whole("at_most", 1, PEOPLE).needed();
const EXACTLY: ConfigKey<u64> = ConfigKey::whole("exactly", 1, PEOPLE).needed();
const SHARE: ConfigKey<f64> = ConfigKey::number("share", PROBABILITY).needed();

const CHOOSE: ConfigKey<Choose> = ConfigKey::form(
    "choose",
    &[
        ("at_most_one", Choose::AtMost(1)),
        ("exactly_one", Choose::Exactly(1)),
        ("any", Choose::Any),
    ],
    &[
        case!(AT_MOST, |k| Choose::AtMost(k as u32)),
        case!(EXACTLY, |k| Choose::Exactly(k as u32)),
        case!(SHARE, Choose::Share),
    ],
)
.about("how many a round chooses")
.needed_like("choose = \"at_most_one\"");

const ACCEPTED: ConfigKey<u64> = ConfigKey::whole("accepted", 1, u64::MAX).needed();
const ROUNDS: ConfigKey<u64> = ConfigKey::whole("rounds", 1, u64::MAX).needed();

pub(super) const UNTIL: ConfigKey<Until> = ConfigKey::form(
    "until",
    &[("source_ends", Until::SourceEnds)],
    &[
        case!(ACCEPTED, Until::Accepted),
        case!(ROUNDS, Until::Rounds),
    ],
)
.about("when a lane ends")
.needed_like("until = { accepted = 150 }");

const MAX_ROUNDS: ConfigKey<u64> =
    ConfigKey::whole("max_rounds", 1, u64::MAX).about("after how many rounds a lane is stalled");

const NAME: ConfigKey<Later> = ConfigKey::later("name", Shape::Text)
    .about("the kind's name")
    .needed_like("name = \"weak\"");

const COST: ConfigKey<f64> = ConfigKey::number("cost", NOT_NEGATIVE)
    .about("what one costs")
    .needed_like("cost = 1");

/// The gain, where it is the same of all.
pub(super) const GAIN_OF_ALL: ConfigKey<f64> = ConfigKey::number("", POSITIVE);

const GAIN: ConfigKey<Later> = ConfigKey::later(
    "gain",
    Shape::OneOf(&[
        GAIN_OF_ALL.shape(),
        Shape::Table(&[
            by_value::BY.param,
            by_value::of(Shape::Map(&GAIN_OF_ALL.shape()), "a gain a value").param,
        ]),
    ]),
)
.about("how much one reveals: at all, or by an attribute's value")
.needed_like("gain = 1");

const INTERVIEW: &[Param] = keys![NAME, COST, GAIN];

const INTERVIEWS: ConfigKey<Later> =
    ConfigKey::later("interviews", Shape::List(&Shape::Table(INTERVIEW)))
        .about("the kinds of interviews that are sold");

/// The most interviews: some policies look until they are sure, which may be never.
const INTERVIEW_CAP: ConfigKey<u64> = ConfigKey::whole("interview_cap", 0, u64::MAX)
    .about("interviews in a round at most")
    .or(MOST_INTERVIEWS);

const BUDGET: ConfigKey<f64> =
    ConfigKey::number("budget", NOT_NEGATIVE).about("what a round's interviews may cost");

const RUN_BUDGET: ConfigKey<f64> =
    ConfigKey::number("run_budget", NOT_NEGATIVE).about("what a run's interviews may cost");

const QUOTA: ConfigKey<Later> =
    ConfigKey::later("quota", Shape::Map(&Shape::Map(&Shape::Tuple(&WHOLE, 2))))
        .about("the fewest and the most of each value");

const ENFORCE: ConfigKey<bool> = ConfigKey::flag("enforce")
    .about("whether who breaks a quota is disqualified")
    .or(false);

const UNIQUE: ConfigKey<Vec<String>> =
    ConfigKey::texts("unique").about("columns that name a household: at most one of each");

/// `[rules]`.
pub(super) const KEYS: &[Param] = keys! {
    SLATE, CHOOSE, UNTIL, MAX_ROUNDS, INTERVIEWS, INTERVIEW_CAP, BUDGET, RUN_BUDGET, QUOTA,
    ENFORCE, UNIQUE,
};

/// The section, and the facts that the source needs of it.
pub(super) struct RulesSection<'a> {
    /// The rules as far as the section alone says them.
    pub(super) written: Rules,
    /// The size of the slates.
    pub(super) slate: Slate<'a>,
    pub(super) unique: Option<Unique<'a>>,
    /// The kinds of interview.
    pub(super) interviews: Vec<InterviewRead<'a>>,
    /// The field `quota`, not read yet: its meaning depends on the source.
    pub(super) quota: Field<'a>,
    /// True if a choice that breaks the quotas is a foul.
    pub(super) enforce: bool,
    /// True if the config sets the number of rounds after which a lane is stalled.
    pub(super) states_max_rounds: bool,
    /// Notes on defaults.
    pub(super) notes: Vec<String>,
}

/// A kind of interview.
pub(super) struct InterviewRead<'a> {
    pub(super) name: &'a str,
    pub(super) cost: f64,
    /// `gain`, unread: by whose value depends on the source.
    pub(super) gain: Field<'a>,
}

/// The size of the slates.
#[derive(Clone)]
pub(super) enum Slate<'a> {
    /// The same number of people in every round.
    Of(u32),
    /// A number that varies by round, with its field.
    Varied(Sizes, Field<'a>),
    /// All people who arrive within this many seconds, with its field.
    Every(f64, Field<'a>),
    /// All people of the source, with its field.
    All(Field<'a>),
}

/// The size of the slates, as it is written.
enum SlateSize {
    Of(u32),
    Varied(Sizes),
    Every(f64),
    All,
}

impl SlateSize {
    /// The size, with its field.
    fn at(self, field: Field<'_>) -> Slate<'_> {
        match self {
            Self::Of(slate) => Slate::Of(slate),
            Self::Varied(sizes) => Slate::Varied(sizes, field),
            Self::Every(seconds) => Slate::Every(seconds, field),
            Self::All => Slate::All(field),
        }
    }
}

impl Slate<'_> {
    /// The constant size of the slates, if it is one.
    pub(super) fn constant(&self) -> Option<u32> {
        match self {
            Self::Of(slate) => Some(*slate),
            Self::Varied(..) | Self::Every(..) | Self::All(_) => None,
        }
    }

    /// The sizes of the slates for a world, if they are known.
    pub(super) fn law(&self, world: &World) -> Option<Sizes> {
        match self {
            Self::Of(slate) => Some(Sizes::Constant(*slate)),
            Self::Varied(sizes, _) => Some(sizes.clone()),
            Self::Every(seconds, _) => Some(Sizes::Poisson(seconds * world.arrivals?)),
            Self::All(_) => Some(Sizes::Constant(u32::try_from(world.people?).ok()?)),
        }
    }

    /// The sizes of the rounds for a source of `roster` people, or without end if `None`. Notes a
    /// problem if the source cannot provide them.
    pub(super) fn sizes(&self, roster: Option<u32>) -> Option<Sizes> {
        match self {
            Self::Varied(sizes, _) => Some(sizes.clone()),
            _ => self.of(roster).map(Sizes::Constant),
        }
    }

    /// The constant size of a slate for a source of `roster` people, or without end if `None`.
    /// Notes a problem if the size varies or is all people of an endless source.
    pub(super) fn of(&self, roster: Option<u32>) -> Option<u32> {
        match (self, roster) {
            (Self::Of(slate), _) => Some(*slate),
            (Self::Varied(_, field), _) => field.refused(
                "this source supports only a fixed slate size",
                "give a number: slate = 10",
            ),
            (Self::Every(_, field), _) => field.refused(
                "slates by time, and this source does not say when people arrive",
                "give a number: slate = 10, or take a source of type \"people\" with arrivals",
            ),
            (Self::All(_), Some(roster)) => Some(roster),
            (Self::All(field), None) => field.refused(
                "a slate of all, and this source has no end",
                "give a number: slate = 10",
            ),
        }
    }
}

/// The columns that together name a household, of which at most one is accepted.
pub(super) struct Unique<'a> {
    pub(super) columns: Vec<String>,
    field: Field<'a>,
}

impl Unique<'_> {
    /// Notes that a source has no such columns.
    pub(super) fn refuse(&self, source: &str) {
        self.field.refuse(
            format!("`unique` names columns of a file, and a {source} source has none"),
            "leave it out, or take the people from a file",
        );
    }
}

/// Reads `[rules]`.
pub(super) fn read(mut table: Reader<'_>) -> Option<RulesSection<'_>> {
    let slate = SLATE.field(&mut table);
    let slate = SLATE.value_of(&slate).map(|size| size.at(slate));
    let (choose, until) = (CHOOSE.value(&mut table), UNTIL.value(&mut table));
    let max_rounds = max_rounds(&MAX_ROUNDS.field(&mut table), until, slate.as_ref());
    let kinds = INTERVIEWS.field(&mut table).optional(kinds);
    let caps = Caps::read(&mut table, !kinds.is_absent());
    let quota = QUOTA.field(&mut table);
    let enforce = enforce(&ENFORCE.field(&mut table), &quota);
    let unique = UNIQUE.field(&mut table);
    let unique = unique.optional(|field| households(field.clone()));
    table.finish();
    let (unique, caps) = (unique.unless_bad()?, caps?);
    let mut rules = Rules::new(choose?, until?);
    let interviews = kinds.or(Vec::new())?;
    rules.interview_cap = caps.interview_cap;
    rules.budget = caps.budget;
    rules.run_budget = caps.run_budget;
    rules.max_rounds = match rules.until {
        Until::Rounds(rounds) => max_rounds.unwrap_or(rounds),
        Until::Accepted(_) => max_rounds.unwrap_or(MOST_ROUNDS),
        Until::SourceEnds => max_rounds.unwrap_or(u64::MAX),
    };
    let slate = slate?;
    let notes = caps.note.into_iter().chain(without_place(&slate, &rules));
    Some(RulesSection {
        notes: notes.collect(),
        written: rules,
        slate,
        unique,
        interviews,
        quota,
        enforce: enforce?,
        states_max_rounds: max_rounds.is_some(),
    })
}

/// A note where no round has a place.
fn without_place(slate: &Slate<'_>, rules: &Rules) -> Option<String> {
    let (Slate::Of(slate), Choose::Share(share)) = (slate, rules.choose) else {
        return None;
    };
    (rules.choose.places(*slate, None).max == 0).then(|| {
        format!(
            "choose = {{ share = {share} }} of slate = {slate} makes no place: nobody can be chosen"
        )
    })
}

/// Reads `max_rounds`, and refuses rounds that it or the listed sizes cut off.
fn max_rounds(field: &Field<'_>, until: Option<Until>, slate: Option<&Slate<'_>>) -> Option<u64> {
    let max_rounds = MAX_ROUNDS.given(field).is();
    let Some(Until::Rounds(rounds)) = until else {
        return max_rounds;
    };
    if let Some(most) = max_rounds
        && most < rounds
    {
        field.refuse(
            format!("max_rounds = {most} comes before the end, until = {{ rounds = {rounds} }}"),
            "raise max_rounds or leave it out",
        );
    }
    if let Some(Slate::Varied(Sizes::Listed(sizes), field)) = slate
        && (sizes.len() as u64) < rounds
    {
        field.refuse(
            format!("{} sizes for {rounds} rounds", sizes.len()),
            "give each round a size, or let the run end sooner (`until`)",
        );
    }
    max_rounds
}

fn enforce(field: &Field<'_>, quota: &Field<'_>) -> Option<bool> {
    if field.is_given() && !quota.is_given() {
        field.refuse(
            "there are no quotas to enforce",
            "for example: quota = { gender = { F = [2, 3] } }, or leave `enforce` out",
        );
    }
    ENFORCE.value_of(field)
}

/// `slate = 100`, `"all"`, `[80, 0, 120]`, `{ poisson = 100 }` or `{ every = "1m" }`.
fn slate(field: &Field<'_>) -> Option<SlateSize> {
    match field.value()? {
        Value::Text(_) => field.choice(&ALL).map(|()| SlateSize::All),
        Value::List(_) => {
            let sizes = field.each(|size| size.whole_in(..=PEOPLE).map(|n| n as u32))?;
            if sizes.is_empty() {
                return field.refused("no round has a size", "for example: slate = [80, 100, 120]");
            }
            Some(SlateSize::Varied(Sizes::Listed(sizes)))
        }
        Value::Table(_) => {
            let (form, held) = field.form(&[], &[POISSON.name(), EVERY.name()])?;
            match form == EVERY.name() {
                true => EVERY.of_value(&held).map(SlateSize::Every),
                false => {
                    let mean = POISSON.of_value(&held)?;
                    Some(SlateSize::Varied(Sizes::Poisson(mean)))
                }
            }
        }
        _ => field.whole_in(1..=PEOPLE).map(|n| SlateSize::Of(n as u32)),
    }
}

/// `interviews = [{ name = "weak", cost = 1, gain = 1 }, ...]`: the kinds of look that are for
/// sale.
fn kinds<'a>(field: &Field<'a>) -> Option<Vec<InterviewRead<'a>>> {
    let members = field.members()?;
    if members.is_empty() {
        return field.refused(
            "no kind of interview is named",
            "leave `interviews` out, or give one: [{ name = \"weak\", cost = 1, gain = 1 }]",
        );
    }
    let mut names: Vec<&str> = Vec::new();
    all_read(members.iter().map(|member| {
        let mut table = member.table_of(INTERVIEW)?;
        let named = NAME.field(&mut table);
        let name = named.text();
        let cost = COST.value(&mut table);
        let gain = GAIN.field(&mut table);
        // A table is read once the source is known.
        let is_table = matches!(gain.value(), Some(Value::Table(_)));
        let is_sound = is_table || GAIN_OF_ALL.given(&gain).is().is_some();
        table.finish();
        let name = name?;
        if name == OFFER {
            return named.refused(
                format!("{OFFER:?} is what people are asked whether they take a place as"),
                "give the interview another name",
            );
        }
        if names.contains(&name) {
            return named.refused(
                format!("two kinds of interview have the name {name:?}"),
                "give each a name of its own",
            );
        }
        names.push(name);
        is_sound.then_some(InterviewRead {
            name,
            cost: cost?,
            gain,
        })
    }))
}

/// The bounds on interviews.
struct Caps {
    interview_cap: u64,
    /// The note that the cap is assumed, if it is.
    note: Option<String>,
    budget: f64,
    run_budget: f64,
}

impl Caps {
    /// Reads the bounds if interviews are for sale. Otherwise it notes that given bounds have no
    /// effect.
    fn read(table: &mut Reader<'_>, interviews: bool) -> Option<Self> {
        let cap = INTERVIEW_CAP.field(table);
        let (budget, run_budget) = (BUDGET.field(table), RUN_BUDGET.field(table));
        if !interviews {
            for field in [&cap, &budget, &run_budget] {
                if field.is_given() {
                    field.refuse(
                        format!(
                            "`{}` bounds interviews, and none are for sale",
                            field.path()
                        ),
                        "leave it out, or give interviews = [{ name = \"weak\", cost = \
                         1, gain = 1 }]",
                    );
                }
            }
        }
        let is_assumed = interviews && !cap.is_given();
        let cap = INTERVIEW_CAP.value_of(&cap);
        let (budget, run_budget) = (BUDGET.given(&budget), RUN_BUDGET.given(&run_budget));
        Some(Self {
            interview_cap: cap?,
            note: is_assumed.then(|| INTERVIEW_CAP.note()),
            budget: budget.or(f64::INFINITY)?,
            run_budget: run_budget.or(f64::INFINITY)?,
        })
    }
}

fn households(field: Field<'_>) -> Option<Unique<'_>> {
    let columns = UNIQUE.of_value(&field)?;
    let repeated = |(at, column): (usize, &String)| columns[..at].contains(column);
    if columns.is_empty() {
        field.refuse(
            "`unique` names no column",
            "for example: unique = [\"address\", \"postcode\"]",
        );
    } else if columns.iter().enumerate().any(repeated) {
        field.refuse("`unique` names a column twice", "name each column once");
    } else {
        return Some(Unique { columns, field });
    }
    None
}

//! The section `[rules]`.

use super::plan::World;
use super::seconds::seconds;
use crate::document::range::UP_TO_A_MILLION;
use crate::document::{Field, Reader, Value, all_read};
use crate::limits::{MOST_INTERVIEWS, MOST_ROUNDS};
use kleroterion_core::limits::MOST_SLATE;
use kleroterion_core::protocol::{Choose, OFFER, Rules, Until};
use kleroterion_core::source::Sizes;

/// The rules, and the facts that the source needs of them.
pub(super) struct RulesSection<'a> {
    pub(super) rules: Rules,
    /// The size of the slates.
    pub(super) slate: Slate<'a>,
    pub(super) unique: Option<Unique<'a>>,
    /// The kinds of interview. Those of `rules` are set once the source is known.
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
    let slate = slate(table.get("slate"));
    let choose = choose(&table.need("choose", "choose = \"at_most_one\""));
    let until = until(&table.need("until", "until = { accepted = 150 }"));
    let max_rounds = max_rounds(&table.get("max_rounds"), until, slate.as_ref());
    let kinds = table.get("interviews").optional(kinds);
    let caps = Caps::read(&mut table, !kinds.is_absent());
    let quota = table.get("quota");
    let enforce = enforce(&table.get("enforce"), &quota);
    let unique = table.get("unique");
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
        rules,
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
    let max_rounds = field.whole_in(1..);
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
    field.optional(Field::flag).or(false)
}

/// `slate = 100`, `"all"`, `[80, 0, 120]`, `{ poisson = 100 }` or `{ every = "1m" }`.
fn slate(field: Field<'_>) -> Option<Slate<'_>> {
    let most = u64::from(MOST_SLATE);
    match field.value() {
        None => Some(Slate::Of(1)),
        Some(Value::Text(_)) => {
            field.choice(&[("all", ())])?;
            Some(Slate::All(field))
        }
        Some(Value::List(_)) => {
            let sizes = field.each(|size| size.whole_in(..=most).map(|n| n as u32))?;
            if sizes.is_empty() {
                return field.refused("no round has a size", "for example: slate = [80, 100, 120]");
            }
            Some(Slate::Varied(Sizes::Listed(sizes), field))
        }
        Some(Value::Table(_)) => {
            let (form, held) = field.form(&[], &["poisson", "every"])?;
            if form == "every" {
                return seconds(&held).map(|seconds| Slate::Every(seconds, field));
            }
            let mean = held.number_in(&UP_TO_A_MILLION)?;
            Some(Slate::Varied(Sizes::Poisson(mean), field))
        }
        Some(_) => {
            let slate = field.whole_in(1..=most)?;
            Some(Slate::Of(slate as u32))
        }
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
        let mut table = member.table()?;
        let named = table.need("name", "name = \"weak\"");
        let name = named.text();
        let cost = table.need("cost", "cost = 1").not_negative();
        let gain = table.need("gain", "gain = 1");
        // A table is read once the source is known.
        let is_table = matches!(gain.value(), Some(Value::Table(_)));
        let is_sound = is_table || gain.positive().is_some();
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
        let cap = table.get("interview_cap");
        let budget = table.get("budget");
        let run_budget = table.get("run_budget");
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
        let cap = cap.optional(Field::whole);
        let budget = budget.optional(Field::not_negative);
        let run_budget = run_budget.optional(Field::not_negative);
        let is_assumed = interviews && cap.is_absent();
        Some(Self {
            interview_cap: cap.or(MOST_INTERVIEWS)?,
            note: is_assumed
                .then(|| format!("interview_cap = {MOST_INTERVIEWS} (the config gives none)")),
            budget: budget.or(f64::INFINITY)?,
            run_budget: run_budget.or(f64::INFINITY)?,
        })
    }
}

fn households(field: Field<'_>) -> Option<Unique<'_>> {
    let columns = field.texts()?;
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

fn choose(field: &Field<'_>) -> Option<Choose> {
    let words = ["at_most_one", "exactly_one", "any"];
    let count = |field: &Field<'_>| field.whole_in(1..=1_000_000).map(|k| k as u32);
    match field.form(&words, &["at_most", "exactly", "share"])? {
        ("at_most_one", _) => Some(Choose::AtMost(1)),
        ("exactly_one", _) => Some(Choose::Exactly(1)),
        ("any", _) => Some(Choose::Any),
        ("at_most", field) => count(&field).map(Choose::AtMost),
        ("exactly", field) => count(&field).map(Choose::Exactly),
        (_, field) => field.probability().map(Choose::Share),
    }
}

fn until(field: &Field<'_>) -> Option<Until> {
    match field.form(&["source_ends"], &["accepted", "rounds"])? {
        ("accepted", field) => field.whole_in(1..).map(Until::Accepted),
        ("rounds", field) => field.whole_in(1..).map(Until::Rounds),
        _ => Some(Until::SourceEnds),
    }
}

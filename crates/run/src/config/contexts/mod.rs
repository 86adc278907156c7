//! The sections `[source.features]` and `[source.reward]`: contexts and rewards of people from a
//! file.

mod made;

pub(super) use made::Made;

use super::memory::{self, FILE};
use crate::document::param::{Shape, TEXTS};
use crate::document::range::FINITE;
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use crate::keys;
use kleroterion_core::nearest::{advice, nearest};
use kleroterion_io::people::table::NumberColumns;
use kleroterion_io::record::{AttributeSpec, Span, Spans};

pub(super) const CONSTANT: ConfigKey<bool> = ConfigKey::flag("constant")
    .about("a feature that is 1")
    .or(false);

pub(super) const NUMERIC: ConfigKey<Later> =
    ConfigKey::later("numeric", TEXTS).about("columns of numbers");

pub(super) const ONE_HOT: ConfigKey<Later> =
    ConfigKey::later("one_hot", TEXTS).about("columns of which each value is a feature");

const FIT: ConfigKey<Later> = ConfigKey::later("fit", FILE).needed();

pub(super) const STANDARDISE: ConfigKey<Later> = ConfigKey::later(
    "standardise",
    Shape::OneOf(&[Shape::Flag, Shape::Table(keys![FIT])]),
)
.about("to mean 0 and standard deviation 1");

pub(super) const MISSING: ConfigKey<f64> =
    ConfigKey::number("missing", FINITE).about("the number that replaces a missing one");

pub(super) const RANGE: ConfigKey<Later> = ConfigKey::later(
    "range",
    Shape::Map(&Shape::Tuple(&Shape::Number(FINITE), 2)),
)
.about("of numeric columns the smallest and the largest number; others are refused");

pub(super) const GROUP: ConfigKey<String> =
    ConfigKey::text("group").about("the attribute that makes the groups");

/// `[source.features]`.
pub(super) const FEATURES: ConfigKey<Later> = ConfigKey::table(
    "features",
    keys! {
        CONSTANT, NUMERIC, ONE_HOT, STANDARDISE, MISSING, RANGE, GROUP,
    },
)
.about("which columns are a person's context");

const COLUMN: ConfigKey<String> = ConfigKey::text("column").needed_like("column = \"PINCP\"");

/// `[source.reward]`.
pub(super) const REWARD: ConfigKey<Later> = ConfigKey::table("reward", keys![COLUMN, STANDARDISE])
    .about("the column that merits are fitted to");

/// The contexts that the config asks for, before a file has been read.
pub(super) struct Contexts<'a> {
    features: Field<'a>,
    reward: Option<(Field<'a>, Standard<'a>)>,
    constant: bool,
    pub(super) columns: NumberColumns,
    standard: Standard<'a>,
}

/// The rows whose mean and standard deviation standardise the numbers.
#[derive(Clone)]
enum Standard<'a> {
    No,
    /// The kept rows'.
    Own,
    /// The kept rows' of another file.
    Other(Field<'a>),
}

/// Reads both sections; the inner `None`: the config asks for no contexts.
pub(super) fn read<'a>(
    features: &Field<'a>,
    reward: &Field<'a>,
    utility: &Field<'a>,
) -> Option<Option<Contexts<'a>>> {
    let read_reward = reward.optional(|reward| REWARD.reader(reward).and_then(self::read_reward));
    if !features.is_given() {
        if reward.is_given() {
            return reward.refused(
                "a reward without contexts: it is fitted to the features, and there are none",
                "add [source.features], for example with numeric = [\"AGEP\"]",
            );
        }
        return Some(None);
    }
    let mut table = FEATURES.reader(features)?;
    let constant = CONSTANT.value(&mut table);
    let fields = [NUMERIC.field(&mut table), ONE_HOT.field(&mut table)];
    let mut known = Vec::new();
    let [numeric, one_hot] = fields.each_ref().map(|field| columns(field, &mut known));
    let spans = spans(&RANGE.field(&mut table), &fields[0]);
    let standard = standard(&STANDARDISE.field(&mut table));
    let missing = MISSING.read(&mut table);
    GROUP.read(&mut table);
    table.finish();
    let column = read_reward.as_ref().is().map(|(column, _)| column.as_str());
    let worths = [
        ("reward", column),
        ("utility", utility.value().and_then(Value::text)),
    ];
    let leaks = leaks(&fields, worths);
    let (numeric, one_hot) = (numeric?, one_hot?);
    if numeric.is_empty() && one_hot.is_empty() {
        return features.refused(
            "the features name no column",
            "for example: numeric = [\"AGEP\"], one_hot = [\"SEX\"]",
        );
    }
    let columns = NumberColumns {
        numeric,
        spans: spans?,
        one_hot,
        missing: missing.unless_bad()?,
        reward: column.map(str::to_owned),
        ..NumberColumns::default()
    };
    let read_reward = read_reward.unless_bad()?;
    let contexts = Contexts {
        features: features.clone(),
        constant: constant?,
        columns,
        standard: standard?,
        reward: read_reward.map(|(_, standard)| (reward.clone(), standard)),
    };
    (!leaks).then_some(Some(contexts))
}

/// Refuses features that are the same columns as the merits. Returns true if there are some.
/// `worths` holds, for each column of merits, its description and its name.
fn leaks(features: &[Field<'_>], worths: [(&str, Option<&str>); 2]) -> bool {
    let mut leaks = false;
    for member in features
        .iter()
        .flat_map(|field| field.members().unwrap_or_default())
    {
        for (worth, column) in worths {
            if column.is_some() && member.value().and_then(Value::text) == column {
                member.refuse(
                    format!(
                        "the {worth}'s own column is among the features: it would reveal the {worth}"
                    ),
                    format!("leave it out, or take another column for the {worth}"),
                );
                leaks = true;
            }
        }
    }
    leaks
}

fn read_reward(mut table: Reader<'_>) -> Option<(String, Standard<'_>)> {
    let column = COLUMN.value(&mut table);
    let standard = standard(&STANDARDISE.field(&mut table));
    table.finish();
    Some((column?, standard?))
}

/// Names of columns, each once and none of those `known` already, to which they are added.
pub(super) fn columns<'a>(field: &Field<'a>, known: &mut Vec<&'a str>) -> Option<Vec<String>> {
    let column = |member: &Field<'a>| {
        let column = member.text()?;
        if known.contains(&column) {
            return member.refused(
                format!("the column {column} is among the features twice"),
                "name each column once",
            );
        }
        known.push(column);
        Some(column.to_owned())
    };
    field.optional(|field| field.each(column)).or(Vec::new())
}

/// The ranges of numeric columns; `numeric` names those that there are.
pub(super) fn spans(field: &Field<'_>, numeric: &Field<'_>) -> Option<Spans> {
    let members = numeric.members().unwrap_or_default();
    let known = || members.iter().filter_map(|member| member.value()?.text());
    let read = |field: &Field<'_>| {
        for (key, range) in field.table()?.rest() {
            if !known().any(|column| column == key.name) {
                let what = format!("`{}` is not among the numeric columns", key.name);
                let columns = known().collect::<Vec<_>>();
                range.refuse(what, advice(&key.name, &columns, "columns"));
            }
        }
        field.pairs(span).map(|spans| spans.into_iter().collect())
    };
    field.optional(read).or(Spans::default())
}

fn span(range: &Field<'_>) -> Option<Span> {
    match range.each(Field::finite)?[..] {
        [least, most] if least < most && [least, most].iter().all(|x| Span::SAFE.holds(*x)) => {
            Some(Span { least, most })
        }
        _ => range.expected("the smallest number and the largest one, [0, 120]"),
    }
}

fn standard<'a>(field: &Field<'a>) -> Option<Standard<'a>> {
    match field.value() {
        None | Some(Value::Flag(false)) => Some(Standard::No),
        Some(Value::Flag(true)) => Some(Standard::Own),
        Some(Value::Table(_)) => {
            let (_, file) = field.form(&[], &[FIT.name()])?;
            let is_file = memory::name(file.value()).is_some() || file.text().is_some();
            is_file.then_some(Standard::Other(file))
        }
        Some(_) => field.expected("true, false or { fit = \"other-year.csv\" }"),
    }
}

/// The attribute whose values are the groups, by its place: the one that `[source.features]` names,
/// or the only one. That neither says so is noted where someone needs it. The inner `None`: no one
/// needs it.
pub(super) fn group(
    features: &Field<'_>,
    needed: Option<&Field<'_>>,
    attributes: &[AttributeSpec],
) -> Option<Option<usize>> {
    let names = || attributes.iter().map(|attribute| attribute.name.as_str());
    let list = names().collect::<Vec<_>>().join(", ");
    let field = features.is_given().then(|| features.table()).flatten();
    let field = field.map(|mut table| GROUP.field(&mut table));
    if let Some(field) = field.filter(Field::is_given) {
        let name = field.text()?;
        let found = names().position(|known| known == name);
        if found.is_none() {
            let what = format!("there is no attribute `{name}` that could make the groups");
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`? The attributes are {list}"),
                None => format!("the attributes are {list}"),
            };
            field.refuse(what, help);
        }
        return found.map(Some);
    }
    match (attributes, needed) {
        ([_], _) => Some(Some(0)),
        (_, None) => Some(None),
        (_, Some(who)) => who.refused(
            "nothing says which of the attributes makes the groups",
            format!("name it in [source.features]: group = one of {list}"),
        ),
    }
}

impl Contexts<'_> {
    /// The field that depends on the groups, if there is one.
    pub(super) fn ranked(&self) -> Option<&Field<'_>> {
        self.reward.as_ref().map(|_| &self.features)
    }
}

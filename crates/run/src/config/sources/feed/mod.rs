//! The sources of people from outside, as they come. These are `type = "stdin" | "tcp" | "http" |
//! "tape" | "nats"`, and `type = "file"` with `follow = true`.

mod decoding;
mod law;
mod monitor;
mod nats;
mod words;

pub(in crate::config) use words::{address, pace};

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use self::decoding::{DECODING, FeedKind, codec};
use self::words::bytes;
pub(in crate::config) use self::words::guarded;
use super::categorical::SHARES;
use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::config::applicants::SCORE;
use crate::config::attributes::{self, attributes_of};
use crate::config::context::{Built, Context};
use crate::config::contexts::{
    self, CONSTANT, FEATURES, GROUP, MISSING, NUMERIC, ONE_HOT, RANGE, STANDARDISE, columns, spans,
};
use crate::config::handed::HandedIn;
use crate::config::keys::people::{self, ID};
use crate::config::layout::{EXACT, WHERE, filters};
use crate::config::located::{find_file, located};
use crate::config::plan::World;
use crate::config::rules::Slate;
use crate::document::param::{Param, Shape, WHOLE};
use crate::document::range::POSITIVE;
use crate::document::{ConfigKey, Field, Later, Literal, Reader};
use crate::keys;
use crate::limits::LONGEST_RECORD;
use kleroterion_core::nearest::nearest;
use kleroterion_core::protocol::{Batch, Fact, Known};
use kleroterion_core::source::{FeedError, Source, SourceMaker};
use kleroterion_io::feed::{
    Codec, FeedSpec, Framing, OnError, Reading, ReadingSpec, SlateEnd, Transport,
};
use kleroterion_io::record::{AttributeSpec, Levels};

/// A file, which no table from memory stands for.
pub(super) const PATH: ConfigKey<Later> = ConfigKey::later(people::PATH.name(), Shape::Text)
    .about("the file")
    .needed();

const ADDRESS: ConfigKey<Later> = ConfigKey::later("address", Shape::Text)
    .about("where it listens")
    .needed();

const SPEED: ConfigKey<f64> = ConfigKey::number("speed", POSITIVE).needed_like("replay.speed = 10");

const REPLAY: ConfigKey<Later> =
    ConfigKey::table("replay", keys![SPEED]).about("at which multiple of its pace it is played");

const METHOD: ConfigKey<Framing> = ConfigKey::word(
    "method",
    &[
        ("newline_delimited", Framing::Lines),
        ("octet_counting", Framing::Counted),
    ],
)
.about("a record a line, or each after its length in bytes")
.or_word("newline_delimited");

const MAX_LENGTH: ConfigKey<usize> =
    ConfigKey::of("max_length", Shape::OneOf(&[WHOLE, Shape::Text]), bytes)
        .about("the longest line or message")
        .or_literal(Literal::Bytes(LONGEST_RECORD as u64));

const FRAMING: ConfigKey<Later> = ConfigKey::table("framing", keys![METHOD, MAX_LENGTH])
    .about("how bytes become records, and how long one may be");

const ON_ERROR: ConfigKey<OnError> = ConfigKey::word(
    "on_error",
    &[
        ("skip", OnError::Skip),
        ("reject", OnError::Reject),
        ("halt", OnError::Halt),
    ],
)
.about("what becomes of a record that can't be read")
.or_word("skip");

const ATTRIBUTES: ConfigKey<Later> = attributes::ATTRIBUTES.like(
    "[source.attributes] with sex = { column = \"sex\", values = { F = \"female\", M = \
     \"male\" } }",
);

/// The keys by which records are read.
pub(super) const READ: [Param; 10] = [
    DECODING.param,
    FRAMING.param,
    ON_ERROR.param,
    WHERE.param,
    EXACT.param,
    ID.param,
    SCORE.param,
    ATTRIBUTES.param,
    FEATURES.param,
    SHARES.param,
];

/// People posted to an address.
pub(super) const HTTP: SourceKind = SourceKind {
    name: "http",
    about: "people posted as JSON to an address, as they come (live)",
    forms: &[SourceForm::Feed(keys![ADDRESS])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Http, context)),
};

/// People from a program.
pub(super) const MEMORY: SourceKind = SourceKind {
    name: "memory",
    about: "people whom a program that uses the library sends, a JSON record each, as they come (live)",
    forms: &[SourceForm::Feed(&[])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Memory, context)),
};

/// People from a stream of NATS JetStream.
pub(super) const NATS: SourceKind = SourceKind {
    name: "nats",
    about: "people from a stream of NATS JetStream, a JSON record a message (live)",
    forms: &[SourceForm::Feed(nats::KEYS)],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Nats, context)),
};

/// People on the standard input.
pub(super) const STDIN: SourceKind = SourceKind {
    name: "stdin",
    about: "people on the standard input, a JSON record or a row of CSV a line (live)",
    forms: &[SourceForm::Feed(&[])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Stdin, context)),
};

/// People of a recorded feed.
pub(super) const TAPE: SourceKind = SourceKind {
    name: "tape",
    about: "a recorded stream of records, at once or at a multiple of its pace: path, \
         replay.speed (live)",
    forms: &[SourceForm::Feed(keys![PATH, REPLAY])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Tape, context)),
};

/// People over connections.
pub(super) const TCP: SourceKind = SourceKind {
    name: "tcp",
    about: "people over connections to an address, as on the standard input (live)",
    forms: &[SourceForm::Feed(keys![ADDRESS])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Tcp, context)),
};

/// `type = "file"` with `follow = true`.
pub(super) fn tail(table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    people(table, FeedKind::Tail, context)
}

fn people(mut table: Reader<'_>, kind: FeedKind, context: &Context<'_>) -> Option<Built> {
    let (transport, path) = transport(&mut table, kind, context.inputs);
    let codec = codec(&DECODING.field(&mut table), kind, path.as_deref());
    let framing = framing(&FRAMING.field(&mut table), kind, codec.as_ref());
    let on_error = ON_ERROR.value(&mut table);
    let (reading, group) = reading(&mut table, context).unzip();
    let coded = |reading: Reading| Arc::new(reading.coded(codec.clone().unwrap_or_default()));
    let reading = reading.map(coded);
    let assumed = law::assumed(&mut table, reading.as_deref().map(Reading::schema), context);
    table.finish();
    let slates = slates(context);
    let (reading, group, assumed, _) = (reading?, group?, assumed?, codec?);
    let schema = Arc::clone(reading.schema());
    let pooled = context
        .pool
        .and_then(|pool| pool.groups(schema.attributes(), group));
    let mut notes: Vec<String> = assumed.note.into_iter().collect();
    let on_error = on_error?;
    if on_error == OnError::Reject && kind != FeedKind::Http {
        notes.push(
            "on_error = \"reject\" refuses whole requests, and here are none: a record that \
             can't be read is left out alone"
                .into(),
        );
    }
    let feed = FeedSpec {
        transport: transport?,
        framing: framing?.0,
        max_length: framing?.1,
        on_error,
        reading,
        outcomes: None,
        outcome_range: None,
        horizon: None,
        slates: slates?,
        each: pooled.map_or(1, |at| schema.attributes()[at].values.len()),
    };
    let known = Known {
        law: assumed.law.map_or(Fact::Unknown, Fact::Fitted),
        group,
        ..Known::default()
    };
    let source: SourceMaker = Arc::new(|_| Box::new(Unopened));
    let mut built = Built::of(World {
        fixed: true,
        feed: Some(feed),
        ..World::new(schema, known, source)
    });
    built.notes = notes;
    Some(built)
}

/// Returns the rule that ends a slate: closing it from outside, or a number of people.
fn slates(context: &Context<'_>) -> Option<SlateEnd> {
    match (context.slate, context.pool) {
        (Slate::All(field), Some(_)) => field.refused(
            "a pool musters slates of a size, and no one knows how many will come",
            "give a number: slate = 10, or leave [pool] out",
        ),
        (Slate::All(_), None) => Some(SlateEnd::Closing),
        (slate, _) => slate.sizes(None).map(SlateEnd::Size),
    }
}

/// Reads the transport, and the file that records come from if it is one.
fn transport(
    table: &mut Reader<'_>,
    kind: FeedKind,
    inputs: &HandedIn,
) -> (Option<Transport>, Option<PathBuf>) {
    let mut listening = |example| guarded(&ADDRESS.like(example).field(table), &inputs.secrets);
    match kind {
        FeedKind::Stdin => (Some(Transport::Stdin), None),
        FeedKind::Memory => (Some(Transport::Memory(inputs.feed().cloned())), None),
        FeedKind::Tcp => (
            listening("address = \"127.0.0.1:7718\"").map(Transport::Tcp),
            None,
        ),
        FeedKind::Http => (
            listening("address = \"127.0.0.1:8090\"").map(Transport::Http),
            None,
        ),
        FeedKind::Tail => {
            let path = PATH.like("path = \"arrivals.ndjson\"").field(table);
            // It may come into being later.
            let path = path
                .text()
                .map(|written| located(written, inputs.folder(), inputs.data()));
            (path.clone().map(Transport::Tail), path)
        }
        FeedKind::Nats => (
            nats::consumer(table, &inputs.secrets.nats).map(Transport::Nats),
            None,
        ),
        FeedKind::Tape => {
            let field = PATH.like("path = \"tape.ndjson\"").field(table);
            let speed = REPLAY.section(table, |mut table| {
                let speed = SPEED.value(&mut table);
                table.finish();
                speed
            });
            let path = find_file(&field, None, inputs);
            let tape = path.clone().zip(speed.unless_bad());
            (tape.map(|(path, speed)| Transport::Tape(path, speed)), path)
        }
    }
}

/// `framing`: how bytes become records, and how long one may be.
fn framing(field: &Field<'_>, kind: FeedKind, codec: Option<&Codec>) -> Option<(Framing, usize)> {
    let read = field.optional(|field| {
        let mut table = FRAMING.reader(field)?;
        let method = METHOD.field(&mut table);
        let (framing, length) = (METHOD.value_of(&method), MAX_LENGTH.value(&mut table));
        table.finish();
        let framing = framing?;
        let is_counted = framing == Framing::Counted;
        if is_counted && !matches!(kind, FeedKind::Tcp | FeedKind::Stdin) {
            return method.refused(
                "records are counted over connections and on the standard input alone",
                "leave it out, or take a source of type \"tcp\" or \"stdin\"",
            );
        }
        if is_counted && codec.is_some_and(|codec| *codec != Codec::Json) {
            return method.refused(
                "records that are counted are JSON, and these are CSV",
                "leave it out, or leave out `decoding`",
            );
        }
        Some((framing, length?))
    });
    read.or_else(|| Some((METHOD.assumed()?, MAX_LENGTH.assumed()?)))
}

/// Reads the format of records, and the attribute that makes the groups.
fn reading(table: &mut Reader<'_>, context: &Context<'_>) -> Option<(Reading, Option<usize>)> {
    let exact = EXACT.value(table);
    let filters = filters(&WHERE.field(table), exact.unwrap_or(false));
    let (id, score) = (ID.read(table), SCORE.read(table));
    let field = ATTRIBUTES.field(table);
    let attributes = field
        .table()
        .and_then(|table| attributes_of(table, exact.unwrap_or(false)));
    let attributes = attributes.filter(|attributes| are_known(attributes, &field));
    let features = FEATURES.field(table);
    let spec = features.optional(|field| self::features(field, attributes.as_ref()?));
    let spec = spec.or(ReadingSpec::default());
    let attributes = attributes?;
    let group = contexts::group(&features, None, &attributes);
    let (spec, group) = (spec?, group?);
    let unique = context.unique.map(|unique| unique.columns.clone());
    exact?;
    let reading = Reading::new(ReadingSpec {
        attributes,
        filters: filters?,
        id: id.unless_bad()?,
        score: score.unless_bad()?,
        unique: unique.unwrap_or_default(),
        ..spec
    });
    let reading = field.sound(reading, "merge rare values, or drop an attribute")?;
    Some((reading, group))
}

/// Returns true if the values of all attributes are known before people come. Notes a problem
/// otherwise.
fn are_known(attributes: &[AttributeSpec], field: &Field<'_>) -> bool {
    let mut known = true;
    let is_open = |one: &&AttributeSpec| matches!(one.levels, Levels::Distinct | Levels::Spelt);
    for attribute in attributes.iter().filter(is_open) {
        field
            .entry(&attribute.name)
            .unwrap_or_else(|| field.clone())
            .refuse(
                format!(
                    "the values of `{}` must be known before the first record comes",
                    attribute.name
                ),
                "list them, values = { F = \"female\", M = \"male\" }, or give bands = { \
                 young = [18, 40], … }",
            );
        known = false;
    }
    known
}

/// `[source.features]` of a feed: the constant, columns of numbers, attributes of which each value
/// is a number.
fn features(field: &Field<'_>, attributes: &[AttributeSpec]) -> Option<ReadingSpec> {
    let mut table = FEATURES.reader(field)?;
    let constant = CONSTANT.value(&mut table);
    let named = NUMERIC.field(&mut table);
    let numeric = columns(&named, &mut Vec::new());
    let spans = spans(&RANGE.field(&mut table), &named);
    let places = |field: &Field<'_>| field.each(|member| place(member, attributes));
    let places = ONE_HOT.field(&mut table).optional(places).or(Vec::new());
    let missing = MISSING.read(&mut table);
    let standardise = STANDARDISE.field(&mut table);
    let standardised = standardise.is_given() && standardise.flag() != Some(false);
    if standardised {
        standardise.refuse(
            "mean and standard deviation are known only once all have come, and a feed has no end",
            "leave it out, and send numbers that are on a common scale",
        );
    }
    // Read with the groups.
    GROUP.read(&mut table);
    table.finish();
    let (numeric, one_hot, spans) = (numeric?, places?, spans?);
    if numeric.is_empty() && one_hot.is_empty() {
        return field.refused(
            "the features name no column",
            "for example: numeric = [\"age\"], one_hot = [\"sex\"]",
        );
    }
    let (constant, missing) = (constant?, missing.unless_bad()?);
    (!standardised).then(|| ReadingSpec {
        constant,
        numeric,
        spans,
        missing,
        one_hot,
        ..ReadingSpec::default()
    })
}

/// The place of the attribute that a member of `one_hot` names.
fn place(member: &Field<'_>, attributes: &[AttributeSpec]) -> Option<usize> {
    let name = member.text()?;
    let names = || attributes.iter().map(|one| one.name.as_str());
    let found = names().position(|known| known == name);
    if found.is_none() {
        let of_column = attributes.iter().find(|one| one.column == name);
        let near = of_column.map(|one| one.name.as_str());
        let near = near.or_else(|| nearest(name, names()));
        let list = names().collect::<Vec<_>>().join(", ");
        let help = match near {
            Some(near) => format!("did you mean `{near}`? The attributes are {list}"),
            None => format!("the attributes are {list}"),
        };
        member.refuse(
            format!(
                "there is no attribute `{name}`, and of a feed only an attribute's values \
                 are known beforehand"
            ),
            help,
        );
    }
    found
}

/// The source of a feed that has not been opened.
struct Unopened;

#[async_trait]
impl Source for Unopened {
    async fn next(&mut self, _: usize) -> Result<Option<Batch>, FeedError> {
        Err(FeedError("a feed is opened by the run".into()))
    }
}

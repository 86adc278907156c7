//! The sources of people from outside, as they come. These are `type = "stdin" | "tcp" | "http" |
//! "tape" | "nats"`, and `type = "file"` with `follow = true`.

mod decoding;
mod law;
mod monitor;
mod nats;
mod words;

pub(super) use words::pace;

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use self::decoding::{FeedKind, codec};
use self::words::bytes;

pub(in crate::config) use self::words::guarded;
use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::catalog::param::{Param, Shape};
use crate::config::attributes::attributes_of;
use crate::config::context::{Built, Context};
use crate::config::contexts::{self, columns, spans};
use crate::config::inputs::ConfigInputs;
use crate::config::keys::people::FEED;
use crate::config::layout::{exact, filters};
use crate::config::located::{find_file, located};
use crate::config::plan::World;
use crate::config::rules::Slate;
use crate::document::range::POSITIVE;
use crate::document::{Field, Reader};
use crate::limits::LONGEST_RECORD;
use kleroterion_core::nearest::nearest;
use kleroterion_core::protocol::{Batch, Fact, Known};
use kleroterion_core::source::{FeedError, Source, SourceMaker};
use kleroterion_io::feed::{
    Codec, FeedSpec, Framing, OnError, Reading, ReadingSpec, SlateEnd, Transport,
};
use kleroterion_io::record::{AttributeSpec, Levels};

const ADDRESS: Param = Param::new("address", Shape::Text, "where it listens").needed();

const REPLAY: Param = Param::new(
    "replay",
    Shape::Table(&[Param::new("speed", Shape::Number(POSITIVE), "").needed()]),
    "at which multiple of its pace it is played",
);

/// People posted to an address.
pub(super) const HTTP: SourceKind = SourceKind {
    name: "http",
    about: "people posted as JSON to an address, as they come (live)",
    forms: &[SourceForm::Feed(&[ADDRESS])],
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
    forms: &[SourceForm::Feed(&[FEED, REPLAY])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Tape, context)),
};

/// People over connections.
pub(super) const TCP: SourceKind = SourceKind {
    name: "tcp",
    about: "people over connections to an address, as on the standard input (live)",
    forms: &[SourceForm::Feed(&[ADDRESS])],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(|table, context| people(table, FeedKind::Tcp, context)),
};

/// `type = "file"` with `follow = true`.
pub(super) fn tail(table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    people(table, FeedKind::Tail, context)
}

fn people(mut table: Reader<'_>, kind: FeedKind, context: &Context<'_>) -> Option<Built> {
    let (transport, path) = transport(&mut table, kind, context.inputs);
    let codec = codec(&table.get("decoding"), kind, path.as_deref());
    let framing = framing(&table.get("framing"), kind, codec.as_ref());
    let on_error = on_error(&table.get("on_error"));
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
    inputs: &ConfigInputs,
) -> (Option<Transport>, Option<PathBuf>) {
    let mut listening = |example| guarded(&table.need("address", example));
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
            let path = table.need("path", "path = \"arrivals.ndjson\"");
            // It may come into being later.
            let path = path
                .text()
                .map(|written| located(written, inputs.folder(), path.data()));
            (path.clone().map(Transport::Tail), path)
        }
        FeedKind::Nats => (nats::consumer(table).map(Transport::Nats), None),
        FeedKind::Tape => {
            let field = table.need("path", "path = \"tape.ndjson\"");
            let speed = table.get("replay").section(|mut table| {
                let speed = table.need("speed", "replay.speed = 10").positive();
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
    let words = [
        ("newline_delimited", Framing::Lines),
        ("octet_counting", Framing::Counted),
    ];
    let read = field.section(|mut table| {
        let (method, length) = (table.get("method"), table.get("max_length"));
        let length = length.optional(bytes).or(LONGEST_RECORD);
        let framing = method.optional(|method| method.choice(&words));
        table.finish();
        let framing = framing.or(Framing::default())?;
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
    read.or((Framing::default(), LONGEST_RECORD))
}

fn on_error(field: &Field<'_>) -> Option<OnError> {
    let words = [
        ("skip", OnError::Skip),
        ("reject", OnError::Reject),
        ("halt", OnError::Halt),
    ];
    let word = field.optional(|field| field.choice(&words));
    word.or(OnError::default())
}

/// Reads the format of records, and the attribute that makes the groups.
fn reading(table: &mut Reader<'_>, context: &Context<'_>) -> Option<(Reading, Option<usize>)> {
    let exact = exact(table);
    let filters = filters(&table.get("where"), exact.unwrap_or(false));
    let mut column = |key| {
        let column = table.get(key).optional(Field::text).unless_bad();
        column.map(|column| column.map(str::to_owned))
    };
    let (id, score) = (column("id"), column("score"));
    let example = "[source.attributes] with sex = { column = \"sex\", values = { F = \"female\", M = \
         \"male\" } }";
    let field = table.need("attributes", example);
    let attributes = field
        .table()
        .and_then(|table| attributes_of(table, exact.unwrap_or(false)));
    let attributes = attributes.filter(|attributes| are_known(attributes, &field));
    let features = table.get("features");
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
        id: id?,
        score: score?,
        unique: unique.unwrap_or_default(),
        ..spec
    });
    let reading = field.sound(reading, "merge rare values, or drop an attribute")?;
    Some((reading, group))
}

/// Returns true if the values of all attributes are known before people come. Notes a problem
/// otherwise.
fn are_known(attributes: &[AttributeSpec], field: &Field<'_>) -> bool {
    let Some(mut table) = field.table() else {
        return false;
    };
    let mut known = true;
    for attribute in attributes
        .iter()
        .filter(|one| matches!(one.levels, Levels::Distinct | Levels::Spelt))
    {
        table.get(&attribute.name).refuse(
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
    let mut table = field.table()?;
    let constant = table.get("constant").optional(Field::flag);
    let named = table.get("numeric");
    let numeric = columns(&named, &mut Vec::new());
    let spans = spans(&table.get("range"), &named);
    let places = |field: &Field<'_>| field.each(|member| place(member, attributes));
    let places = table.get("one_hot").optional(places).or(Vec::new());
    let missing = table.get("missing").optional(Field::finite);
    let standardise = table.get("standardise");
    let standardised = standardise.is_given() && standardise.flag() != Some(false);
    if standardised {
        standardise.refuse(
            "mean and standard deviation are known only once all have come, and a feed has no end",
            "leave it out, and send numbers that are on a common scale",
        );
    }
    // Read with the groups.
    table.get("group").text();
    table.finish();
    let (numeric, one_hot, spans) = (numeric?, places?, spans?);
    if numeric.is_empty() && one_hot.is_empty() {
        return field.refused(
            "the features name no column",
            "for example: numeric = [\"age\"], one_hot = [\"sex\"]",
        );
    }
    let (constant, missing) = (constant.or(false)?, missing.unless_bad()?);
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

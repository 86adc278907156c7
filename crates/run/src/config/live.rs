//! The sections `[live]` and `[board]`: settings of a live run. They change nothing if nothing is
//! run live.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime};

use super::nats;
use super::origins::origin;
use super::plan::{InterviewerSpec, LivePlan, SlateTime};
use super::seconds::time;
use super::sources::feed;
use crate::document::param::{Shape, TEXTS};
use crate::document::{ConfigKey, Field, Later, Literal, Reader, Value};
use crate::keys;
use kleroterion_core::nearest::{listed, nearest};
use kleroterion_io::secrets::Secrets;
use kleroterion_stats::sequence::Range;

const ACTING: ConfigKey<Later> =
    ConfigKey::later("acting", Shape::Text).about("the policy whose decisions count");

const FALLBACK: ConfigKey<Later> = ConfigKey::later("fallback", Shape::Text)
    .about("the policy that decides once the acting one has ended");

const ORIGINS: ConfigKey<Vec<Box<str>>> =
    ConfigKey::of("origins", TEXTS, |field| field.each(origin))
        .about("the origins whose web pages may ask the servers, such as \"https://example.org\"")
        .or_literal(Literal::Empty);

const CLOSE: ConfigKey<SlateTime> = ConfigKey::of("close", Shape::Text, closing).about(
    "when a slate of all is closed: so long after its first person, such as \"36h\", or the first \
     slate at an instant, such as \"2026-12-01T18:00:00+01:00\"",
);

const LOOK_DEADLINE: ConfigKey<Duration> = ConfigKey::of("look_deadline", Shape::Text, time)
    .about("how long interviewers have for an interview, such as \"2d\"");

const NATS: ConfigKey<Later> = ConfigKey::table("nats", nats::KEYS)
    .about("where policies with where = \"remote\" meet the run");

const ADDRESS: ConfigKey<SocketAddr> = ConfigKey::of("address", Shape::Text, feed::address)
    .about("where it listens")
    .or_word("127.0.0.1:7717");

/// `[live]`.
pub(super) const LIVE: ConfigKey<Later> = ConfigKey::table(
    "live",
    keys![ACTING, FALLBACK, ORIGINS, CLOSE, LOOK_DEADLINE, NATS],
)
.about("what a live run does beyond a run");

/// `[board]`.
pub(super) const BOARD: ConfigKey<Later> =
    ConfigKey::table("board", keys![ADDRESS]).about("where the board of a live run listens");

/// The parts of a run that come from outside and that `[live]` depends on.
pub(super) struct FromOutside<'a> {
    /// The labels of the policies, if they could be read.
    pub(super) labels: Option<&'a [String]>,
    /// For each policy, true if it plays elsewhere.
    pub(super) elsewhere: Vec<bool>,
    /// The run's name.
    pub(super) name: &'a str,
    /// The secrets of its servers.
    pub(super) secrets: &'a Secrets,
    /// True if outcomes are reported from outside.
    pub(super) reported: bool,
    /// The least and greatest outcome that may be reported, if the config declares them.
    pub(super) outcome_range: Option<Range>,
    /// The people who answer interviews.
    pub(super) interviewers: Option<InterviewerSpec>,
    /// True if people are asked whether they take their places.
    pub(super) offers: bool,
    /// True if slates are closed from outside, instead of when they are full.
    pub(super) are_slates_closed: bool,
}

/// The plan of a config without `[live]` and `[board]`.
fn plain(outside: &FromOutside<'_>) -> Option<LivePlan> {
    Some(LivePlan {
        acting: None,
        fallback: None,
        board: ADDRESS.assumed()?,
        origins: Arc::default(),
        interviewers: outside.interviewers,
        offers: outside.offers,
        close: None,
        look_deadline: None,
        reported: outside.reported,
        outcome_range: outside.outcome_range,
        nats: nats::plan(outside.name)?,
        secrets: outside.secrets.clone(),
    })
}

/// Reads `[live]`.
fn section(mut live: Reader<'_>, outside: &FromOutside<'_>) -> Option<LivePlan> {
    let (acting, fallback) = (ACTING.field(&mut live), FALLBACK.field(&mut live));
    let origins = ORIGINS.value(&mut live);
    let (close, deadline) = (CLOSE.field(&mut live), LOOK_DEADLINE.field(&mut live));
    let nats = NATS.section(&mut live, |nats| nats::read(nats, outside.name));
    live.finish();
    let roles = roles_of(&acting, &fallback, outside);
    if close.is_given() && !outside.are_slates_closed {
        close.refuse(
            "no slate of this run is closed by its time",
            "set slate = \"all\" in [rules] with people from a feed, or leave `close` out",
        );
    }
    if deadline.is_given() && outside.interviewers.is_none() && !outside.offers {
        deadline.refuse(
            "no one is asked to hold interviews, or whether they take a place",
            "set type = \"people\" in [feedback.interview] or [yield], or leave `look_deadline` out",
        );
    }
    let (close, deadline) = (CLOSE.given(&close), LOOK_DEADLINE.given(&deadline));
    let ((acting, fallback), plain) = (roles?, plain(outside)?);
    Some(LivePlan {
        acting,
        fallback,
        origins: origins?.into(),
        close: close.unless_bad()?,
        look_deadline: deadline.unless_bad()?,
        nats: nats.or(plain.nats)?,
        ..plain
    })
}

/// Reads the deadline of slates: a time after their first person, or an instant in RFC 3339.
fn closing(field: &Field<'_>) -> Option<SlateTime> {
    let text = match field.value()? {
        Value::Text(text) if text.contains(':') => text,
        Value::Text(text) if !text.contains('-') => return time(field).map(SlateTime::After),
        _ => "",
    };
    let instant = DateTime::parse_from_rfc3339(text).ok();
    let since = instant.and_then(|at| u64::try_from(at.timestamp_millis()).ok());
    if since.is_some() {
        return since.map(SlateTime::At);
    }
    const ZONELESS: [&str; 4] = ["%FT%T%.f", "%FT%R", "%F %T%.f", "%F %R"];
    let is_local = |form: &&str| NaiveDateTime::parse_from_str(text, form).is_ok();
    if ZONELESS.iter().any(is_local) {
        return field.refused(
            format!("`{}` is an instant without a zone: {text}", field.path()),
            "add how far local time is ahead of UTC, such as \"2026-12-01T18:00:00+01:00\", or Z \
             for UTC",
        );
    }
    field.expected(
        "a time from a second on, such as \"36h\", or an instant, such as \
         \"2026-12-01T18:00:00+01:00\",",
    )
}

/// Reads `[live]` and `[board]`.
pub(super) fn read(top: &mut Reader<'_>, outside: &FromOutside<'_>) -> Option<LivePlan> {
    let live = LIVE.section(top, |live| section(live, outside));
    let board = BOARD.section(top, |mut board| {
        let address = ADDRESS.field(&mut board);
        let address = address.optional(|field| feed::guarded(field, outside.secrets));
        board.finish();
        address.or_else(|| ADDRESS.assumed())
    });
    Some(LivePlan {
        board: board.or_else(|| ADDRESS.assumed())?,
        ..live.or_else(|| plain(outside))?
    })
}

/// The places of the policy that counts and of the one that takes over from it.
fn roles_of(
    acting: &Field<'_>,
    fallback: &Field<'_>,
    outside: &FromOutside<'_>,
) -> Option<(Option<usize>, Option<usize>)> {
    let (first, second) = (role(acting, outside), role(fallback, outside));
    if fallback.is_given() && !acting.is_given() {
        let help = "name the policy that decides as `acting`, or leave `fallback` out";
        return fallback.refused("there is no `acting` policy to take over from", help);
    }
    let (first, second) = (first?, second?);
    if second.is_some() && first == second {
        let help = "name another policy: it decides once the acting policy has ended";
        return fallback.refused("this is the acting policy itself", help);
    }
    Some((first, second))
}

/// The place of the policy of a label; `Some(None)` where none is given.
fn role(field: &Field<'_>, outside: &FromOutside<'_>) -> Option<Option<usize>> {
    let wanted = field.optional(Field::text);
    let Some(wanted) = wanted.unless_bad()? else {
        return Some(None);
    };
    let labels = outside.labels?;
    let place = labels.iter().position(|label| label == wanted);
    if place.is_none() {
        let near = nearest(wanted, labels.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!(
                "the policies are {}",
                listed(labels.iter().map(String::as_str))
            ),
        };
        field.refuse(format!("there is no policy {wanted:?}"), help);
    }
    if place.is_some_and(|place| outside.elsewhere.get(place) == Some(&true)) {
        return field.refused(
            format!(
                "the policy {wanted:?} plays elsewhere, and no answer may wait for the network"
            ),
            "leave its `where` out, or name another policy",
        );
    }
    place.map(Some)
}

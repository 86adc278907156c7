//! The keys of live runs and their boards.

use crate::catalog::param::{Param, Shape, TEXTS};

/// `[live.nats]`.
const NATS: &[Param] = &[
    Param::new("url", Shape::Text, "the servers, separated by commas").or("nats://127.0.0.1:4222"),
    Param::new(
        "run",
        Shape::Text,
        "the run's name there; that of the config, with - in place of what a name can't have",
    ),
    Param::new(
        "replicas",
        Shape::Whole(1, 5),
        "on how many servers the run's streams are",
    )
    .or("1"),
    Param::new(
        "patience",
        Shape::Text,
        "how long a policy elsewhere is waited for after the last person came",
    )
    .or("60s"),
];

/// `[live]`.
pub(super) const LIVE: &[Param] = &[
    Param::new("acting", Shape::Text, "the policy whose decisions count"),
    Param::new(
        "fallback",
        Shape::Text,
        "the policy that decides once the acting one has ended",
    ),
    Param::new(
        "origins",
        TEXTS,
        "the origins whose web pages may ask the servers, such as \"https://example.org\"",
    )
    .or("[]"),
    Param::new(
        "close",
        Shape::Text,
        "when a slate of all is closed: so long after its first person, such as \"36h\", or the first \
         slate at an instant, such as \"2026-12-01T18:00:00+01:00\"",
    ),
    Param::new(
        "look_deadline",
        Shape::Text,
        "how long interviewers have for an interview, such as \"2d\"",
    ),
    Param::new(
        "nats",
        Shape::Table(NATS),
        "where policies with where = \"remote\" meet the run",
    ),
];

/// `[board]`.
pub(super) const BOARD: &[Param] =
    &[Param::new("address", Shape::Text, "where it listens").or("127.0.0.1:7717")];

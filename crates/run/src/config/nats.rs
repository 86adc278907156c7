//! NATS servers as configs name them, and the section `[live.nats]`.

use std::time::Duration;

use super::plan::NatsPlan;
use super::seconds::time;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Field, Reader};
use crate::keys;
use crate::limits::LANE_PATIENCE;

/// The servers; by default that of this machine.
pub(super) const URL: ConfigKey<Box<str>> = ConfigKey::of("url", Shape::Text, url_of)
    .about("the servers, separated by commas")
    .or_word("nats://127.0.0.1:4222");

const RUN: ConfigKey<Box<str>> = ConfigKey::of("run", Shape::Text, run_of)
    .about("the run's name there; that of the config, with - in place of what a name can't have");

const REPLICAS: ConfigKey<u64> = ConfigKey::whole("replicas", 1, 5)
    .about("on how many servers the run's streams are")
    .or(1);

const PATIENCE: ConfigKey<Duration> = ConfigKey::of("patience", Shape::Text, time)
    .about("how long a policy elsewhere is waited for after the last person came")
    .or(LANE_PATIENCE);

/// `[live.nats]`.
pub(super) const KEYS: &[Param] = keys![URL, RUN, REPLICAS, PATIENCE];

/// The name that a run has there, where the config gives none.
fn run_by_name(name: &str) -> Box<str> {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    name.chars().map(plain).collect()
}

/// Returns the default settings for a run of this name.
pub(super) fn plan(name: &str) -> Option<NatsPlan> {
    Some(NatsPlan {
        url: URL.assumed()?,
        run: run_by_name(name),
        replicas: REPLICAS.assumed()? as usize,
        patience: PATIENCE.assumed()?,
    })
}

/// Reads `[live.nats]`.
pub(super) fn read(mut table: Reader<'_>, name: &str) -> Option<NatsPlan> {
    let (url, run) = (URL.value(&mut table), RUN.read(&mut table));
    let replicas = REPLICAS.field(&mut table);
    let odd = REPLICAS.value_of(&replicas);
    let patience = PATIENCE.value(&mut table);
    table.finish();
    let many = odd?;
    if many % 2 == 0 {
        return replicas.refused(
            "an even number of servers survives no more losses than one server less",
            "set 1, 3 or 5",
        );
    }
    Some(NatsPlan {
        url: url?,
        run: run.or(run_by_name(name))?,
        replicas: many as usize,
        patience: patience?,
    })
}

/// The name of a run: part of the names of streams and subjects.
fn run_of(field: &Field<'_>) -> Option<Box<str>> {
    let text = field.text()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if text.is_empty() || text.len() > 64 || !text.chars().all(is_plain) {
        return field.refused(
            format!("{text:?} is no name of a run there"),
            "take letters, digits, - and _, 64 at most: run = \"spring-2026\"",
        );
    }
    Some(text.into())
}

/// Addresses of servers, without secrets: a config is kept in the folder of its run.
pub(super) fn url_of(field: &Field<'_>) -> Option<Box<str>> {
    let text = field.text()?;
    let example = "for example: url = \"nats://127.0.0.1:4222\", several separated by commas; \
                   tls:// where the server has a certificate";
    for server in text.split(',').map(str::trim) {
        let host = server
            .strip_prefix("nats://")
            .or_else(|| server.strip_prefix("tls://"));
        if host.is_some_and(|host| host.contains('@')) {
            return field.refused(
                "a secret in a url would be kept in the folder of the run",
                "leave it out of the url, and put it into the environment: KLERO_NATS_TOKEN, or \
                 KLERO_NATS_USER and KLERO_NATS_PASSWORD",
            );
        }
        if host.is_none_or(str::is_empty) {
            return field.refused(
                format!("{server:?} is no address of a NATS server"),
                example,
            );
        }
    }
    Some(text.into())
}

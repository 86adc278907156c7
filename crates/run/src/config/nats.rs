//! NATS servers as configs name them, and the section `[live.nats]`.

use super::plan::NatsPlan;
use super::seconds::time;
use crate::document::{Field, Reader};
use crate::limits::LANE_PATIENCE;

/// The server of this machine.
pub(super) const URL: &str = "nats://127.0.0.1:4222";

/// Returns the default settings for a run of this name.
pub(super) fn plan(name: &str) -> NatsPlan {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    NatsPlan {
        url: URL.into(),
        run: name.chars().map(plain).collect(),
        replicas: 1,
        patience: LANE_PATIENCE,
    }
}

/// Reads `[live.nats]`.
pub(super) fn read(mut table: Reader<'_>, name: &str) -> Option<NatsPlan> {
    let url = table.get("url").optional(url_of);
    let run = table.get("run").optional(run_of);
    let replicas = table.get("replicas");
    let odd = replicas.optional(|field| field.whole_in(1..=5));
    let patience = table.get("patience").optional(time);
    table.finish();
    let replicas_given = odd.or(1)?;
    if replicas_given % 2 == 0 {
        return replicas.refused(
            "an even number of servers survives no more losses than one server less",
            "set 1, 3 or 5",
        );
    }
    let own = plan(name);
    Some(NatsPlan {
        url: url.or(own.url)?,
        run: run.or(own.run)?,
        replicas: replicas_given as usize,
        patience: patience.or(LANE_PATIENCE)?,
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

//! The state of a NATS server, read from its monitoring address. NATS clients can't learn from the
//! server itself how it syncs.

use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::limits::{MONITOR_PATIENCE, MOST_MONITOR_BYTES};
use crate::record::outside;

/// A server, by its own description.
#[derive(Debug, PartialEq)]
pub struct MonitoredServer {
    /// The name of the server, or its id if its config gives no name.
    pub name: String,
    /// True if the server's config gives it a name.
    pub is_named: bool,
    /// The version of the server.
    pub version: String,
    /// The way in which the server syncs its streams; `None` where it keeps no streams.
    pub syncing: Option<Syncing>,
}

/// The moments at which a server syncs the messages that it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syncing {
    /// Before each acknowledgement.
    Always,
    /// Once in each interval of this length.
    Every(Duration),
    /// Unknown, because the server's version does not report it.
    Unsaid,
}

/// The reason why a server could not be described.
#[derive(Debug, PartialEq)]
pub enum MonitorFault {
    /// No server answers; with the error.
    Silent(String),
    /// The answer comes from something other than a NATS server.
    Other(&'static str),
}

/// Asks the server at this monitoring address: host and port, and the path before the names of
/// pages.
///
/// # Errors
/// Nothing answers there, or something else.
pub async fn monitored(authority: &str, path: &str) -> Result<MonitoredServer, MonitorFault> {
    let request = format!(
        "GET {path}/varz HTTP/1.0\r\nHost: {authority}\r\nAccept: application/json\r\n\r\n"
    );
    let answer = match timeout(MONITOR_PATIENCE, asked(authority, &request)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => return Err(MonitorFault::Silent(error.to_string())),
        Err(_) => {
            let why = format!("no answer within {} s", MONITOR_PATIENCE.as_secs());
            return Err(MonitorFault::Silent(why));
        }
    };
    described(&answer).map_err(MonitorFault::Other)
}

/// Returns the whole answer to a request. A server closes a connection of HTTP 1.0 after its
/// answer, and sends it in one piece.
async fn asked(authority: &str, request: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(authority).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    match stream
        .take(MOST_MONITOR_BYTES)
        .read_to_end(&mut answer)
        .await
    {
        // What closes without having read all still said what it is.
        Err(_) if !answer.is_empty() => Ok(answer),
        read => read.map(|_| answer),
    }
}

/// Parses a server's answer, or returns a description of whatever answered.
fn described(answer: &[u8]) -> Result<MonitoredServer, &'static str> {
    let text = String::from_utf8_lossy(answer);
    if text.starts_with("INFO ") {
        return Err("the port for clients of a NATS server");
    }
    if !text.starts_with("HTTP/") {
        return Err("no server of HTTP");
    }
    let (head, body) = text
        .split_once("\r\n\r\n")
        .ok_or("no whole answer of HTTP")?;
    if head.split_ascii_whitespace().nth(1) != Some("200") {
        return Err("a server of HTTP that has no page /varz");
    }
    let varz: Varz = outside::read(body.as_bytes())
        .map_err(|_| "a server of HTTP whose page /varz is not that of a NATS server")?;
    let syncing = varz.jetstream.config.map(|store| match store {
        StoreConfig {
            sync_always: true, ..
        } => Syncing::Always,
        StoreConfig {
            sync_interval: Some(nanos),
            ..
        } => Syncing::Every(Duration::from_nanos(nanos)),
        _ => Syncing::Unsaid,
    });
    Ok(MonitoredServer {
        is_named: varz.server_name != varz.server_id,
        name: varz.server_name,
        version: varz.version,
        syncing,
    })
}

/// The members of the monitoring page that are read.
#[derive(Deserialize)]
struct Varz {
    server_id: String,
    server_name: String,
    version: String,
    /// Empty where the server keeps no streams.
    #[serde(default)]
    jetstream: Store,
}

#[derive(Default, Deserialize)]
struct Store {
    config: Option<StoreConfig>,
}

#[derive(Deserialize)]
struct StoreConfig {
    #[serde(default)]
    sync_always: bool,
    sync_interval: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(jetstream: &str) -> String {
        let body = format!(
            "{{\"server_id\":\"NA\",\"server_name\":\"s1\",\"version\":\"2.15.1\",\
             \"more\":[1],\"jetstream\":{jetstream}}}"
        );
        format!("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{body}")
    }

    #[test]
    fn a_page_says_how_a_server_syncs() {
        let minutes = 120_000_000_000_u64;
        let every = Syncing::Every(Duration::from_mins(2));
        for (config, syncing) in [
            ("{}".to_owned(), None),
            (
                format!(
                    "{{\"config\":{{\"sync_interval\":{minutes},\"sync_always\":true,\"s\":1}}}}"
                ),
                Some(Syncing::Always),
            ),
            (
                format!("{{\"config\":{{\"sync_interval\":{minutes}}}}}"),
                Some(every),
            ),
            (
                "{\"config\":{\"max_memory\":1}}".to_owned(),
                Some(Syncing::Unsaid),
            ),
        ] {
            let server = described(page(&config).as_bytes()).expect("a page");
            assert_eq!(server.syncing, syncing, "{config}");
            assert!(server.is_named && server.name == "s1" && server.version == "2.15.1");
        }
    }

    #[test]
    fn what_answers_otherwise_is_named() {
        let whole = page("{}");
        for (answer, words) in [
            (
                "INFO {\"server_id\":\"NA\"} \r\n-ERR",
                "the port for clients",
            ),
            ("", "no server of HTTP"),
            ("\u{16}\u{3}\u{1}", "no server of HTTP"),
            ("HTTP/1.1 200 OK", "no whole answer"),
            ("HTTP/1.1 404 Not Found\r\n\r\n", "no page /varz"),
            (
                "HTTP/1.1 200 OK\r\n\r\n{\"a\":1}",
                "not that of a NATS server",
            ),
            (&whole[..whole.len() - 1], "not that of a NATS server"),
        ] {
            let why = described(answer.as_bytes()).expect_err(answer);
            assert!(why.contains(words), "{answer:?}: {why}");
        }
    }
}

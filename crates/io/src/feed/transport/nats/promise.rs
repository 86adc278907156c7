//! Checks of the promise that a feed's servers give to senders. Acknowledged messages should be
//! synced, and the stream should not lose them.

use std::time::Duration;

use async_nats::jetstream::stream::{Info, PersistenceMode, StorageType};
use async_nats::jetstream::{self, context::GetStreamErrorKind};
use tokio::runtime::Builder;

use crate::feed::{NatsConsumer, NatsMonitor, NatsSync, ServerPromise};
use crate::nats::{MonitorFault, MonitoredServer, Syncing, connect, monitored};
use kleroterion_core::problem::Problem;

/// The advice that accepts the loss of acknowledged messages.
const ACCEPT: &str = "or accept the loss: sync = \"any\" in [source]";

/// The line for a server's config that makes it sync always.
const ALWAYS: &str = "jetstream { sync_interval: always }";

/// Asks the servers of a consumer.
pub(in crate::feed::transport) fn promised(wanted: &NatsConsumer) -> ServerPromise {
    let mut promise = ServerPromise::default();
    match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(ask(wanted, &mut promise)),
        Err(error) => promise
            .silent
            .push(Problem::of_request(error.to_string()).help("try again")),
    }
    promise
}

async fn ask(wanted: &NatsConsumer, promise: &mut ServerPromise) {
    let names = match wanted.sync {
        NatsSync::Always => servers(&wanted.monitors, promise).await,
        NatsSync::Any => Vec::new(),
    };
    let info = match stream(wanted).await {
        Ok(info) => Some(info),
        Err(why) => {
            promise.notes.push(why);
            None
        }
    };
    if let Some(info) = info.as_ref().filter(|_| wanted.sync == NatsSync::Always) {
        promise.broken.extend(careless(info));
        // One that is silent may be the one.
        if promise.silent.is_empty() && !wanted.monitors.is_empty() {
            promise.unknown.extend(unnamed(info, &names));
        }
    }
    let doubts = [&promise.broken, &promise.silent, &promise.unknown];
    let are_synced = wanted.sync == NatsSync::Always && doubts.iter().all(|all| all.is_empty());
    let replicas = info.map(|info| info.config.num_replicas);
    let losses = losses(&wanted.stream, replicas, are_synced);
    promise.notes.extend(losses);
}

/// Asks each server how it syncs, and returns the names of those that answer.
async fn servers(monitors: &[NatsMonitor], promise: &mut ServerPromise) -> Vec<String> {
    if monitors.is_empty() {
        promise.unknown.push(unasked());
    }
    let mut names = Vec::new();
    for monitor in monitors {
        match monitored(&monitor.authority, &monitor.path).await {
            Ok(server) => {
                promise.broken.extend(unsynced(monitor, &server));
                names.push(server.name);
            }
            Err(MonitorFault::Silent(why)) => promise.silent.push(silent(monitor, &why)),
            Err(MonitorFault::Other(what)) => promise.broken.push(other(monitor, what)),
        }
    }
    names
}

/// Returns the stream as its server describes it, or the reason why that is unknown.
async fn stream(wanted: &NatsConsumer) -> Result<Info, String> {
    let NatsConsumer {
        url,
        secrets,
        stream,
        ..
    } = wanted;
    let client = connect(url, secrets, "klero check", |_| {}).await;
    let client = client.map_err(|problem| problem.what)?;
    let found = jetstream::new(client).get_stream(&**stream).await;
    match found {
        Ok(found) => Ok(found.cached_info().clone()),
        Err(error) => Err(match error.kind() {
            GetStreamErrorKind::JetStream(error) if error.code() == 404 => {
                format!("the stream {stream:?} is not there yet")
            }
            _ => format!("the stream {stream:?} can't be had from {url}: {error}"),
        }),
    }
}

/// Returns the problem that no server is asked, so that the promise is unknown.
fn unasked() -> Problem {
    let what = "klero can't know whether the NATS servers sync a message before they acknowledge \
                it, because [source] has no `monitor`";
    let help = format!(
        "give their monitoring addresses: monitor = \"http://HOST:8222\" (in a server's config: \
         http_port: 8222); {ACCEPT}"
    );
    Problem::of_request(what).help(help)
}

/// Returns the problem that a server does not sync always, or `None` if it does.
fn unsynced(monitor: &NatsMonitor, server: &MonitoredServer) -> Option<Problem> {
    let called = called(monitor, server);
    let refused = |what: String, help: &str| {
        let what = format!("{called} {what}");
        Some(Problem::of_request(what).help(format!("{help}; {ACCEPT}")))
    };
    let write = format!("write into its config, and start it again: {ALWAYS}");
    match server.syncing? {
        Syncing::Always => None,
        Syncing::Every(time) => refused(
            format!(
                "syncs every {}, and may lose what it acknowledged since",
                shown(time)
            ),
            &write,
        ),
        Syncing::Unsaid if is_old(&server.version) => refused(
            format!(
                "has version {}, which can't sync before it acknowledges",
                server.version
            ),
            &format!("install nats-server 2.10 or later, and write into its config: {ALWAYS}"),
        ),
        Syncing::Unsaid => refused(
            "does not say that it syncs before it acknowledges".to_owned(),
            &write,
        ),
    }
}

fn called(monitor: &NatsMonitor, server: &MonitoredServer) -> String {
    match server.is_named {
        true => format!("the NATS server {} ({monitor})", server.name),
        false => format!("the NATS server at {monitor}"),
    }
}

fn shown(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds > 0 && seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        _ => format!("{} s", time.as_secs_f64()),
    }
}

/// Returns true if this version of the server can't sync always.
fn is_old(version: &str) -> bool {
    let mut numbers = version.split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) < (2, 10),
        _ => false,
    }
}

fn silent(monitor: &NatsMonitor, why: &str) -> Problem {
    let what = format!("no NATS server says at {monitor} how it syncs: {why}");
    let help = "start it with that address in its config (http: \"HOST:8222\"), or correct \
                `monitor` in [source]";
    Problem::of_request(what).help(help)
}

fn other(monitor: &NatsMonitor, what: &str) -> Problem {
    let what = format!("at {monitor} is {what}");
    let help = "give the address that is `http_port` or `http` in the server's config: monitor = \
                \"http://HOST:8222\"";
    Problem::of_request(what).help(help)
}

/// Returns the problems of the stream itself by which messages may be lost, however its servers
/// sync.
fn careless(info: &Info) -> Vec<Problem> {
    let name = &info.config.name;
    let mut problems = Vec::new();
    let mut refuse = |what: &str, help: &str| {
        let what = format!("the stream {name:?} {what}");
        problems.push(Problem::of_request(what).help(format!("{help}; {ACCEPT}")));
    };
    if info.config.storage == StorageType::Memory {
        refuse(
            "is in memory: a server that ends loses it",
            "make one whose storage is \"file\"",
        );
    }
    if info.config.persist_mode == Some(PersistenceMode::Async) {
        refuse(
            "acknowledges messages before it writes them",
            "make one whose persist_mode is \"default\"",
        );
    }
    problems
}

/// Returns the problem that a server with a replica of the stream was not asked, because its
/// monitoring address is missing.
fn unnamed(info: &Info, asked: &[String]) -> Option<Problem> {
    let cluster = info.cluster.as_ref()?;
    let replicas = cluster.replicas.iter().map(|replica| &replica.name);
    let holders = cluster.leader.iter().chain(replicas);
    let unnamed: Vec<&str> = holders
        .filter(|holder| !asked.contains(holder))
        .map(String::as_str)
        .collect();
    if unnamed.is_empty() {
        return None;
    }
    let (name, unnamed) = (&info.config.name, unnamed.join(", "));
    let what = format!("klero can't know how {unnamed} syncs, which has the stream {name:?}");
    let help = "add its monitoring address to `monitor` in [source]: several are separated by \
                commas";
    Some(Problem::of_request(what).help(help))
}

/// Describes the losses that a stream can suffer, with their causes. Covers both cases if its
/// number of replicas is unknown.
fn losses(stream: &str, replicas: Option<usize>, are_synced: bool) -> Vec<String> {
    let one = if are_synced {
        "what its server acknowledged is lost with its disk alone"
    } else {
        "where its server's machine loses power, what was acknowledged since the last \
                  sync is lost"
    };
    let many = |replicas: usize| {
        let most = replicas / 2 + 1;
        match are_synced {
            true => format!("what was acknowledged is lost where {most} disks are lost at once"),
            false => format!(
                "what was acknowledged since the last sync is lost where {most} machines lose \
                 power at once, or fewer while others are behind"
            ),
        }
    };
    match replicas {
        Some(1) => vec![format!("the stream {stream:?} has one replica: {one}")],
        Some(n) => vec![format!(
            "the stream {stream:?} has {n} replicas: {}",
            many(n)
        )],
        None => vec![
            format!("if the stream {stream:?} has one replica: {one}"),
            format!("if it has three replicas: {}", many(3)),
        ],
    }
}

#[cfg(test)]
mod tests;

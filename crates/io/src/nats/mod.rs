//! Connections to NATS servers.

mod monitor;

use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::sync::Arc;

pub use self::monitor::{MonitorFault, MonitoredServer, Syncing, monitored};
pub use async_nats::Client;
use async_nats::{ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr};

use kleroterion_core::problem::Problem;

use crate::limits::NATS_PATIENCE;
use crate::secrets::{NATS_PASSWORD, NATS_TOKEN, NATS_USER, NatsSecrets};

/// A change of a connection's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The connection is made.
    Made,
    /// The connection is lost, and the client keeps trying to make a new one.
    Lost,
    /// This process has closed the connection.
    Closed,
}

/// Connects to one of the servers of a comma-separated list; `changes` receives each change of the
/// connection. It shows the token, or the name and the password.
///
/// # Errors
/// No server can be reached, or it demands what is not there.
pub async fn connect(
    url: &str,
    secrets: &NatsSecrets,
    name: &str,
    changes: impl Fn(Change) + Send + Sync + 'static,
) -> Result<Client, Problem> {
    // It would be in errors, and in the list of processes.
    if url.contains('@') {
        return Err(
            Problem::of_request("a url of a NATS server has a secret in it").help(format!(
                "leave it out of the url, and put it into the environment: {NATS_TOKEN}, or \
             {NATS_USER} and {NATS_PASSWORD}"
            )),
        );
    }
    let servers = url.split(',').map(|server| server.trim().parse());
    let servers: Result<Vec<ServerAddr>, _> = servers.collect();
    let servers = servers.map_err(|error| {
        Problem::of_request(format!("{url:?} is no address of a NATS server: {error}"))
            .help("for example: url = \"nats://127.0.0.1:4222\"")
    })?;
    let changes = Arc::new(changes);
    let options = with_secret(ConnectOptions::new(), secrets)?
        .name(name)
        .connection_timeout(NATS_PATIENCE)
        .event_callback(move |event| {
            let changes = Arc::clone(&changes);
            async move {
                match event {
                    Event::Connected => changes(Change::Made),
                    Event::Disconnected => changes(Change::Lost),
                    Event::Closed => changes(Change::Closed),
                    event => tracing::debug!(%event, "nats"),
                }
            }
        });
    options.connect(servers).await.map_err(|error| {
        let what = format!("no NATS server answers at {url}: {error}");
        Problem::of_request(what).help(remedy(&error))
    })
}

/// Returns advice for an error of the connection.
fn remedy(error: &ConnectError) -> String {
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => format!(
            "put what it demands into the environment: {NATS_TOKEN}, or {NATS_USER} and \
             {NATS_PASSWORD}"
        ),
        _ if is_of_tls(error) => {
            "does the server have a certificate for this name that this machine trusts? Set \
             SSL_CERT_FILE to the file (PEM) of who signed it. A server without one has a url that \
             begins with nats://"
                .to_owned()
        }
        _ => "start nats-server with JetStream (`nats-server -js`), or correct the url".to_owned(),
    }
}

/// Returns true if client and server did not agree about TLS. The client reports an untrusted
/// certificate as an error of input and output.
fn is_of_tls(error: &ConnectError) -> bool {
    let source = error.source().and_then(<dyn Error>::downcast_ref);
    let inner = source.and_then(io::Error::get_ref);
    let is_of_rustls = inner.is_some_and(|inner| inner.is::<async_nats::rustls::Error>());
    is_of_rustls || error.kind() == ConnectErrorKind::Tls
}

/// Adds the secrets to the options.
fn with_secret(options: ConnectOptions, secrets: &NatsSecrets) -> Result<ConnectOptions, Problem> {
    let read = |name: &str, secret: &Option<OsString>| {
        let wrong = |what: &str| {
            let what = format!("the environment variable {name} is {what}");
            Err(Problem::of_request(what).help("set it anew, or unset it"))
        };
        let Some(secret) = secret else {
            return Ok(None);
        };
        match secret.to_str() {
            // Whoever sets it means to have one.
            Some("") => wrong("empty"),
            Some(secret) => Ok(Some(secret.to_owned())),
            None => wrong("not UTF-8"),
        }
    };
    let token = read(NATS_TOKEN, &secrets.token)?;
    let user = read(NATS_USER, &secrets.user)?;
    let password = read(NATS_PASSWORD, &secrets.password)?;
    match (token, user, password) {
        (Some(token), None, None) => Ok(options.token(token)),
        (None, Some(user), Some(password)) => Ok(options.user_and_password(user, password)),
        (None, None, None) => Ok(options),
        _ => Err(Problem::of_request(format!(
            "{NATS_TOKEN}, {NATS_USER} and {NATS_PASSWORD} do not go together"
        ))
        .help("set the token alone, or the name and the password alone")),
    }
}

//! Records over TCP connections. A sender sends lines, closes its writing side, and then receives
//! an account of them.
//!
//! Of several connections the order between them is that in which their lines come; within one it
//! is kept.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::carry::{Chunks, Ended, Feed, Why, carry, end, stopped};
use crate::feed::account::{FeedAccount, Rejected};
use crate::feed::courier::{Courier, Over};
use crate::feed::decoder::Decoder;
use crate::feed::{Delivery, FeedSpec};
use crate::limits::{
    LONGEST_TOKEN, READ_BYTES, TCP_CONNECTIONS, TCP_IDLE, TCP_LINGER, TCP_PATIENCE, TCP_PAUSE,
};
use crate::record::is_zero;
use kleroterion_core::source::FeedError;

/// The beginning of a first line that carries the token.
const TOKEN: &[u8] = b"token ";
/// The answer to a sender who did not say the token that is demanded.
const SILENT: &str = "no token was said: begin with a line `token TOKEN`";

/// The error of records that come after the last lane has ended.
const OVER: &str = "no lane runs any more: nothing more is taken";

/// The limits of a listening feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpLimits {
    /// The most connections at once; others wait to be accepted. The default is 64.
    pub connections: usize,
    /// The longest silence of a sender while all connections are taken. After it, the sender's
    /// place goes to another. The default is 30 s.
    pub idle: Duration,
    /// The time that a new connection has to send the token, and a sender has to read the answer.
    /// The default is 30 s.
    pub patience: Duration,
}

impl Default for TcpLimits {
    fn default() -> Self {
        Self {
            connections: TCP_CONNECTIONS,
            idle: TCP_IDLE,
            patience: TCP_PATIENCE,
        }
    }
}

/// A feed that listens for TCP connections.
pub struct Tcp {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// The state that all connections share.
struct Shared {
    spec: FeedSpec,
    token: Option<Arc<str>>,
    numbers: Arc<AtomicU64>,
    limits: TcpLimits,
    /// True if all connections are taken.
    is_full: AtomicBool,
    /// Wakes the connection that has been idle for longest, because others may wait for its place.
    leave: Notify,
}

impl Shared {
    fn new(
        limits: TcpLimits,
        spec: &FeedSpec,
        token: Option<Arc<str>>,
        numbers: Arc<AtomicU64>,
    ) -> Arc<Self> {
        Arc::new(Self {
            spec: spec.clone(),
            token,
            numbers,
            limits,
            is_full: AtomicBool::new(false),
            leave: Notify::new(),
        })
    }
}

impl Tcp {
    /// Listens at an address. If `token` is given, each connection must send a first line `token
    /// TOKEN`. `numbers` counts the records that have come before.
    ///
    /// # Errors
    /// The address can't be listened at.
    pub async fn bind(
        address: SocketAddr,
        spec: &FeedSpec,
        token: Option<Arc<str>>,
        numbers: Arc<AtomicU64>,
    ) -> io::Result<Self> {
        Self::bind_within(TcpLimits::default(), address, spec, token, numbers).await
    }

    /// Listens like [`Tcp::bind`], with given limits.
    ///
    /// # Errors
    /// As [`Tcp::bind`].
    pub async fn bind_within(
        limits: TcpLimits,
        address: SocketAddr,
        spec: &FeedSpec,
        token: Option<Arc<str>>,
        numbers: Arc<AtomicU64>,
    ) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(address).await?,
            shared: Shared::new(limits, spec, token, numbers),
        })
    }
}

#[async_trait]
impl Feed for Tcp {
    fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    async fn run(
        self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError> {
        let Self { listener, shared } = *self;
        let (all_stop, none) = watch::channel(false);
        let mut connections = JoinSet::new();
        let most = shared.limits.connections;
        let ended = loop {
            let is_full = connections.len() >= most;
            shared.is_full.store(is_full, Ordering::Relaxed);
            if is_full {
                shared.leave.notify_one();
            }
            tokio::select! {
                biased;
                () = stopped(&mut stop) => break Ended::Stopped,
                () = deliveries.closed() => break Ended::Untaken,
                Some(over) = connections.join_next() => match over {
                    Ok(Some(Over::Halted(error))) => break Ended::Halted(error),
                    Ok(_) => {}
                    Err(error) => return Err(FeedError(format!("a connection failed: {error}"))),
                },
                accepted = listener.accept(), if connections.len() < most => match accepted {
                    Ok((stream, _)) => {
                        let serve = serve(stream, Arc::clone(&shared), deliveries.clone(), none.clone());
                        connections.spawn(serve);
                    }
                    Err(error) => {
                        // Out of file descriptors, say: it may pass.
                        tracing::warn!(%error, "a connection can't be accepted");
                        sleep(TCP_PAUSE).await;
                    }
                },
            }
        };
        drop(listener);
        let _ = all_stop.send(true);
        while connections.join_next().await.is_some() {}
        Ok(ended)
    }
}

/// Both directions of a connection.
pub trait Connected: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Connected for S {}

/// Takes the records of a connection that need not be a socket.
#[cfg(any(test, feature = "testing"))]
pub async fn serve_one(
    stream: impl Connected,
    spec: &FeedSpec,
    deliveries: mpsc::Sender<Delivery>,
    stop: watch::Receiver<bool>,
) {
    let shared = Shared::new(TcpLimits::default(), spec, None, Arc::default());
    serve(stream, shared, deliveries, stop).await;
}

/// Takes the records of a connection and answers it. The answer gives the reason if the feed ended
/// the connection.
async fn serve(
    mut stream: impl Connected,
    shared: Arc<Shared>,
    deliveries: mpsc::Sender<Delivery>,
    mut stop: watch::Receiver<bool>,
) -> Option<Over> {
    let mut courier = Courier::new(deliveries, shared.spec.on_error);
    let over = receive(&mut stream, &shared, &mut courier, &mut stop).await;
    let error = match &over {
        Ok(()) => None,
        Err(Broken::Over(Over::Untaken)) => Some("the run takes no more records".to_owned()),
        Err(Broken::Over(Over::Halted(error))) => Some(format!("the run ends: {error}")),
        Err(Broken::Over(Over::Lost(error))) => Some(error.clone()),
        Err(Broken::Stopped) => Some("the run is being stopped".to_owned()),
        Err(Broken::Stranger(error)) => Some((*error).to_owned()),
        Err(Broken::Idle) => Some(format!(
            "nothing came for {} s while others wait for a connection; connect again",
            shared.limits.idle.as_secs_f64()
        )),
        // The sender is gone.
        Err(Broken::Gone) => return None,
    };
    let answer = ConnectionAnswer::of(&courier.account, error);
    // Whoever does not listen is not waited for.
    if let Ok(Ok(())) = timeout(shared.limits.patience, send(&mut stream, &answer)).await {
        let _ = timeout(TCP_LINGER, linger(&mut stream)).await;
    }
    match over {
        Err(Broken::Over(over)) => Some(over),
        _ => None,
    }
}

/// The reason why a connection was not read to its end.
enum Broken {
    Stranger(&'static str),
    Stopped,
    Gone,
    /// The connection was silent while others waited.
    Idle,
    Over(Over),
}

async fn receive(
    stream: &mut impl Connected,
    shared: &Shared,
    courier: &mut Courier,
    stop: &mut watch::Receiver<bool>,
) -> Result<(), Broken> {
    let (is_greeted, first) = tokio::select! {
        biased;
        () = stopped(stop) => return Err(Broken::Stopped),
        () = courier.untaken() => return Err(Broken::Over(Over::Untaken)),
        first = greet(stream, shared) => first?,
        () = idle(shared) => return Err(Broken::Idle),
    };
    let numbers = Arc::clone(&shared.numbers);
    let mut decoder = Decoder::new(&shared.spec, numbers, 1 + u64::from(is_greeted));
    let mut chunks = Connection {
        stream,
        shared,
        first,
        is_idle: false,
    };
    let why = carry(&mut chunks, &mut decoder, courier, stop).await;
    let is_idle = chunks.is_idle;
    let broken = match why {
        Ok(Why::End) => return end(&mut decoder, courier).await.map_err(Broken::Over),
        Ok(Why::Over(over)) => return Err(Broken::Over(over)),
        Ok(Why::Stopped) => Broken::Stopped,
        // What came before the connection broke was handed over; a record cut in two was not.
        Err(_) if is_idle => Broken::Idle,
        Err(_) => Broken::Gone,
    };
    courier.settle().await.map_err(Broken::Over)?;
    Err(broken)
}

/// The first bytes of a connection: true if its first line carried the right token, and the bytes
/// of the following lines that were read with it.
type First = (bool, Vec<u8>);

/// Reads the line with the token, if there is one, and compares it with the right one, if one is
/// set.
async fn greet(stream: &mut impl Connected, shared: &Shared) -> Result<First, Broken> {
    match shared.token.as_deref() {
        None => hear(stream, None).await,
        token => timeout(shared.limits.patience, hear(stream, token))
            .await
            .unwrap_or(Err(Broken::Stranger(SILENT))),
    }
}

/// Returns once a connection has been idle for too long, and must leave its place to another.
async fn idle(shared: &Shared) {
    sleep(shared.limits.idle).await;
    loop {
        shared.leave.notified().await;
        if shared.is_full.load(Ordering::Relaxed) {
            return;
        }
    }
}

async fn hear(stream: &mut impl Connected, token: Option<&str>) -> Result<First, Broken> {
    let mut heard = Vec::new();
    loop {
        let line = heard.iter().position(|byte| *byte == b'\n');
        let length = heard.len().min(TOKEN.len());
        if heard[..length] != TOKEN[..length] {
            return match token {
                None => Ok((false, heard)),
                Some(_) => Err(Broken::Stranger("the first line must be `token TOKEN`")),
            };
        }
        if let Some(line) = line {
            let rest = heard.split_off(line + 1);
            let said = heard[TOKEN.len()..].trim_ascii();
            // By their hashes, so that the time it takes does not reveal how much of it was right.
            let right = |token: &str| blake3::hash(token.as_bytes()) == blake3::hash(said);
            return match token.is_none_or(right) {
                true => Ok((true, rest)),
                false => Err(Broken::Stranger("this is not the token")),
            };
        }
        if heard.len() > LONGEST_TOKEN {
            return Err(Broken::Stranger("the token's line is too long"));
        }
        match stream.read_buf(&mut heard).await {
            Ok(0) if token.is_none() => return Ok((false, heard)),
            Ok(0) => return Err(Broken::Stranger(SILENT)),
            Ok(_) => {}
            Err(_) => return Err(Broken::Gone),
        }
    }
}

/// The bytes of a connection, beginning with those read already.
struct Connection<'a, S> {
    stream: &'a mut S,
    shared: &'a Shared,
    first: Vec<u8>,
    /// True if the connection was silent for too long while others waited.
    is_idle: bool,
}

impl<S: Connected> Chunks for Connection<'_, S> {
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        if !self.first.is_empty() {
            buffer.append(&mut self.first);
            return Ok(());
        }
        buffer.reserve(READ_BYTES);
        tokio::select! {
            biased;
            read = self.stream.read_buf(buffer) => read.map(|_| ()),
            () = idle(self.shared) => {
                self.is_idle = true;
                Err(io::ErrorKind::TimedOut.into())
            }
        }
    }
}

/// The last line of a connection: the account of its records.
#[derive(Serialize)]
struct ConnectionAnswer<'a> {
    accepted: u64,
    duplicates: u64,
    left_out: u64,
    rejected: &'a [Rejected],
    #[serde(skip_serializing_if = "is_zero")]
    more_rejected: u64,
    last_seq: u64,
    /// The reason why the feed ended the connection; left out if the other side ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl<'a> ConnectionAnswer<'a> {
    fn of(account: &'a FeedAccount, error: Option<String>) -> Self {
        let over = (account.untaken > 0).then(|| OVER.to_owned());
        Self {
            accepted: account.accepted,
            duplicates: account.duplicates,
            left_out: account.left_out,
            rejected: &account.rejected,
            more_rejected: account.more_rejected,
            last_seq: account.last_seq,
            error: error.or(over),
        }
    }
}

async fn send(stream: &mut impl Connected, answer: &ConnectionAnswer<'_>) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    stream.shutdown().await
}

/// Reads bytes that are still sent, for a while. Closing with unread bytes would reset the
/// connection and lose the answer.
async fn linger(stream: &mut impl Connected) -> io::Result<()> {
    let mut unread = [0; 4096];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests;

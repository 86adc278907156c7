//! Taking connections, and letting them go.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::routing::{get, post};
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use super::claims::Claims;
use super::metrics::Counts;
use super::outlet::Outlet;
use super::{Limits, Services};
use super::{answer, board, decide, follow, guard, intake, metrics, ready};

/// Of a head and what has been read of a body, in bytes, for each connection.
const READ: usize = 64 << 10;

/// Connections that wait to be taken, beside those that are.
const WAITING: i32 = 4096;

/// What all requests share.
pub(super) struct Server {
    pub(super) services: Services,
    pub(super) limits: Limits,
    /// Whether nobody but this machine can ask.
    pub(super) loopback: bool,
    /// Connections.
    pub(super) places: Arc<Semaphore>,
    /// KiB of bodies under way.
    pub(super) room: Arc<Semaphore>,
    /// Who may follow the decisions.
    pub(super) followers: Arc<Semaphore>,
    /// Large bodies that may be read at once.
    pub(super) readers: Semaphore,
    /// Whose decision was asked for.
    pub(super) claims: Claims,
    /// What was answered.
    pub(super) counts: Counts,
    /// Whether the server is to stop.
    pub(super) stop: watch::Receiver<bool>,
}

impl Server {
    fn new(
        services: Services,
        limits: Limits,
        loopback: bool,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            services,
            limits,
            loopback,
            places: Arc::new(Semaphore::new(limits.connections)),
            room: Arc::new(Semaphore::new(limits.under_way >> 10)),
            followers: Arc::new(Semaphore::new(limits.followers)),
            readers: Semaphore::new(threads),
            claims: Claims::default(),
            counts: Counts::default(),
            stop,
        }
    }
}

/// Serves until told to stop, or until who could tell is gone; then what is under way may end. To be run on a runtime with time and
/// I/O of its own: it uses the CPU for reading records.
///
/// # Errors
/// Where the listener can't be used.
pub async fn serve(
    listener: std::net::TcpListener,
    services: Services,
    stop: watch::Receiver<bool>,
) -> io::Result<()> {
    serve_within(Limits::default(), listener, services, stop).await
}

/// [`serve`], within other limits.
///
/// # Errors
/// Where the listener can't be used.
pub async fn serve_within(
    limits: Limits,
    listener: std::net::TcpListener,
    services: Services,
    mut stop: watch::Receiver<bool>,
) -> io::Result<()> {
    // Std's 128 are soon used up while all places are taken, and then connections are reset.
    SockRef::from(&listener).listen(WAITING)?;
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let loopback = listener.local_addr()?.ip().is_loopback();
    let server = Arc::new(Server::new(services, limits, loopback, stop.clone()));
    let router = router(&server);
    let mut connections = JoinSet::new();
    loop {
        let taken = tokio::select! {
            () = stopped(&mut stop) => break,
            taken = take(&listener, &server) => taken,
        };
        match taken {
            Ok((stream, place)) => {
                let (router, stop) = (router.clone(), stop.clone());
                connections.spawn(async move {
                    let _place = place;
                    attend(stream, router, limits, stop).await;
                });
            }
            Err(error) => {
                // Too many open files, say: those under way will end.
                warn!(%error, "no connection could be taken");
                sleep(Duration::from_millis(50)).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    if timeout(limits.farewell, ended).await.is_err() {
        debug!(connections = connections.len(), "cut off");
        connections.shutdown().await;
    }
    Ok(())
}

/// Returns once the server is to stop, or nobody is left who could say so.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}

/// The next connection, once there is a place for it.
async fn take(
    listener: &TcpListener,
    server: &Server,
) -> io::Result<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = server.places.clone().acquire_owned().await;
    let place = place.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

/// Answers the requests of one connection.
async fn attend(
    stream: TcpStream,
    router: Router,
    limits: Limits,
    mut stop: watch::Receiver<bool>,
) {
    // Without it answers wait for the other side's acknowledgement of the last.
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "a connection without nodelay");
    }
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(READ)
        // Who has said all may still listen.
        .half_close(true);
    let io = TokioIo::new(Outlet::new(stream, limits.stalled));
    let mut connection = pin!(builder.serve_connection(io, TowerToHyperService::new(router)));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        debug!(%error, "a connection broke off");
    }
}

fn router(server: &Arc<Server>) -> Router {
    let board = server.services.board;
    let board = board.then(|| board::routes().with_state(server.services.clone()));
    Router::new()
        .merge(board.unwrap_or_default())
        .route("/v1/candidates", post(intake::candidates))
        .route("/v1/outcomes", post(intake::outcomes))
        .route("/v1/decisions", post(decide::decide).get(follow::follow))
        .route("/healthz", get(metrics::health))
        .route("/readyz", get(ready::ready))
        .route("/metrics", get(metrics::metrics))
        .fallback(answer::not_found)
        .method_not_allowed_fallback(answer::not_allowed)
        .layer(middleware::from_fn_with_state(server.clone(), guard::guard))
        .with_state(server.clone())
}

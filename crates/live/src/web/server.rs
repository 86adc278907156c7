//! The server: it accepts connections, serves their requests and drains them at the end.

use std::io;
use std::pin::pin;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::routing::{get, post};
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use super::outlet::Outlet;
use super::parsed::RecordKind;
use super::place::Place;
use super::state::{Server, stopped};
use super::{Limits, Services};
use super::{answer, board, decide, follow, guard, intake, looks, metrics, slates};
use crate::limits::{ACCEPT_PAUSE, MOST_UNACCEPTED, READ_BUFFER};

/// Serves until `stop` is true or its sender is dropped, then drains the requests in progress. It
/// needs a runtime of its own with time and I/O, since it reads records on the runtime's threads.
///
/// # Errors
/// Fails if the listener can't be used.
pub async fn serve(
    listener: std::net::TcpListener,
    services: Services,
    stop: watch::Receiver<bool>,
) -> io::Result<()> {
    serve_within(Limits::default(), listener, services, stop).await
}

/// Serves as [`serve`] does, within other limits.
///
/// # Errors
/// Fails if the listener can't be used.
pub async fn serve_within(
    limits: Limits,
    listener: std::net::TcpListener,
    services: Services,
    mut stop: watch::Receiver<bool>,
) -> io::Result<()> {
    // Std's 128 are soon used up while all places are taken, and then connections are reset.
    SockRef::from(&listener).listen(MOST_UNACCEPTED)?;
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
                connections.spawn(attend(stream, place, router, limits, stop));
            }
            Err(error) => {
                // Too many open files, say: those under way will end.
                warn!(%error, "no connection could be taken");
                sleep(ACCEPT_PAUSE).await;
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

/// Accepts the next connection, once there is a place for it.
async fn take(listener: &TcpListener, server: &Server) -> io::Result<(TcpStream, Place)> {
    let place = server.places.take().await;
    let place = place.ok_or_else(|| io::Error::other("no places"))?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

/// Answers the requests of one connection.
async fn attend(
    stream: TcpStream,
    place: Place,
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
        .max_buf_size(READ_BUFFER)
        // Who has said all may still listen.
        .half_close(true);
    let io = TokioIo::new(Outlet::new(stream, limits.stalled));
    let asking = place.asking.clone();
    let service = middleware::from_fn(move |request: Request, next: Next| {
        asking.clone().answered(request, next)
    });
    let service = TowerToHyperService::new(router.layer(service));
    let mut connection = pin!(builder.serve_connection(io, service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = place.idle() => {
            debug!("a connection that asked nothing gave its place to another");
            return;
        }
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        debug!(%error, "a connection broke off");
    }
}

pub(super) fn router(server: &Arc<Server>) -> Router {
    let board = server.services.board;
    let board = board.then(|| board::routes().with_state(server.services.clone()));
    let records = |kind: RecordKind| {
        post(move |State(server): State<Arc<Server>>, request: Request| {
            intake::post(server, kind, request)
        })
    };
    Router::new()
        .merge(board.unwrap_or_default())
        .route("/v1/candidates", records(RecordKind::Candidates))
        .route("/v1/outcomes", records(RecordKind::Outcomes))
        .route("/v1/slates", post(slates::close))
        .route("/v1/withdrawals", records(RecordKind::Withdrawals))
        .route("/v1/looks", records(RecordKind::Looks).get(looks::looks))
        .route("/v1/decisions", post(decide::decide).get(follow::follow))
        .route("/healthz", get(metrics::health))
        .route("/readyz", get(metrics::ready))
        .route("/metrics", get(metrics::metrics))
        .fallback(answer::not_found)
        .method_not_allowed_fallback(answer::not_allowed)
        .layer(middleware::from_fn_with_state(server.clone(), guard::guard))
        .with_state(server.clone())
}

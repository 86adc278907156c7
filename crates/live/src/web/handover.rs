//! Handing of records to the recorder, and its receipts.

use axum::http::StatusCode;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::answer::HttpRefusal;
use super::parsed::RecordKind;
use super::state::Server;
use super::{Intake, Interviews, Services};
use kleroterion_io::feed::{Delivery, Item, OnError, Receipt};
use kleroterion_run::limits::LONGEST_RECORD;

/// The way of records of a kind to the recorder.
#[derive(Clone, Copy)]
pub(super) struct Door<'a> {
    pub(super) kind: RecordKind,
    /// The intake of people and outcomes, if any come by HTTP.
    pub(super) intake: Option<&'a Intake>,
    /// The intake of interviewers' answers, if people hold interviews.
    pub(super) interviews: Option<&'a Interviews>,
    deliveries: &'a mpsc::Sender<Delivery>,
    /// The longest record, in bytes.
    pub(super) max_length: usize,
    /// The treatment of a record that can't be read.
    pub(super) on_error: OnError,
}

impl<'a> Door<'a> {
    /// The door of this server for records of this kind, if it has one.
    fn of(server: &'a Server, kind: RecordKind) -> Option<Self> {
        let Services {
            intake, interviews, ..
        } = &server.services;
        let (intake, interviews) = (intake.as_ref(), interviews.as_ref());
        let feed = intake.map(|intake| &intake.deliveries);
        let desk = interviews.map(|interviews| &interviews.deliveries);
        let deliveries = match kind {
            RecordKind::Looks => desk,
            // It must not wait for room in the stream where lanes wait for interviewers.
            RecordKind::Withdrawals => desk.or(feed),
            RecordKind::Candidates
            | RecordKind::Candidate
            | RecordKind::Outcomes
            | RecordKind::Slates => feed,
        };
        Some(Self {
            kind,
            intake,
            interviews,
            deliveries: deliveries?,
            max_length: intake.map_or(LONGEST_RECORD, |intake| intake.max_length),
            on_error: intake.map_or(OnError::Skip, |intake| intake.on_error),
        })
    }
}

/// The door for records of a kind, or a refusal if it is closed. It stays open after all lanes have
/// ended, since a repeated record can still be recognised.
pub(super) fn open(server: &Server, kind: RecordKind) -> Result<Door<'_>, HttpRefusal> {
    let Some(door) = Door::of(server, kind) else {
        let (error, help) = match kind {
            RecordKind::Looks => (
                "no interviewer is asked for anything in this run",
                "`[feedback.interview] type = \"people\"` would ask them",
            ),
            _ => (
                "this run takes no records by HTTP",
                "its people come from the source in its config; `[source] type = \"http\"` \
                 would take them here",
            ),
        };
        return Err(HttpRefusal::new(StatusCode::NOT_FOUND, error, help));
    };
    if door.deliveries.is_closed() {
        return Err(shut(server));
    }
    if door.deliveries.capacity() == 0 {
        return Err(full());
    }
    Ok(door)
}

/// Delivers items to the recorder. The receipt arrives once they are committed.
pub(super) fn deliver(
    server: &Server,
    door: Door<'_>,
    items: Vec<Item>,
) -> Result<oneshot::Receiver<Receipt>, HttpRefusal> {
    let (sender, receipt) = oneshot::channel();
    let delivery = Delivery {
        items,
        left_out: 0,
        receipt: Some(sender),
    };
    match door.deliveries.try_send(delivery) {
        Ok(()) => Ok(receipt),
        Err(TrySendError::Full(_)) => Err(full()),
        Err(TrySendError::Closed(_)) => Err(shut(server)),
    }
}

/// Waits for the receipt of a delivery.
pub(super) async fn received(
    server: &Server,
    kind: RecordKind,
    receipt: oneshot::Receiver<Receipt>,
) -> Result<Receipt, HttpRefusal> {
    let Ok(told) = timeout(server.limits.receipt, receipt).await else {
        return Err(late());
    };
    told.map_err(|_| match open(server, kind) {
        Err(refusal) if refusal.status == StatusCode::GONE || has_failed(server) => refusal,
        _ => HttpRefusal::unavailable("it was not taken", "nothing of it was taken: send it again"),
    })
}

/// The refusal once the recorder takes no more: the run is over, or the recorder has failed.
fn shut(server: &Server) -> HttpRefusal {
    match has_failed(server) {
        true => HttpRefusal::unavailable(
            "the recorder has failed",
            "nothing of it was taken: keep it, and send it again once the run is resumed",
        ),
        false => HttpRefusal::over(),
    }
}

fn has_failed(server: &Server) -> bool {
    server.services.watched.has_failed()
}

/// Answers 429: the delivery still waits for the recorder, which may take it later.
fn late() -> HttpRefusal {
    let help =
        "it may be taken later: send it again, more slowly; who came already is known by the id";
    HttpRefusal::busy("more came than the policies could decide").saying(help)
}

fn full() -> HttpRefusal {
    HttpRefusal::busy("more came than the journal could take")
}

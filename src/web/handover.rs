//! Hands records over to the recorder and waits for its receipts.

use axum::http::StatusCode;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;

use super::Intake;
use super::answer::HttpRefusal;
use super::state::Server;
use crate::feed::{Delivery, Item, Receipt};

/// The intake, where there is one that takes anything. Also when no lane plays any more: whoever
/// came before is known still.
pub(super) fn open(server: &Server) -> Result<&Intake, HttpRefusal> {
    let Some(intake) = &server.services.intake else {
        let error = "this run takes no records by HTTP";
        let help = "its people come from the source in its config; `[source] type = \"http\"` \
                    would take them here";
        return Err(HttpRefusal::new(StatusCode::NOT_FOUND, error, help));
    };
    if intake.deliveries.is_closed() {
        return Err(HttpRefusal::over());
    }
    if intake.deliveries.capacity() == 0 {
        return Err(full());
    }
    Ok(intake)
}

/// Hands items to the recorder; who waits for the receipt hears once they are committed.
pub(super) fn deliver(
    intake: &Intake,
    items: Vec<Item>,
) -> Result<oneshot::Receiver<Receipt>, HttpRefusal> {
    let (sender, receipt) = oneshot::channel();
    let delivery = Delivery {
        items,
        left_out: 0,
        receipt: Some(sender),
    };
    match intake.deliveries.try_send(delivery) {
        Ok(()) => Ok(receipt),
        Err(TrySendError::Full(_)) => Err(full()),
        Err(TrySendError::Closed(_)) => Err(HttpRefusal::over()),
    }
}

/// What became of a delivery.
pub(super) async fn received(
    server: &Server,
    receipt: oneshot::Receiver<Receipt>,
) -> Result<Receipt, HttpRefusal> {
    receipt.await.map_err(|_| match open(server) {
        Err(refusal) if refusal.status == StatusCode::GONE => refusal,
        _ => HttpRefusal::unavailable("it was not taken", "nothing of it was taken: send it again"),
    })
}

fn full() -> HttpRefusal {
    HttpRefusal::busy("more came than the journal could take")
}

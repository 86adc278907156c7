//! Test of the server with any bytes as a connection: heads and bodies of requests.

use std::cell::RefCell;
use std::sync::Arc;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex, split};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

use super::server::router;
use super::state::Server;
use super::{Intake, Interviews, Limits, Services};
use crate::watch::{Stage, Watched};
use kleroterion_io::feed::{Codec, Delivery, OnError, Reading, ReadingSpec, Receipt, Taken};
use kleroterion_io::record::{AttributeSpec, Levels};
use kleroterion_stats::Judge;

thread_local! {
    static SITE: RefCell<HostileSite> = RefCell::new(HostileSite::open());
}

/// Sends bytes as a connection. Each answer must be HTTP, and none may say that the server is at
/// fault.
pub fn http(bytes: &[u8]) {
    let answer = SITE.with_borrow(|site| site.ask(bytes));
    let mut rest = &answer[..];
    while let Some(at) = find(rest, b"HTTP/1.1 ") {
        let status = &rest[at + 9..];
        assert!(!status.starts_with(b"500"), "the server is at fault");
        rest = &status[3.min(status.len())..];
    }
    let is_http = answer.is_empty() || answer.starts_with(b"HTTP/1.");
    assert!(is_http, "an answer that is no HTTP");
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// A server without a socket.
struct HostileSite {
    runtime: Runtime,
    router: axum::Router,
    // While it lives the server goes on.
    _stop: watch::Sender<bool>,
}

impl HostileSite {
    fn open() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().expect("a runtime");
        let (deliveries, queue) = mpsc::channel(8);
        runtime.spawn(record(queue));
        let (stop, stopped) = watch::channel(false);
        let services = services(deliveries);
        let server = Arc::new(Server::new(services, Limits::default(), true, stopped));
        Self {
            router: router(&server),
            runtime,
            _stop: stop,
        }
    }

    /// Sends these bytes as a client and returns the bytes of the answer.
    fn ask(&self, bytes: &[u8]) -> Vec<u8> {
        self.runtime.block_on(async {
            let (client, served) = duplex(64 << 10);
            let mut builder = http1::Builder::new();
            builder.half_close(true);
            let service = TowerToHyperService::new(self.router.clone());
            let connection = builder.serve_connection(TokioIo::new(served), service);
            let serving = tokio::spawn(connection);
            let (mut reader, mut writer) = split(client);
            let said = async {
                // A server that has heard enough hangs up.
                let _ = writer.write_all(bytes).await;
                let _ = writer.shutdown().await;
            };
            let mut answer = Vec::new();
            let heard = async {
                // Decisions and boards are followed without end: their beginning is enough.
                let _ = (&mut reader).take(64 << 10).read_to_end(&mut answer).await;
            };
            tokio::select! {
                ((), ()) = async { tokio::join!(said, heard) } => {}
                () = tokio::time::sleep(PATIENCE) => {}
            }
            serving.abort();
            answer
        })
    }
}

/// The time for which an endless answer is read.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(5);

fn services(deliveries: mpsc::Sender<Delivery>) -> Services {
    let levels = vec![("1".into(), "male".into()), ("2".into(), "female".into())];
    let sex = AttributeSpec {
        name: "sex".into(),
        column: "SEX".into(),
        levels: Levels::values(levels).expect("they are values"),
    };
    let reading = Reading::new(ReadingSpec {
        attributes: vec![sex],
        ..ReadingSpec::default()
    });
    let reading = Arc::new(reading.expect("it is a reading").coded(Codec::Json));
    let watched = Arc::new(Watched::new(
        "a run".into(),
        reading.schema().clone(),
        vec!["queue".into()],
        None,
        Judge::default(),
    ));
    watched.stage.send_replace(Stage::Following);
    Services {
        watched,
        intake: Some(Intake {
            reading,
            max_length: 1000,
            on_error: OnError::Skip,
            deliveries: deliveries.clone(),
            decides: false,
            numbers: Intake::numbers(false),
        }),
        interviews: Some(Interviews {
            deliveries,
            kinds: ["talk".into()].into(),
            range: Some((0.0, 1.0)),
        }),
        board: true,
        token: None,
        origins: [].into(),
    }
}

/// Receives all deliveries, as a recorder would.
async fn record(mut queue: mpsc::Receiver<Delivery>) {
    let mut seq = 0;
    while let Some(delivery) = queue.recv().await {
        let mut receipt = Receipt::default();
        for _ in &delivery.items {
            seq += 1;
            let person = None;
            receipt.taken.push(Taken::Accepted { seq, person });
        }
        receipt.last_seq = seq;
        if let Some(waiting) = delivery.receipt {
            let _ = waiting.send(receipt);
        }
    }
}

#[cfg(test)]
mod tests {
    use kleroterion_testkit::hostile::feed;

    #[test]
    fn any_request_is_answered_or_refused() {
        feed("http", 30, None, super::http);
    }
}

//! Real sockets: a server on a thread of its own, a recorder that is a list, and clients that write
//! bytes.

mod client;
mod decisions;
mod events;
mod guards;
mod limits;
mod packed;
mod records;
mod rows;
mod streams;
mod weather;

use std::collections::HashSet;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use self::client::{TestConnection, TestReply};
use super::{Intake, Limits, Services, serve_within};
use crate::watch::decisions::Unplaced;
use crate::watch::{Acts, Stage, Watched};
use kleroterion_core::protocol::Ending;
use kleroterion_core::protocol::Stop;
use kleroterion_io::feed::{
    Codec, Delivery, Hindrance, Item, OnError, Reading, ReadingSpec, Receipt, Taken,
};
use kleroterion_io::record::{AttributeSpec, Filter, Levels};
use kleroterion_io::trace::Decision;
use kleroterion_stats::Judge;

/// The options of a test server.
struct Set {
    limits: Limits,
    on_error: OnError,
    max_length: usize,
    decides: bool,
    acting: Option<usize>,
    token: Option<&'static str>,
    intake: bool,
    queue: usize,
    codec: Codec,
    origins: &'static [&'static str],
}

impl Default for Set {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            on_error: OnError::Skip,
            max_length: 1000,
            decides: true,
            acting: None,
            token: None,
            intake: true,
            queue: 1024,
            codec: Codec::Json,
            origins: &[],
        }
    }
}

/// A server, and what its recorder has taken.
struct Site {
    address: SocketAddr,
    watched: Arc<Watched>,
    /// All that was taken, repeats not.
    taken: Arc<Mutex<Vec<Item>>>,
    /// The recorder takes nothing while this is held.
    gate: Arc<Mutex<()>>,
    stop: watch::Sender<bool>,
    server: Option<JoinHandle<()>>,
}

const LABELS: [&str; 2] = ["greedy", "queue"];

fn reading() -> Reading {
    let sex = vec![("1".into(), "male".into()), ("2".into(), "female".into())];
    let sex = AttributeSpec {
        name: "sex".into(),
        column: "SEX".into(),
        levels: Levels::values(sex).unwrap(),
    };
    Reading::new(ReadingSpec {
        attributes: vec![sex],
        filters: vec![Filter::parse("STATE != 'off'").unwrap()],
        ..ReadingSpec::default()
    })
    .unwrap()
}

fn site(set: Set) -> Site {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let reading = Arc::new(reading().coded(set.codec));
    let watched = Arc::new(Watched::new(
        "a run".into(),
        reading.schema().clone(),
        LABELS.map(Arc::from).to_vec(),
        set.acting,
        Judge::default(),
    ));
    watched.stage.send_replace(Stage::Following);
    let (deliveries, queue) = mpsc::channel(set.queue);
    let taken = Arc::default();
    let gate = Arc::default();
    record(queue, &watched, &taken, &gate);
    let intake = Intake {
        reading,
        max_length: set.max_length,
        on_error: set.on_error,
        deliveries,
        decides: set.decides,
        numbers: Intake::numbers(false),
    };
    let services = Services {
        watched: watched.clone(),
        intake: Some(intake).filter(|_| set.intake),
        interviews: None,
        board: false,
        token: set.token.map(Arc::from),
        origins: set
            .origins
            .iter()
            .map(|origin| Box::from(*origin))
            .collect(),
    };
    let (stop, stopped) = watch::channel(false);
    let server = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let serving = serve_within(set.limits, listener, services, stopped);
        runtime.block_on(serving).unwrap();
    });
    Site {
        address,
        watched,
        taken,
        gate,
        stop,
        server: Some(server),
    }
}

/// Numbers what comes and sends receipts; what it has taken is decided at once: women by the first
/// lane, the second chooses no candidate, and it ends with a candidate called `last`; one called
/// `alone` it has not decided yet. Who is called `later` is not decided yet, who is called `halt`
/// ends the recorder.
fn record(
    mut queue: mpsc::Receiver<Delivery>,
    watched: &Arc<Watched>,
    taken: &Arc<Mutex<Vec<Item>>>,
    gate: &Arc<Mutex<()>>,
) {
    let (watched, taken, gate) = (watched.clone(), taken.clone(), gate.clone());
    thread::spawn(move || {
        let mut known = HashSet::new();
        let (mut seq, mut persons) = (0, 0);
        while let Some(delivery) = queue.blocking_recv() {
            watched.gauges.deliveries.add(1);
            drop(gate.lock().unwrap());
            let mut receipt = Receipt::default();
            for item in delivery.items {
                let mut next = || {
                    seq += 1;
                    seq
                };
                let became = match &item {
                    Item::Candidate(candidate) if &*candidate.id == "halt" => {
                        // Before whoever waits hears that it is gone.
                        queue.close();
                        return;
                    }
                    Item::Candidate(candidate) => {
                        let is_known = known.contains(&candidate.id);
                        if !is_known && *watched.stage.borrow() == Stage::Over {
                            Taken::Over
                        } else if known.insert(candidate.id.clone()) {
                            let person = Some(persons);
                            persons += 1;
                            Taken::Accepted {
                                seq: next(),
                                person,
                            }
                        } else {
                            Taken::Duplicate
                        }
                    }
                    Item::Outcome(outcome) if &*outcome.id == "nobody" => Taken::Unknown,
                    Item::Closing(_) => Taken::Hindered(Hindrance::Sized),
                    Item::Outcome(_) | Item::Look(_) | Item::Withdrawal(_) => Taken::Accepted {
                        seq: next(),
                        person: None,
                    },
                    Item::Refused(_) => {
                        next();
                        Taken::Refused
                    }
                };
                receipt.taken.push(became.clone());
                if let (Item::Candidate(candidate), Taken::Accepted { .. }) = (&item, &became)
                    && &*candidate.id != "later"
                {
                    decide(&watched, persons, candidate.values[0] == 1, &candidate.id);
                }
                if !matches!(became, Taken::Duplicate | Taken::Over) {
                    taken.lock().unwrap().push(item);
                }
            }
            receipt.last_seq = seq;
            watched.gauges.last_seq.set(seq);
            if let Some(waiting) = delivery.receipt {
                let _ = waiting.send(receipt);
            }
        }
    });
}

fn decide(watched: &Watched, round: u64, chosen: bool, id: &str) {
    let decided = |lane: usize, chosen: Vec<u32>| {
        let told: &[&str] = if chosen.is_empty() { &[] } else { &[id] };
        let decision = Decision {
            replication: 0,
            round,
            policy: LABELS[lane].into(),
            shown: vec![id.into()],
            chosen: told.iter().map(ToString::to_string).collect(),
            declined: Vec::new(),
            groups: Vec::new(),
            forfeit: id == "late",
            p: Some(0.5),
            reason: vec![("need".into(), Some(1.5))],
            cost: 0.0,
            at: Vec::new(),
            ..Decision::default()
        };
        Unplaced {
            slots: chosen,
            decision: decision.into(),
        }
    };
    watched
        .decisions
        .hand(0, [decided(0, if chosen { vec![0] } else { vec![] })]);
    if id == "last" {
        let stop = Stop::from(Ending::Stalled);
        if watched.acting == Some(1) {
            watched.note_acts(Acts::Broken {
                lane: 1,
                from: 2,
                stop: stop.clone(),
            });
        }
        watched.end(1, stop);
        watched.decisions.end(1);
    } else if id != "alone" {
        watched.decisions.hand(1, [decided(1, vec![])]);
    }
}

impl Site {
    fn connect(&self) -> TestConnection {
        TestConnection::to(self.address)
    }

    /// The answer to one request on a connection of its own.
    fn ask(&self, head: &str, body: impl AsRef<[u8]>) -> TestReply {
        let mut connection = self.connect();
        connection.request(head, body.as_ref());
        connection.reply()
    }

    fn post(&self, path: &str, kind: &str, body: impl AsRef<[u8]>) -> TestReply {
        self.ask(&format!("POST {path}\r\nContent-Type: {kind}"), body)
    }

    fn candidates(&self, body: impl AsRef<[u8]>) -> TestReply {
        self.post("/v1/candidates", "application/x-ndjson", body)
    }

    fn get(&self, path: &str) -> TestReply {
        self.ask(&format!("GET {path}"), "")
    }

    /// Waits until the recorder has something before it.
    fn until_held(&self) {
        while self.watched.gauges.deliveries.get() == 0 {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ids of the persons taken, in order.
    fn ids(&self) -> Vec<String> {
        let taken = self.taken.lock().unwrap();
        let ids = taken.iter().filter_map(|item| match item {
            Item::Candidate(candidate) => Some(candidate.id.to_string()),
            _ => None,
        });
        ids.collect()
    }

    /// Records refused, with their lines.
    fn refused(&self) -> Vec<(u64, String)> {
        let taken = self.taken.lock().unwrap();
        let refused = taken.iter().filter_map(|item| match item {
            Item::Refused(refused) => Some((refused.line, refused.record.to_string())),
            _ => None,
        });
        refused.collect()
    }

    /// Stops the server and waits until it has.
    fn close(&mut self) {
        self.stop.send_replace(true);
        if let Some(server) = self.server.take() {
            server.join().unwrap();
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

/// A candidate's record.
fn person(id: &str, sex: u8) -> String {
    format!("{{\"id\":\"{id}\",\"SEX\":{sex}}}")
}

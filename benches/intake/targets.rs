//! The targets of the posts: a server in this process with a recorder, or the program in its own
//! process.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kleroterion::compare::Judge;
use kleroterion::feed::{Delivery, Item, OnError, Reading, ReadingSpec, Receipt, Taken};
use kleroterion::journal::{Added, Journal, JournalEntry, JournalReader, Numbered};
use kleroterion::record::{AttributeSpec, Levels};
use kleroterion::watch::{Stage, Watched};
use kleroterion::web::{Intake, Services, serve};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};

/// Deliveries that may share a commit, and that may wait.
const GROUP: usize = 256;

/// A recorder of candidates. It adds them one by one and commits all so far.
pub trait Recorder: Send {
    fn add(&mut self, id: &str, record: &str) -> Taken;
    fn commit(&mut self);
}

/// People by id, in memory.
#[derive(Default)]
pub struct Memory(HashSet<Box<str>>);

impl Recorder for Memory {
    fn add(&mut self, id: &str, _: &str) -> Taken {
        let person = self.0.len() as u64;
        match self.0.insert(id.into()) {
            true => Taken::Accepted {
                seq: person + 1,
                person: Some(person),
            },
            false => Taken::Duplicate,
        }
    }

    fn commit(&mut self) {}
}

/// A journal on disk.
pub struct Kept {
    journal: Journal,
    _folder: TempDir,
}

impl Kept {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            journal: Journal::create(folder.path(), &[]).unwrap(),
            _folder: folder,
        }
    }
}

impl Recorder for Kept {
    fn add(&mut self, id: &str, record: &str) -> Taken {
        match self.journal.add_candidate(id, record).unwrap() {
            Added::As { seq, person } => Taken::Accepted { seq, person },
            Added::Duplicate | Added::Unknown => Taken::Duplicate,
        }
    }

    fn commit(&mut self) {
        self.journal.commit().unwrap();
    }
}

/// A server with its recorder.
pub struct Site {
    address: SocketAddr,
    accepted: Arc<AtomicU64>,
    watched: Arc<Watched>,
    stop: watch::Sender<bool>,
    server: thread::JoinHandle<()>,
}

fn reading() -> Reading {
    let values = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|(a, b)| ((*a).into(), (*b).into()));
        Levels::values(pairs.collect()).unwrap()
    };
    let bands = vec![
        ("young".into(), 0.0, 40.0),
        ("old".into(), 40.0, f64::INFINITY),
    ];
    let attributes = [
        ("sex", "SEX", values(&[("1", "male"), ("2", "female")])),
        ("race", "RAC1P", values(&[("1", "white"), ("2", "black")])),
        ("age", "AGEP", Levels::bands(bands).unwrap()),
    ];
    let attribute = |(name, column, levels): (&str, &str, Levels)| AttributeSpec {
        name: name.into(),
        column: column.into(),
        levels,
    };
    Reading::new(ReadingSpec {
        attributes: attributes.map(attribute).into(),
        numeric: vec!["EDU".into(), "WKHP".into()],
        ..ReadingSpec::default()
    })
    .unwrap()
}

/// One of ten members, of the n-th person.
pub fn record(n: u64) -> String {
    format!(
        r#"{{"id":"2019HU{n:07}","SEX":{},"RAC1P":{},"AGEP":{},"EDU":{},"WKHP":40,"PINCP":{},"COW":"3","MSP":"1","POBP":48}}"#,
        1 + n % 2,
        1 + n / 2 % 2,
        18 + n % 60,
        n % 24,
        n * 37 % 90_000
    )
}

impl Site {
    pub fn open(mut recorder: Box<dyn Recorder>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let reading = Arc::new(reading());
        let labels = vec![Arc::from("a")];
        let schema = reading.schema().clone();
        let judge = Judge::default();
        let watched = Arc::new(Watched::new("bench".into(), schema, labels, None, judge));
        let seen = watched.clone();
        watched.stage.send_replace(Stage::Following);
        let (deliveries, mut queue) = mpsc::channel(GROUP);
        let accepted = Arc::new(AtomicU64::new(0));
        let counted = accepted.clone();
        thread::spawn(move || take_all(&mut queue, &mut *recorder, &seen, &counted));
        let services = Services {
            watched: watched.clone(),
            intake: Some(Intake {
                reading,
                max_length: 100 << 10,
                on_error: OnError::Skip,
                deliveries,
                decides: false,
                numbers: Intake::numbers(false),
            }),
            interviews: None,
            board: false,
            token: None,
            origins: Default::default(),
        };
        let (stop, stopped) = watch::channel(false);
        let server = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime
                .block_on(serve(listener, services, stopped))
                .unwrap();
        });
        Self {
            address,
            accepted,
            watched,
            stop,
            server,
        }
    }
}

/// Records what is delivered, a commit a group, and sends the receipts.
fn take_all(
    queue: &mut mpsc::Receiver<Delivery>,
    recorder: &mut dyn Recorder,
    seen: &Watched,
    counted: &AtomicU64,
) {
    let mut group: Vec<Delivery> = Vec::new();
    let mut last_seq = 0;
    while queue.blocking_recv_many(&mut group, GROUP) > 0 {
        let mut receipts = Vec::new();
        for delivery in group.drain(..) {
            let taken = delivery.items.iter().map(|item| match item {
                Item::Candidate(person) => recorder.add(&person.id, &person.record),
                _ => Taken::Refused,
            });
            let taken: Vec<Taken> = taken.collect();
            for taken in &taken {
                if let Taken::Accepted { seq, .. } = taken {
                    last_seq = *seq;
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            }
            receipts.push((delivery.receipt, taken));
        }
        let begun = Instant::now();
        recorder.commit();
        seen.gauges.commit.add(begun.elapsed(), 1);
        for (receipt, taken) in receipts {
            if let Some(receipt) = receipt {
                let _ = receipt.send(Receipt { taken, last_seq });
            }
        }
    }
}

/// A target of posts.
pub trait Target {
    fn address(&self) -> SocketAddr;

    /// The median and the 99th percentile of its commits, if they can be seen.
    fn commits(&self) -> Option<[Duration; 2]>;

    /// Ends it. Returns the number of accepted candidates.
    fn close(self: Box<Self>) -> u64;
}

/// A function that opens a new target.
pub type Opener = fn() -> Box<dyn Target>;

impl Target for Site {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn commits(&self) -> Option<[Duration; 2]> {
        let commit = &self.watched.gauges.commit;
        Some([0.5, 0.99].map(|q| commit.quantile(q).unwrap()))
    }

    fn close(self: Box<Self>) -> u64 {
        self.stop.send_replace(true);
        self.server.join().unwrap();
        self.accepted.load(Ordering::Relaxed)
    }
}

/// The program, in a process of its own.
pub struct Live {
    child: Child,
    address: SocketAddr,
    folder: TempDir,
}

const CONFIG: &str = r#"seed = 1
[source]
type = "http"
address = "127.0.0.1:0"
[source.attributes]
sex = { column = "SEX", values = { "1" = "male", "2" = "female" } }
race = { column = "RAC1P", values = { "1" = "white", "2" = "black" } }
age = { column = "AGEP", bands = { young = [0, 40], old = [40, inf] } }
[source.features]
numeric = ["EDU", "WKHP"]
[target]
sex = { male = 0.5, female = 0.5 }
[rules]
choose = "at_most_one"
until = { rounds = 100_000_000 }
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
"#;

impl Live {
    pub fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("live.toml");
        std::fs::write(&config, CONFIG).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_klero"));
        command
            .arg("live")
            .arg(&config)
            .args(["--no-board", "--out"]);
        command.arg(folder.path().join("run")).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = said.find_map(|line| line.unwrap().strip_prefix("feed: ")?.parse().ok());
        thread::spawn(move || said.for_each(drop));
        Self {
            child,
            address: address.expect("it listens"),
            folder,
        }
    }
}

impl Target for Live {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn commits(&self) -> Option<[Duration; 2]> {
        None
    }

    fn close(mut self: Box<Self>) -> u64 {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        self.child.wait().unwrap();
        let mut people = 0;
        let mut journal = JournalReader::open(&self.folder.path().join("run")).unwrap();
        let is_person = |entry: &Numbered| matches!(entry.entry, JournalEntry::Candidate(..));
        let count = |entry: &Numbered| people += u64::from(is_person(entry));
        journal.read_all(count).unwrap();
        people
    }
}

//! How fast candidates are acknowledged over loopback: many a request as NDJSON, and one a request.
//!
//! `cargo bench --bench intake`; `-- --quick` for a few seconds.
//!
//! A server on a runtime of its own (two threads), a recorder on a thread of its own, clients on threads of theirs, all in this
//! process: they share its processors. Records have ten members (three attributes, two features). **memory**: the recorder numbers
//! people and drops repeats, so that what is left is the server's and the clients' own; **journal**: it commits to a journal in a
//! temporary folder, up to 256 deliveries at once, synced before anyone is told, as a live run does, but no lane plays.
//!
//! NDJSON: bodies of so many records over four kept connections, each the next as soon as the last was answered; every answer must have
//! accepted all, and in the end the recorder must have them all. Wall time from the first byte to the last answer. Single: 64 kept
//! connections, request i is due at i / rate whatever became of those before it (an open loop); what it took is counted from when it was due,
//! so waiting for a free connection counts. Beside it what a commit took, as the recorder saw it: half and 99 % of them at most so long, to
//! about a fifth.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kleroterion::compare::Judge;
use kleroterion::feed::{Delivery, Item, OnError, Reading, ReadingSpec, Receipt, Taken};
use kleroterion::journal::{Added, Journal, Kind, Numbered, Reader};
use kleroterion::live::{Stage, Watched};
use kleroterion::source::table::{AttributeSpec, Levels};
use kleroterion::web::{Intake, Services, serve};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};

/// Deliveries that may share a commit, and that may wait.
const GROUP: usize = 256;

/// What takes candidates: one after the other, and all so far for good.
trait Recorder: Send {
    fn add(&mut self, id: &str, record: &str) -> Taken;
    fn commit(&mut self);
}

/// People by id, in memory.
#[derive(Default)]
struct Memory(HashSet<Box<str>>);

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
struct Kept {
    journal: Journal,
    _folder: TempDir,
}

impl Kept {
    fn new() -> Self {
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
struct Site {
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

fn record(n: u64) -> String {
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
    fn open(mut recorder: Box<dyn Recorder>) -> Self {
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
        thread::spawn(move || {
            let mut group: Vec<Delivery> = Vec::new();
            let mut last_seq = 0;
            while queue.blocking_recv_many(&mut group, GROUP) > 0 {
                let mut receipts = Vec::new();
                for delivery in group.drain(..) {
                    let taken = delivery.items.iter().map(|item| match item {
                        Item::Candidate(person) => recorder.add(&person.id, &person.record),
                        Item::Outcome(_) | Item::Refused(_) => Taken::Refused,
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
        });
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
            board: false,
            token: None,
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

/// What is posted to.
trait Target {
    fn address(&self) -> SocketAddr;

    /// How long half of its commits took at most, and 99 % of them, where that can be seen.
    fn commits(&self) -> Option<[Duration; 2]>;

    /// Ends it; how many were accepted.
    fn close(self: Box<Self>) -> u64;
}

/// Opens one anew.
type Opener = fn() -> Box<dyn Target>;

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
struct Live {
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
    fn open() -> Self {
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
        let mut journal = Reader::open(&self.folder.path().join("run")).unwrap();
        let count = |entry: &Numbered| people += u64::from(entry.entry.kind() == Kind::Candidate);
        journal.read_all(count).unwrap();
        people
    }
}

/// A kept connection.
struct Client(BufReader<TcpStream>);

impl Client {
    fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    /// Sends a request and reads its answer, which must have accepted so many.
    fn post(&mut self, request: &[u8], accepted: usize) {
        self.0.get_mut().write_all(request).unwrap();
        let mut length = 0;
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 202"), "{line}");
        loop {
            line.clear();
            self.0.read_line(&mut line).unwrap();
            if let Some(told) = line.strip_prefix("content-length: ") {
                length = told.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        let start = format!("{{\"accepted\":{accepted},\"duplicates\":0,\"rejected\":[],");
        let told = String::from_utf8_lossy(&body);
        assert!(told.starts_with(&start), "{told}");
    }
}

fn request(kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST /v1/candidates HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

/// Candidates acknowledged a second.
fn lines(target: Opener, of_a_body: usize, bodies: usize) -> f64 {
    const CLIENTS: usize = 4;
    let requests: Vec<Vec<u8>> = (0..bodies)
        .map(|body| {
            let first = (body * of_a_body) as u64;
            let lines = (first..first + of_a_body as u64).map(|n| record(n) + "\n");
            request("application/x-ndjson", &lines.collect::<String>())
        })
        .collect();
    let site = target();
    let clients: Vec<Client> = (0..CLIENTS).map(|_| Client::to(site.address())).collect();
    let started = Instant::now();
    thread::scope(|scope| {
        for (place, mut client) in clients.into_iter().enumerate() {
            let own = requests.iter().skip(place).step_by(CLIENTS);
            scope.spawn(move || own.for_each(|request| client.post(request, of_a_body)));
        }
    });
    let took = started.elapsed().as_secs_f64();
    let all = of_a_body * bodies;
    assert_eq!(site.close(), all as u64);
    all as f64 / took
}

/// What each of so many single posts took, in order, at a rate a second; half of the commits and 99 % of them.
fn single(target: Opener, rate: usize, posts: usize) -> (Vec<Duration>, Option<[Duration; 2]>) {
    const CLIENTS: usize = 64;
    let site = target();
    let clients: Vec<Client> = (0..CLIENTS).map(|_| Client::to(site.address())).collect();
    let started = Instant::now() + Duration::from_millis(50);
    let mut took: Vec<Duration> = thread::scope(|scope| {
        let clients = clients.into_iter().enumerate().map(|(place, mut client)| {
            scope.spawn(move || {
                let own = (place..posts).step_by(CLIENTS);
                let post = |n: usize| {
                    let request = request("application/json", &record(n as u64));
                    let due = started + Duration::from_secs_f64(n as f64 / rate as f64);
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    client.post(&request, 1);
                    due.elapsed()
                };
                own.map(post).collect::<Vec<Duration>>()
            })
        });
        let clients: Vec<_> = clients.collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    let commits = site.commits();
    assert_eq!(site.close(), posts as u64);
    took.sort_unstable();
    (took, commits)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Only `cargo bench` passes --bench: a test run of all targets is to be short.
    let quick = args.iter().any(|arg| arg == "--quick" || arg == "--test")
        || args.iter().all(|arg| arg != "--bench");
    let targets: [(&str, Opener); 3] = [
        ("memory", || Box::new(Site::open(Box::<Memory>::default()))),
        ("journal", || Box::new(Site::open(Box::new(Kept::new())))),
        ("live", || Box::new(Live::open())),
    ];
    let repetitions = if quick { 1 } else { 5 };
    println!("NDJSON, candidates acknowledged a second; medians of {repetitions}");
    println!("recorder  of a body   candidates/s");
    for (name, target) in targets {
        for of_a_body in [100, 1_000, 10_000] {
            let bodies = (if quick { 40_000 } else { 400_000 }) / of_a_body;
            let rate = |_| lines(target, of_a_body, bodies);
            let mut rates: Vec<f64> = (0..repetitions).map(rate).collect();
            rates.sort_unstable_by(f64::total_cmp);
            let rate = rates[repetitions / 2];
            println!("{name:8} {of_a_body:10} {rate:14.0}");
        }
    }
    let (rate, seconds) = (2_000, if quick { 1 } else { 10 });
    println!("\nSingle posts offered at {rate}/s for {seconds} s, milliseconds");
    println!("recorder       p50       p99     worst  commit p50  commit p99");
    for (name, target) in targets {
        let (took, commits) = single(target, rate, rate * seconds);
        let at = |share: f64| {
            let place = (share * took.len() as f64).ceil() as usize;
            took[place.clamp(1, took.len()) - 1].as_secs_f64() * 1e3
        };
        let [p50, p99, worst] = [0.5, 0.99, 1.0].map(at);
        let commits = commits.map_or_else(String::new, |commits| {
            let [half, most] = commits.map(|took| took.as_secs_f64() * 1e3);
            format!(" {half:11.2} {most:11.2}")
        });
        println!("{name:8} {p50:9.2} {p99:9.2} {worst:9.2}{commits}");
    }
}

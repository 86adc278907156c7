//! nats-server processes on loopback, and a client of theirs.

use std::future::IntoFuture;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, Context};
use tokio::runtime::Runtime;

use crate::support::ports::free_address;
use crate::support::process::PATIENCE;
use crate::support::wants::skip;

/// nats-server: KLERO_NATS_SERVER, or the one on the path; without it the test is skipped.
#[track_caller]
pub fn program() -> Option<PathBuf> {
    let program = std::env::var_os("KLERO_NATS_SERVER").unwrap_or_else(|| "nats-server".into());
    let asked = Command::new(&program).arg("--version").output();
    match asked {
        Ok(output) if output.status.success() => Some(program.into()),
        _ => {
            skip("nats", "there is no nats-server (KLERO_NATS_SERVER)");
            None
        }
    }
}

/// A port of this machine at which nothing listens.
pub fn free_port() -> u16 {
    free_address().port()
}

/// A server with JetStream, whose store is in a folder of its own; killed when it is dropped.
pub struct Server {
    program: PathBuf,
    folder: tempfile::TempDir,
    pub port: u16,
    monitor: u16,
    child: Option<Child>,
}

impl Server {
    /// A server of its own; `more`: further lines of its config.
    pub fn start(program: PathBuf, more: &str) -> Self {
        Self::start_at(program, free_port(), more)
    }

    pub fn start_at(program: PathBuf, port: u16, more: &str) -> Self {
        Self::storing(program, port, "", more)
    }

    /// `store`: further lines of its block `jetstream`.
    pub fn storing(program: PathBuf, port: u16, store: &str, more: &str) -> Self {
        let (folder, monitor) = (tempfile::tempdir().expect("a folder"), free_port());
        let mut server = Self {
            program,
            folder,
            port,
            monitor,
            child: None,
        };
        server.configure(store, more);
        server.go();
        server
    }

    /// Writes its config anew, which holds from its next start on.
    pub fn configure(&self, store: &str, more: &str) {
        let (port, monitor) = (self.port, self.monitor);
        let folder = self.folder.path().join("store");
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{monitor}\"\n\
             jetstream {{ store_dir: {folder:?}\n{store}\n}}\n{more}\n"
        );
        let path = self.folder.path().join("nats.conf");
        std::fs::write(path, config).expect("it can be written");
    }

    /// Starts it once more, with what its store holds; returns once it listens.
    pub fn go(&mut self) {
        let log = std::fs::File::create(self.folder.path().join("log")).expect("a log");
        let child = Command::new(&self.program)
            .arg("-c")
            .arg(self.folder.path().join("nats.conf"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.child = Some(child.expect("it starts"));
        let deadline = Instant::now() + PATIENCE;
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(
                Instant::now() < deadline,
                "it never listened: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The address where it says how it does.
    pub fn monitor(&self) -> String {
        format!("http://127.0.0.1:{}", self.monitor)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A client, with a runtime of its own.
pub struct Client {
    pub runtime: Runtime,
    pub context: Context,
}

impl Client {
    pub fn of(url: &str) -> Self {
        Self::with(async_nats::ConnectOptions::new(), url)
    }

    /// The same, with what the server demands.
    pub fn with(options: async_nats::ConnectOptions, url: &str) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let context = runtime.block_on(async {
            let client = options.connect(url).await;
            jetstream::new(client.expect("it answers"))
        });
        Self { runtime, context }
    }

    /// Makes a stream of these subjects.
    pub fn stream(&self, name: &str, subjects: &str) {
        self.stream_as(name, subjects, jetstream::stream::Config::default());
    }

    /// The same, otherwise as this config says.
    pub fn stream_as(&self, name: &str, subjects: &str, config: jetstream::stream::Config) {
        let config = jetstream::stream::Config {
            name: name.to_owned(),
            subjects: vec![subjects.to_owned()],
            ..config
        };
        let deadline = Instant::now() + PATIENCE;
        let make = || {
            self.runtime
                .block_on(self.context.create_stream(config.clone()))
        };
        // A server may still be removing the files of one that had this name.
        while let Err(error) = make() {
            let is_late = Instant::now() > deadline;
            let is_removing = error.to_string().contains("error creating store");
            assert!(is_removing && !is_late, "{error}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Publishes records, and waits until the server has them all.
    pub fn publish(&self, subject: &str, records: &[String]) {
        self.runtime.block_on(async {
            let mut acks = Vec::new();
            for record in records {
                let sent = self
                    .context
                    .publish(subject.to_owned(), record.clone().into());
                acks.push(sent.await.expect("it is sent").into_future());
                if acks.len() == 256 {
                    for ack in acks.drain(..) {
                        ack.await.expect("it is kept");
                    }
                }
            }
            for ack in acks {
                ack.await.expect("it is kept");
            }
        });
    }

    /// Publishes one message with headers.
    pub fn publish_with(&self, subject: &str, headers: &[(&str, &str)], body: &str) {
        let mut map = async_nats::HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, *value);
        }
        let body = body.to_owned();
        self.runtime.block_on(async {
            let sent = self
                .context
                .publish_with_headers(subject.to_owned(), map, body.into());
            sent.await.expect("it is sent").await.expect("it is kept");
        });
    }

    /// Of a consumer: messages that were not sent yet, and those not acknowledged.
    pub fn left(&self, stream: &str, durable: &str) -> (u64, usize) {
        self.runtime.block_on(async {
            let stream = self.context.get_stream(stream).await.expect("a stream");
            let info = stream.consumer_info(durable).await.expect("a consumer");
            (info.num_pending, info.num_ack_pending)
        })
    }

    /// Waits until a consumer has taken all.
    #[track_caller]
    pub fn drained(&self, stream: &str, durable: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.left(stream, durable) != (0, 0) {
            let left = self.left(stream, durable);
            assert!(Instant::now() < deadline, "never taken: {left:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Servers that agree, called s0, s1 and so on; returns once they can keep streams.
pub fn cluster(program: &std::path::Path, many: usize) -> Vec<Server> {
    cluster_storing(program, &vec![""; many])
}

/// The same, each with these further lines of its block `jetstream`.
pub fn cluster_storing(program: &std::path::Path, stores: &[&str]) -> Vec<Server> {
    let many = stores.len();
    let routes: Vec<u16> = (0..many).map(|_| free_port()).collect();
    let all: Vec<String> = routes
        .iter()
        .map(|port| format!("\"nats-route://127.0.0.1:{port}\""))
        .collect();
    let start = |(at, port): (usize, &u16)| {
        let more = format!(
            "server_name: s{at}\ncluster {{ name: three, listen: \"127.0.0.1:{port}\", routes: [{}] }}",
            all.join(", ")
        );
        Server::storing(program.to_owned(), free_port(), stores[at], &more)
    };
    let servers: Vec<Server> = routes.iter().enumerate().map(start).collect();
    let client = Client::of(&servers[0].url());
    let deadline = Instant::now() + PATIENCE;
    let is_ready = || {
        client.runtime.block_on(async {
            let config = jetstream::stream::Config {
                name: "READY".to_owned(),
                num_replicas: many,
                ..Default::default()
            };
            client.context.get_or_create_stream(config).await.is_ok()
        })
    };
    while !is_ready() {
        assert!(Instant::now() < deadline, "they never agreed");
        std::thread::sleep(Duration::from_millis(100));
    }
    servers
}

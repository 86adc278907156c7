//! A server of NATS as a client sees it, with one stream and one consumer: it answers what a test
//! gives it to answer, sends what it gives it to send, and shows what the client publishes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::{self, Context, Message};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::feed::{NatsConsumer, NatsDeliver, NatsSync};
use crate::nats::connect;
use crate::secrets::NatsSecrets;

/// Long enough for a client that does not hang.
const LONG: Duration = Duration::from_secs(10);
/// More than any test sends before the other side takes it.
const WAITING: usize = 1024;
const INFO: &str = "INFO {\"server_id\":\"N\",\"server_name\":\"n\",\"version\":\"2.12.0\",\
                    \"go\":\"\",\"host\":\"127.0.0.1\",\"port\":4222,\"headers\":true,\
                    \"max_payload\":1048576,\"proto\":1}\r\n";
/// The server's answer about a stream or a consumer that does not exist.
pub(in crate::feed::transport::nats) const ABSENT: &str =
    r#"{"error":{"code":404,"err_code":10059,"description":"none"}}"#;
const CONSUMER: &str = r#"{"stream_name":"PEOPLE","name":"klero","created":"2026-01-01T00:00:00Z",
    "config":{"durable_name":"klero","deliver_policy":"all","ack_policy":"explicit"},
    "delivered":{"consumer_seq":0,"stream_seq":0},"ack_floor":{"consumer_seq":0,"stream_seq":0},
    "num_ack_pending":0,"num_redelivered":0,"num_waiting":0,"num_pending":0}"#;

/// The server's description of the stream, with these members of its config more, and as its
/// cluster says it.
pub(in crate::feed::transport::nats) fn stream(config: &str, cluster: &str) -> String {
    format!(
        r#"{{"config":{{"name":"PEOPLE","subjects":["people.>"],"retention":"limits",
        "discard":"old",{config}}},"created":"2026-01-01T00:00:00Z","state":{{"messages":0,
        "bytes":0,"first_seq":0,"first_ts":"2026-01-01T00:00:00Z","last_seq":0,
        "last_ts":"2026-01-01T00:00:00Z","consumer_count":0}},"cluster":{cluster}}}"#
    )
}

/// A stream in files, of one replica.
pub(in crate::feed::transport::nats) fn plain() -> String {
    stream(r#""storage":"file","num_replicas":1"#, "null")
}

/// The consumer of the double at this address.
pub(in crate::feed::transport::nats) fn wanted(url: &str) -> NatsConsumer {
    NatsConsumer {
        url: url.into(),
        secrets: NatsSecrets::default(),
        stream: "PEOPLE".into(),
        subject: None,
        durable: "klero".into(),
        deliver: NatsDeliver::All,
        ack_wait: Duration::from_secs(7),
        max_ack_pending: 4096,
        monitors: Box::default(),
        sync: NatsSync::default(),
    }
}

/// A message of the stream, as the client gives it: its number, how often it was sent, its payload
/// and headers.
pub(in crate::feed::transport::nats) fn message(
    context: &Context,
    (sequence, sent, payload): (u64, u64, &str),
    headers: &[(&str, &str)],
) -> Message {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, *value);
    }
    let message = async_nats::Message {
        subject: "people.a".into(),
        reply: Some(reply(sequence, sent).into()),
        payload: payload.to_owned().into(),
        headers: (!headers.is_empty()).then_some(map),
        status: None,
        description: None,
        length: payload.len(),
    };
    let context = context.clone();
    Message { message, context }
}

/// The client of a server that is not asked anything.
pub(in crate::feed::transport::nats) async fn context() -> Context {
    let broker = Broker::of(ABSENT).await;
    let client = connect(&broker.url, &NatsSecrets::default(), "test", |_| {}).await;
    jetstream::new(client.expect("a connection"))
}

/// The subscriptions of the client: each a subject and a number.
type Subscriptions = Arc<Mutex<Vec<(String, String)>>>;

/// The double.
pub(in crate::feed::transport::nats) struct Broker {
    pub(in crate::feed::transport::nats) url: String,
    wire: mpsc::Sender<String>,
    published: mpsc::Receiver<(String, String)>,
    pongs: mpsc::Receiver<()>,
    asks: mpsc::Receiver<()>,
    subscriptions: Subscriptions,
}

/// Its side of the connection.
struct Peer {
    read: BufReader<OwnedReadHalf>,
    wire: mpsc::Sender<String>,
    published: mpsc::Sender<(String, String)>,
    pongs: mpsc::Sender<()>,
    asks: mpsc::Sender<()>,
    subscriptions: Subscriptions,
    /// The answer about the stream.
    stream: String,
}

impl Broker {
    /// Waits for one client; says this of its stream.
    pub(in crate::feed::transport::nats) async fn of(stream: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let (wire, mut frames) = mpsc::channel::<String>(WAITING);
        let (published, seen) = mpsc::channel(WAITING);
        let (pong, pongs) = mpsc::channel(WAITING);
        let (ask, asks) = mpsc::channel(WAITING);
        let (own, subscriptions) = (wire.clone(), Subscriptions::default());
        let (shared, stream) = (Arc::clone(&subscriptions), stream.to_owned());
        tokio::spawn(async move {
            let (read, mut write) = listener.accept().await.unwrap().0.into_split();
            let peer = Peer {
                read: BufReader::new(read),
                wire: own,
                published,
                pongs: pong,
                asks: ask,
                subscriptions: shared,
                stream,
            };
            tokio::spawn(peer.listen());
            write.write_all(INFO.as_bytes()).await.unwrap();
            while let Some(frame) = frames.recv().await {
                let written = write.write_all(frame.as_bytes()).await;
                if written.is_err() || frame.is_empty() {
                    return;
                }
            }
        });
        Self {
            url,
            wire,
            published: seen,
            pongs,
            asks,
            subscriptions,
        }
    }

    /// Waits until the client asks for messages.
    pub(in crate::feed::transport::nats) async fn asked(&mut self) {
        let asked = timeout(LONG, self.asks.recv()).await;
        asked.expect("it asks").expect("a connection");
    }

    /// Sends messages in one piece, of which each is a number in the stream, how often it was sent,
    /// and a payload; nine wait behind each.
    pub(in crate::feed::transport::nats) fn send(&self, messages: &[(u64, u64, &str)]) {
        // The latest: the requests of a stream of messages have an inbox of their own.
        let subscriptions = self.subscriptions.lock().unwrap();
        let (_, number) = subscriptions.last().expect("messages are asked for");
        let frame = |(sequence, sent, payload): &(u64, u64, &str)| {
            let reply = reply(*sequence, *sent);
            let length = payload.len();
            format!("MSG people.a {number} {reply} {length}\r\n{payload}\r\n")
        };
        self.wire
            .try_send(messages.iter().map(frame).collect())
            .unwrap();
    }

    /// Ends the connection, for good.
    pub(in crate::feed::transport::nats) fn hang_up(&self) {
        self.wire.try_send(String::new()).unwrap();
    }

    /// Waits until the client has received what was sent, and other tasks of this thread have
    /// seen it.
    pub(in crate::feed::transport::nats) async fn settled(&mut self) {
        self.wire.try_send("PING\r\n".to_owned()).unwrap();
        self.pongs.recv().await.unwrap();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }

    /// Returns the client's next answer to a message: the message's number in the stream, and the
    /// answer.
    pub(in crate::feed::transport::nats) async fn answer(&mut self) -> (u64, String) {
        let next = timeout(LONG, self.published.recv());
        let (subject, said) = next.await.expect("an answer").expect("a connection");
        let number = subject.split('.').nth(7).unwrap();
        (number.parse().unwrap(), said)
    }

    /// Returns true if the client has sent no answer that `answer` did not return.
    pub(in crate::feed::transport::nats) fn is_silent(&self) -> bool {
        self.published.is_empty()
    }
}

/// The subject to which a message is acknowledged, which says what the server knows of it.
pub(in crate::feed::transport::nats) fn reply(sequence: u64, sent: u64) -> String {
    format!("$JS.ACK._.hash.PEOPLE.klero.{sent}.{sequence}.{sequence}.1700000000000000000.9.x")
}

impl Peer {
    async fn listen(mut self) {
        let mut line = String::new();
        while self.read.read_line(&mut line).await.is_ok_and(|n| n > 0) {
            match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
                ["PING"] => self.write("PONG\r\n".to_owned()),
                ["PONG"] => {
                    let _ = self.pongs.try_send(());
                }
                ["SUB", subject, number] => {
                    let mut subscriptions = self.subscriptions.lock().unwrap();
                    subscriptions.push((subject.to_owned(), number.to_owned()));
                }
                ["PUB", subject, ref reply @ .., length] => {
                    let mut payload = vec![0; length.parse::<usize>().unwrap() + 2];
                    if self.read.read_exact(&mut payload).await.is_err() {
                        return;
                    }
                    let said = String::from_utf8(payload).unwrap().trim_end().to_owned();
                    self.heard(subject, reply.first().copied(), said);
                }
                _ => {}
            }
            line.clear();
        }
    }

    fn write(&self, frame: String) {
        drop(self.wire.try_send(frame));
    }

    /// Answers a request; requests for messages are answered by the test.
    fn heard(&self, subject: &str, reply: Option<&str>, said: String) {
        let answer = match subject.strip_prefix("$JS.API.") {
            None => return drop(self.published.try_send((subject.to_owned(), said))),
            Some(request) if request.starts_with("STREAM.INFO.") => &self.stream,
            Some(request) if request.starts_with("CONSUMER.CREATE.") => CONSUMER,
            Some(request) if request.starts_with("CONSUMER.INFO.") => ABSENT,
            Some(_) => {
                let _ = self.asks.try_send(());
                return;
            }
        };
        let Some(reply) = reply else { return };
        let subscriptions = self.subscriptions.lock().unwrap();
        let is_its = |own: &str| reply.starts_with(own.trim_end_matches('*'));
        let found = subscriptions.iter().find(|(own, _)| is_its(own));
        let (_, number) = found.expect("the reply is waited for");
        self.write(format!(
            "MSG {reply} {number} {}\r\n{answer}\r\n",
            answer.len()
        ));
    }
}

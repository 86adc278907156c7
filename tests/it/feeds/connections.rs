//! Records over connections.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use kleroterion::feed::{Ended, Feed, FeedSpec, Tcp, TcpLimits};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::recorder::{LONG, Running, WRONG, person, spec};

async fn listening(spec: &FeedSpec, token: Option<&str>) -> (Running, SocketAddr) {
    let anywhere = "127.0.0.1:0".parse().unwrap();
    let feed = Tcp::bind(anywhere, spec, token.map(Into::into), Arc::default());
    let feed = feed.await.unwrap();
    let address = feed.address().unwrap();
    (Running::start(Box::new(feed)), address)
}

/// The answer to what was sent, once the sender's side is closed.
async fn answer(mut stream: TcpStream) -> Value {
    stream.shutdown().await.unwrap();
    rest(stream).await
}

/// What the other side says before it closes.
async fn rest(mut stream: TcpStream) -> Value {
    let mut said = Vec::new();
    let read = timeout(LONG, stream.read_to_end(&mut said)).await;
    read.expect("it does not hang").unwrap();
    assert_eq!(said.last(), Some(&b'\n'));
    serde_json::from_slice(&said).unwrap()
}

async fn send(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Value {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes.as_ref()).await.unwrap();
    answer(stream).await
}

#[tokio::test]
async fn a_sender_gets_a_receipt_for_its_records() {
    let (mut running, address) = listening(&spec(&[]), None).await;
    let young = person(9).replace("30", "17");
    let long = "x".repeat(110_000);
    let text = format!(
        "{}\n{}\n{young}\n{long}\n{}",
        person(1),
        person(1),
        person(2)
    );
    let mut text = text.into_bytes();
    text.extend(b"\n{\"id\":\"\xff\"}\n");
    let receipt = send(address, text).await;
    let cut =
        "the line is longer than one may be; send shorter records, or raise framing.max_length";
    let wrong = "byte 8: the line holds bytes that are not UTF-8";
    assert_eq!(
        receipt,
        json!({
            "accepted": 2, "duplicates": 1, "left_out": 1, "last_seq": 5,
            "rejected": [{"line": 4, "error": cut}, {"line": 6, "error": wrong}],
        })
    );
    assert_eq!(send(address, "").await["accepted"], 0);
    assert_eq!(running.stopped().await, Ended::Stopped);
}

#[tokio::test]
async fn of_many_refused_the_first_hundred_are_listed() {
    let (_running, address) = listening(&spec(&[]), None).await;
    let receipt = send(address, format!("{WRONG}\n").repeat(250)).await;
    assert_eq!(receipt["rejected"].as_array().unwrap().len(), 100);
    assert_eq!(
        (&receipt["more_rejected"], &receipt["accepted"]),
        (&json!(150), &json!(0))
    );
}

#[tokio::test]
async fn a_line_is_taken_though_its_sender_stays_silent_and_slow_bytes_make_a_line() {
    let (mut running, address) = listening(&spec(&[]), None).await;
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.set_nodelay(true).unwrap();
    for byte in format!("{}\r\n{}", person(1), person(2)).bytes() {
        slow.write_all(&[byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    assert_eq!(running.came(1).await, [person(1)]);
    // Another is served meanwhile.
    assert_eq!(send(address, person(3)).await["accepted"], 1);
    assert_eq!(answer(slow).await["accepted"], 2);
    assert_eq!(running.lines(), [person(1), person(3), person(2)]);
    assert_eq!(running.stopped().await, Ended::Stopped);
}

#[tokio::test]
async fn connections_share_the_numbers_of_those_without_a_name_and_keep_their_own_order() {
    let nameless = spec(&[("id = \"id\"\n", "")]);
    let (running, address) = listening(&nameless, None).await;
    let senders = (0..8).map(|sender| async move {
        let line = format!(r#"{{"SEX":1,"AGE":30,"EDU":{sender},"mark":K}}"#) + "\n";
        let lines = (0..500).map(|k| line.replace('K', &k.to_string()));
        send(address, lines.collect::<String>()).await
    });
    let tasks: Vec<_> = senders.map(tokio::spawn).collect();
    for task in tasks {
        let receipt = task.await.unwrap();
        assert_eq!(
            (&receipt["accepted"], &receipt["duplicates"]),
            (&json!(500), &json!(0))
        );
    }
    let mut next = [0.0; 8];
    for record in running.lines() {
        let record: Value = serde_json::from_str(&record).unwrap();
        let sender = record["EDU"].as_u64().unwrap() as usize;
        assert_eq!(record["mark"].as_f64(), Some(next[sender]));
        next[sender] += 1.0;
    }
    assert_eq!(next, [500.0; 8]);
}

#[tokio::test]
async fn more_than_sixty_four_wait_their_turn() {
    let (_running, address) = listening(&spec(&[]), None).await;
    let mut open = Vec::new();
    for _ in 0..64 {
        open.push(TcpStream::connect(address).await.unwrap());
    }
    let late = tokio::spawn(async move { send(address, person(1)).await });
    for stream in open {
        assert_eq!(answer(stream).await["accepted"], 0);
    }
    assert_eq!(late.await.unwrap()["accepted"], 1);
}

/// Silent connections hold a feed up no longer than they may be idle; one that sends keeps its
/// place, and what it sent is accounted for.
#[tokio::test]
async fn the_longest_idle_gives_its_place_to_another() {
    let limits = TcpLimits {
        connections: 2,
        idle: Duration::from_millis(300),
        ..TcpLimits::default()
    };
    let anywhere = "127.0.0.1:0".parse().unwrap();
    let spec = spec(&[]);
    let feed = Tcp::bind_within(limits, anywhere, &spec, None, Arc::default());
    let feed = feed.await.unwrap();
    let address = feed.address().unwrap();
    let running = Running::start(Box::new(feed));
    let mut silent = TcpStream::connect(address).await.unwrap();
    silent
        .write_all((person(1) + "\n").as_bytes())
        .await
        .unwrap();
    running.came(1).await;
    let mut busy = TcpStream::connect(address).await.unwrap();
    let late = tokio::spawn(async move { send(address, person(2)).await });
    let mut sent = 0;
    while !late.is_finished() {
        busy.write_all(format!("{}\n", person(100 + sent)).as_bytes())
            .await
            .unwrap();
        sent += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(late.await.unwrap()["accepted"], 1);
    let receipt = rest(silent).await;
    let words = "nothing came for 0.3 s while others wait for a connection; connect again";
    assert_eq!(
        (&receipt["accepted"], &receipt["error"]),
        (&json!(1), &json!(words))
    );
    assert_eq!(answer(busy).await["accepted"], sent);
}

#[tokio::test]
async fn a_token_keeps_strangers_out() {
    let (mut running, address) = listening(&spec(&[]), Some("s3cret")).await;
    let anna = person(1);
    for (said, error) in [
        (anna.clone() + "\n", "the first line must be `token TOKEN`"),
        (format!("token wrong\n{anna}\n"), "this is not the token"),
        (format!("token s3cre\n{anna}\n"), "this is not the token"),
        (
            "token s3c".into(),
            "no token was said: begin with a line `token TOKEN`",
        ),
        (
            String::new(),
            "no token was said: begin with a line `token TOKEN`",
        ),
        (
            "token ".to_owned() + &"x".repeat(5000),
            "the token's line is too long",
        ),
    ] {
        let receipt = send(address, &said).await;
        assert_eq!(
            (&receipt["error"], &receipt["accepted"]),
            (&json!(error), &json!(0)),
            "{said}"
        );
    }
    assert!(running.lines().is_empty());
    let receipt = send(address, format!("token s3cret\r\n{anna}\n{WRONG}\n")).await;
    assert_eq!(
        (&receipt["accepted"], &receipt["rejected"][0]["line"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(running.lines()[0], anna);
    assert_eq!(running.stopped().await, Ended::Stopped);
}

#[tokio::test]
async fn a_token_that_is_not_asked_for_is_no_record() {
    let (running, address) = listening(&spec(&[]), None).await;
    for cut in 0..8 {
        let text = format!("token whatever\n{}\n", person(cut));
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (first, rest) = text.split_at(cut);
        stream.write_all(first.as_bytes()).await.unwrap();
        tokio::task::yield_now().await;
        stream.write_all(rest.as_bytes()).await.unwrap();
        assert_eq!(answer(stream).await["accepted"], 1, "{cut}");
    }
    // What only begins like it is a record like others.
    assert_eq!(send(address, "toke").await["rejected"][0]["line"], 1);
    assert_eq!(running.lines().len(), 9);
}

#[tokio::test]
async fn who_is_connected_when_the_run_stops_gets_a_receipt() {
    let (mut running, address) = listening(&spec(&[]), None).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let text = format!("{}\n{}", person(1), person(2));
    stream.write_all(text.as_bytes()).await.unwrap();
    running.came(1).await;
    assert_eq!(running.stopped().await, Ended::Stopped);
    let receipt = rest(stream).await;
    // The second had not ended yet.
    assert_eq!(
        (&receipt["accepted"], &receipt["error"]),
        (&json!(1), &json!("the run is being stopped"))
    );
}

#[tokio::test]
async fn one_that_halts_ends_the_others() {
    let halting = spec(&[("\"skip\"", "\"halt\"")]);
    let (mut running, address) = listening(&halting, None).await;
    let other = TcpStream::connect(address).await.unwrap();
    let receipt = send(address, format!("{}\n{WRONG}\n{}\n", person(1), person(2))).await;
    assert_eq!(
        (&receipt["accepted"], &receipt["rejected"][0]["line"]),
        (&json!(1), &json!(2))
    );
    assert!(
        receipt["error"]
            .as_str()
            .unwrap()
            .starts_with("the run ends: line 2")
    );
    assert!(matches!(running.ended().await, Ended::Halted(why) if why.starts_with("line 2")));
    assert_eq!(rest(other).await["error"], "the run is being stopped");
}

#[tokio::test]
async fn a_connection_that_breaks_off_harms_no_other() {
    let (running, address) = listening(&spec(&[]), None).await;
    let mut broken = TcpStream::connect(address).await.unwrap();
    let text = format!("{}\n{{\"id\":", person(1));
    broken.write_all(text.as_bytes()).await.unwrap();
    running.came(1).await;
    broken.set_zero_linger().unwrap();
    drop(broken);
    assert_eq!(send(address, person(2)).await["accepted"], 1);
}

#[tokio::test]
async fn each_connection_names_its_own_columns() {
    let csv = spec(&[("\"json\"", "\"csv\"")]);
    let (running, address) = listening(&csv, None).await;
    send(address, "id,SEX,AGE,EDU,mark\na,1,30,1,0\n").await;
    send(address, "mark,EDU,AGE,SEX,id\n0,1,30,1,b\n").await;
    let first = r#"{"id":"a","SEX":"1","AGE":"30","EDU":"1","mark":"0"}"#;
    let second = r#"{"mark":"0","EDU":"1","AGE":"30","SEX":"1","id":"b"}"#;
    assert_eq!(running.lines(), [first, second]);
}

/// A spec of records that are counted.
fn counted(more: &str) -> FeedSpec {
    let method = format!("decoding.codec = \"json\"\nframing.method = \"octet_counting\"\n{more}");
    spec(&[("decoding.codec = \"json\"\n", &method)])
}

fn frame(message: &str) -> String {
    format!("{} {message}", message.len())
}

#[tokio::test]
async fn records_may_come_with_their_lengths() {
    let (mut running, address) = listening(&counted(""), None).await;
    let pretty = person(2).replace(',', ",\n  ");
    let long = "x".repeat(110_000);
    let text = [&person(1), &pretty, &person(1), &long, "[]", &person(3)]
        .map(frame)
        .concat();
    let receipt = send(address, &text).await;
    let cut =
        "the line is longer than one may be; send shorter records, or raise framing.max_length";
    assert_eq!(
        (&receipt["accepted"], &receipt["duplicates"]),
        (&json!(3), &json!(1))
    );
    let rejected = receipt["rejected"].as_array().unwrap();
    assert_eq!(rejected[0], json!({"line": 4, "error": cut}));
    assert_eq!((rejected.len(), &rejected[1]["line"]), (2, &json!(5)));
    assert_eq!(receipt.get("error"), None);
    assert_eq!(running.lines()[..3], [person(1), person(2), person(1)]);

    // Cut off, though the sender closed properly.
    let receipt = send(address, &text[..text.len() - 1]).await;
    let error = receipt["rejected"].as_array().unwrap()[2]["error"]
        .as_str()
        .unwrap();
    assert!(
        error.starts_with("the message is shorter than its length says"),
        "{error}"
    );
    assert_eq!(running.stopped().await, Ended::Stopped);
}

#[tokio::test]
async fn a_connection_ends_where_a_length_is_missing_and_others_go_on() {
    let (mut running, address) = listening(&counted(""), Some("secret")).await;
    let lines = format!(
        "token secret\n{}{}\n{}\n",
        frame(&person(1)),
        person(2),
        person(3)
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(lines.as_bytes()).await.unwrap();
    // It does not wait for the sender to close.
    let receipt = rest(stream).await;
    assert_eq!(receipt["accepted"], 1);
    assert_eq!(receipt["rejected"][0]["line"], 2);
    let error = receipt["error"].as_str().unwrap();
    assert!(
        error.starts_with(
            "message 2 can't be found, and nothing after it is read: there is no length"
        ),
        "{error}"
    );
    let text = format!("token secret\n{}", frame(&person(4)));
    assert_eq!(send(address, text).await["accepted"], 1);
    assert_eq!(running.stopped().await, Ended::Stopped);
}

//! Records on a pipe, as on the standard input.

use std::io::{self, PipeWriter, Write};
use std::sync::Arc;
use std::time::Duration;

use kleroterion::feed::{Delivery, Ended, Feed, FeedSpec, Item, Pipe, Receipt};
use tokio::sync::mpsc;

use super::recorder::{LONG, Running, WRONG, person, spec};

fn pipe(spec: &FeedSpec) -> (Box<dyn Feed>, PipeWriter) {
    let (reader, writer) = io::pipe().unwrap();
    let feed = Pipe::new(Box::new(reader), spec, Arc::default());
    (Box::new(feed), writer)
}

fn stdin() -> FeedSpec {
    spec(&[(
        "type = \"tcp\"\naddress = \"127.0.0.1:0\"",
        "type = \"stdin\"",
    )])
}

fn csv() -> FeedSpec {
    spec(&[
        (
            "type = \"tcp\"\naddress = \"127.0.0.1:0\"",
            "type = \"stdin\"",
        ),
        ("\"json\"", "\"csv\""),
        ("id = \"id\"\n", ""),
    ])
}

#[tokio::test]
async fn what_is_there_when_the_other_side_ends_is_all_taken() {
    let (feed, mut writer) = pipe(&stdin());
    let mut running = Running::start(feed);
    let text = format!(
        "\u{feff}{}\r\n\n{}\n{}\n{WRONG}\n{}",
        person(1),
        person(2),
        person(1),
        person(3)
    );
    // Half a record, half a character: wherever the pieces end.
    for piece in text.as_bytes().chunks(7) {
        writer.write_all(piece).unwrap();
    }
    drop(writer);
    assert_eq!(running.ended().await, Ended::Source);
    let lines = running.lines();
    // Repeats are kept: who they are repeats of is not the feed's to know.
    assert_eq!(lines[..3], [person(1), person(2), person(1)]);
    assert!(lines[3].starts_with("5: there is no `SEX`"), "{lines:?}");
    assert_eq!(lines[4..], [person(3)]);
}

#[tokio::test]
async fn no_line_waits_for_company() {
    let (feed, mut writer) = pipe(&stdin());
    let mut running = Running::start(feed);
    for id in 1..=3 {
        write!(writer, "{}\n{{\"id\"", person(id)).unwrap();
        running.came(id).await;
        writer.write_all(b":0}\n").unwrap();
        running.came(id).await;
    }
    drop(writer);
    assert_eq!(running.ended().await, Ended::Source);
}

#[test]
fn a_silent_pipe_keeps_nothing_from_ending() {
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.unwrap();
        let (feed, writer) = pipe(&stdin());
        let ended = runtime.block_on(async {
            let mut running = Running::start(feed);
            running.stopped().await
        });
        // With the pipe still open.
        drop(runtime);
        done.send((ended, writer)).unwrap();
    });
    let (ended, _writer) = ended.recv_timeout(LONG).expect("it does not hang");
    assert_eq!(ended, Ended::Stopped);
}

#[tokio::test]
async fn it_ends_when_its_receiver_is_gone() {
    let (feed, mut writer) = pipe(&stdin());
    let (deliveries, came) = mpsc::channel(1);
    let mut running = Running::into(feed, deliveries);
    drop(came);
    let _ = writeln!(writer, "{}", person(1));
    assert_eq!(running.ended().await, Ended::Untaken);
}

#[tokio::test]
async fn unanswered_deliveries_hold_the_sender_back() {
    let (feed, mut writer) = pipe(&stdin());
    let (deliveries, mut came) = mpsc::channel::<Delivery>(1);
    let mut running = Running::into(feed, deliveries);
    let many = 40_000;
    let sender = std::thread::spawn(move || {
        for id in 0..many {
            writeln!(writer, "{}", person(id)).unwrap();
        }
    });
    let mut waiting = Vec::new();
    while let Ok(delivery) = tokio::time::timeout(Duration::from_millis(500), came.recv()).await {
        waiting.push(delivery.expect("it goes on"));
    }
    assert!((1..=4).contains(&waiting.len()), "{}", waiting.len());
    assert!(
        !sender.is_finished(),
        "all was sent, though nothing was taken"
    );
    let mut persons = 0;
    let mut take = |delivery: Delivery| {
        assert!((1..=1024).contains(&delivery.items.len()));
        for item in &delivery.items {
            let Item::Candidate(person) = item else {
                panic!()
            };
            assert_eq!(&*person.id, persons.to_string());
            persons += 1;
        }
        let _ = delivery.receipt.unwrap().send(Receipt::default());
    };
    waiting.into_iter().for_each(&mut take);
    while let Some(delivery) = came.recv().await {
        take(delivery);
    }
    assert_eq!((running.ended().await, persons), (Ended::Source, many));
    sender.join().unwrap();
}

#[tokio::test]
async fn a_record_that_cannot_be_read_halts_the_stream_where_that_is_asked_for() {
    let halting = spec(&[
        (
            "type = \"tcp\"\naddress = \"127.0.0.1:0\"",
            "type = \"stdin\"",
        ),
        ("\"skip\"", "\"halt\""),
    ]);
    let (feed, mut writer) = pipe(&halting);
    let mut running = Running::start(feed);
    write!(writer, "{}\n{WRONG}\n{}\n", person(1), person(2)).unwrap();
    let Ended::Halted(why) = running.ended().await else {
        panic!()
    };
    assert!(why.starts_with("line 2: there is no `SEX`"), "{why}");
    let lines = running.lines();
    assert_eq!((lines.len(), &lines[0]), (2, &person(1)));
}

#[tokio::test]
async fn rows_of_csv_run_over_lines() {
    let (feed, mut writer) = pipe(&csv());
    let mut running = Running::start(feed);
    let text = "SEX,AGE,EDU,mark,\"say \"\"hi\"\"\"\r\n1,30,2,0.5,\"a,\n\n\"\"b\"\"\"\r\n\
        2,30,x,1,\r\n1,17,1,1,young\n2,50,1,1";
    for piece in text.as_bytes().chunks(3) {
        writer.write_all(piece).unwrap();
    }
    drop(writer);
    assert_eq!(running.ended().await, Ended::Source);
    let lines = running.lines();
    let first =
        r#"{"id":"1","SEX":"1","AGE":"30","EDU":"2","mark":"0.5","say \"hi\"":"a,\n\n\"b\""}"#;
    assert_eq!(lines[0], first);
    assert_eq!(lines[1], "5: 'x' in `EDU` is not a finite number");
    // Who is too young is left out, and counts.
    assert!(
        lines[2].starts_with("7: the row has 4 fields where there are 5 columns"),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 3);
}

//! Files that grow, and tapes.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use kleroterion::feed::{Ended, Tail, Tape};

use super::recorder::{Running, WRONG, person, spec};

fn append(path: &Path, text: &str) {
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.unwrap().write_all(text.as_bytes()).unwrap();
}

fn tail(path: &Path) -> Running {
    let spec = spec(&[]);
    Running::start(Box::new(Tail::new(path.into(), &spec, Arc::default())))
}

#[tokio::test]
async fn what_is_appended_follows_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.ndjson");
    append(&path, &format!("{}\n{}\n", person(1), person(2)));
    let mut running = tail(&path);
    running.came(2).await;
    // Half a line waits for its other half.
    let third = person(3);
    let (first, second) = third.split_at(11);
    append(&path, &format!("\n{first}"));
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    append(&path, &format!("{second}\n{}\n{}", person(4), person(5)));
    let lines = running.came(4).await;
    assert_eq!(lines, (1..=4).map(person).collect::<Vec<_>>());
    // The last one's line has not ended: it may not be whole.
    assert_eq!(running.stopped().await, Ended::Stopped);
    assert_eq!(running.lines().len(), 4);
}

#[tokio::test]
async fn a_file_may_come_later_be_replaced_and_be_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.ndjson");
    let mut running = tail(&path);
    tokio::task::yield_now().await;
    append(&path, &format!("{}\n", person(1)));
    running.came(1).await;

    // Replaced: what was last written to the old one is read, with or without the end of its line.
    append(&path, &person(2));
    fs::rename(&path, folder.path().join("people.1")).unwrap();
    append(&folder.path().join("people.1"), &format!("\n{}", person(3)));
    append(&path, &format!("{}\n", person(4)));
    let lines = running.came(4).await;
    assert_eq!(lines, (1..=4).map(person).collect::<Vec<_>>());

    // Cut off, and written anew.
    File::create(&path).unwrap();
    append(&path, &format!("{WRONG}\n"));
    assert!(running.came(5).await[4].starts_with("1: there is no `SEX`"));
    append(&path, &format!("{}\n", person(5)));
    assert_eq!(running.came(6).await[5], person(5));
    assert_eq!(running.stopped().await, Ended::Stopped);
}

#[tokio::test]
async fn a_file_that_never_comes_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = tail(&folder.path().join("never.ndjson"));
    assert_eq!(running.stopped().await, Ended::Stopped);
}

#[tokio::test]
async fn a_replaced_file_of_rows_names_its_columns_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let csv = spec(&[("\"json\"", "\"csv\"")]);
    append(&path, "id,SEX,AGE,EDU,mark\na,1,30,1,0\n");
    let mut running = Running::start(Box::new(Tail::new(path.clone(), &csv, Arc::default())));
    running.came(1).await;
    fs::write(
        folder.path().join("new"),
        "mark,EDU,AGE,SEX,id\n0,1,30,1,b\n",
    )
    .unwrap();
    fs::rename(folder.path().join("new"), &path).unwrap();
    let second = r#"{"mark":"0","EDU":"1","AGE":"30","SEX":"1","id":"b"}"#;
    assert_eq!(running.came(2).await[1], second);
    assert_eq!(running.stopped().await, Ended::Stopped);
}

/// A writer that has not heard of the rotation goes on in the old file, under its names of columns.
#[tokio::test]
async fn a_replaced_file_is_read_on_under_its_own_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let csv = spec(&[("\"json\"", "\"csv\"")]);
    append(&path, "id,SEX,AGE,EDU,mark\na,1,30,1,0\n");
    let mut old = OpenOptions::new().append(true).open(&path).unwrap();
    let mut running = Running::start(Box::new(Tail::new(path.clone(), &csv, Arc::default())));
    running.came(1).await;
    for (n, [id, late]) in [["b", "c"], ["d", "e"]].into_iter().enumerate() {
        fs::rename(&path, folder.path().join(format!("people.{n}"))).unwrap();
        append(&path, &format!("mark,EDU,AGE,SEX,id\n0,1,30,1,{id}\n"));
        running.came(2 * n + 2).await;
        writeln!(old, "{late},1,30,1,0").unwrap();
        let line = running.came(2 * n + 3).await[2 * n + 2].clone();
        let wanted = format!(r#"{{"id":"{late}","SEX":"1","AGE":"30","EDU":"1","mark":"0"}}"#);
        assert_eq!(line, wanted);
    }
    assert_eq!(running.stopped().await, Ended::Stopped);
}

fn tape(text: &str, speed: Option<f64>) -> (Running, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.ndjson");
    fs::write(&path, text).unwrap();
    let tape = Tape::new(path, speed, &spec(&[]), Arc::default());
    (Running::start(Box::new(tape)), folder)
}

fn at(id: usize, at: &str) -> String {
    person(id).replace("\"mark\"", &format!("\"at\":{at},\"mark\""))
}

#[tokio::test]
async fn a_tape_is_played_at_once_or_at_a_pace_with_the_same_records() {
    let records = [
        at(1, "\"2026-05-01T09:30:00Z\""),
        at(2, "\"2026-05-01T09:30:20+00:00\""),
        person(3),
        at(4, "\"2026-05-01T11:30:10+02:00\""),
        at(5, "\"2026-05-01T09:30:40Z\""),
    ];
    let text = records.join("\n") + "\n";
    for (speed, deliveries) in [(None, 1), (Some(20.0), 3)] {
        let (mut running, _folder) = tape(&text, speed);
        assert_eq!(running.ended().await, Ended::Source);
        assert_eq!(running.lines(), records);
        // At a pace what comes later is not handed over with what came before.
        assert_eq!(running.deliveries().len(), deliveries, "{speed:?}");
    }
}

#[tokio::test]
async fn a_time_that_is_none_is_refused_where_times_matter() {
    let text = format!("{}\n\n{}\n", at(1, "1.5"), at(2, "\"soon\""));
    let (mut running, _folder) = tape(&text, Some(1.0));
    assert_eq!(running.ended().await, Ended::Source);
    let lines = running.lines();
    assert_eq!((lines.len(), &lines[0]), (2, &at(1, "1.5")));
    assert!(
        lines[1].starts_with("3: 'soon' in `at` is no time"),
        "{lines:?}"
    );
    let (mut running, _folder) = tape(&text, None);
    assert_eq!(running.ended().await, Ended::Source);
    assert_eq!(running.lines(), [at(1, "1.5"), at(2, "\"soon\"")]);
}

#[tokio::test]
async fn a_tape_that_waits_can_be_stopped() {
    let text = format!("{}\n{}\n", at(1, "0"), at(2, "1e300"));
    let (mut running, _folder) = tape(&text, Some(1.0));
    running.came(1).await;
    assert_eq!(running.stopped().await, Ended::Stopped);
    assert_eq!(running.lines(), [at(1, "0")]);
}

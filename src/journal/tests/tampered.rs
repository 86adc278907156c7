//! What is changed behind a journal's back is noticed, and repaired where nothing is lost.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::journal::*;

/// A journal of format 1, as its program wrote it.
const FORMAT_1: &str = include_str!("../../../tests/it/live/formats/journal-1.sql");
const HEAD_1: &str = include_str!("../../../tests/it/live/formats/journal-1.head");

fn changed(folder: &Path, sql: &str) {
    let store = Connection::open(folder.join(JOURNAL)).unwrap();
    store.execute_batch(sql).unwrap();
}

/// A journal of the current format: two candidates at 1 and 3, their outcomes at 2 and 4.
fn made(folder: &Path) {
    let facts = [("config", "v = 2".to_owned()), ("options", "{}".to_owned())];
    let mut journal = Journal::create(folder, &facts).unwrap();
    journal.note_named(true).unwrap();
    for id in ["a", "b"] {
        journal.add_candidate(id, "{\"sex\":\"1\"}").unwrap();
        journal.add_outcome(id, Some("q"), 1.5).unwrap();
    }
    journal.commit().unwrap();
}

fn of_format_1(folder: &Path) {
    changed(folder, FORMAT_1);
    fs::write(folder.join(HEAD), HEAD_1).unwrap();
}

#[track_caller]
fn refused(make: fn(&Path), sql: &str, words: &str) -> JournalError {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    changed(folder.path(), sql);
    let error = Journal::resume(folder.path(), |_| {}).expect_err(sql);
    let told = error.to_string();
    assert!(told.contains(words), "{sql}: {told}");
    error
}

#[test]
fn a_change_of_any_column_is_noticed() {
    for make in [made, of_format_1] {
        refused(
            make,
            "UPDATE entry SET body = replace(body, '1', '2') WHERE seq = 3",
            "entry 3 ",
        );
        refused(make, "UPDATE entry SET id = 'c' WHERE seq = 3", "entry 3 ");
        refused(
            make,
            "UPDATE entry SET person = 7 WHERE seq = 3",
            "person and policy of entry 3 ",
        );
        refused(
            make,
            "UPDATE entry SET person = NULL WHERE seq = 2",
            "person and policy of entry 2 ",
        );
        refused(
            make,
            "UPDATE entry SET policy = 'x' WHERE seq = 2",
            "person and policy of entry 2 ",
        );
        refused(
            make,
            "UPDATE entry SET kind = 'rounds' WHERE seq = 1",
            "entry 1 ",
        );
        refused(
            make,
            "UPDATE entry SET chain = zeroblob(16) WHERE seq = 1",
            "entry 1 ",
        );
        refused(make, "DELETE FROM entry WHERE seq = 2", "entry 2 ");
    }
}

#[test]
fn a_change_of_any_fact_is_noticed() {
    let facts = "the table of facts is not what the run was begun with";
    for sql in [
        "UPDATE fact SET value = 'v = 9' WHERE key = 'config'",
        "UPDATE fact SET key = 'other' WHERE key = 'options'",
        "UPDATE fact SET value = 'x' WHERE key = 'start'",
        "DELETE FROM fact WHERE key = 'start'",
        "DELETE FROM fact WHERE key = 'options'",
        "INSERT INTO fact VALUES ('more', '1')",
    ] {
        refused(made, sql, facts);
    }
    refused(
        made,
        "UPDATE fact SET value = 'false' WHERE key = 'named'",
        "entry 1 ",
    );
    refused(made, "DELETE FROM fact WHERE key = 'named'", "entry 1 ");
}

#[test]
fn a_journal_without_entries_is_held_against_its_facts() {
    let empty = |folder: &Path| drop(Journal::create(folder, &[]).unwrap());
    let folder = tempfile::tempdir().unwrap();
    empty(folder.path());
    assert!(Journal::resume(folder.path(), |_| {}).is_ok());
    refused(
        empty,
        "INSERT INTO fact VALUES ('more', '1')",
        "the table of facts",
    );
}

#[test]
fn another_schema_is_noticed_and_repaired() {
    for (make, there) in [(made as fn(&Path), false), (of_format_1, true)] {
        for (sql, words) in [
            ("DROP INDEX person", "UNIQUE INDEX person is missing"),
            ("DROP INDEX outcome", "UNIQUE INDEX outcome is missing"),
            (
                "DROP INDEX person; CREATE INDEX person ON entry(id) WHERE kind = 'candidate'",
                "the index \"person\" is not the journal's",
            ),
            (
                "CREATE TRIGGER t AFTER INSERT ON entry BEGIN UPDATE entry SET id = id || 'x'; END",
                "the trigger \"t\" is not the journal's",
            ),
            (
                "CREATE TABLE more(x)",
                "the table \"more\" is not the journal's",
            ),
            (
                "UPDATE entry SET person = 7 WHERE kind = 'candidate'",
                "person and policy of entry 1 ",
            ),
        ] {
            refused(make, sql, words);
            let folder = tempfile::tempdir().unwrap();
            make(folder.path());
            let before = examine(folder.path()).unwrap();
            assert!(before.fault.is_none());
            changed(folder.path(), sql);
            let repaired = repair(folder.path(), false).unwrap();
            assert!(repaired.fault.unwrap().to_string().contains(words));
            assert!(repaired.kept.unwrap().join(JOURNAL).is_file());
            assert_eq!(repaired.now.end, before.end);
            let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
            let again = journal.add_candidate("p0", "{}").unwrap();
            assert_eq!(again == Added::Duplicate, there, "{sql}");
        }
    }
}

#[test]
fn a_bit_flipped_in_an_index_takes_none_twice() {
    let folder = tempfile::tempdir().unwrap();
    let people: Vec<String> = (0..400).map(|n| format!("person-{n}")).collect();
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    for id in &people {
        journal.add_candidate(id, "{}").unwrap();
    }
    journal.commit().unwrap();
    drop(journal);
    let path = folder.path().join(JOURNAL);
    let store = Connection::open(&path).unwrap();
    let size: i64 = store
        .query_row("PRAGMA page_size", [], |row| row.get(0))
        .unwrap();
    drop(store);
    let size = size as usize;
    let whole = fs::read(&path).unwrap();
    // Pages of indexes begin with 2 or 10.
    let pages = (1..whole.len() / size).filter(|page| [2, 10].contains(&whole[page * size]));
    let bytes: Vec<usize> = pages
        .flat_map(|page| page * size..(page + 1) * size)
        .collect();
    let share = std::env::var_os("KLERO_LONG").map_or(150, |_| 3000);
    let step = bytes.len() / share;
    let mut refused = 0;
    for at in bytes.into_iter().step_by(step.max(1)) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&path, &flipped).unwrap();
        match Journal::resume(folder.path(), |_| {}) {
            Err(_) => {
                refused += 1;
                let repaired = repair(folder.path(), false).unwrap();
                assert_eq!(repaired.now.persons, 400, "at {at}");
                fs::remove_dir_all(repaired.kept.unwrap()).unwrap();
            }
            Ok(_) => {}
        }
        let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
        for id in &people {
            assert_eq!(
                journal.add_candidate(id, "{}").unwrap(),
                Added::Duplicate,
                "at {at}"
            );
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_journal_without_its_head_is_accepted_only_where_that_is_asked_for() {
    for torn in [None, Some("")] {
        let folder = tempfile::tempdir().unwrap();
        made(folder.path());
        let head = folder.path().join(HEAD);
        match torn {
            None => fs::remove_file(&head).unwrap(),
            Some(text) => fs::write(&head, text).unwrap(),
        }
        let error = Journal::resume(folder.path(), |_| {}).unwrap_err();
        assert!(matches!(error, JournalError::Headless(..)), "{error}");
        let error = repair(folder.path(), false).unwrap_err();
        assert!(matches!(error, JournalError::Headless(..)), "{error}");
        assert_eq!(head.exists(), torn.is_some(), "nothing was changed");
        let examined = examine(folder.path()).unwrap();
        assert_eq!((examined.end.seq, examined.persons), (4, 2));
        let repaired = repair(folder.path(), true).unwrap();
        assert_eq!(repaired.now.head, Some(repaired.now.end));
        assert!(Journal::resume(folder.path(), |_| {}).is_ok());
        assert!(repair(folder.path(), false).unwrap().fault.is_none());
    }
}

#[test]
fn the_head_of_another_journal_is_accepted_only_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path());
    fs::remove_file(folder.path().join(HEAD)).unwrap();
    drop(
        Head::create(
            folder.path(),
            Reach {
                seq: 2,
                chain: Chain::default(),
            },
        )
        .unwrap(),
    );
    let error = repair(folder.path(), false).unwrap_err();
    assert!(matches!(error, JournalError::Strayed(_, 2)), "{error}");
    assert_eq!(repair(folder.path(), true).unwrap().now.end.seq, 4);
    assert!(Journal::resume(folder.path(), |_| {}).is_ok());
}

#[test]
fn a_repair_never_drops_what_was_acknowledged() {
    for sql in [
        "DELETE FROM entry WHERE seq = 4",
        "UPDATE entry SET body = '{}' WHERE seq = 3",
        "UPDATE fact SET value = '' WHERE key = 'config'",
    ] {
        let folder = tempfile::tempdir().unwrap();
        made(folder.path());
        changed(folder.path(), sql);
        let before = fs::read(folder.path().join(JOURNAL)).unwrap();
        for accepts_end in [false, true] {
            let error = repair(folder.path(), accepts_end).unwrap_err();
            assert!(matches!(error, JournalError::Broken(_)), "{error}");
        }
        assert_eq!(
            fs::read(folder.path().join(JOURNAL)).unwrap(),
            before,
            "{sql}"
        );
    }
}

#[test]
fn a_journal_of_an_unknown_format_is_refused() {
    let sql = "UPDATE fact SET value = '3' WHERE key = 'format'";
    let error = refused(
        made,
        sql,
        "of format \"3\", and this program reads formats 1 and 2",
    );
    assert!(matches!(error, JournalError::Format(..)));
}

#[test]
fn a_journal_of_format_1_goes_on_in_it() {
    let folder = tempfile::tempdir().unwrap();
    of_format_1(folder.path());
    // It was begun before there were corrections.
    changed(folder.path(), "DROP INDEX correction");
    let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
    assert_eq!((journal.last_seq(), journal.persons()), (28, 12));
    assert_eq!(journal.named(), Some(true));
    assert_eq!(journal.outcome("p1", None).unwrap(), Some((13, 2.0)));
    assert_eq!(journal.add_candidate("p3", "{}").unwrap(), Added::Duplicate);
    journal.add_candidate("new", "{}").unwrap();
    journal.commit().unwrap();
    drop(journal);
    let examined = examine(folder.path()).unwrap();
    assert!(examined.fault.is_none(), "{:?}", examined.fault);
    assert_eq!((examined.format, examined.end.seq), ("1", 29));
}

#[test]
fn a_backup_of_a_journal_that_is_written_is_whole() {
    let [folder, to] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    for n in 0..50 {
        journal.add_candidate(&format!("p{n}"), "{}").unwrap();
        journal.commit().unwrap();
    }
    // Not committed yet: not copied.
    journal.add_candidate("late", "{}").unwrap();
    let copied = backup(folder.path(), to.path()).unwrap();
    assert_eq!((copied.end.seq, copied.persons), (50, 50));
    journal.commit().unwrap();
    let mut again = Journal::resume(to.path(), |_| {}).unwrap();
    again.add_candidate("late", "{}").unwrap();
    again.commit().unwrap();
    drop((again, journal));
    let [one, other] = [&folder, &to].map(|folder| examine(folder.path()).unwrap().end);
    assert_eq!(one, other);
}

//! Tests of the entries that a journal keeps and of those that it refuses.

mod disks;
mod forgotten;
mod heads;
mod keeping;
mod temporary;

use super::*;
use std::fs;
use std::path::Path;

fn all(folder: &Path) -> Result<Vec<Numbered>, JournalError> {
    let mut entries = Vec::new();
    JournalReader::open(folder)?.read_all(|entry| entries.push(entry.clone()))?;
    Ok(entries)
}

fn person(n: u64) -> (String, String) {
    (
        format!("p{n}"),
        format!("{{\"id\":\"p{n}\",\"sex\":\"female\"}}"),
    )
}

/// A journal of `commits` commits of three entries each.
fn filled(folder: &Path, commits: u64) {
    let mut journal = Journal::create(folder, &[]).unwrap();
    for n in 0..commits {
        let (id, record) = person(n);
        journal.add_candidate(&id, &record).unwrap();
        journal.add_outcome(&id, None, n as f64 / 3.0).unwrap();
        let decided = Decided {
            round: n + 1,
            chosen: vec![0],
        };
        journal.add(&JournalEntry::Decision(decided)).unwrap();
        journal.commit().unwrap();
    }
}

#[test]
fn what_was_committed_is_read_back_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 700);
    let entries = all(folder.path()).unwrap();
    assert_eq!(entries.len(), 2100);
    for (n, three) in (0..).zip(entries.chunks(3)) {
        let (id, record) = person(n);
        assert_eq!(three[0].seq, 3 * n + 1);
        assert_eq!(
            three[0].entry,
            JournalEntry::Candidate(id.into(), record.into())
        );
        let JournalEntry::Outcome(_, reported) = &three[1].entry else {
            panic!("an outcome");
        };
        assert_eq!((reported.person, reported.value), (n, n as f64 / 3.0));
    }
}

#[test]
fn a_repeat_is_none_and_an_outcome_of_nobody_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    let first = journal.add_candidate("a", "{}").unwrap();
    assert_eq!(
        first,
        Added::As {
            seq: 1,
            person: Some(0)
        }
    );
    assert_eq!(
        journal.add_candidate("a", "{\"x\":1}").unwrap(),
        Added::Duplicate
    );
    let second = journal.add_candidate("b", "{}").unwrap();
    assert_eq!(
        second,
        Added::As {
            seq: 2,
            person: Some(1)
        }
    );
    assert_eq!(journal.add_outcome("c", None, 1.0).unwrap(), Added::Unknown);
    for (policy, added) in [
        (None, true),
        (Some("x"), true),
        (None, false),
        (Some("x"), false),
        (Some("y"), true),
    ] {
        let told = journal.add_outcome("b", policy, 1.0).unwrap();
        assert_eq!(told != Added::Duplicate, added, "{policy:?}");
    }
    journal.commit().unwrap();
    drop(journal);
    let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
    assert_eq!((journal.last_seq(), journal.persons()), (5, 2));
    assert_eq!(journal.add_candidate("b", "{}").unwrap(), Added::Duplicate);
    let third = journal.add_candidate("c", "{}").unwrap();
    assert_eq!(
        third,
        Added::As {
            seq: 6,
            person: Some(2)
        }
    );
}

#[test]
fn what_was_not_committed_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 2);
    let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
    journal.add_candidate("late", "{}").unwrap();
    drop(journal);
    assert_eq!(all(folder.path()).unwrap().len(), 6);
    let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
    let late = journal.add_candidate("late", "{}").unwrap();
    assert_eq!(
        late,
        Added::As {
            seq: 7,
            person: Some(2)
        }
    );
}

/// However many entries both have in common.
#[test]
fn a_whole_journal_of_the_same_length_is_another_one() {
    for common in [0, 1, 6] {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        for (folder, last) in [(&one, "a"), (&other, "b")] {
            filled(folder.path(), common);
            let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
            journal.add_candidate(last, "{}").unwrap();
            journal.commit().unwrap();
        }
        for name in [JOURNAL.to_owned(), format!("{JOURNAL}-wal")] {
            let from = other.path().join(&name);
            match from.exists() {
                true => drop(fs::copy(from, one.path().join(name)).unwrap()),
                false => drop(fs::remove_file(one.path().join(name))),
            }
        }
        let words = format!(
            "entry {} is another than the one its head names",
            3 * common + 1
        );
        for error in [
            Journal::resume(one.path(), |_| {}).unwrap_err(),
            all(one.path()).unwrap_err(),
        ] {
            assert!(error.to_string().ends_with(&words), "{error}");
        }
    }
}

#[test]
fn one_writes_at_a_time_and_others_may_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    let refused = Journal::resume(folder.path(), |_| {}).unwrap_err();
    assert!(matches!(refused, JournalError::InUse), "{refused}");
    journal.add_candidate("a", "{}").unwrap();
    assert_eq!(all(folder.path()).unwrap(), []);
    journal.commit().unwrap();
    assert_eq!(all(folder.path()).unwrap().len(), 1);
}

/// Copies a journal as a crash would leave it.
fn copied(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        // The shared memory is made anew.
        if !name.to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), to.path().join(name)).unwrap();
        }
    }
    to
}

/// A journal with its log not yet merged, as a crash leaves it, and its entries.
fn crashed() -> (tempfile::TempDir, Vec<Numbered>) {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    for n in 0..12 {
        let (id, record) = person(n);
        journal.add_candidate(&id, &record).unwrap();
        journal.commit().unwrap();
    }
    let copy = copied(folder.path());
    drop(journal);
    (copy, all(folder.path()).unwrap())
}

/// Every how many bytes a file is damaged: each one in the long form.
fn stride(bytes: usize) -> usize {
    match std::env::var_os("KLERO_LONG") {
        Some(_) => 1,
        None => (bytes / 60).max(1) | 1,
    }
}

#[test]
fn a_log_cut_anywhere_is_refused_or_whole_never_silently_shorter() {
    let (folder, entries) = crashed();
    let log = format!("{JOURNAL}-wal");
    let bytes = fs::read(folder.path().join(&log)).unwrap();
    assert!(bytes.len() > 10_000, "the log holds the commits");
    let mut refused = 0;
    for cut in (0..bytes.len()).step_by(stride(bytes.len())) {
        let copy = copied(folder.path());
        fs::write(copy.path().join(&log), &bytes[..cut]).unwrap();
        match Journal::resume(copy.path(), |_| {}) {
            Ok(_) => assert_eq!(all(copy.path()).unwrap(), entries, "cut at {cut}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 20);
}

#[test]
fn a_byte_flipped_anywhere_is_refused_or_harmless() {
    let (folder, entries) = crashed();
    for name in [format!("{JOURNAL}-wal"), JOURNAL.into(), HEAD.into()] {
        let bytes = fs::read(folder.path().join(&name)).unwrap();
        for at in (0..bytes.len()).step_by(stride(bytes.len())) {
            let copy = copied(folder.path());
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x20;
            fs::write(copy.path().join(&name), &flipped).unwrap();
            if Journal::resume(copy.path(), |_| {}).is_ok() {
                assert_eq!(all(copy.path()).unwrap(), entries, "{name} at {at}");
            }
        }
    }
}

#[test]
fn an_entry_changed_behind_its_back_is_named() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 3);
    let store = rusqlite::Connection::open(folder.path().join(JOURNAL)).unwrap();
    let change = "UPDATE entry SET body = replace(body, 'female', 'male') WHERE seq = 4";
    store.execute_batch(change).unwrap();
    drop(store);
    let error = Journal::resume(folder.path(), |_| {})
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("entry 4 is not what was committed"),
        "{error}"
    );
}

#[test]
fn a_lost_tail_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 3);
    let store = rusqlite::Connection::open(folder.path().join(JOURNAL)).unwrap();
    store
        .execute_batch("DELETE FROM entry WHERE seq > 5")
        .unwrap();
    drop(store);
    let error = Journal::resume(folder.path(), |_| {})
        .unwrap_err()
        .to_string();
    let told = "it ends with entry 5, and 9 were committed: 4 are lost";
    assert!(error.contains(told), "{error}");
}

#[test]
fn a_head_torn_in_one_slot_still_stands() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 3);
    let head = folder.path().join(HEAD);
    let bytes = fs::read(&head).unwrap();
    for slot in [0, 128] {
        let mut torn = bytes.clone();
        torn[slot..slot + 60].fill(0);
        fs::write(&head, &torn).unwrap();
        assert_eq!(all(folder.path()).unwrap().len(), 9);
        assert!(Journal::resume(folder.path(), |_| {}).is_ok());
        fs::write(&head, &bytes).unwrap();
    }
    fs::write(&head, "").unwrap();
    let error = Journal::resume(folder.path(), |_| {})
        .unwrap_err()
        .to_string();
    assert!(error.contains("can't be read"), "{error}");
}

#[test]
fn a_database_that_fails_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL);
    let named = |error: JournalError| {
        let told = error.to_string();
        assert!(matches!(error, JournalError::Store(..)), "{told}");
        assert!(told.contains(&path.display().to_string()), "{told}");
    };
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    let mut reader = JournalReader::open(folder.path()).unwrap();
    let store = rusqlite::Connection::open(&path).unwrap();
    store
        .execute_batch("DROP TABLE entry; DROP TABLE fact")
        .unwrap();
    named(journal.add_candidate("a", "{}").unwrap_err());
    named(journal.add_outcome("a", None, 1.0).unwrap_err());
    named(journal.add(&JournalEntry::Rounds(1)).unwrap_err());
    named(reader.fact("config").unwrap_err());
    named(reader.joins().unwrap_err());
    named(reader.read_all(|_| {}).unwrap_err());
    drop((store, journal, reader));

    let full = tempfile::tempdir().unwrap();
    std::fs::create_dir(full.path().join(JOURNAL)).unwrap();
    let error = Journal::create(full.path(), &[]).unwrap_err().to_string();
    assert!(error.contains(JOURNAL), "{error}");
}

#[test]
fn a_run_that_was_cut_off_before_it_began_is_called_that_and_nothing_lost() {
    let words = "was cut off before it began, and no candidate had come";
    let told = |folder: &Path| {
        let read = JournalReader::open(folder).unwrap_err().to_string();
        let resumed = Journal::resume(folder, |_| {}).unwrap_err().to_string();
        [read, resumed]
    };
    // Ever less of it: no tables, an empty file, an empty head and no database.
    let folder = tempfile::tempdir().unwrap();
    drop(Head::create(folder.path()).unwrap());
    let store = rusqlite::Connection::open(folder.path().join(JOURNAL)).unwrap();
    let wal = store.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
    wal.unwrap();
    drop(store);
    for cut in 0..3 {
        match cut {
            0 => {}
            1 => fs::write(folder.path().join(JOURNAL), "").unwrap(),
            _ => {
                fs::remove_file(folder.path().join(JOURNAL)).unwrap();
                fs::write(folder.path().join(HEAD), "").unwrap();
            }
        }
        for told in told(folder.path()) {
            assert!(told.ends_with(words), "{cut}: {told}");
            assert!(!told.contains("lost"), "{cut}: {told}");
        }
    }
    // Of one that had begun an empty head is no such thing.
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 2);
    fs::write(folder.path().join(HEAD), "").unwrap();
    for told in told(folder.path()) {
        assert!(told.contains("it is unknown how far"), "{told}");
    }
}

#[test]
fn what_holds_of_a_person_is_the_last_correction_and_its_first_entry_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    journal.add_candidate("a", "{\"id\":\"a\"}").unwrap();
    journal.add_outcome("a", None, 1.0).unwrap();
    journal.add_outcome("a", Some("q"), 2.0).unwrap();
    let correct = |journal: &mut Journal, policy: Option<&str>, before, value| {
        let reported = Reported {
            person: 0,
            policy: policy.map(Into::into),
            value,
        };
        let corrected = Corrected { reported, before };
        journal.correct("a", corrected).unwrap()
    };
    correct(&mut journal, None, 1.0, 1.5);
    let third = correct(&mut journal, None, 1.5, 1.0 / 3.0);
    let (seq, person) = (5, Some(0));
    assert_eq!(third, Added::As { seq, person });
    journal.commit().unwrap();
    drop(journal);
    // As of a run that was begun before there were corrections.
    let store = rusqlite::Connection::open(folder.path().join(JOURNAL)).unwrap();
    store.execute_batch("DROP INDEX correction").unwrap();
    drop(store);
    let mut entries = Vec::new();
    let journal = Journal::resume(folder.path(), |entry| entries.push(entry.clone())).unwrap();
    assert_eq!(journal.outcome("a", None).unwrap(), Some((2, 1.0 / 3.0)));
    assert_eq!(journal.outcome("a", Some("q")).unwrap(), Some((3, 2.0)));
    assert_eq!(journal.outcome("b", None).unwrap(), None);
    assert_eq!(
        journal.record("a").unwrap().as_deref(),
        Some("{\"id\":\"a\"}")
    );
    let JournalEntry::Correction(id, corrected) = &entries[4].entry else {
        panic!("a correction");
    };
    assert_eq!(
        (&**id, corrected.before, corrected.reported.value),
        ("a", 1.5, 1.0 / 3.0)
    );
}

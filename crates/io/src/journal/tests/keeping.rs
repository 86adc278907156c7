//! Journals that were damaged or changed from outside, their repair, and copies.

use super::super::head::Promise;
use super::*;

fn changed(commits: u64, change: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), commits);
    let store = rusqlite::Connection::open(folder.path().join(JOURNAL)).unwrap();
    store.execute_batch(change).unwrap();
    folder
}

fn refused(folder: &Path) -> String {
    Journal::resume(folder, |_| {}).unwrap_err().to_string()
}

#[test]
fn every_column_fact_and_part_is_held_against_what_was_committed() {
    for (change, words) in [
        (
            "UPDATE entry SET person = 0 WHERE id = 'p2'",
            "entry 7 is not what",
        ),
        (
            "UPDATE entry SET person = NULL WHERE kind = 'outcome' AND id = 'p1'",
            "entry 5 is not",
        ),
        (
            "UPDATE entry SET policy = 'queue' WHERE kind = 'outcome'",
            "entry 2 is not what",
        ),
        (
            "UPDATE fact SET value = 'v = 9.0' WHERE key = 'config'",
            "the config or options in it",
        ),
        (
            "DELETE FROM fact WHERE key = 'config'",
            "the config or options in it",
        ),
        (
            "INSERT INTO fact VALUES ('more', '')",
            "the config or options in it",
        ),
        (
            "UPDATE fact SET value = 'false' WHERE key = 'named'",
            "the config or options in it",
        ),
        ("DROP INDEX person", "its index \"person\" is gone"),
        (
            "DROP INDEX person; CREATE INDEX person ON entry(id) WHERE kind = 'candidate'",
            "its index \"person\" was changed",
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON entry BEGIN UPDATE entry SET id = 'x'; END",
            "it has a trigger \"t\" that no run makes",
        ),
        ("CREATE VIEW v AS SELECT 1", "it has a view \"v\""),
        ("CREATE TABLE more(x)", "it has a table \"more\""),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let facts = [("config", "v = 2.0".to_owned())];
        let mut journal = Journal::create(folder.path(), &facts).unwrap();
        journal.note_named(true).unwrap();
        for n in 0..3 {
            let (id, record) = person(n);
            journal.add_candidate(&id, &record).unwrap();
            journal.add_outcome(&id, None, 1.0).unwrap();
            journal.add(&JournalEntry::Rounds(n)).unwrap();
            journal.commit().unwrap();
        }
        drop(journal);
        Journal::resume(folder.path(), |_| {}).unwrap();
        let store = rusqlite::Connection::open(folder.path().join(JOURNAL)).unwrap();
        store.execute_batch(change).unwrap();
        drop(store);
        let error = refused(folder.path());
        assert!(error.contains(words), "{change}: {error}");
    }
}

/// A crash may lose the head's write, but not the fact that was noted with the entry the head
/// lacks.
#[test]
fn a_crash_before_the_head_was_written_is_no_change_of_facts() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &[("config", "x".into())]).unwrap();
    let head = fs::read(folder.path().join(HEAD)).unwrap();
    journal.note_named(false).unwrap();
    journal.add_candidate("1", "{}").unwrap();
    journal.commit().unwrap();
    drop(journal);
    fs::write(folder.path().join(HEAD), head).unwrap();
    for _ in 0..2 {
        let journal = Journal::resume(folder.path(), |_| {}).unwrap();
        assert_eq!((journal.named(), journal.persons()), (Some(false), 1));
    }
}

/// The pages of the indexes, and the bytes of a page.
fn index_pages(folder: &Path) -> (Vec<usize>, usize) {
    let bytes = fs::read(folder.join(JOURNAL)).unwrap();
    let page = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let kinds = bytes.chunks(page).enumerate().skip(1);
    // Inner pages and leaves of indexes, of two cells at least.
    let pages = kinds.filter(|(_, bytes)| [2, 10].contains(&bytes[0]) && bytes[3..5] > [0, 1][..]);
    (pages.map(|(at, _)| at * page).collect(), page)
}

/// An index with a flipped bit, swapped or lost cells takes no person twice: the journal is refused
/// and repaired, or unharmed.
#[test]
fn a_broken_index_takes_nobody_twice() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 300);
    let entries = all(folder.path()).unwrap();
    let (pages, size) = index_pages(folder.path());
    let bytes = fs::read(folder.path().join(JOURNAL)).unwrap();
    let faults = if std::env::var_os("KLERO_LONG").is_some() {
        3000
    } else {
        150
    };
    let mut draw =
        kleroterion_core::draw::Key::new(23, 0).draw(kleroterion_core::draw::Purpose::World, 0, 0);
    let mut below = |most: usize| (draw.word() % most as u64) as usize;
    let (mut harmed, mut repaired) = (0, 0);
    for n in 0..faults {
        let mut broken = bytes.clone();
        let page = pages[below(pages.len())];
        let cells = usize::from(u16::from_be_bytes([broken[page + 3], broken[page + 4]]));
        match n % 3 {
            0 => broken[page + below(size)] ^= 1 << below(8),
            1 => {
                let header = page + if broken[page] == 10 { 8 } else { 12 };
                let cell = header + 2 * below(cells - 1);
                broken[cell..cell + 4].rotate_left(2);
            }
            _ => broken[page + 3..page + 5].copy_from_slice(&(cells as u16 - 1).to_be_bytes()),
        }
        let copy = copied(folder.path());
        fs::write(copy.path().join(JOURNAL), &broken).unwrap();
        if let Err(error) = Journal::resume(copy.path(), |_| {}) {
            harmed += 1;
            let said = error.to_string();
            assert!(!said.chars().any(char::is_control), "{said:?}");
            match repair(copy.path(), GiveUp::default()) {
                Ok(done) => {
                    repaired += 1;
                    let done = done.expect("something was wrong");
                    assert_eq!((done.persons, done.lost), (300, Some(0)));
                    let kept = fs::read(copy.path().join(BEFORE).join(JOURNAL)).unwrap();
                    assert_eq!(kept, broken);
                }
                Err(error) => panic!("fault {n}: {error}"),
            }
        }
        assert_eq!(all(copy.path()).unwrap(), entries, "fault {n}");
        let mut journal = Journal::resume(copy.path(), |_| {}).unwrap();
        for person in 0..300 {
            let added = journal.add_candidate(&format!("p{person}"), "{}").unwrap();
            assert_eq!(added, Added::Duplicate, "fault {n}, person {person}");
        }
    }
    assert!(
        harmed > faults / 3 && repaired == harmed,
        "{harmed} {repaired}"
    );
}

#[test]
fn a_repair_gives_up_nothing_that_it_may_not() {
    let folder = changed(4, "UPDATE entry SET body = '{}' WHERE seq = 8");
    let error = repair(folder.path(), GiveUp::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("entry 8 is not what was committed"),
        "{error}"
    );
    assert!(!folder.path().join(BEFORE).exists());
    let rest = GiveUp {
        rest: true,
        ..GiveUp::default()
    };
    let done = repair(folder.path(), rest)
        .unwrap()
        .expect("something was wrong");
    assert_eq!((done.reach.seq, done.persons, done.lost), (7, 3, Some(5)));
    assert_eq!(all(folder.path()).unwrap().len(), 7);
    assert_eq!(repair(folder.path(), rest).unwrap(), None);
    // Without its head, nobody can know whether the end is the end.
    fs::remove_file(folder.path().join(HEAD)).unwrap();
    repair(folder.path(), GiveUp::default()).unwrap_err();
    let head = GiveUp {
        head: true,
        ..GiveUp::default()
    };
    let done = repair(folder.path(), head)
        .unwrap()
        .expect("something was wrong");
    assert_eq!((done.reach.seq, done.lost), (7, None));
    assert!(folder.path().join(format!("{BEFORE}-2")).exists());
    let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
    assert_eq!(journal.add_candidate("p2", "{}").unwrap(), Added::Duplicate);
    // Not while a run writes it.
    let error = repair(folder.path(), head).unwrap_err();
    assert!(matches!(error, JournalError::InUse), "{error}");
}

#[test]
fn a_copy_of_a_journal_that_is_written_is_whole_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 5);
    let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
    journal.add_candidate("late", "{}").unwrap();
    let to = tempfile::tempdir().unwrap();
    let (reach, persons) = back_up(folder.path(), to.path()).unwrap();
    assert_eq!((reach.seq, persons), (15, 5));
    journal.commit().unwrap();
    let before = all(folder.path()).unwrap();
    assert_eq!(all(to.path()).unwrap(), before[..15]);
    let mut copy = Journal::resume(to.path(), |_| {}).unwrap();
    copy.add_candidate("other", "{}").unwrap();
    copy.commit().unwrap();
    assert_eq!(all(to.path()).unwrap().len(), 16);
    // Nothing is copied over another one.
    back_up(folder.path(), to.path()).unwrap_err();
    assert_eq!(all(to.path()).unwrap().len(), 16);
}

/// A reader merges no write-ahead log: the files that a crash left stay the same, byte by byte.
#[test]
fn who_reads_leaves_the_files_as_they_are() {
    let (folder, entries) = crashed();
    let names = [
        JOURNAL.to_owned(),
        format!("{JOURNAL}-wal"),
        HEAD.to_owned(),
    ];
    let bytes = || {
        names
            .each_ref()
            .map(|name| fs::read(folder.path().join(name)).unwrap())
    };
    let before = bytes();
    assert_eq!(all(folder.path()).unwrap(), entries);
    assert!(bytes() == before);
}

#[test]
#[cfg(unix)]
fn a_journal_next_to_which_nothing_can_be_written_is_not_called_lost() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 2);
    // In the way of the file that SQLite has to make, also for root.
    let shared = folder.path().join(format!("{JOURNAL}-shm"));
    std::os::unix::fs::symlink("nowhere", shared).unwrap();
    let error = JournalReader::open(folder.path()).unwrap_err();
    assert!(matches!(error, JournalError::Unwritable(..)), "{error}");
    assert!(
        error.to_string().ends_with("its entries are not touched"),
        "{error}"
    );
}

/// A reader lags where its head names fewer entries than there are, or no hash of the facts.
#[test]
fn a_head_that_knows_less_than_was_read_lags() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 2);
    let read = |head: Option<Promise>| {
        let mut reader = match head {
            None => JournalReader::open(folder.path()).unwrap(),
            Some(head) => JournalReader::at(folder.path().join(JOURNAL), head).unwrap(),
        };
        reader.read_all(|_| {}).unwrap();
        (reader.lags(), reader.reach())
    };
    let (lags, reach) = read(None);
    assert!(!lags && reach.seq == 6);
    let facts = Some(JournalReader::open(folder.path()).unwrap().facts.hash());
    let promise = |reach, facts| Promise { reach, facts };
    assert!(!read(Some(promise(reach, facts.clone()))).0);
    assert!(read(Some(promise(Reach::default(), facts.clone()))).0);
    assert!(read(Some(promise(reach, None))).0);
    // The chain of another entry is not the journal's.
    let other = Reach {
        seq: 6,
        ..Reach::default()
    };
    let mut reader = JournalReader::at(folder.path().join(JOURNAL), promise(other, facts)).unwrap();
    let error = reader.read_all(|_| {}).unwrap_err().to_string();
    assert!(
        error.contains("entry 6 is another than the one its head names"),
        "{error}"
    );
}

/// The fact that candidates have ids, or none, is known once it is noted, and kept after a commit.
#[test]
fn whether_persons_are_named_is_noted() {
    for named in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(folder.path(), &[]).unwrap();
        assert_eq!(journal.named(), None);
        journal.note_named(named).unwrap();
        assert_eq!(journal.named(), Some(named));
        journal.commit().unwrap();
        drop(journal);
        let journal = Journal::resume(folder.path(), |_| {}).unwrap();
        assert_eq!((journal.named(), journal.last_seq()), (Some(named), 0));
    }
}

/// Reading makes no journal where there is none.
#[test]
fn a_journal_that_is_gone_is_not_made_anew_by_who_reads() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 1);
    let journal = folder.path().join(JOURNAL);
    fs::remove_file(&journal).unwrap();
    assert!(JournalReader::open(folder.path()).is_err());
    assert!(Journal::resume(folder.path(), |_| {}).is_err());
    assert!(!journal.exists());
}

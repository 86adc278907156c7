//! Tests of the operations that a journal performs on its disk, real or simulated.

use super::super::disk::{rewrite, sync_names};
use super::super::keeping::synced;
use super::super::simulated::{DiskFault, MountedDisk, Plant, mount};
use super::*;

/// Longer than the pieces in which it is written.
#[test]
fn a_file_that_is_written_once_more_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    for length in [0, 5, 1 << 20, (2 << 20) + 77] {
        let bytes: Vec<u8> = (0..length).map(|at: u32| (at % 251) as u8).collect();
        fs::write(&path, &bytes).unwrap();
        rewrite(&path).unwrap();
        assert!(fs::read(&path).unwrap() == bytes, "{length}");
    }
}

#[test]
fn only_a_file_that_is_not_there_need_not_be_written_once_more() {
    let folder = tempfile::tempdir().unwrap();
    rewrite(&folder.path().join("none")).unwrap();
    // A folder can't be written.
    assert!(rewrite(folder.path()).is_err());
}

#[test]
fn names_of_a_folder_that_is_gone_are_not_synced() {
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone");
    sync_names(folder.path()).unwrap();
    assert!(sync_names(&gone).is_err());
    synced(folder.path()).unwrap();
    let error = synced(&gone).unwrap_err();
    assert!(
        matches!(&error, JournalError::Io(path, _) if *path == gone),
        "{error}"
    );
}

#[test]
fn a_journal_is_in_use_while_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!is_in_use(folder.path()));
    let journal = Journal::create(folder.path(), &[]).unwrap();
    assert!(is_in_use(folder.path()) && is_in_use(folder.path()));
    drop(journal);
    assert!(!is_in_use(folder.path()));
    let reader = JournalReader::open(folder.path()).unwrap();
    assert!(!is_in_use(folder.path()));
    drop(reader);
}

#[test]
fn a_database_that_is_gone_is_not_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 1);
    let path = folder.path().join(JOURNAL);
    fs::remove_file(&path).unwrap();
    for error in [
        JournalReader::open(folder.path()).unwrap_err(),
        Journal::resume(folder.path(), |_| {}).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(text.contains(&path.display().to_string()), "{text}");
        assert!(!path.exists());
    }
}

#[test]
fn a_reader_finds_the_record_of_a_person_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 3);
    let reader = JournalReader::open(folder.path()).unwrap();
    let (id, record) = person(1);
    assert_eq!(reader.record(&id).unwrap(), Some(record));
    assert_eq!(reader.record("p3").unwrap(), None);
}

/// A journal of one person, on a simulated disk.
fn begun(plant: Option<Plant>) -> (MountedDisk, Journal) {
    let disk = mount(3, plant);
    let mut journal = Journal::create(&disk.folder(), &[]).unwrap();
    journal.add_candidate("a", "{}").unwrap();
    journal.commit().unwrap();
    (disk, journal)
}

/// Its names are synced too, or a power cut would take the files.
#[test]
fn what_was_committed_outlives_a_power_cut() {
    let (disk, _journal) = begun(None);
    let left = disk.at_worst();
    assert_eq!(all(&left.folder()).unwrap().len(), 1);
    // A commit that is not synced is lost, and its head says that it was.
    let (disk, _journal) = begun(Some(Plant::UnsyncedCommit));
    let error = all(&disk.at_worst().folder()).unwrap_err().to_string();
    assert!(
        error.contains("lost") || error.contains("nothing can be read"),
        "{error}"
    );
}

/// Returns true if a power cut within a commit can leave a head that promises more entries than
/// there are.
fn breaks_its_promise(plant: Option<Plant>) -> bool {
    (1..40).any(|operations| {
        let (disk, mut journal) = begun(plant);
        journal.add_candidate("b", "{}").unwrap();
        disk.fault_after(operations, DiskFault::PowerCut);
        let committed = journal.commit();
        assert_eq!(committed.is_ok(), disk.has_power(), "{operations}");
        drop(journal);
        match all(&disk.at_worst().folder()) {
            Ok(entries) => {
                assert!(entries.len() == 2 || committed.is_err(), "{operations}");
                false
            }
            Err(_) => true,
        }
    })
}

#[test]
fn the_head_is_written_after_the_commit_that_it_promises() {
    assert!(!breaks_its_promise(None));
    assert!(breaks_its_promise(Some(Plant::HeadFirst)));
}

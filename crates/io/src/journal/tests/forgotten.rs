//! A sync that fails leaves what the system shows and the disk never got.

use rusqlite::{Connection, OpenFlags};

use super::super::simulated::{DiskFault, VFS, mount};
use super::*;

/// Adds a person and commits.
fn take(journal: &mut Journal, id: &str) -> Result<Added, JournalError> {
    let added = journal.add_candidate(id, "{}")?;
    journal.commit()?;
    Ok(added)
}

/// The ids of people in the journal of a folder.
fn ids(folder: &Path) -> Vec<String> {
    let entries = all(folder).unwrap();
    let ids = entries
        .iter()
        .filter_map(|entry| entry.entry.columns().1.map(str::to_owned));
    ids.collect()
}

#[test]
fn what_is_acknowledged_after_a_failed_sync_and_a_kill_is_on_the_disk() {
    let (mut repeats, mut failed) = (0, 0);
    for seed in 0..40 {
        for operation in 1..16 {
            let disk = mount(seed, None);
            let folder = disk.folder();
            let mut journal = Journal::create(&folder, &[]).unwrap();
            take(&mut journal, "a").unwrap();
            disk.fault_after(operation, DiskFault::Broken);
            failed += u64::from(take(&mut journal, "b").is_err());
            // Killed: SQLite can't put away what it did not commit.
            disk.kill();
            drop(journal);
            disk.restart();
            let mut journal = Journal::resume(&folder, |_| {}).unwrap();
            repeats += u64::from(take(&mut journal, "b").unwrap() == Added::Duplicate);
            take(&mut journal, "c").unwrap();
            let left = disk.at_worst();
            assert_eq!(
                ids(&left.folder()),
                ["a", "b", "c"],
                "{seed}, at {operation}"
            );
        }
    }
    assert!(repeats > 100 && failed > 100, "{repeats}, {failed}");
}

#[test]
fn a_journal_that_can_not_keep_a_log_is_not_begun() {
    let mut begun = 0;
    for operation in 1..80 {
        let disk = mount(operation, None);
        disk.fault_after(operation, DiskFault::Broken);
        if Journal::create(&disk.folder(), &[]).is_err() {
            continue;
        }
        begun += 1;
        let seen = disk.as_it_is();
        let path = seen.folder().join(JOURNAL);
        let store = Connection::open_with_flags_and_vfs(path, OpenFlags::default(), VFS).unwrap();
        let mode: String = store
            .query_row("PRAGMA journal_mode", [], |row| row.get(0))
            .unwrap();
        assert_eq!(mode, "wal", "at {operation}");
    }
    assert!((1..70).contains(&begun), "{begun}");
}

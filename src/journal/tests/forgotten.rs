//! A sync that fails leaves what the system shows and the disk never got.

use super::super::simulated::{Fault, mount};
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
        .filter_map(|entry| entry.entry.id().map(str::to_owned));
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
            disk.fault_after(operation, Fault::Broken);
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

//! Journals, given any bytes: rows of entries, slots of heads, and whole databases.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use super::chain::Chain;
use super::database::JOURNAL;
use super::entry::{JournalEntry, Numbered};
use super::head::{promise, slot};
use super::{Added, GiveUp, Journal, JournalError, JournalReader, Reported, repair};

/// A row, its columns `kind`, `id` and `body` between tabs; and a slot of a head.
pub fn entry(bytes: &[u8]) {
    let _ = slot(bytes);
    let text = String::from_utf8_lossy(bytes);
    if let Some((_, promise)) = promise(&text) {
        let chain = promise.reach.chain;
        assert_eq!(Chain::of_hex(&chain.hex()), Some(chain), "another link");
    }
    let mut columns = text.splitn(3, '\t');
    let mut column = || columns.next().unwrap_or_default();
    let (kind, id, body) = (column(), column(), column());
    let Some(entry) = JournalEntry::of(kind, Some(id), body) else {
        return;
    };
    let (_, id, body) = entry.columns();
    let again = JournalEntry::of(kind, id, &body);
    let again = again.expect("an entry that was read can be read again");
    assert!(again == entry, "an entry says another thing");
    let link = |entry| Chain::default().with(1, entry);
    assert!(link(&again) == link(&entry), "an entry has two hashes");
}

/// A database in the place of a journal's: it is refused, or has all that was committed and takes
/// no one twice. A repair keeps only what was committed.
pub fn journal(bytes: &[u8]) {
    PLACE.with_borrow(|place| place.hold(bytes).expect("a folder"));
}

thread_local! {
    static PLACE: RefCell<HostilePlace> = RefCell::new(HostilePlace::open());
}

/// People of the model.
const PEOPLE: u64 = 8;

/// A folder in which bytes take the place of the database of a journal that is known.
struct HostilePlace {
    folder: tempfile::TempDir,
    head: Vec<u8>,
    entries: Vec<Numbered>,
}

impl HostilePlace {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        model(folder.path()).expect("a journal");
        let head = fs::read(folder.path().join(super::HEAD)).expect("a head");
        let entries = entries(folder.path()).expect("a journal");
        Self {
            folder,
            head,
            entries,
        }
    }

    fn hold(&self, bytes: &[u8]) -> std::io::Result<()> {
        let folder = self.folder.path();
        for file in fs::read_dir(folder)? {
            let path = file?.path();
            match path.is_dir() {
                true => fs::remove_dir_all(path)?,
                false => fs::remove_file(path)?,
            }
        }
        fs::write(folder.join(super::HEAD), &self.head)?;
        fs::write(folder.join(JOURNAL), bytes)?;
        match entries(folder) {
            Ok(entries) => {
                assert!(entries == self.entries, "other entries than were committed");
                self.take_again();
            }
            // It syncs, so that some must do.
            Err(_) if blake3::hash(bytes).as_bytes()[0] < 16 => self.mend(),
            Err(_) => {}
        }
        Ok(())
    }

    /// Takes all people again, where it can be gone on with.
    fn take_again(&self) {
        let Ok(mut journal) = Journal::resume(self.folder.path(), |_| {}) else {
            return;
        };
        for n in 0..PEOPLE {
            let added = journal.add_candidate(&format!("p{n}"), "{}");
            let is_new = matches!(added, Ok(Added::As { .. }));
            assert!(!is_new, "p{n} is taken twice");
        }
    }

    /// Repairs it, whatever must be given up.
    fn mend(&self) {
        let all = GiveUp {
            head: true,
            rest: true,
        };
        if repair(self.folder.path(), all).is_ok() {
            let entries = entries(self.folder.path()).expect("a repaired journal is whole");
            let is_kept = self.entries.starts_with(&entries);
            assert!(is_kept, "a repair kept what was not committed");
        }
    }
}

/// A journal that is the same each time: that of `fuzz/corpus/journal`.
fn model(folder: &Path) -> Result<(), JournalError> {
    let mut journal = Journal::create(folder, &[("config", "name = \"model\"".to_owned())])?;
    for n in 0..PEOPLE {
        let id = format!("p{n}");
        journal.add_candidate(&id, &format!("{{\"id\":\"{id}\",\"sex\":\"female\"}}"))?;
        if n % 2 == 0 {
            journal.add_outcome(&id, Some("queue"), n as f64 / 3.0)?;
        }
        journal.commit()?;
    }
    let corrected = super::Corrected {
        reported: Reported {
            person: 2,
            policy: Some("queue".into()),
            value: 0.5,
        },
        before: 2.0 / 3.0,
    };
    journal.correct("p2", corrected)?;
    journal.commit()
}

fn entries(folder: &Path) -> Result<Vec<Numbered>, JournalError> {
    let mut entries = Vec::new();
    let mut reader = JournalReader::open(folder)?;
    reader.examine()?;
    reader.read_all(|entry| entries.push(entry.clone()))?;
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_testkit::hostile::feed;

    /// With KLERO_WRITE_DOCS=1 the example is written anew.
    #[test]
    fn the_example_of_a_journal_is_the_one_that_is_known() {
        let place = HostilePlace::open();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/journal/whole");
        if std::env::var_os("KLERO_WRITE_DOCS").is_some() {
            let store = rusqlite::Connection::open(place.folder.path().join(JOURNAL)).unwrap();
            // Small pages, so that few bytes are of no use.
            let small = "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM;";
            store.execute_batch(small).unwrap();
            fs::copy(place.folder.path().join(JOURNAL), &example).unwrap();
        }
        let bytes = fs::read(&example).unwrap();
        place.hold(&bytes).unwrap();
        let hint =
            "write it anew: KLERO_WRITE_DOCS=1 cargo test -p kleroterion-io journal::hostile";
        let found = entries(place.folder.path());
        assert!(found.is_ok_and(|found| found == place.entries), "{hint}");
    }

    #[test]
    fn any_row_of_a_journal_is_read_or_refused() {
        feed("entry", 50, None, super::entry);
    }

    #[test]
    fn any_database_of_a_journal_has_what_was_committed_or_is_refused() {
        feed("journal", 1, None, super::journal);
    }
}

//! Tests of heads: the moments at which they are written, and their promises of entries and facts.

use super::super::chain::Chain;
use super::super::facts::{Facts, NAMED};
use super::*;

fn head(folder: &Path) -> Vec<u8> {
    fs::read(folder.join(HEAD)).unwrap()
}

/// A head of a time before there were hashes of facts.
fn plain_head(folder: &Path) {
    let reach = Head::peek(folder).unwrap().reach;
    let slots = [1, 2].map(|writes| {
        let line = format!("{writes} {} {}", reach.seq, reach.chain.hex());
        let check = blake3::hash(line.as_bytes()).to_hex();
        format!("{:127}\n", format!("{line} {}", &check[..16]))
    });
    fs::write(folder.join(HEAD), slots.concat()).unwrap();
}

#[test]
fn resuming_writes_a_head_only_where_it_knows_less() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 1);
    let early = head(folder.path());
    drop(Journal::resume(folder.path(), |_| {}).unwrap());
    assert_eq!(head(folder.path()), early);

    let mut journal = Journal::resume(folder.path(), |_| {}).unwrap();
    journal.add_candidate("late", "{}").unwrap();
    journal.commit().unwrap();
    drop(journal);
    fs::write(folder.path().join(HEAD), early).unwrap();
    assert_eq!(Head::peek(folder.path()).unwrap().reach.seq, 3);
    drop(Journal::resume(folder.path(), |_| {}).unwrap());
    assert_eq!(Head::peek(folder.path()).unwrap().reach.seq, 4);

    plain_head(folder.path());
    assert_eq!(Head::peek(folder.path()).unwrap().facts, None);
    drop(Journal::resume(folder.path(), |_| {}).unwrap());
    let promise = Head::peek(folder.path()).unwrap();
    assert_eq!((promise.reach.seq, promise.facts.is_some()), (4, true));
}

#[test]
fn a_link_is_read_of_all_its_digits_alone() {
    let link = "0123456789abcdef".repeat(2);
    assert_eq!(Chain::of_hex(&link).expect("a link").hex(), link);
    let long = format!("{link}00");
    let foreign = "\u{e9}".repeat(16);
    for wrong in ["", "01", &link[2..], &long, &foreign, &"0g".repeat(16)] {
        assert_eq!(Chain::of_hex(wrong), None, "{wrong}");
    }
}

#[test]
fn only_a_journal_ahead_of_its_head_may_know_more_of_its_persons() {
    let facts = |pairs: &[(&str, &str)]| {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Facts(pairs.iter().map(owned).collect())
    };
    let before = facts(&[("config", "v = 1.0")]).hash();
    let noted = facts(&[("config", "v = 1.0"), (NAMED, "true")]);
    assert!(noted.are(&noted.hash(), false) && noted.are(&before, true));
    assert!(!noted.are(&before, false));
    let other = facts(&[("config", "v = 2.0"), (NAMED, "true")]);
    assert!(!other.are(&before, true) && !other.are(&noted.hash(), true));

    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::create(folder.path(), &[]).unwrap();
    assert_eq!(journal.named(), None);
    journal.add_candidate("a", "{}").unwrap();
    journal.commit().unwrap();
    drop(journal);
    let store = rusqlite::Connection::open(folder.path().join(JOURNAL)).unwrap();
    let insert = "INSERT INTO fact VALUES ('named', 'true')";
    store.execute_batch(insert).unwrap();
    drop(store);
    let error = Journal::resume(folder.path(), |_| {}).unwrap_err();
    assert!(
        error.to_string().contains("the config or options in it"),
        "{error}"
    );
}

#[test]
fn a_database_that_says_nothing_has_lost_what_its_head_promises() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), 1);
    fs::write(folder.path().join(JOURNAL), "").unwrap();
    let error = JournalReader::open(folder.path()).unwrap_err();
    assert!(matches!(error, JournalError::Broken(_)), "{error:?}");
    let error = error.to_string();
    assert!(
        error.contains("nothing can be read of it") && error.contains("3 entries were committed"),
        "{error}"
    );
}

#[test]
fn a_journal_that_is_let_go_in_a_moment_is_not_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::create(folder.path(), &[]).unwrap();
    assert!(is_in_use(folder.path()) && stays_in_use(folder.path()));
    let ending = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        drop(journal);
    });
    assert!(is_in_use(folder.path()));
    assert!(!stays_in_use(folder.path()));
    ending.join().unwrap();
}

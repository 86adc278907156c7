//! Tests of the journal of a process, which is in memory.

use super::*;

/// A journal gives the same answers in a folder, in memory, and moved from memory to a file.
#[test]
fn a_temporary_journal_answers_as_one_that_lasts() {
    let folder = tempfile::tempdir().unwrap();
    let lasts = Journal::create(folder.path(), &[]).unwrap();
    let moves = Journal::temporary_within(1000).unwrap();
    let journals = [lasts, moves, Journal::temporary().unwrap()];
    let [lasts, moves, stays] = journals.map(|mut journal| {
        let mut said = Vec::new();
        for n in 0..40 {
            let (id, record) = person(n);
            said.push(journal.add_candidate(&id, &record).unwrap());
            said.push(journal.add_candidate(&id, "{}").unwrap());
            let (before, _) = person(n / 2);
            said.push(journal.add_outcome(&before, None, n as f64).unwrap());
            let chosen = vec![0];
            let decided = JournalEntry::Decision(Decided { round: n, chosen });
            said.push(journal.add(&decided).unwrap());
            journal.commit().unwrap();
        }
        said.push(journal.add_outcome("stranger", None, 1.0).unwrap());
        let (id, _) = person(7);
        let reported = Reported {
            person: 7,
            policy: None,
            value: 0.5,
        };
        let before = 14.0;
        let corrected = Corrected { reported, before };
        said.push(journal.correct(&id, corrected).unwrap());
        journal.note_named(true).unwrap();
        journal.commit().unwrap();
        let known = (
            journal.standing(&id).unwrap(),
            journal.record(&id).unwrap(),
            journal.outcome(&id, None).unwrap(),
            journal.standing("stranger").unwrap(),
            journal.record("stranger").unwrap(),
        );
        assert_eq!(known.0.map(|(_, person)| person), Some(7));
        let counts = (journal.last_seq(), journal.persons(), journal.named());
        (said, known, counts)
    });
    assert_eq!(moves, lasts);
    assert_eq!(stays, lasts);
}

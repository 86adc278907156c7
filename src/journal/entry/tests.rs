use super::*;

#[test]
fn what_a_hiring_round_writes_is_read_back() {
    let look = JournalLook {
        kind: "phone".into(),
        nth: 2,
    };
    let answered = |value, by: Option<&str>| AnsweredLook {
        look: look.clone(),
        value,
        by: by.map(Into::into),
    };
    let entries = [
        JournalEntry::Slate(SlateStep::Begun(1_700_000_000_123)),
        JournalEntry::Slate(SlateStep::Closed(ClosedBy::Organiser)),
        JournalEntry::Slate(SlateStep::Closed(ClosedBy::FeedEnd)),
        JournalEntry::Withdrawal("ann".into(), Withdrawn { person: Some(7) }),
        JournalEntry::Withdrawal("bob".into(), Withdrawn { person: None }),
        JournalEntry::Asked(
            "ann".into(),
            AskedLook {
                look: look.clone(),
                at: 7,
            },
        ),
        JournalEntry::Answer("ann".into(), answered(0.1 + 0.2, Some("Mira"))),
        JournalEntry::Answer("ann".into(), answered(-1e-300, None)),
        JournalEntry::Miss("ann".into(), look),
        JournalEntry::Settled(SettledStep { at: 7, before: 3 }),
    ];
    for entry in entries {
        let word = entry.kind().word();
        let kind = EntryKind::of(word).expect("a kind");
        let read = JournalEntry::of(kind, entry.id(), &entry.body());
        assert_eq!(read.as_ref(), Some(&entry), "{word}");
    }
}

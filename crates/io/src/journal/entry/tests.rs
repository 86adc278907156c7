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
        let (word, id, body) = entry.columns();
        let read = JournalEntry::of(word, id, &body);
        assert_eq!(read.as_ref(), Some(&entry), "{word}");
    }
}

#[test]
fn outcomes_and_their_corrections_name_their_person_and_their_policy() {
    let reported = |policy: Option<&str>| Reported {
        person: 7,
        policy: policy.map(Into::into),
        value: 0.5,
    };
    for policy in [None, Some("queue")] {
        let corrected = Corrected {
            reported: reported(policy),
            before: 0.25,
        };
        for entry in [
            JournalEntry::Outcome("ann".into(), reported(policy)),
            JournalEntry::Correction("ann".into(), corrected),
        ] {
            assert_eq!((entry.policy(), entry.person(9)), (policy, Some(7)));
        }
    }
    let entry = JournalEntry::Candidate("ann".into(), "{}".into());
    assert_eq!((entry.policy(), entry.person(9)), (None, Some(9)));
    assert_eq!(JournalEntry::Rounds(3).person(9), None);
}

/// Only what counts records that are not kept says how many.
#[test]
fn a_refusal_says_how_many_it_counts_where_it_counts_any() {
    let of = |records| {
        let refusal = RefusalEntry {
            line: 3,
            error: "no id".into(),
            record: "{}".into(),
            records,
        };
        serde_json::to_string(&refusal).unwrap()
    };
    assert_eq!(of(0), r#"{"line":3,"error":"no id","record":"{}"}"#);
    assert_eq!(
        of(1),
        r#"{"line":3,"error":"no id","record":"{}","records":1}"#
    );
}

/// Journals in which ends had no kind have only those of programs that left.
#[test]
fn an_end_says_of_which_kind_it_is_unless_its_program_left() {
    let of = |json: &str| match JournalEntry::of("forfeit", None, json) {
        Some(JournalEntry::Forfeit(forfeit)) => Some(forfeit),
        _ => None,
    };
    let at = r#"{"policy":"odd","round":7,"step":1"#;
    let stop = |ending| Some(Stop::because(ending, "it fell over"));
    for (end, read) in [
        ("}", None),
        (r#","ended":"it fell over"}"#, stop(Ending::Left)),
        (
            r#","ended":"it fell over","ending":"disqualified"}"#,
            stop(Ending::Disqualified),
        ),
    ] {
        let json = format!("{at}{end}");
        let forfeit = of(&json).expect("an entry");
        assert_eq!(forfeit.stop(), read, "{json}");
        assert_eq!(JournalEntry::Forfeit(forfeit).columns().2, json);
    }
    assert_eq!(
        of(&format!(r#"{at},"ended":"","ending":"exploded"}}"#)),
        None
    );
}

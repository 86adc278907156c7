use std::collections::BTreeSet;

use super::*;
use kleroterion_run::catalog::kinds;

fn decision(chosen: bool, reason: &[(&str, f64)]) -> Decision {
    let reason = reason.iter();
    Decision {
        replication: 0,
        round: 1,
        policy: "p".into(),
        shown: vec!["17".into()],
        groups: vec![
            ("gender".into(), vec!["F".into()]),
            ("age".into(), vec!["55+".into()]),
        ],
        chosen: if chosen { vec!["17".into()] } else { vec![] },
        declined: Vec::new(),
        forfeit: false,
        p: None,
        reason: reason
            .map(|(name, value)| ((*name).to_owned(), Some(*value)))
            .collect(),
        cost: 0.0,
        at: Vec::new(),
        ..Decision::default()
    }
}

#[test]
fn every_kind_has_a_sentence_and_one_alone() {
    let declared: Vec<&str> = SENTENCES
        .iter()
        .flat_map(|(kinds, ..)| *kinds)
        .copied()
        .collect();
    let kinds: BTreeSet<&str> = kinds().map(|kind| kind.name).collect();
    assert_eq!(declared.iter().copied().collect::<BTreeSet<_>>(), kinds);
    assert_eq!(declared.len(), kinds.len());
}

#[test]
fn sentences_name_the_group_and_its_seats() {
    let full = [
        ("acceptance", 0.0),
        ("slack", 0.0),
        ("attribute", 2.0),
        ("taken", 12.0),
        ("most", 12.0),
    ];
    for (kind, chosen, terms, wanted) in [
        (
            "greedy",
            false,
            &full[..],
            "no room: 55+ has 12 of at most 12 seats",
        ),
        (
            "greedy",
            false,
            &full[..1],
            "no one who may come fits the quotas any more",
        ),
        (
            "greedy",
            false,
            &full[..2],
            "a quota of its groups has no room",
        ),
        (
            "quota_lookahead",
            false,
            &[
                ("slack", 3.0),
                ("spare", -1.0),
                ("seats_left", 5.0),
                ("attribute", 1.0),
                ("owed", 5.0),
            ],
            "of 5 seats left, groups other than F need 5 to reach their minimum",
        ),
        (
            "virtual_queue",
            false,
            &[
                ("score", 3.25),
                ("v", 2.0),
                ("attribute", 2.0),
                ("taken", 14.0),
                ("wanted", 12.2),
            ],
            "55+ is over-represented (14 seats, 12.2 by the target): queue 3.25, above the limit of 2",
        ),
        (
            "virtual_queue",
            true,
            &[("score", -1.5), ("v", 2.0)],
            "queue \u{2212}1.5, within the limit of 2",
        ),
        (
            "cmdp",
            true,
            &[("acceptance", 0.3111)],
            "drawn by lot: F, 55+ has a chance of 31.1 %",
        ),
        (
            "cmdp",
            false,
            &[("acceptance", 0.0)],
            "F, 55+ is never accepted",
        ),
        (
            "fair_greedy",
            true,
            &[
                ("relative_rank", 0.926),
                ("highest_passed", 0.926),
                ("ties", 2.0),
            ],
            "the highest rank within its own group, 0.926, the next has 0.926; drawn by lot of 2 equals",
        ),
        ("cmdp", false, &[("places", 0.0)], "no seat was left"),
        (
            "exec",
            true,
            &[("x", 1.0), ("y", -2.5)],
            "x 1, y \u{2212}2.5",
        ),
        ("unheard of", true, &[("x", 1.0)], "x 1"),
    ] {
        assert_eq!(sentence(kind, &decision(chosen, terms)), wanted);
    }
}

#[test]
fn of_several_shown_the_sentence_says_whom_it_is_about() {
    let mut of_two = decision(true, &[("acceptance", 1.0)]);
    of_two.shown.insert(0, "16".into());
    of_two.groups[0].1.insert(0, "M".into());
    of_two.groups[1].1.insert(0, "18-34".into());
    assert_eq!(sentence("cmdp", &of_two), "17: F, 55+ is always accepted");
    of_two.chosen.clear();
    assert_eq!(sentence("cmdp", &of_two), "16: M, 18-34 is always accepted");
    of_two.forfeit = true;
    assert_eq!(sentence("exec", &of_two), "it did not answer in time");
}

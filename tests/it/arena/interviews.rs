//! Interviews at a price.

use kleroterion::protocol::{
    Choose, Ending, InterviewKind, LookStats, Move, Pull, Pulls, Rules, Until,
};

use crate::doubles::{
    Account, Event, GAINS, Learner, Part, Seating, Show, Sight, World, look, look_at_all,
    look_noise, merit, reflex,
};

/// Looks of gain 1 for 1, of gain 2 for 2, of gain 4 for 3.
fn kinds() -> Vec<InterviewKind> {
    let kind = |(name, cost, gain): (&str, f64, f64)| InterviewKind {
        name: name.into(),
        cost,
        gain: gain.into(),
    };
    [
        ("weak", 1.0, GAINS[0]),
        ("middling", 2.0, GAINS[1]),
        ("strong", 3.0, GAINS[2]),
    ]
    .map(kind)
    .into()
}

fn rules(choose: Choose, rounds: u64) -> Rules {
    let mut rules = Rules::new(choose, Until::Rounds(rounds));
    rules.interviews = kinds();
    rules
}

/// Makes these moves in turn in each round.
fn moves(label: &str, rules: Rules, moves: Vec<Move>) -> Part {
    let mind = reflex(move |sight| {
        let looks: u32 = sight.seen.iter().map(|seen| seen.file.looks).sum();
        // How many moves were made so far is how many of them the looks account for.
        let mut bought = 0;
        for step in &moves {
            let Move::Interview(pulls) = step else {
                return step.clone();
            };
            bought += pulls.as_slice().len() as u32;
            if looks < bought && sight.looks_left > 0 {
                return step.clone();
            }
        }
        panic!("no move is left");
    });
    Part::new(label, rules, mind)
}

fn sights(account: &Account) -> Vec<&Sight> {
    let sights = account.diary.iter().filter_map(|event| match event {
        Event::Saw(sight) => Some(sight),
        _ => None,
    });
    sights.collect()
}

#[test]
fn a_file_holds_the_weighted_mean_of_the_looks() {
    let part = moves(
        "two looks",
        rules(Choose::Exactly(1), 1),
        vec![look(1, 0), look(1, 2), look_at_all(2, &[1]), Move::take(0)],
    );
    let show = Show::new(World::of([2, 2]), vec![part]);
    let account = &show.holds()[0];
    // Person 0 is worth 0, person 1 is worth 7; the noise of their first looks.
    let noise = |person, nth| look_noise(show.key(), person, nth);
    assert_eq!([noise(0, 0), noise(1, 0), noise(1, 1), noise(1, 2)], NOISE);
    let [n00, n10, n11, n12] = NOISE;
    let file = |looks, weight, sum: f64| LookStats {
        looks,
        weight,
        mean: sum / weight,
    };
    let none = LookStats::default();
    let files: Vec<[LookStats; 2]> = sights(account)
        .iter()
        .map(|sight| [sight.seen[0].file, sight.seen[1].file])
        .collect();
    assert_eq!(
        files,
        [
            [none, none],
            [none, file(1, 1.0, 7.0 + n10)],
            [none, file(2, 5.0, (7.0 + n10) + 4.0 * (7.0 + n11 / 4.0))],
            [
                file(1, 2.0, 2.0 * (n00 / 2.0)),
                file(3, 7.0, (7.0 + n10) + (28.0 + n11) + (14.0 + n12)),
            ],
        ]
    );
    let passed = &account.rounds[0];
    assert_eq!((passed.spent, passed.looks), (1.0 + 3.0 + 2.0 + 2.0, 4));
    let answers: Vec<Vec<(u32, usize, f64)>> = sights(account)
        .iter()
        .map(|sight| sight.answers.iter())
        .map(|answers| {
            answers
                .map(|a| (a.pull.slot, a.pull.kind, a.value))
                .collect()
        })
        .collect();
    assert_eq!(
        answers,
        [
            vec![],
            vec![(1, 0, 7.0 + n10)],
            vec![(1, 2, 7.0 + n11 / 4.0)],
            vec![(0, 1, n00 / 2.0), (1, 1, 7.0 + n12 / 2.0)],
        ]
    );
}

/// `numpy.random.Philox(counter=[0, nth, person, 2], key=[2024, 3]).random_raw(1) >> 60` for the
/// looks above.
const NOISE: [f64; 4] = [9.0, 1.0, 2.0, 12.0];

#[test]
fn lanes_that_buy_different_kinds_see_the_same_noise() {
    let buyer = |kind: usize| {
        let looks = vec![
            look_at_all(3, &[kind]),
            look_at_all(3, &[kind]),
            Move::take(2),
        ];
        moves(
            &format!("kind {kind}"),
            rules(Choose::Exactly(1), 20),
            looks,
        )
    };
    let show = Show::new(World::of([3; 20]), vec![buyer(0), buyer(1), buyer(2)]);
    let accounts = show.holds();
    let noises = |k: usize| -> Vec<f64> {
        let sights = sights(&accounts[k]);
        let answers = sights.iter().flat_map(|sight| {
            let answers = sight.answers.iter();
            answers.map(|answer| {
                let number = sight.seen[answer.pull.slot as usize].number;
                (answer.value - merit(number)) * GAINS[k]
            })
        });
        answers.collect()
    };
    assert_eq!(noises(0).len(), 120);
    assert_eq!(noises(0), noises(1));
    assert_eq!(noises(0), noises(2));
    let costs: Vec<f64> = accounts
        .iter()
        .map(|account| account.scores["cost"])
        .collect();
    assert_eq!(costs, [120.0, 240.0, 360.0]);
}

#[test]
fn looks_are_served_in_order_until_one_does_not_fit() {
    // 5 is enough for two middling looks; the strong one does not fit, and the weak one after it is
    // not served.
    let wanted = [(0, 1), (1, 1), (2, 2), (0, 0)];
    let pulls = wanted.map(|(slot, kind)| Pull { slot, kind });
    let ask = Move::Interview(Pulls::Many(pulls.into()));
    let mut rules = rules(Choose::Exactly(1), 2);
    rules.budget = 5.0;
    let part = moves("greedy", rules, vec![ask, Move::take(1)]);
    let account = &Show::new(World::of([3; 4]), vec![part]).holds()[0];
    let seen: Vec<(u64, u64, f64, usize)> = sights(account)
        .iter()
        .map(|sight| {
            (
                sight.round,
                sight.looks_left,
                sight.money_left,
                sight.answers.len(),
            )
        })
        .collect();
    let many = u64::MAX;
    assert_eq!(
        seen,
        [
            (1, many, 5.0, 0),
            (1, 0, 1.0, 2),
            (2, many, 5.0, 0),
            (2, 0, 1.0, 2)
        ]
    );
    assert_eq!(account.stop, Ending::Horizon.into());
    assert_eq!(
        (account.scores["cost"], account.scores["pulls"]),
        (8.0, 4.0)
    );
}

#[test]
fn a_run_s_money_is_shared_by_its_rounds() {
    let mut rules = rules(Choose::Exactly(1), 5);
    rules.run_budget = 7.0;
    rules.budget = 4.0;
    let part = Part::new("spender", rules, Learner::buying(&[0]).maker());
    let account = &Show::new(World::of([3; 9]), vec![part]).holds()[0];
    let spent: Vec<f64> = account.rounds.iter().map(|passed| passed.spent).collect();
    assert_eq!(spent, [3.0, 3.0, 1.0, 0.0, 0.0]);
    let left: Vec<(u64, f64)> = sights(account)
        .iter()
        .map(|sight| (sight.looks_left, sight.money_left))
        .collect();
    let many = u64::MAX;
    assert_eq!(
        left,
        [
            (many, 4.0),
            (many - 3, 1.0),
            (many, 4.0),
            (many - 3, 1.0),
            (many, 1.0),
            (0, 0.0),
            (0, 0.0),
            (0, 0.0)
        ]
    );
}

#[test]
fn prices_that_do_not_add_up_exactly_still_fit() {
    let mut rules = rules(Choose::Exactly(1), 1);
    rules.interviews[0].cost = 0.1;
    rules.budget = 0.3;
    let part = moves(
        "dimes",
        rules,
        vec![look(0, 0), look(0, 0), look(0, 0), Move::take(0)],
    );
    let account = &Show::new(World::of([1]), vec![part]).holds()[0];
    assert_eq!(account.rounds[0].looks, 3);
    assert_eq!(sights(account).last().unwrap().looks_left, 0);
}

#[test]
fn a_cohort_is_capped_where_the_cap_cut_in_and_at_its_horizon_where_it_selected_of_itself() {
    let capped = |label: &str, looks: usize, cap: u64| {
        let mut rules = rules(Choose::Exactly(2), 1);
        rules.interview_cap = cap;
        let ask = look_at_all(looks, &[0, 2]);
        moves(label, rules, vec![ask, Move::take_all(vec![3, 0])])
    };
    let show = Show::new(
        World::of([5]),
        vec![
            capped("under", 2, 3),
            capped("at", 3, 3),
            capped("over", 5, 3),
            capped("none", 5, 0),
            capped("poor", 5, 9).ruled(|rules| rules.budget = 4.0),
        ],
    );
    let accounts = show.holds();
    let ends: Vec<(Ending, f64, f64)> = accounts
        .iter()
        .map(|a| (a.stop.ending, a.scores["pulls"], a.scores["cost"]))
        .collect();
    assert_eq!(
        ends,
        [
            (Ending::Horizon, 2.0, 4.0),
            (Ending::Capped, 3.0, 5.0),
            (Ending::Capped, 3.0, 5.0),
            (Ending::Capped, 0.0, 0.0),
            // The money, not the cap, cut in.
            (Ending::Horizon, 2.0, 4.0),
        ]
    );
    assert!(
        accounts
            .iter()
            .all(|account| account.rounds[0].chosen == [0, 3])
    );
}

#[test]
fn files_start_anew_each_round() {
    let part = Part::new(
        "buyer",
        rules(Choose::Exactly(1), 12),
        Learner::buying(&[2, 0]).maker(),
    );
    let show = Show::new(World::of([2; 12]), vec![part.seated(Seating::Blind)]);
    let account = &show.holds()[0];
    let sights = sights(account);
    assert_eq!(sights.len(), 24);
    for pair in sights.chunks(2) {
        assert!(
            pair[0]
                .seen
                .iter()
                .all(|seen| seen.file == LookStats::default())
        );
        assert!(pair[0].answers.is_empty());
        assert!(pair[1].seen.iter().all(|seen| seen.file.looks == 1));
    }
}

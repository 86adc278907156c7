//! Tests of one stream in progress.

use super::super::super::units;
use super::*;

/// A run of one stream: pairs of (a, b, n, the interval of a - b).
fn stream(pairs: &[(&str, &str, u64, [f64; 2])]) -> Finished {
    let told: Vec<VerdictCase<'_>> = pairs
        .iter()
        .map(|&(a, b, _, limits)| ("selection_rate", a, b, limits, "undecided"))
        .collect();
    let mut run = run(&told);
    run.replications = 1;
    for (pair, (.., n, limits)) in run.pairs.iter_mut().zip(pairs) {
        pair.estimand = Estimand::Rounds;
        pair.n = *n;
        let verdict = match limits {
            [lo, _] if *lo > 0.0 => "better",
            [_, hi] if *hi < 0.0 => "worse",
            _ => "undecided",
        };
        judge(pair, verdict);
    }
    run
}

#[test]
fn of_one_stream_those_a_little_ahead_are_still_compared() {
    let answer = |n: u64| {
        let run = stream(&[
            ("a", "base", 1000, [0.30, 0.40]),
            ("b", "base", n, [0.10, 0.20]),
        ]);
        said_of(&units::of_run(&run)).0
    };
    for (n, known) in [
        (1000, "“a” leads"),
        (1040, "“a” leads"),
        (960, "“a” leads"),
        (1060, "Open: “a” or “b”"),
        (500, "Open: “a” or “b”"),
    ] {
        assert_eq!(answer(n), known, "{n}");
    }
}

/// Whatever their means over other rounds are.
#[test]
fn of_one_stream_policies_stand_by_their_differences() {
    let mut run = stream(&[
        ("a", "b", 90, [-0.3, 0.1]),
        ("a", "c", 90, [-0.1, 0.2]),
        ("b", "c", 90, [0.0, 0.3]),
    ]);
    for (label, mean) in [("a", 0.9), ("b", 0.2), ("c", 0.5)] {
        let metrics = &mut run.policies.get_mut(label).unwrap().metrics;
        metrics.get_mut("selection_rate").unwrap().mean = mean;
    }
    assert_eq!(MeasureStanding::all(&run)[0].comparable, ["b", "a", "c"]);
}

#[test]
fn who_has_been_alike_so_far_may_yet_part() {
    let mut run = stream(&[("a", "b", 4, [-0.9, 0.9])]);
    judge(&mut run.pairs[0], "identical");
    let mut so_far = SoFar::of(&run);
    let found = so_far.found.measures.remove(0);
    let measure = so_far.measures.remove(0);
    assert_eq!(
        (&*found.answer, found.mood),
        ("No difference seen: “a” and “b”", Mood::Open)
    );
    assert_eq!(
        measure.notes,
        ["They had the same value in each of 4 rounds."]
    );
    let pair = &measure.pairs[0];
    assert_eq!(
        (&*pair.says, pair.standing),
        ("equal so far", Standing::Open)
    );
}

/// A lane that goes on counts as interrupted, and did nothing wrong.
#[test]
fn what_goes_on_forbids_nothing() {
    let mut run = stream(&[("a", "b", 4, [-0.9, 0.9]), ("c", "b", 4, [-0.9, 0.9])]);
    for pair in &mut run.pairs {
        judge(pair, "not_comparable");
    }
    for (lane, ending) in [
        (0, Ending::Interrupted),
        (1, Ending::Left),
        (2, Ending::Interrupted),
    ] {
        run.lanes[lane].change(|lanes| lanes[0].ending = ending);
        let label = run.lanes[lane].label.clone();
        run.policies.get_mut(&label).unwrap().endings = BTreeMap::from([(ending, 1)]);
    }
    let (_, _, lines) = said_of(&run);
    assert!(
        lines.contains("\nNot compared: “b”, whose lanes"),
        "{lines}"
    );
    assert!(
        lines.contains("“a” and “c” had no policy to be compared with"),
        "{lines}"
    );
    let notes = table(&run).rows;
    assert!(notes.iter().all(|row| !row.note.contains("interrupted")));
    assert!(notes.iter().any(|row| row.note.contains("“b” ended: left")));
}

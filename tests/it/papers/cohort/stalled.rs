//! Where SWAP stalls under `diverse`, and the scope that cures it.

use super::*;

/// Four of five. Arms 1, 2 and 3 belong to M and M~ alike, so they keep the wide radii of their
/// first looks; their group's u~ is so far below its u^ that arm 0 against arm 4 stays undecided,
/// however well these two are known.
fn stalled() -> Instance {
    let utilities = vec![0.65, 0.9, 0.75, 0.8, 0.45];
    Instance::new(utilities, 4, [0.05, 0.05, 5.0, 2.0]).with(|instance| {
        instance.groups = vec![1, 0, 1, 1, 0];
        instance.cap = 20_000;
    })
}

#[test]
fn a_stalled_instance_hits_the_cap_and_hybrid_converges() {
    let instance = stalled();
    let optimum = instance.optimum(&Diverse::new(0));
    let play = |scope| -> Vec<Run> {
        let swap = |_| instance.swap(Diverse::new(0), |p| p.scope = scope);
        (0..30).map(|r| instance.play(swap(r), r)).collect()
    };
    let paper = play(Scope::SymmetricDifference);
    let hybrid = play(Scope::Hybrid);
    let mean = |runs: &[Run]| runs.iter().map(|run| run.cost).sum::<f64>() / runs.len() as f64;
    let capped = |runs: &[Run]| runs.iter().filter(|run| !run.converged()).count();
    println!("scope                 mean cost  capped of 30");
    for (scope, runs) in [("symmetric_difference", &paper), ("hybrid", &hybrid)] {
        println!("{scope:20} {:10.0} {:13}", mean(runs), capped(runs));
    }
    assert!(capped(&paper) >= 25, "{}", capped(&paper));
    for run in &paper {
        let ending = if run.converged() {
            Ending::Horizon
        } else {
            Ending::Capped
        };
        assert_eq!(run.ending, ending);
    }
    assert!(mean(&paper) > 20_000.0);
    assert!(
        hybrid
            .iter()
            .all(|run| run.converged() && run.chosen == optimum)
    );
    assert!(mean(&hybrid) < 100.0, "{}", mean(&hybrid));
}

#[test]
fn where_it_stalls_the_contested_are_known_and_the_common_are_not() {
    let instance = stalled();
    let run = instance.play(instance.swap(Diverse::new(0), |_| ()), 1);
    assert!(!run.converged());
    let mut looks = [0; 5];
    for answer in &run.answers {
        looks[answer.pull.slot as usize] += 1;
    }
    println!("looks by arm: {looks:?}");
    assert!(looks[1] + looks[2] + looks[3] < 20, "{looks:?}");
    assert!(looks[0] > 5000 && looks[4] > 5000, "{looks:?}");
}

//! RL-CMDP by several formulations of program (5), next to each other and to the reference
//! figures (delta .05, a tenth of the radius; the brexit-like instance is calibrated, not the
//! Citizens' Assembly's own table). `-- --nocapture` shows the table.

use super::extended::ProgramForm;
use super::literal::LiteralOptimist;
use super::*;

/// Mean, standard error.
type Figure = (f64, f64);

const SIZES: [u64; 3] = [250, 1000, 2000];

/// Screened and loss at each size, with the s.e. that the reference prints, or else 0: then it is
/// taken for one of this many runs.
type Rows3 = [[Figure; 2]; 3];
const UNPRINTED: f64 = 50.0;

const FULL_8: Rows3 = [
    [(292.0, 2.0), (0.090, 0.0)],
    [(1437.0, 13.0), (0.064, 0.0)],
    [(3230.0, 25.0), (0.053, 0.0)],
];
const FULL_48: Rows3 = [
    [(272.0, 0.0), (0.114, 0.0)],
    [(1072.0, 0.0), (0.097, 0.0)],
    [(2296.0, 11.0), (0.084, 0.0)],
];
const SMALL_8: Rows3 = [
    [(295.8, 1.7), (0.0858, 0.0008)],
    [(1454.0, 9.0), (0.0592, 0.0004)],
    [(3254.0, 17.0), (0.0490, 0.0004)],
];
const SMALL_48: Rows3 = [
    [(275.1, 0.7), (0.1204, 0.0020)],
    [(1106.0, 5.0), (0.0954, 0.0008)],
    [(2387.0, 12.0), (0.0823, 0.0005)],
];

/// Simulates and prints; gives the figures that are not within 4 combined standard errors of the
/// reference.
fn misses<P: Planner>(
    what: &str,
    instance: &Instance,
    runs: u64,
    reference: &Rows3,
    mut learner: impl FnMut() -> Learner<P>,
) -> Vec<String> {
    let rows: Vec<Vec<(u64, f64)>> = (0..runs)
        .map(|run| {
            let mut learner = learner();
            let rows = instance.recruit(&mut learner, &SIZES, &mut Luck(7919 * run));
            assert_eq!(learner.unsolved(), 0, "{:?}", learner.failure());
            rows
        })
        .collect();
    let mut misses = Vec::new();
    let mut table = format!("{what}:");
    for (k, size) in SIZES.iter().enumerate() {
        let screened: Vec<f64> = rows.iter().map(|row| row[k].0 as f64).collect();
        let loss: Vec<f64> = rows.iter().map(|row| row[k].1).collect();
        let ours = [mean(&screened), mean(&loss)];
        let [(t, t_se), (l, l_se)] = ours;
        table += &format!(" | {size}: {t:.1} +- {t_se:.1}; {l:.4} +- {l_se:.4}");
        for (name, (ours, theirs)) in ["screened", "loss"]
            .iter()
            .zip(ours.iter().zip(reference[k]))
        {
            let spread = ours.1 * (runs as f64 / UNPRINTED).sqrt();
            let se = if theirs.1 > 0.0 { theirs.1 } else { spread };
            if (ours.0 - theirs.0).abs() > 4.0 * ours.1.hypot(se) {
                misses.push(format!("{name} at {size}"));
            }
        }
    }
    println!("{table}; misses {misses:?}");
    misses
}

/// The numbers of runs with |X| = 8 and 48; ten times as many with KLERO_LONG=10.
fn runs() -> [u64; 2] {
    let times = std::env::var("KLERO_LONG")
        .ok()
        .and_then(|n| n.parse().ok());
    [200, 20].map(|runs| runs * times.unwrap_or(1))
}

fn of_literal(instance: &Instance) -> Learner<LiteralOptimist> {
    let planner = LiteralOptimist {
        instance: instance.clone(),
        scale: 0.1,
    };
    Learner::with(planner, &instance.grid())
}

#[test]
fn the_forms_of_the_production_meet_the_reference() {
    let [few, many] = [Instance::bxs_8(), Instance::bxs_48()];
    for (form, references) in [
        (ProgramForm::Full, [FULL_8, FULL_48]),
        (ProgramForm::Small, [SMALL_8, SMALL_48]),
    ] {
        for ((instance, runs), reference) in [&few, &many].into_iter().zip(runs()).zip(references) {
            let parameters = Parameters {
                confidence_scale: 0.1,
                form,
                ..Parameters::default()
            };
            let what = format!("{form:?}, |X| = {}", instance.p.len());
            let missed = misses(&what, instance, runs, &reference, || {
                instance.learner(parameters)
            });
            assert!(missed.is_empty(), "{what}: {missed:?}");
        }
    }
}

/// By microlp the program as it is written finds other optima than ours, whose committees of 2000
/// are closer to the targets: losses .0486 +- .0004 instead of .053 (|X| = 8) and .0811 +- .0003
/// instead of .084 (|X| = 48, seen with more than 100 runs), as many screened. Those two figures it
/// misses, and no other.
#[test]
fn the_program_as_written_meets_the_reference_but_for_two_losses() {
    let instances = [(Instance::bxs_8(), FULL_8), (Instance::bxs_48(), FULL_48)];
    for ((instance, reference), runs) in instances.iter().zip(runs()) {
        let what = format!("as written, |X| = {}", instance.p.len());
        let missed = misses(&what, instance, runs, reference, || of_literal(instance));
        let excused = |miss: &String| miss == "loss at 2000";
        assert!(missed.iter().all(excused), "{what}: {missed:?}");
    }
}

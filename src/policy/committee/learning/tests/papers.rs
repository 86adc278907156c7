//! Algorithm 1 on the brexit-like instance (calibrated, not the Citizens' Assembly's own table) against reference figures.
//!
//! The references were made with other tie-breaks of the same programs, and their optima are not unique; we allow 4 combined standard errors.

use super::extended::Form;
use super::*;

/// Mean, standard error.
type Figure = (f64, f64);

/// Screened and loss at each size.
fn simulate<P: Planner>(
    instance: &Instance,
    runs: u64,
    sizes: &[u64],
    mut learner: impl FnMut() -> Learner<P>,
) -> Vec<(Figure, Figure)> {
    let rows: Vec<Vec<(u64, f64)>> = (0..runs)
        .map(|run| {
            let mut learner = learner();
            let rows = instance.recruit(&mut learner, sizes, &mut Luck(7919 * run));
            assert_eq!(learner.unsolved(), 0, "{:?}", learner.failure());
            rows
        })
        .collect();
    let figures = (0..sizes.len()).map(|k| {
        let screened: Vec<f64> = rows.iter().map(|row| row[k].0 as f64).collect();
        let loss: Vec<f64> = rows.iter().map(|row| row[k].1).collect();
        (mean(&screened), mean(&loss))
    });
    figures.collect()
}

fn near(ours: Figure, reference: Figure, what: &str) {
    let errors = (ours.1 * ours.1 + reference.1 * reference.1).sqrt();
    assert!(
        (ours.0 - reference.0).abs() < 4.0 * errors,
        "{what}: {ours:?}, not {reference:?}"
    );
}

fn parameters(form: Form, confidence_scale: f64, zero_rule: ZeroRule) -> Parameters {
    Parameters {
        delta: 0.05,
        confidence_scale,
        form,
        zero_rule,
    }
}

/// Compares with (screened, its error, loss, its error) at each size.
fn compare(instance: &Instance, form: Form, runs: u64, sizes: &[u64], rows: &[[f64; 4]]) {
    let parameters = parameters(form, 0.1, ZeroRule::Half);
    let figures = simulate(instance, runs, sizes, || instance.learner(parameters));
    for ((ours, row), size) in figures.iter().zip(rows).zip(sizes) {
        let [screened, screened_error, loss, loss_error] = *row;
        near(
            ours.0,
            (screened, screened_error),
            &format!("{form:?} screened at {size}"),
        );
        near(
            ours.1,
            (loss, loss_error),
            &format!("{form:?} loss at {size}"),
        );
    }
}

// The errors that the references do not state are those of 50 (|X| = 48) or 100 (|X| = 8) runs.

#[test]
fn configuration_1_at_a_tenth_of_the_radius() {
    let full = [[292.0, 2.0, 0.090, 0.0013], [1437.0, 13.0, 0.064, 0.0009]];
    compare(&Instance::bxs_8(), Form::Full, 100, &[250, 1000], &full);
    let small = [[295.8, 1.7, 0.0858, 0.0008], [1454.0, 9.0, 0.0592, 0.0004]];
    compare(&Instance::bxs_8(), Form::Small, 100, &[250, 1000], &small);
}

#[test]
fn configuration_2_at_a_tenth_of_the_radius() {
    let full = [[272.0, 0.8, 0.114, 0.0022], [1072.0, 4.0, 0.097, 0.0009]];
    compare(&Instance::bxs_48(), Form::Full, 20, &[250, 1000], &full);
    let small = [[275.1, 0.7, 0.1204, 0.0020], [1106.0, 5.0, 0.0954, 0.0008]];
    compare(&Instance::bxs_48(), Form::Small, 20, &[250, 1000], &small);
}

#[test]
fn the_radius_as_printed_accepts_everybody_where_zeros_are_accepted() {
    for instance in [Instance::bxs_8(), Instance::bxs_48()] {
        for form in [Form::Full, Form::Small] {
            let parameters = parameters(form, 1.0, ZeroRule::Accept);
            let sizes = [250, 1000, 2000];
            let rows = instance.recruit(&mut instance.learner(parameters), &sizes, &mut Luck(1));
            let screened: Vec<u64> = rows.iter().map(|row| row.0).collect();
            assert_eq!(screened, sizes);
        }
    }
}

#[test]
fn certainty_equivalence_in_configuration_1() {
    let instance = Instance::bxs_8();
    let figures = simulate(&instance, 100, &[250, 1000], || {
        PluginCmdp::new(&instance.levels, &instance.rho).unwrap()
    });
    // The losses' errors are those of 100 runs.
    near(figures[0].0, (620.0, 13.0), "screened at 250");
    near(figures[0].1, (0.045, 0.0017), "loss at 250");
    near(figures[1].0, (2469.0, 28.0), "screened at 1000");
    near(figures[1].1, (0.022, 0.0009), "loss at 1000");
}

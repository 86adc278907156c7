//! Zero targets, values out of reach, input that is none.

use super::*;

#[test]
fn a_zero_target_shuts_its_value_out_and_lowers_the_gain() {
    // Nobody of value 2: of the rest, shares .3 and .5 of the law are to be equal, so .6 can be
    // accepted; the second attribute is kept.
    let marginals = vec![vec![0.3, 0.5, 0.2], vec![0.25, 0.75]];
    let rho = vec![vec![0.5, 0.5, 0.0], vec![0.25, 0.75]];
    let instance = Instance::of_product(&marginals, rho.clone());
    for &(method, _) in METHODS {
        let found = solve_by(method, &[3, 2], &Law::Product(marginals.clone()), &rho).unwrap();
        assert!((found.gain - 0.6).abs() < 1e-8);
        instance.check(&found);
        assert_eq!(found.acceptance.probability(&[2, 0]), 0.0);
        assert_eq!(found.acceptance.probability(&[2, 1]), 0.0);
    }
}

#[test]
fn values_out_of_reach_are_all_named() {
    // Nobody is (1, .); whoever is (., 1) is (2, 1), and 2 has target 0.
    let cells = [(0, 0.5), (5, 0.5)];
    let rho = vec![vec![0.5, 0.5, 0.0], vec![0.5, 0.5]];
    let error = solve(&[3, 2], &Law::Cells(cells.to_vec()), &rho).unwrap_err();
    let expected = [(0, 1, Cause::Absent), (1, 1, Cause::Excluded)];
    let expected = expected.map(|(attribute, value, cause)| Unreachable {
        attribute,
        value,
        cause,
    });
    assert_eq!(error, ProgramError::Unreachable(expected.to_vec()));
}

#[test]
fn targets_that_exclude_one_another_are_incompatible() {
    // Men are senior and women junior, so half men and three quarters seniors can't be.
    let cells = [(0, 0.5), (3, 0.5)];
    let rho = vec![vec![0.5, 0.5], vec![0.75, 0.25]];
    let error = solve(&[2, 2], &Law::Cells(cells.to_vec()), &rho).unwrap_err();
    assert_eq!(error, ProgramError::Incompatible);
}

#[test]
fn every_fault_of_the_input_is_told() {
    let cells = [(3, 0.5), (1, -0.25), (4, f64::NAN)];
    let rho = vec![vec![0.5, 0.6], vec![1.0]];
    let ProgramError::Malformed(faults) =
        solve(&[2, 2], &Law::Cells(cells.to_vec()), &rho).unwrap_err()
    else {
        panic!("not malformed");
    };
    // Two of the targets; order, last cell, two probabilities and the sum of the law.
    assert_eq!(faults.len(), 7, "{faults:#?}");
    let wide = vec![70_000; 4];
    assert!(matches!(
        solve(&wide, &Law::Product(vec![]), &[]),
        Err(ProgramError::Malformed(_))
    ));
    assert!(matches!(
        solve(&[], &Law::Cells(vec![(0, 1.0)]), &[]),
        Err(ProgramError::Malformed(_))
    ));
}

//! Tests of the rows of a measure's table.

use super::super::super::figure::VerdictBar;
use super::*;

/// An end that is near 0 is not shown as 0, however wide the interval.
#[test]
fn an_interval_that_leaves_out_0_is_seen_to() {
    let interval = |limits, verdict| {
        let run = run(&[("cost", "a", "b", limits, verdict)]);
        table(&run).rows[0].interval.clone()
    };
    assert_eq!(
        interval([-0.28, -0.0038], "better"),
        "\u{2212}0.280 to \u{2212}0.004"
    );
    let mut run = run(&[("cost", "a", "b", [-0.28, 0.0], "undecided")]);
    assert_eq!(table(&run).rows[0].interval, "\u{2212}0.28 to 0.00");
    // The effect of a wide interval is seen as well.
    run.pairs[0].se = Some(0.001);
    (run.pairs[0].mean, run.pairs[0].lo, run.pairs[0].hi) = (Some(-0.013), Some(-0.33), Some(0.32));
    let row = table(&run).rows.remove(0);
    assert_eq!(
        (row.difference.as_str(), row.interval.as_str()),
        ("\u{2212}0.013 ± 0.001", "\u{2212}0.33 to +0.32")
    );
}

/// Rounding noise in a difference of 10 and 10 is no difference.
#[test]
fn rounding_noise_is_no_difference() {
    let mut run = run(&[("cost", "a", "b", [0.0, 0.0], "identical")]);
    let pair = &mut run.pairs[0];
    (pair.mean, pair.se) = (Some(-6.939e-17), Some(5.551e-17));
    (pair.lo, pair.hi) = (Some(-1.4e-16), Some(1.4e-16));
    pair.extras.median = Some(-6.939e-17);
    let row = table(&run).rows.remove(0);
    let zero = VerdictBar {
        mean: 0.0,
        se: Some(0.0),
        limits: Some((0.0, 0.0)),
    };
    assert_eq!(row.bar, Some(zero));
    assert_eq!((&*row.difference, &*row.interval), ("0", "0 to 0"));
    let html = RunReport::of(&run, &[]).page.html();
    assert!(!html.contains("e\u{2212}17") && !html.contains("e-17"));
}

/// Best first, the baseline among them at 0; each with its own mean, and the look of its place
/// among all labels.
#[test]
fn every_policy_has_a_row() {
    let pairs = [
        ("cost", "z", "m", [1.0, 2.0], "worse"),
        ("cost", "b", "m", [-3.0, -1.0], "better"),
    ];
    let mut run = run(&pairs);
    let shown = table(&run);
    let of = |row: &VerdictRow| (row.who.label.clone(), row.who.look, row.mean.clone());
    let rows: Vec<_> = shown.rows.iter().map(of).collect();
    let known = [("b", 0, "8"), ("m", 1, "10"), ("z", 2, "11.5")];
    let known = known.map(|(who, look, mean)| (who.to_owned(), look, mean.to_owned()));
    assert_eq!(rows, known);
    assert_eq!((shown.means, shown.margin), (Some("Mean"), Some(0.5)));
    assert_eq!(
        shown.about,
        "less is better; interval by t (fixed n); margin \u{b1}0.5"
    );
    // The means of whole lanes are of other replications than those compared.
    run.pairs[0].unfilled = 2;
    assert_eq!(table(&run).means, None);
    // The same rows are in the file.
    let report = RunReport::of(&run, &[]);
    let (file, svg) = &report.figures[0];
    assert_eq!(*file, FIGURE_FILES[0]);
    for said in [
        "Spent on interviews: less is better",
        "better",
        ">z</text>",
        "\u{2190} less is better",
    ] {
        assert!(svg.contains(said), "{said}");
    }
    let html = report.page.html();
    assert!(html.contains("href=\"figures/verdicts.svg\""));
}

/// A measure that is open has neither the stripe nor the sign of one that is settled.
#[test]
fn what_is_open_does_not_look_settled() {
    let looks = |verdict, limits| {
        let run = run(&[("cost", "a", "b", limits, verdict)]);
        let html = RunReport::of(&run, &[]).page.html();
        ["settled", "unsettled"].map(|look| html.contains(&format!("<li class=\"{look}\">")))
    };
    assert_eq!(looks("undecided", [-1.0, 1.0]), [false, true]);
    assert_eq!(looks("better", [-2.0, -1.0]), [true, false]);
}

/// One stream has one lane, so no count of lanes is shown.
#[test]
fn how_lanes_ended_is_counted_where_there_are_several() {
    let mut run = run(&[("cost", "a", "b", [-9.0, -8.0], "not_comparable")]);
    let note = |run: &Finished| {
        let shown = table(run);
        let row = shown.rows.iter().find(|row| row.who.label == "a").unwrap();
        assert_eq!((row.bar, row.mean.as_str()), (None, ""));
        row.note.clone()
    };
    let endings = |run: &mut Finished, endings| {
        run.policies.get_mut("a").unwrap().endings = BTreeMap::from_iter(endings);
        run.policies.get_mut("b").unwrap().endings.clear();
    };
    endings(&mut run, vec![(Ending::Disqualified, 1)]);
    assert_eq!(note(&run), "“a” ended: disqualified");
    endings(
        &mut run,
        vec![(Ending::Filled, 28), (Ending::Disqualified, 2)],
    );
    let known = "“a” ended: disqualified (2 of 30 lanes)";
    assert_eq!(note(&run), known);
}

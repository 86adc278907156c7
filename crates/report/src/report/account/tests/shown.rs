//! Tests of the parts of a run that are shown: policies, endings and columns.

use super::super::drawing::interval;
use super::super::words::is_stopping;
use super::*;
use crate::report::figure::Axis;

#[test]
fn the_frontier_is_nobody_s_shadow() {
    let pairs = [
        ("screened", "a", "b", [-2.0, 0.0], "undecided"),
        ("screened", "c", "b", [4.0, 6.0], "worse"),
        ("representation_loss", "a", "b", [3.0, 5.0], "worse"),
        ("representation_loss", "c", "b", [1.0, 3.0], "worse"),
    ];
    let run = run(&pairs);
    let labels = ["a", "b", "c"];
    let drawn = tradeoff::figure(&run, &labels, &measures(&run)).expect("two measures at odds");
    let table = drawn.table.expect("a table of its own");
    let ends: Vec<String> = table
        .rows
        .iter()
        .map(|row| row.last().unwrap().exact())
        .collect();
    // a costs least, b loses least, c is behind b in both.
    assert_eq!(ends, ["yes", "yes", "no"]);
    assert_eq!(drawn.figure.panels[0].series[0].points.len(), 2);
}

/// The frontier joins policies that can be chosen. A yardstick cannot, however good it is.
#[test]
fn a_yardstick_is_never_on_the_frontier() {
    let pairs = [
        ("screened", "a", "b", [-2.0, 0.0], "undecided"),
        ("screened", "c", "b", [-6.0, -4.0], "better"),
        ("representation_loss", "a", "b", [3.0, 5.0], "worse"),
        ("representation_loss", "c", "b", [-3.0, -1.0], "better"),
    ];
    let mut run = run(&pairs);
    run.policies.get_mut("c").expect("it plays").role = Role::Yardstick;
    let labels = ["a", "b", "c"];
    let drawn = tradeoff::figure(&run, &labels, &measures(&run)).expect("two measures at odds");
    let table = drawn.table.expect("a table of its own");
    let ends = table.rows.iter().map(|row| row.last().unwrap().exact());
    assert_eq!(ends.collect::<Vec<_>>(), ["yes", "yes", "no"]);
    assert_eq!(drawn.figure.panels[0].series[0].points.len(), 2);
}

/// Where not all lines keep their colours, those of the policies that may be the answer do.
#[test]
fn neither_a_yardstick_nor_a_baseline_is_emphasised_for_itself() {
    let labels: Vec<String> = (0..12).map(|n| format!("p{n:02}")).collect();
    let others = labels[1..].iter().enumerate();
    let pairs: Vec<VerdictCase<'_>> = others
        .map(|(n, label)| {
            let mean = n as f64 - 12.0;
            let limits = [mean - 0.5, mean + 0.5];
            ("screened", label.as_str(), "p00", limits, "better")
        })
        .collect();
    let mut run = run(&pairs);
    run.policies.get_mut("p01").expect("it plays").role = Role::Yardstick;
    let standings = MeasureStanding::all(&run);
    assert_eq!(
        foremost(&run, &standings, FOREMOST),
        ["p02", "p03", "p04", "p05"]
    );
}

/// With several measures, the best policies of each keep their colours.
#[test]
fn the_best_of_every_measure_matter_most() {
    let labels: Vec<String> = (0..20).map(|n| format!("p{n:02}")).collect();
    let pairs = |metric: &'static str, side: f64| {
        let others = labels[1..].iter().enumerate();
        let pair = move |(n, label)| -> VerdictCase<'_> {
            let mean = side * n as f64;
            let label: &String = label;
            (
                metric,
                label.as_str(),
                "p00",
                [mean - 0.5, mean + 0.5],
                "undecided",
            )
        };
        others.map(pair).collect::<Vec<_>>()
    };
    let all = [pairs("cost", -1.0), pairs("screened", 1.0)].concat();
    let run = run(&all);
    let standings = MeasureStanding::all(&run);
    assert_eq!(
        foremost(&run, &standings, FOREMOST),
        ["p19", "p00", "p18", "p01"]
    );
}

/// A page of many policies shows the foremost, says so, and speaks of all.
#[test]
fn a_page_of_many_policies_shows_the_foremost() {
    let labels: Vec<String> = (0..60).map(|n| format!("p{n:02}")).collect();
    let others = labels[1..].iter().enumerate();
    let pair = |(n, label): (usize, &String)| {
        let mean = n as f64;
        let limits = [mean - 0.5, mean + 0.5];
        (label.clone(), limits)
    };
    let others: Vec<(String, [f64; 2])> = others.map(pair).collect();
    let pairs: Vec<VerdictCase<'_>> = others
        .iter()
        .map(|(label, limits)| {
            let verdict = if limits[0] < 0.0 {
                "undecided"
            } else {
                "worse"
            };
            ("screened", label.as_str(), "p00", *limits, verdict)
        })
        .collect();
    let few = RunReport::of(&run(&pairs[..40]), &[]);
    assert!(!few.page.lead.contains("This page shows"));
    let all = run(&pairs);
    let report = RunReport::of(&all, &[]);
    let said = "This page shows 50 of the 60 policies";
    assert!(report.page.lead.contains(said), "{}", report.page.lead);
    assert!(report.page.lead.starts_with("60 policies"));
    let verdicts = report.page.sections.iter().flat_map(|one| &one.parts);
    let rows: Vec<&str> = verdicts
        .filter_map(|part| match part {
            PagePart::Verdicts(picture) => Some(&picture.tables),
            _ => None,
        })
        .flatten()
        .flat_map(|table| &table.rows)
        .map(|row| &*row.who.label)
        .collect();
    // Less is better: those with the greatest difference are left out.
    assert_eq!(rows.len(), 50);
    assert!(rows.contains(&"p00") && rows.contains(&"p49") && !rows.contains(&"p50"));
    // What is said is of all.
    let html = report.page.html();
    assert!(
        html.contains("and 55 more."),
        "58 are behind, three are named"
    );
}

/// The report names what was asked for where it was not carried out, and the command gives what
/// there is.
#[test]
fn a_run_cut_short_says_so() {
    let mut run = run(&[("cost", "a", "b", [-1.0, 2.0], "undecided")]);
    let text = "name = \"t\"\nreplications = 40\n";
    run.config = Document::parse(text).unwrap();
    let html = RunReport::of(&run, &[]).page.html();
    assert!(html.contains("30 replications (of 40 asked for: it was interrupted)"));
    assert!(html.contains("klero run config.toml --replications 30 --out again"));
    // One that stopped because all was decided gives itself again.
    let until = format!("{text}[report]\nuntil = \"decided\"\n");
    run.config = Document::parse(&until).unwrap();
    judge(&mut run.pairs[0], "better");
    let html = RunReport::of(&run, &[]).page.html();
    assert!(html.contains("klero run config.toml --out again") && !html.contains("interrupted)"));
    assert!(html.contains("stop with the first replication by which every pair is decided"));
    assert!(is_stopping(&run) && interval(&run, "cost", 1.0, Some(0.1), 30).is_none());
    // Cut off within a replication it is not to be had again.
    run.config = Document::parse("name = \"t\"\nreplications = 1\n").unwrap();
    run.replications = 1;
    assert!(interval(&run, "cost", 1.0, Some(0.1), 30).is_some());
    run.lanes[0].change(|lanes| lanes[0].ending = Ending::Interrupted);
    let html = RunReport::of(&run, &[]).page.html();
    assert!(html.contains("1 replication (interrupted before its end)"));
    assert!(
        html.contains("in the middle of its first replication") && !html.contains("byte for byte")
    );
}

/// Measures of a lone attribute bear no name of it, and yet their groups have targets.
#[test]
fn shares_of_a_lone_attribute_have_their_targets() {
    let mut run = run(&[("share.F", "a", "b", [0.1, 0.2], "differs")]);
    let looks = PolicyLooks::of(run.policies.keys().cloned());
    let caption = |run: &Finished| {
        shares::figure(run, &looks)
            .expect("there are groups")
            .figure
            .caption
    };
    assert!(!caption(&run).contains("target"));
    run.config =
        Document::parse("name = \"t\"\n[target]\ngender = { F = 0.5, M = 0.5 }\n").unwrap();
    assert!(caption(&run).contains("The line at 0 is the target"));
    let drawn = shares::figure(&run, &looks).unwrap();
    assert_eq!(drawn.table.unwrap().headers[2], "target");
    assert_eq!(drawn.figure.panels[0].y, Axis::names("", ["F 50 %"]));
}

/// A mean can have no value that its measure cannot, so that no interval reaches there.
#[test]
fn intervals_end_where_the_measure_does() {
    let run = run(&[("cost", "a", "b", [-1.0, 2.0], "undecided")]);
    let of = |metric, mean| interval(&run, metric, mean, Some(0.4), 8).unwrap();
    // In percent.
    let ratio = interval(&run, "impact_ratio", 50.0, Some(40.0), 8);
    assert_eq!(ratio, Some((0.0, 100.0)));
    assert_eq!(of("cost", 0.5).0, 0.0);
    assert!(of("fair_regret", 0.5).0 < 0.0);
}

#[test]
fn what_no_pair_tells_has_no_column() {
    let mut run = run(&[("cost", "a", "b", [-1.0, 2.0], "undecided")]);
    let page = |run: &Finished| RunReport::of(run, &[]).page.html();
    assert!(!page(&run).contains("Beside the verdicts"));
    run.pairs[0].extras.median = Some(0.125);
    let html = page(&run);
    assert!(html.contains("median of D") && html.contains("+0.125"));
    assert!(!html.contains("mean of D, by t") && !html.contains("e-value</th>"));
    (run.pairs[0].extras.t_lo, run.pairs[0].extras.t_hi) = (Some(-0.75), Some(0.5));
    let html = page(&run);
    assert!(html.contains("mean of D, by t") && html.contains("\u{2212}0.75 to +0.50"));
}

#[test]
fn of_many_policies_all_are_drawn_and_the_best_keep_their_colours() {
    let labels: Vec<String> = (0..20).map(|n| format!("p{n:02}")).collect();
    let pairs: Vec<VerdictCase<'_>> = labels[1..]
        .iter()
        .enumerate()
        .map(|(n, label)| {
            (
                "cost",
                label.as_str(),
                "p00",
                [-(n as f64) - 1.0, -(n as f64)],
                "better",
            )
        })
        .collect();
    let run = run(&pairs);
    let standings = MeasureStanding::all(&run);
    assert_eq!(
        foremost(&run, &standings, FOREMOST),
        ["p19", "p18", "p17", "p16"]
    );
    let account = RunReport::of(&run, &[]);
    let html = account.page.html();
    assert!(labels.iter().all(|label| html.contains(label.as_str())));
    assert!(!html.contains("Drawn are"));
}

/// The number of intervals that hold jointly exceeds those shown if the answer needs others.
#[test]
fn the_intervals_that_hold_together_are_counted_out() {
    let shown = [
        ("screened", "a", "b", [-3.0, -1.0], "better"),
        ("screened", "c", "b", [1.0, 2.0], "worse"),
    ];
    let mut run = run(&shown);
    for pair in &mut run.pairs {
        pair.method = "betting (any time)".into();
    }
    let between = run.pairs[0].clone();
    run.answer = Some(Answer {
        headline: String::new(),
        frontier: Vec::new(),
        dominates: Vec::new(),
        open: 0,
        goal: None,
        between: vec![between],
        unlisted: 0,
    });
    let sure = super::super::sure::about(&run);
    let known = "All 3 comparisons (the 2 shown here, and 1 between other policies for the answer) \
                 are right together";
    assert!(sure.contains(known), "{sure}");
    assert!(sure.ends_with("confidence, valid at every look."), "{sure}");
    run.pairs[0].method = "t (fixed n)".into();
    let sure = super::super::sure::about(&run);
    let known = "those by t valid at one look, planned beforehand, the others at every look";
    assert!(sure.contains(known), "{sure}");
}

/// The margin is a number next to the measure, where there is one.
#[test]
fn the_margin_is_printed() {
    let about = |metric| table(&run(&[(metric, "a", "b", [-3.0, -1.0], "better")])).about;
    assert!(
        about("cost").ends_with("; margin ±0.5"),
        "{}",
        about("cost")
    );
    assert!(!about("screened").contains("margin"));
}

/// Groups that the config only numbers are counted from 1.
#[test]
fn numbered_groups_are_named() {
    let pairs = ["share.0", "share.1"].map(|metric| (metric, "a", "b", [0.0, 0.2], "undecided"));
    let mut run = run(&pairs);
    let groups = |run: &Finished| {
        let looks = PolicyLooks::of(run.policies.keys().cloned());
        let drawn = shares::figure(run, &looks).expect("shares");
        let cells = drawn.table.expect("a table").rows.into_iter().flatten();
        let cells: Vec<String> = cells.map(|cell| cell.exact()).collect();
        (cells.concat(), drawn.figure.caption)
    };
    assert!(!groups(&run).0.contains("group"));
    run.config = Document::parse("[source]\ngroups = { modulo = 2 }\n").unwrap();
    let (cells, caption) = groups(&run);
    assert!(
        cells.contains("group 1 of 2") && cells.contains("group 2 of 2"),
        "{cells}"
    );
    assert!(caption.contains("group 1 is `share.0`"), "{caption}");
}

/// Two relations are a sentence; more are a picture, which says what is open.
#[test]
fn an_order_of_many_relations_is_a_picture() {
    let mut run = run(&[
        ("cost", "a", "c", [-3.0, -1.0], "better"),
        ("cost", "b", "c", [-3.0, -1.0], "better"),
        ("cost", "d", "c", [-3.0, 1.0], "undecided"),
    ]);
    let all = [["a", "c"], ["b", "c"], ["a", "d"]].map(|pair| pair.map(str::to_owned));
    let mut page = |many: usize| {
        run.answer = Some(Answer {
            headline: "Open".into(),
            frontier: ["a", "b", "d"].map(str::to_owned).to_vec(),
            dominates: all[..many].to_vec(),
            open: 1,
            goal: None,
            between: Vec::new(),
            unlisted: 0,
        });
        RunReport::of(&run, &[]).page.html()
    };
    let (few, many) = (page(2), page(3));
    assert!(few.contains("In the running: “a”, “b” and “d”; one pair of them is open."));
    assert!(!few.contains("is surely better than"));
    assert!(many.contains("a is surely better than c; b is surely better than c; a is surely"));
    assert!(many.contains("one pair of them is open") && !many.contains("In the running:"));
}

/// Pairs of three policies are rows, those of four a matrix with the best first.
#[test]
fn pairs_of_four_policies_are_a_matrix() {
    let all = [
        ("cost", "a", "b", [2.0, 3.0], "worse"),
        ("cost", "a", "c", [-1.0, 3.0], "undecided"),
        ("cost", "b", "c", [-4.0, -1.0], "better"),
        ("cost", "a", "d", [-5.0, -4.0], "better"),
        ("cost", "b", "d", [-7.0, -6.0], "better"),
        ("cost", "c", "d", [-5.0, -4.0], "better"),
    ];
    let few = RunReport::of(&run(&all[..3]), &[]).page.html();
    assert!(!few.contains("class=\"k-matrix") && few.matches("against <svg").count() > 0);
    let html = RunReport::of(&run(&all), &[]).page.html();
    assert!(html.contains("<option>b</option><option>"), "b is the best");
    assert!(html.contains("data-said=\"b less a: \u{2212}2.50 ± 0.25 "));
    assert!(html.contains("data-said=\"a less b: +2.50 ± 0.25 "));
    assert!(html.contains("sure: worse; 30 replications.\""));
}

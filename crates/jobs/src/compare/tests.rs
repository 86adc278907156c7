use super::*;
use kleroterion_core::score::Direction;
use kleroterion_io::record::file::MemoryTable;
use kleroterion_stats::sequence::Betting;
use kleroterion_stats::{Verdict, t};

fn table(text: &str) -> ComparedTable {
    ComparedTable::bytes("t.csv", text.as_bytes().to_vec())
}

fn asked(measure: &str) -> CompareRequest {
    CompareRequest {
        measures: vec![measure.into()],
        pair: Some("case".into()),
        ranges: PerMeasure::all((0.0, 1.0)),
        ..CompareRequest::default()
    }
}

/// The values of two policies in some cases, as rows of text.
fn rows(values: impl IntoIterator<Item = [f64; 2]>) -> Vec<String> {
    let rows = values.into_iter().enumerate();
    rows.flat_map(|(case, values)| {
        let labels = ["old", "new"].into_iter().zip(values);
        labels.map(move |(label, value)| format!("{case},{label},{value}\n"))
    })
    .collect()
}

fn text(rows: &[String]) -> String {
    format!("case,policy,score\n{}", rows.concat())
}

/// Sixty cases in which the new one is surely better.
fn apart() -> impl Iterator<Item = [f64; 2]> {
    (0..60).map(|case| [f64::from(case % 4) / 8.0, 0.5 + f64::from(case % 3) / 8.0])
}

fn said(found: Result<Comparison, Problems>) -> Vec<String> {
    let problems = found.expect_err("it is wrong").0;
    assert!(problems.iter().all(|problem| problem.help.is_some()));
    problems
        .iter()
        .map(|problem| format!("{}{}", problem.place, problem.what))
        .collect()
}

#[test]
fn long_wide_and_named_tables_of_the_same_numbers_have_the_same_verdict() {
    let long = compare(&table(&text(&rows(apart()))), &asked("score")).expect("a comparison");
    let pair = &long.pairs()[0];
    assert_eq!((pair.a.as_str(), pair.b.as_str()), ("new", "old"));
    assert_eq!((pair.verdict, pair.n), (Verdict::Better, 60));
    assert_eq!(pair.method, Betting::METHOD);
    let wide = apart().map(|[old, new]| format!("x,{old},{new}\n"));
    let wide = format!("note,old,new\n{}", wide.collect::<String>());
    let request = CompareRequest {
        columns: vec!["old".into(), "new".into()],
        pair: None,
        ..asked("score")
    };
    let wide = compare(&table(&wide), &request).expect("a comparison");
    assert_eq!(wide.pairs(), long.pairs());
    let named = rows(apart()).join("").replace('\n', ",score\n");
    let named = format!("case,policy,value,metric\n{named}0,old,7,other\n");
    let named = compare(&table(&named), &asked("score")).expect("a comparison");
    assert_eq!(named.pairs(), long.pairs());
    let memory = MemoryTable::of_file(text(&rows(apart())).into_bytes());
    let memory = ComparedTable::memory("t", memory);
    let memory = compare(&memory, &asked("score")).expect("a comparison");
    assert_eq!(memory.pairs(), long.pairs());
}

/// Rows of a case may lie anywhere; the cases count in the order in which they first appear, which
/// a verdict by t does not depend on.
#[test]
fn the_order_of_rows_changes_no_verdict_for_a_fixed_number() {
    let fixed = CompareRequest {
        ranges: PerMeasure::default(),
        ..asked("score")
    };
    let first = rows(apart());
    let of =
        |rows: &[String], request| compare(&table(&text(rows)), request).expect("a comparison");
    let mut by_policy = first.clone();
    by_policy.sort_by_key(|row| !row.contains("new"));
    let mut backwards = first.clone();
    backwards.reverse();
    let by_t = of(&first, &fixed);
    assert_eq!(by_t.pairs()[0].method, t::METHOD);
    let (turned, known) = (of(&backwards, &fixed), &by_t.pairs()[0]);
    let turned = &turned.pairs()[0];
    assert_eq!((turned.verdict, turned.mean), (known.verdict, known.mean));
    let near =
        |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(turned.lo, known.lo) && near(turned.hi, known.hi));
    // The cases are still in the same order.
    assert_eq!(
        of(&by_policy, &asked("score")).pairs(),
        of(&first, &asked("score")).pairs()
    );
    assert!(
        by_t.summary.disclosures[0].contains("in the order in which they first appear"),
        "{:?}",
        by_t.summary.disclosures
    );
}

#[test]
fn cases_without_a_partner_are_counted_and_said() {
    let mut some = rows(apart());
    some.remove(0);
    some.remove(0);
    let found = compare(&table(&text(&some)), &asked("score")).expect("a comparison");
    assert_eq!(
        (found.cases(), found.incomplete, found.pairs()[0].n),
        (59, 0, 59)
    );
    some.remove(0);
    let found = compare(&table(&text(&some)), &asked("score")).expect("a comparison");
    assert_eq!(
        (found.cases(), found.incomplete, found.pairs()[0].n),
        (59, 1, 58)
    );
    let disclosed = found.summary.disclosures.last().expect("a sentence");
    assert!(
        disclosed.starts_with("1 of 59 cases lacks a value (\u{201c}old\u{201d} in 1)"),
        "{disclosed}"
    );
    let alone = "case,policy,score\n1,a,0.5\n2,b,0.5\n";
    let said = said(compare(&table(alone), &asked("score")));
    assert_eq!(
        said,
        ["t.csv: no case has values of two policies, so nothing can be compared"]
    );
}

#[test]
fn all_that_is_wrong_with_the_rows_is_said_at_once_with_its_place() {
    let wrong = "case,policy,score\n1,a,x\n1,b,\n2,a,NaN\n2,b,inf\n,a,0.5\n3,,0.5\n4,a,1.5\n\
                 5,a,0.5\n5,b,0.5\n5,a,0.25\n6,a\n6,b,0.5,9\n7,a,1e999\n";
    let known = [
        "t.csv:2:3: 'x' in `score` is not a number",
        "t.csv:3:3: the cell of `score` is blank",
        "t.csv:4:3: 'NaN' in `score` is not a finite number",
        "t.csv:5:3: 'inf' in `score` is not a finite number",
        "t.csv:6:1: the cell of `case` is blank",
        "t.csv:7:2: the cell of `policy` is blank",
        "t.csv:8:3: `score`: 1.5 is outside of the declared range 0 to 1",
        "t.csv:11:3: this policy and case have a value of `score` on line 9 already",
        "t.csv:12: the row has 2 fields, and the header 3",
        "t.csv:13: the row has 4 fields, and the header 3",
        "t.csv:14:3: '1e999' in `score` is not a finite number",
    ];
    assert_eq!(said(compare(&table(wrong), &asked("score"))), known);
}

#[test]
fn all_that_is_wrong_with_the_request_is_said_at_once() {
    let request = CompareRequest {
        baseline: Some("olt".into()),
        alpha: 1.0,
        margins: PerMeasure::all(0.0),
        ranges: PerMeasure {
            all: Some((1.0, 0.0)),
            by: [("scroe".to_owned(), (0.0, 1.0))].into(),
        },
        ..asked("score")
    };
    let known = [
        "option --range scroe=\u{2026}: `scroe` is not compared",
        "option --range 1..0: a range goes from a finite number to a greater one",
        "option --margin 0: a margin is a finite number above 0",
        "option --alpha 1: alpha is a probability between 0 and 1",
        "option --baseline olt: there is no policy `olt`",
    ];
    assert_eq!(
        said(compare(&table(&text(&rows(apart()))), &request)),
        known
    );
}

#[test]
fn columns_that_are_missing_or_twice_are_named() {
    let of = |text: &str, request: &CompareRequest| said(compare(&table(text), request));
    let header = "case,policy,score\n1,a,0\n";
    let request = CompareRequest {
        policy: "polcy".into(),
        pair: None,
        ..asked("scores")
    };
    assert_eq!(
        of(header, &request),
        [
            "t.csv:1: there is no column `polcy`",
            "t.csv:1: there is no column `replication`",
            "t.csv:1: there is no column `scores`",
        ]
    );
    let twice = "case,policy,score,score\n1,a,0,0\n";
    assert_eq!(
        of(twice, &asked("score")),
        ["t.csv:1:4: there are 2 columns `score`"]
    );
    let none = CompareRequest {
        measures: Vec::new(),
        ..asked("")
    };
    assert_eq!(of(header, &none), ["no measure is named"]);
    assert_eq!(
        of(header, &asked("score")),
        ["t.csv: `a` is the only policy"]
    );
    let named = "replication,policy,metric,at,value\n0,a,loss,,0\n";
    let request = CompareRequest {
        pair: None,
        ..asked("los")
    };
    assert_eq!(
        of(named, &request),
        ["option --metric los: the column `metric` has no `los`"]
    );
    let wide = CompareRequest {
        columns: vec!["a".into(), "a".into(), "c".into()],
        ..asked("x")
    };
    assert_eq!(
        of("case,a,b\n1,0,0\n", &wide),
        [
            "the policy `a` is named twice",
            "t.csv:1: there is no column `c`"
        ]
    );
}

#[test]
fn in_a_wide_table_a_blank_cell_is_a_missing_value_and_a_case_has_one_row() {
    let request = CompareRequest {
        columns: vec!["a".into(), "b".into()],
        ..asked("score")
    };
    let found = compare(&table("case,a,b\n1,0,1\n2,,1\n3,0.5,0.5\n"), &request);
    let found = found.expect("a comparison");
    assert_eq!(
        (found.cases(), found.incomplete, found.pairs()[0].n),
        (3, 1, 2)
    );
    let twice = compare(&table("case,a,b\n1,0,1\n1,,1\n,0,0\n"), &request);
    assert_eq!(
        said(twice),
        [
            "t.csv:3:1: this case is on line 2 already",
            "t.csv:4:1: the cell of `case` is blank"
        ]
    );
}

/// The catalogue describes what a run wrote, and nothing else.
#[test]
fn a_runs_own_metrics_have_their_side_and_range() {
    let rows = (0..9)
        .map(|n| format!("{n},a,representation_loss,,0.25\n{n},b,representation_loss,,0.75\n"));
    let rows: String = rows.collect();
    let own = format!("replication,policy,metric,at,value\n{rows}0,a,representation_loss,7,9\n");
    let request = CompareRequest {
        pair: None,
        ranges: PerMeasure::default(),
        ..asked("representation_loss")
    };
    let found = compare(&table(&own), &request).expect("a comparison");
    let pair = &found.pairs()[0];
    assert_eq!(
        (pair.direction, &*pair.method),
        (Direction::Lower, Betting::METHOD)
    );
    let other = own.replacen("replication,", "run,", 1);
    let request = CompareRequest {
        pair: Some("run".into()),
        ..request
    };
    let found = compare(&table(&other), &request).expect("a comparison");
    let pair = &found.pairs()[0];
    assert_eq!(
        (pair.direction, &*pair.method),
        (Direction::Higher, t::METHOD)
    );
}

#[test]
fn case_by_case_as_all_at_once() {
    let mut comparing = Comparing::new(["old", "new"], &asked("score")).expect("two policies");
    assert_eq!(comparing.comparison().pairs()[0].n, 0);
    for [old, new] in apart() {
        comparing.add([("new", new), ("old", old)]).expect("a case");
    }
    let whole = compare(&table(&text(&rows(apart()))), &asked("score")).expect("a comparison");
    let (ours, known) = (
        &comparing.comparison().pairs()[0].clone(),
        &whole.pairs()[0],
    );
    assert_eq!(
        (ours.lo, ours.hi, ours.mean),
        (known.lo, known.hi, known.mean)
    );
    assert_eq!((ours.verdict, ours.alpha), (known.verdict, known.alpha));
    assert_eq!(ours.extras.p_anytime, known.extras.p_anytime);
    // Whoever looks at any time gets nothing for a number that was fixed.
    assert!(ours.extras.t_lo.is_none() && known.extras.t_lo.is_some());
    comparing.add([("new", 0.5)]).expect("a case");
    let found = comparing.comparison();
    assert_eq!(
        (found.cases(), found.incomplete, found.pairs()[0].n),
        (61, 1, 60)
    );
}

#[test]
fn a_case_with_a_wrong_value_is_not_added() {
    let mut comparing = Comparing::new(["old", "new"], &asked("score")).expect("two policies");
    let wrong = [("old", f64::NAN), ("mew", 0.5), ("new", 2.0)];
    let problems = comparing.add(wrong).expect_err("it is wrong").0;
    assert_eq!(problems.len(), 3);
    let twice = [("old", 0.5), ("old", 0.5)];
    assert_eq!(comparing.add(twice).expect_err("it is wrong").0.len(), 1);
    assert_eq!(comparing.cases(), 0);
    let unbounded = CompareRequest {
        ranges: PerMeasure::default(),
        ..asked("score")
    };
    for (labels, request) in [
        (vec!["a", "b"], unbounded),
        (vec!["a"], asked("score")),
        (vec!["a", "a"], asked("score")),
    ] {
        let problems = Comparing::new(labels, &request).expect_err("it is wrong").0;
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}

//! Tests of tables of verdicts.

use super::*;
use crate::report::page::pieces::PageNumbers;
use crate::report::page::rows::verdicts_html;
use kleroterion_stats::Standing;

/// Verdicts of policies that are called by numbers, the first of them better.
fn verdicts(policies: usize) -> Verdicts {
    let row = |n: usize| VerdictRow {
        who: PolicyName {
            label: format!("<{n}>"),
            look: n,
            is_yardstick: n == 1,
        },
        bar: Some(VerdictBar {
            mean: n as f64 - 1.0,
            se: Some(0.25),
            limits: Some((n as f64 - 2.0, n as f64 + 1.0)),
        }),
        mean: format!("{n}.5 ± 0.1"),
        difference: format!("+{n} ± 0.2"),
        interval: format!("+{n}.1 to +{n}.9"),
        wins: format!("8{n}"),
        verdict: if n == 0 { "better" } else { "undecided" }.into(),
        standing: Some(if n == 0 {
            Standing::Sure
        } else {
            Standing::Open
        }),
        progress: Some(Progress {
            seen: 30,
            whole: Some(77),
            words: "30 of about 77: about 47 more may decide it".into(),
        }),
        ..VerdictRow::default()
    };
    Verdicts {
        measure: "cost".into(),
        title: "Spent on interviews".into(),
        direction: Direction::Lower,
        about: "less is better".into(),
        against: "against \u{201c}<2>\u{201d}".into(),
        means: Some("Mean"),
        margin: Some(0.5),
        rows: (0..policies).map(row).collect(),
        policies: vec![],
        notes: vec!["R & D".into()],
    }
}

/// The HTML of tables, of at most five rows where there are many.
fn html(tables: Vec<Verdicts>) -> String {
    let picture = VerdictPicture {
        tables,
        about: "Bars.".into(),
        ..VerdictPicture::default()
    };
    verdicts_html(&picture, &mut PageNumbers::new(5)).into_string()
}

/// Names, values, bars, verdicts and progress of all measures are of one row; the picture itself is
/// not read. A yardstick is the last.
#[test]
fn every_policy_has_one_row_for_all_measures() {
    for policies in [1, 8, 12] {
        let mut second = verdicts(policies);
        second.title = "Largest gap (points)".into();
        second.rows.reverse();
        let html = html(vec![verdicts(policies), second]);
        let html = format!("<body>{html}</body>");
        let document = Document::parse(&html).expect("well-formed XML");
        let mut tables = document.descendants();
        let table = tables.find(|node| {
            let class = node.attribute("class");
            class.is_some_and(|class| class.starts_with("verdicts two"))
        });
        let rows = table.expect("one table").descendants().filter(|node| {
            node.has_tag_name("tr") && node.parent().is_some_and(|one| one.has_tag_name("tbody"))
        });
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows.len(), policies);
        for row in &rows {
            let pictures = row.descendants().filter(|node| node.has_tag_name("svg"));
            assert!(
                pictures
                    .clone()
                    .all(|svg| svg.attribute("aria-hidden") == Some("true"))
            );
            // Its marker, and for each measure its bar and its progress.
            assert_eq!(pictures.count(), 5);
            let cells: Vec<_> = row.children().filter(|node| node.is_element()).collect();
            assert_eq!(cells.len(), 7);
            let values = [1, 4].map(|at| {
                let texts = cells[at].descendants().filter(|node| node.is_text());
                texts
                    .filter_map(|node| node.text())
                    .next_back()
                    .map(str::to_owned)
            });
            assert_eq!(values[0], values[1], "both are of the same policy");
        }
        let last = rows.last().and_then(|row| row.attribute("class"));
        let known = if policies > 1 { "n-2 aside" } else { "n-1" };
        assert_eq!(last, Some(known));
        assert!(html.contains("\u{2190} less is better") && !html.contains("style="));
        assert!(html.contains(">wins 80 of 100<") && html.contains(">about 47 more<"));
        assert_eq!(html.matches(">R &amp; D</p>").count(), 2);
        // What the row has no room for is among the numbers.
        for number in [
            "30 of about 77: about 47 more",
            "0.5 ± 0.1",
            "+0 ± 0.2",
            "+0.1 to +0.9",
        ] {
            let numbers = html.split("The numbers of the verdicts").nth(1);
            assert!(
                numbers.is_some_and(|numbers| numbers.contains(number)),
                "{number}"
            );
        }
    }
}

/// Three measures have no room next to each other.
#[test]
fn more_than_two_measures_are_below_each_other() {
    let html = html(vec![verdicts(2), verdicts(2), verdicts(2)]);
    assert_eq!(html.matches("class=\"verdicts klero-figure\"").count(), 3);
    assert!(!html.contains("verdicts two"));
}

/// Four policies, each compared with each.
fn pairs() -> Verdicts {
    let all = verdicts(4);
    let policies: Vec<PolicyName> = all.rows.iter().map(|row| row.who.clone()).collect();
    let pair = |(a, b): (usize, usize)| VerdictRow {
        who: policies[b].clone(),
        against: Some(policies[a].clone()),
        ..all.rows[b].clone()
    };
    let places = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    Verdicts {
        means: None,
        rows: places.into_iter().map(pair).collect(),
        policies: policies.clone(),
        ..all
    }
}

/// Each of many pairs is twice in a matrix, once from either side; each of few is a row.
#[test]
fn many_pairs_are_a_matrix() {
    let html = html(vec![pairs()]);
    let body = format!("<body>{html}</body>");
    let document = Document::parse(&body).expect("well-formed XML");
    let cells = document.descendants().filter(|node| {
        node.attribute("role") == Some("gridcell") && node.attribute("data-head").is_some()
    });
    let said: Vec<&str> = cells
        .filter_map(|node| node.attribute("data-said"))
        .collect();
    assert_eq!(said.len(), 12);
    let has = |words: &str| said.iter().any(|said| said.starts_with(words));
    assert!(
        has("<3> less <0>: +3 ± 0.2 (+3.1 to +3.9); open; 30 of about 77"),
        "{said:?}"
    );
    assert!(
        has("<0> less <3>: \u{2212}3 ± 0.2 (\u{2212}3.9 to \u{2212}3.1); open"),
        "{said:?}"
    );
    // One cell is reached by Tab, the others by the arrow keys.
    assert_eq!(html.matches("tabindex=\"0\" data-").count(), 1);
    let mut few = pairs();
    few.rows.truncate(3);
    assert!(!self::html(vec![few]).contains("k-matrix"));
}

/// A yardstick is no answer: its verdict has no colour of an answer, on the page and in the file.
#[test]
fn the_verdict_on_a_yardstick_is_grey() {
    let mut table = verdicts(2);
    table.rows[0].who.is_yardstick = true;
    let panel = table.panel().expect("a panel");
    assert!(
        panel
            .rows
            .iter()
            .all(|row| row.name.ends_with(" (yardstick)"))
    );
    assert!(!html(vec![table]).contains("verdict yes"));
    assert!(html(vec![verdicts(2)]).contains("verdict yes sure"));
}

/// A sure verdict is filled. A fact so far is never green, whatever its word.
#[test]
fn each_standing_has_its_look() {
    for (standing, verdict, look) in [
        (
            Some(Standing::Sure),
            "better",
            "verdict yes sure\"><span aria-hidden=\"true\">\u{2713}</span> <span class=\"unseen\">sure: </span>better",
        ),
        (
            Some(Standing::Sure),
            "worse",
            "verdict no sure\"><span aria-hidden=\"true\">\u{2717}</span> <span class=\"unseen\">sure: </span>worse",
        ),
        (
            Some(Standing::Sure),
            "equivalent",
            "verdict shape sure\"><span aria-hidden=\"true\">\u{2248}</span> <span class=\"unseen\">sure: </span>equivalent",
        ),
        (
            Some(Standing::Open),
            "undecided",
            "verdict open\"><span aria-hidden=\"true\">?</span> open<",
        ),
        (
            Some(Standing::Open),
            "identical",
            "verdict open\"><span aria-hidden=\"true\">=</span> open: equal",
        ),
        (
            Some(Standing::SoFar),
            "so_far",
            "verdict sofar\"><span aria-hidden=\"true\">\u{25e6}</span> so far<",
        ),
        (
            Some(Standing::SoFar),
            "better",
            "verdict sofar\"><span aria-hidden=\"true\">\u{25e6}</span> so far<",
        ),
        (
            None,
            "baseline",
            "verdict base\"><span aria-hidden=\"true\">\u{b7}</span> baseline",
        ),
    ] {
        let mut table = verdicts(1);
        table.rows[0].verdict = verdict.into();
        table.rows[0].standing = standing;
        let html = html(vec![table]);
        assert!(html.contains(look), "{standing:?} {verdict}: {html}");
    }
}

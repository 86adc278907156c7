//! Tests of tables of verdicts.

use super::*;
use crate::report::page::verdicts::verdicts_html;
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
        difference: format!("+{n}"),
        verdict: if n == 0 { "better" } else { "undecided" }.into(),
        standing: Some(if n == 0 {
            Standing::Sure
        } else {
            Standing::Open
        }),
        progress: Some(Progress {
            seen: 30,
            whole: Some(77),
            words: "30 of about 77".into(),
        }),
        ..VerdictRow::default()
    };
    Verdicts {
        measure: "cost".into(),
        title: "Spent on interviews".into(),
        direction: Direction::Lower,
        about: "less is better".into(),
        against: "Difference from \u{201c}<2>\u{201d}".into(),
        means: None,
        margin: Some(0.5),
        rows: (0..policies).map(row).collect(),
        notes: vec!["R & D".into()],
    }
}

/// Names, bars, verdicts and progress are of one row; the picture itself is not read.
#[test]
fn every_row_of_a_verdict_has_its_bar() {
    for policies in [1, 8, 12] {
        let picture = VerdictPicture {
            tables: vec![verdicts(policies)],
            about: "Bars.".into(),
            file: Some("figures/verdicts.svg".into()),
        };
        let html = verdicts_html(&picture, 5).into_string();
        let html = format!("<body>{html}</body>");
        let document = Document::parse(&html).expect("well-formed XML");
        let rows = document.descendants().filter(|node| {
            node.has_tag_name("tr") && node.parent().is_some_and(|one| one.has_tag_name("tbody"))
        });
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows.len(), policies);
        for row in rows {
            let pictures = row.descendants().filter(|node| node.has_tag_name("svg"));
            assert!(
                pictures
                    .clone()
                    .all(|svg| svg.attribute("aria-hidden") == Some("true"))
            );
            // Its marker, its bar, its progress.
            assert_eq!(pictures.count(), 3);
            assert_eq!(row.children().filter(|node| node.is_element()).count(), 3);
        }
        // The second is a yardstick; its verdict is grey.
        let chips = html.matches(">yardstick</span>");
        assert_eq!(chips.count(), usize::from(policies > 1));
        assert!(html.contains("\u{2190} better") && !html.contains("style="));
        assert!(html.contains(">R &amp; D</p>"));
    }
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
    let picture = |table| VerdictPicture {
        tables: vec![table],
        ..VerdictPicture::default()
    };
    let html = verdicts_html(&picture(table), 5).into_string();
    assert!(!html.contains("verdict yes"), "{html}");
    let html = verdicts_html(&picture(verdicts(2)), 5).into_string();
    assert!(html.contains("verdict yes"), "{html}");
}

/// A fact so far is never green, whatever its word. It has a look of its own.
#[test]
fn each_standing_has_its_look() {
    for (standing, verdict, look) in [
        (
            Some(Standing::Sure),
            "better",
            "verdict yes\"><span aria-hidden=\"true\">\u{2713}</span> sure: better",
        ),
        (
            Some(Standing::Sure),
            "worse",
            "verdict no\"><span aria-hidden=\"true\">\u{2717}</span> sure: worse",
        ),
        (
            Some(Standing::Sure),
            "equivalent",
            "verdict shape\"><span aria-hidden=\"true\">\u{2248}</span> sure: equivalent",
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
            "verdict open\"><span aria-hidden=\"true\">\u{b7}</span> baseline",
        ),
    ] {
        let mut table = verdicts(1);
        table.rows[0].verdict = verdict.into();
        table.rows[0].standing = standing;
        let picture = VerdictPicture {
            tables: vec![table],
            ..VerdictPicture::default()
        };
        let html = verdicts_html(&picture, 5).into_string();
        assert!(html.contains(look), "{standing:?} {verdict}: {html}");
    }
}

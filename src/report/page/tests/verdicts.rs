//! Tables of verdicts.

use super::*;

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
        progress: Some(Progress {
            seen: 30,
            whole: Some(77),
            words: "30 of about 77".into(),
        }),
        ..VerdictRow::default()
    };
    Verdicts {
        measure: "cost".into(),
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
        assert!(html.contains("<p class=\"caveat\">R &amp; D</p>"));
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

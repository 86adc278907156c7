//! Tests of the parts of a draw's page.

use super::*;
use crate::report::figure::ValueSpan;

fn bullet(name: &str, wanted: (f64, f64), members: usize) -> Bullet {
    let (lo, hi) = wanted;
    Bullet {
        group: "Age".into(),
        name: name.into(),
        wanted: Some(ValueSpan { lo, hi }),
        words: "R & D".into(),
        members,
        respondents: 70,
        even: 12.5,
        is_kept: Some(lo <= members as f64 && members as f64 <= hi),
    }
}

fn html_of(part: PagePart) -> String {
    let page = Page {
        title: "A draw".into(),
        sections: vec![PageSection {
            heading: "All".into(),
            parts: vec![part],
        }],
        ..Page::default()
    };
    let html = page.html();
    let start = html.find("<main>").expect("a main part");
    let end = html.find("</main>").expect("its end");
    let main = &html[start..end + "</main>".len()];
    Document::parse(main).expect("well-formed");
    main.to_owned()
}

/// The largest number of all rows is 24, with a margin of 4 %, so that 12 is at 48.08 %.
#[test]
fn bars_share_a_scale_from_0() {
    let table = BulletTable {
        caption: "Members".into(),
        axis: "from 0".into(),
        rows: vec![
            bullet("young", (12.0, 24.0), 12),
            bullet("old", (6.0, f64::INFINITY), 3),
        ],
    };
    let html = html_of(PagePart::Bullets(table));
    for drawn in [
        r#"<rect class="want" x="48.08%" width="48.08%""#,
        r#"<circle cx="48.08%""#,
        r#"<line x1="50.08%" x2="50.08%""#,
        // Without a maximum the wanted range reaches the end of the bar.
        r#"<rect class="want" x="24.04%" width="75.96%""#,
        r#"<circle class="off" cx="12.02%""#,
    ] {
        assert!(html.contains(drawn), "{drawn}: {html}");
    }
    assert_eq!(html.matches(r#"scope="rowgroup""#).count(), 1);
    assert!(html.contains("✗</span> not kept"), "{html}");
}

#[test]
fn steps_show_the_ends_of_hashes() {
    let hash = "0123456789abcdef0123456789abcdef";
    let step = |hash: &str| PageStep {
        title: "Fixed".into(),
        words: "the text `x`".into(),
        hash: Some(hash.into()),
    };
    let html = html_of(PagePart::Steps(vec![step(hash), step("short")]));
    assert!(html.contains(&format!(r#"<code title="{hash}">01234567…cdef</code>"#)));
    assert!(html.contains(">short</code>"));
}

/// The bytes are in base 64, so that a page changes none of them.
#[test]
fn the_page_holds_the_bytes_to_hash() {
    let file = |bytes: Option<&[u8]>| HashedFile {
        name: "randomness".into(),
        bytes: bytes.map(<[u8]>::to_vec),
        sha256: "ab".into(),
    };
    let check = HashCheck {
        files: vec![file(Some(b"a\r\n\"b\xff")), file(None)],
        lot: Some(HashedLot {
            name: "the number".into(),
            lines: "x {commitment}\n".into(),
            sha256: "cd".into(),
            number: 7,
            panels: Some(1000),
        }),
    };
    let html = html_of(PagePart::Hashes(check));
    assert_eq!(html.matches("data-bytes=").count(), 1);
    assert!(html.contains(r#"data-bytes="YQ0KImL/""#), "{html}");
    assert!(
        html.contains(r#"data-number="7" data-panels="1000""#),
        "{html}"
    );
    assert!(
        html.contains(r#"<div id="hash-check" hidden="hidden">"#),
        "{html}"
    );
}

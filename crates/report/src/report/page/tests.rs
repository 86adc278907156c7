mod draws;
mod verdicts;

use roxmltree::Document;

use super::super::figure::{Axis, Cell, FigurePoint, Panel, Series, SeriesKind};
use super::super::tests::contrast::contrast;
use super::*;
use crate::limits::MOST_PAGE_BYTES;

fn figure(points: usize) -> Figure {
    let points = (0..points).map(|i| FigurePoint::new(i as f64, (i * i % 97) as f64));
    Figure {
        title: "Loss <by> size".into(),
        caption: "Means.".into(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis::linear("K"),
            y: Axis::linear("loss"),
            series: vec![Series::new("CMDP", SeriesKind::Line, points)],
            marks: vec![],
        }],
    }
}

/// Two studies: one of two kinds of verdicts, one of one.
fn studies() -> PagePart {
    let study = |to: &str, findings: Vec<ClaimFinding>| PageStudy {
        page: Link {
            text: "R & D".into(),
            to: to.into(),
        },
        paper: "do2021".into(),
        about: "Table `1`".into(),
        claims: PageClaims {
            claims: findings.into_iter().map(claim).collect(),
            ..PageClaims::default()
        },
    };
    let off = |why: &str| ClaimFinding::Failed(why.into());
    PagePart::Studies(PageStudies {
        studies: vec![
            study("a.html", vec![off("a"), ClaimFinding::Reproduced, off("b")]),
            study("b.html", vec![ClaimFinding::Reproduced]),
        ],
    })
}

fn claim(finding: ClaimFinding) -> PageClaim {
    PageClaim {
        claim: "Table 1: R & D".into(),
        link: Some("a.html#claim-3".into()),
        paper: "10".into(),
        ours: "`9.9`\n9.8".into(),
        strips: Vec::new(),
        rule: "within 1 & a half".into(),
        finding,
    }
}

fn page(points: usize) -> Page {
    let claims = [
        ClaimFinding::Reproduced,
        ClaimFinding::ByConstruction,
        ClaimFinding::InShape("why so".into()),
        ClaimFinding::Undecided("too few".into()),
        ClaimFinding::CannotBe("private".into()),
        ClaimFinding::NotRun("no file".into()),
        ClaimFinding::Failed("off".into()),
    ];
    let rows = vec![vec![
        Cell::Text("kleroterion".into()),
        Cell::Number(0.5),
        Cell::Empty,
    ]];
    let headers = ["what", "value", "none"].map(str::to_owned).to_vec();
    let figure = || PagePart::Figure {
        figure: figure(points),
        file: Some("a \"b\".svg".into()),
    };
    let section = |parts| PageSection {
        heading: "A <section>".into(),
        parts,
    };
    Page {
        tab: String::new(),
        title: "Four papers & one".into(),
        lead: "What they say.".into(),
        links: vec![Link {
            text: "All & sundry".into(),
            to: "index.html".into(),
        }],
        found: Some(found()),
        counted: Vec::new(),
        sections: vec![
            section(vec![
                PagePart::Prose("One `a < b`\nline.\n\nTwo ` alone.".into()),
                PagePart::Claims(PageClaims {
                    caption: "Do 2021".into(),
                    links: vec![Link {
                        text: "a & b.svg".into(),
                        to: "a%20b.svg".into(),
                    }],
                    pictures: vec![Picture {
                        file: "a & b.svg".into(),
                        about: "Who \"leads\"".into(),
                    }],
                    claims: claims.map(claim).into(),
                }),
            ]),
            section(vec![figure(), figure()]),
            section(vec![
                PagePart::Code("klero run a && b\n  --out c\n".into()),
                PagePart::Table {
                    caption: "Versions".into(),
                    table: FigureTable { headers, rows },
                },
            ]),
        ],
    }
}

/// A finding over two measures.
fn found() -> Findings {
    Findings {
        answer: "\u{201c}a < b\u{201d} leads".into(),
        mood: Mood::Settled,
        ..Findings::default()
    }
}

/// The body, which is well-formed XML.
fn body(html: &str) -> &str {
    let from = html.find("<body>").unwrap();
    &html[from..html.find("</body>").unwrap() + "</body>".len()]
}

#[test]
fn it_is_well_formed_and_in_order() {
    let html = page(30).html();
    let document = Document::parse(body(&html)).expect("well-formed XML");
    let headings: Vec<&str> = document
        .descendants()
        .map(|node| node.tag_name().name())
        .filter(|name| matches!(*name, "h1" | "h2" | "h3"))
        .collect();
    assert_eq!(headings, ["h1", "h2", "h2", "h2"]);
    for table in document
        .descendants()
        .filter(|node| node.has_tag_name("table"))
    {
        let first = table.children().find(|node| node.is_element()).unwrap();
        assert!(first.has_tag_name("caption"));
        let mut heads = table.descendants().filter(|node| node.has_tag_name("th"));
        assert!(heads.all(|head| head.has_attribute("scope")));
        let mut rows = table.descendants().filter(|node| node.has_tag_name("tr"));
        let columns = rows.next().unwrap().children().count();
        assert!(rows.all(|row| row.children().filter(|node| node.is_element()).count() == columns));
    }
    let paragraphs: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("p"))
        .filter_map(|node| node.text())
        .collect();
    let known = [
        "\u{201c}a < b\u{201d} leads.",
        "What they say.",
        "One ",
        "Two ` alone.",
    ];
    assert_eq!(paragraphs, known);
    assert!(html.contains("<code>a &lt; b</code>"));
    assert!(html.contains("<code>klero run a &amp;&amp; b\n  --out c</code>"));
}

#[test]
fn ids_are_the_page_s_own_and_lead_somewhere() {
    let html = page(30).html();
    let document = Document::parse(body(&html)).unwrap();
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    for (i, id) in ids.iter().enumerate() {
        assert!(!ids[..i].contains(id), "{id} is there twice");
    }
    for node in document.descendants() {
        let named = node
            .attribute("aria-labelledby")
            .unwrap_or_default()
            .split_whitespace();
        let linked = node
            .attribute("href")
            .and_then(|link| link.strip_prefix('#'));
        for id in named.chain(linked) {
            assert!(ids.contains(&id), "{id}");
        }
    }
}

#[test]
fn nothing_comes_from_outside() {
    let html = page(30).html();
    for text in [
        "http:", "https:", "//", "url(", "@import", "<script", "<iframe",
    ] {
        assert!(!html.contains(text), "{text}");
    }
    assert!(html.contains("default-src 'none'"));
    // Only what lies next to it.
    assert_eq!(html.matches("<img").count(), 1);
    let small =
        "<a href=\"a &amp; b.svg\"><img src=\"a &amp; b.svg\" alt=\"Who &quot;leads&quot;\"/></a>";
    assert!(html.contains(small));
}

#[test]
fn every_verdict_says_its_word_and_why() {
    let html = page(3).html();
    for (word, why) in [
        ("reproduced in shape", "why so"),
        ("undecided", "too few"),
        ("can&#39;t be reproduced", "private"),
        ("not run", "no file"),
        ("not reproduced", "off"),
    ] {
        let word = word.replace("&#39;", "'");
        let at = html
            .find(&format!("</span> {word}</span>"))
            .expect("the word");
        assert!(
            html[at..].find(why).is_some_and(|place| place < 80),
            "{why}"
        );
    }
    assert_eq!(html.matches("Rule: within 1 &amp; a half").count(), 7);
    assert_eq!(html.matches("<code>9.9</code><br/>9.8").count(), 7);
    assert!(html.contains("</span> by construction</span>"));
}

/// The words of an element, run together.
fn words(node: roxmltree::Node<'_, '_>) -> String {
    let texts = node.descendants().filter(roxmltree::Node::is_text);
    texts.filter_map(|text| text.text()).collect()
}

#[test]
fn studies_count_each_verdict_that_was_reached_and_fold_their_sentences() {
    let page = Page {
        counted: vec![ClaimFinding::Reproduced, ClaimFinding::Failed("x".into())],
        sections: vec![PageSection {
            heading: "Studies".into(),
            parts: vec![studies()],
        }],
        ..Page::default()
    };
    let html = page.html();
    let (body, _) = body(&html).split_once("<script>").expect("a script");
    let body = format!("{body}</body>");
    let document = Document::parse(&body).expect("well-formed XML");
    let class = |name| {
        let nodes = document.descendants();
        nodes.filter(move |node| node.attribute("class") == Some(name))
    };
    let chips: Vec<String> = class("chips").map(words).collect();
    assert_eq!(
        chips,
        [
            "\u{2713} 1 reproduced\u{2717} 1 not reproduced",
            "\u{2713} 1 reproduced\u{2717} 2 not reproduced",
            "\u{2713} 1 reproduced"
        ]
    );
    let rows = class("study").map(|study| {
        let rows = study.descendants();
        rows.filter(|node| node.has_attribute("data-verdict"))
            .count()
    });
    assert_eq!(rows.collect::<Vec<_>>(), [3, 1]);
    // The verdict comes first, and what filters is there for the script alone.
    assert!(
        html.contains("data-verdict=\"not reproduced\"><td role=\"cell\" data-head=\"Verdict\">")
    );
    assert!(html.contains("<form class=\"filter\" hidden=\"hidden\">"));
    assert!(html.contains("</span>(2)</label>"));
}

/// The explanation of strips is shown above a table that has one.
#[test]
fn what_a_strip_shows_is_said_where_there_is_one() {
    let said = |strips: Vec<(usize, PageStrip)>| {
        let mut page = page(2);
        page.sections[0].parts = vec![PagePart::Claims(PageClaims {
            caption: "Sentences".into(),
            links: vec![],
            pictures: vec![],
            claims: vec![PageClaim {
                strips,
                ..claim(ClaimFinding::Reproduced)
            }],
        })];
        page.html().contains("diamond at the paper&#39;s number")
            || page.html().contains("diamond at the paper's number")
    };
    let strip = PageStrip {
        ours: 9.9,
        se: Some(0.1),
        paper: 10.0,
    };
    assert!(said(vec![(0, strip)]) && !said(vec![]));
}

#[test]
fn every_kind_of_verdict_has_a_word_of_its_own() {
    let words = ClaimFinding::kinds();
    let words: Vec<&str> = words.iter().map(ClaimFinding::word).collect();
    for (i, word) in words.iter().enumerate() {
        assert!(!words[..i].contains(word), "{word} is there twice");
    }
}

#[test]
fn claims_are_numbered_and_lead_to_what_is_said_of_them() {
    let html = page(3).html();
    for n in 1..=7 {
        assert_eq!(html.matches(&format!("id=\"claim-{n}\"")).count(), 1);
    }
    assert!(html.contains("<a href=\"a%20b.svg\">a &amp; b.svg</a>"));
    let link = "<a href=\"a.html#claim-3\">Table 1: R &amp; D</a>";
    assert_eq!(html.matches(link).count(), 7);
}

#[test]
fn pages_next_to_it_are_linked_above_the_title() {
    let html = page(3).html();
    let link = html
        .find("<a href=\"index.html\">All &amp; sundry</a>")
        .expect("the link");
    assert!(link < html.find("<h1>").expect("the title"));
    let alone = Page {
        links: vec![],
        ..page(3)
    };
    assert!(!alone.html().contains("class=\"pages\""));
}

#[test]
fn long_tables_give_way_to_the_limit() {
    let mut long = page(30);
    let parts = &mut long.sections[1].parts;
    *parts = (0..40)
        .map(|_| PagePart::Figure {
            figure: figure(4_000),
            file: None,
        })
        .collect();
    // A table of its own gives way last.
    let rows = (0..19).map(|row| vec![Cell::Text(format!("row {row}")), Cell::Empty]);
    parts.push(PagePart::Table {
        caption: "A map".into(),
        table: FigureTable {
            headers: vec!["which".into(), "none".into()],
            rows: rows.collect(),
        },
    });
    let html = long.html();
    assert!(html.len() <= MOST_PAGE_BYTES, "{}", html.len());
    assert_eq!(html.matches("\">row ").count(), 19);
    assert!(html.contains(" of 4000 is shown."));
    assert_eq!(html.matches("<figure ").count(), 40);
    assert!(
        !page(1_000).html().contains("One row in"),
        "a table that has room is whole"
    );
}

#[test]
fn colours_of_text_stand_out_in_both_themes() {
    let style = include_str!("page.css");
    // Light, dark by the reader's own choice of all pages, dark as chosen on this one.
    let themes = [":root{", "#theme-light:checked)){", "#theme-dark:checked){"];
    let themes = themes.map(|theme| style.split(theme).nth(1).unwrap());
    for theme in themes {
        let colour = |name: &str| &theme.split(&format!("--{name}:")).nth(1).unwrap()[..7];
        for paper in ["paper", "soft"] {
            for text in ["ink", "muted", "link", "yes", "shape", "open", "no"] {
                let ratio = contrast(colour(text), colour(paper));
                assert!(ratio >= 4.5, "{text} on {paper}: {ratio}");
            }
        }
    }
}

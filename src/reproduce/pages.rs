//! The pages of a reproduction: one a study and, where there are several, an index of them.

use super::claim::StudyClaim;
use super::filenames::{file_of, page_of};
use super::number::Number;
use super::output::counts;
use super::papers::studies;
use super::study::{StudyOptions, StudyResult};
use crate::report::page::{
    ClaimFinding, Count, Link, Page, PageClaim, PageClaims, PagePart, PageSection, PageTally,
    Picture,
};

/// The page that is opened first.
const INDEX: &str = "index.html";

/// The pages of some studies, each with its file name; the first is `index.html`. A study by itself
/// is that page; several have a page each ([`page_of`]), and the first lists them.
#[must_use]
pub fn pages(made: &[StudyResult], options: StudyOptions) -> Vec<(String, Page)> {
    if let [only] = made {
        return vec![(INDEX.to_owned(), page(only, vec![], options))];
    }
    let mut pages = vec![(INDEX.to_owned(), index(made, options))];
    for (at, one) in made.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| made.get(at));
        let beside = [("Before", before), ("Next", made.get(at + 1))];
        let mut links = vec![link("All studies", INDEX)];
        for (word, other) in beside {
            links.extend(
                other.map(|other| link(&format!("{word}: {}", other.name), &page_of(other.name))),
            );
        }
        pages.push((page_of(one.name), page(one, links, options)));
    }
    pages
}

fn link(text: &str, to: &str) -> Link {
    Link {
        text: text.to_owned(),
        to: to.to_owned(),
    }
}

/// All studies: how many sentences met which verdict, those that do not hold, and each sentence
/// with our numbers.
fn index(made: &[StudyResult], options: StudyOptions) -> Page {
    let all = || made.iter().flat_map(|one| &one.findings.claims);
    let count = |one: &StudyResult| Count {
        page: link(one.name, &page_of(one.name)),
        about: one.about.to_owned(),
        findings: one
            .findings
            .claims
            .iter()
            .map(|claim| claim.finding.clone())
            .collect(),
    };
    let tally = PageTally {
        caption: "The papers' sentences by verdict".into(),
        rows: made.iter().map(count).collect(),
    };
    let whole = studies().count() == made.len();
    let names: Vec<&str> = made.iter().map(|one| one.name).collect();
    let names = if whole {
        "all".to_owned()
    } else {
        names.join(" ")
    };
    Page {
        title: "The papers' claims beside our numbers".into(),
        lead: lead(all(), options),
        sections: vec![
            section("Studies", vec![PagePart::Tally(tally)]),
            section("What does not hold", vec![lost(made)]),
            section("Every sentence", made.iter().map(said).collect()),
            section(
                "How it was made",
                vec![PagePart::Code(command(&names, options))],
            ),
        ],
        ..Page::default()
    }
}

/// A study's sentences, each with a link to where more is said of it, its page and its figures in
/// small.
fn said(made: &StudyResult) -> PagePart {
    let found = &made.findings;
    let page = page_of(made.name);
    let claims = (1..).zip(&found.claims).map(|(n, claim)| PageClaim {
        link: Some(format!("{page}#claim-{n}")),
        rule: String::new(),
        ..row(claim)
    });
    let pictures = found
        .figures
        .iter()
        .enumerate()
        .map(|(at, figure)| Picture {
            file: file_of(made.name, at),
            about: figure.title.clone(),
        });
    PagePart::Claims(PageClaims {
        caption: made.about.to_owned(),
        links: vec![link(made.name, &page)],
        pictures: pictures.collect(),
        claims: claims.collect(),
    })
}

/// The sentences that do not hold, each with a link to its study.
fn lost(made: &[StudyResult]) -> PagePart {
    let mut claims = Vec::new();
    for one in made {
        for (n, claim) in (1..).zip(&one.findings.claims) {
            if matches!(claim.finding, ClaimFinding::Failed(_)) {
                claims.push(PageClaim {
                    claim: format!("{}, {}", one.name, claim.place),
                    link: Some(format!("{}#claim-{n}", page_of(one.name))),
                    ..row(claim)
                });
            }
        }
    }
    if claims.is_empty() {
        return PagePart::Prose("No sentence was found not to hold.".into());
    }
    PagePart::Claims(PageClaims {
        caption: "The sentences that were tried and are not met".into(),
        links: vec![],
        pictures: vec![],
        claims,
    })
}

/// The lead under a page's title.
fn lead<'a>(claims: impl Iterator<Item = &'a StudyClaim> + Clone, options: StudyOptions) -> String {
    let quick = match options.quick {
        true => {
            " This is the quick form, of few replications: less is decided than in the full form."
        }
        false => "",
    };
    format!(
        "{}. Every number of ours is measured, with its standard error (±), the p-value of a test \
         on what was measured, or computed from a law or policy; none is copied. A verdict is the \
         strongest that the numbers establish.{quick}",
        counts(claims)
    )
}

/// A study: what to know, the figures, the sentences, further tables, and how it was made; what
/// there is of them.
fn page(made: &StudyResult, links: Vec<Link>, options: StudyOptions) -> Page {
    let found = &made.findings;
    let prose =
        (!found.statements.is_empty()).then(|| PagePart::Prose(found.statements.join("\n\n")));
    let figures = found.figures.iter().enumerate();
    let figures = figures.map(|(at, figure)| PagePart::Figure {
        figure: figure.clone(),
        file: Some(file_of(made.name, at)),
    });
    let claims = PagePart::Claims(PageClaims {
        caption: format!("What the paper says, and what we found ({})", made.name),
        links: vec![],
        pictures: vec![],
        claims: found.claims.iter().map(row).collect(),
    });
    let tables = found.tables.iter().map(|(caption, table)| PagePart::Table {
        caption: caption.clone(),
        table: table.clone(),
    });
    let mut sections = vec![
        section("What to know first", prose.into_iter().collect()),
        section("Figures", figures.collect()),
        section("The paper's sentences", vec![claims]),
        section("Further numbers", tables.collect()),
        section("How it was made", runs(made, options)),
    ];
    sections.retain(|section| !section.parts.is_empty());
    Page {
        title: made.about.to_owned(),
        lead: lead(found.claims.iter(), options),
        links,
        sections,
        ..Page::default()
    }
}

fn section(heading: &str, parts: Vec<PagePart>) -> PageSection {
    PageSection {
        heading: heading.to_owned(),
        parts,
    }
}

/// The commands that make a study and its runs.
fn runs(made: &StudyResult, options: StudyOptions) -> Vec<PagePart> {
    if made.runs.is_empty() {
        return vec![];
    }
    let runs = made.runs.iter().map(|(preset, seed, replications)| {
        format!("klero run {preset} --seed {seed} --replications {replications}\n")
    });
    let runs: String = runs.collect();
    vec![
        PagePart::Prose("Made by the first line; its runs are those of the others.".into()),
        PagePart::Code(command(made.name, options) + &runs),
    ]
}

fn command(names: &str, options: StudyOptions) -> String {
    let quick = if options.quick { " --quick" } else { "" };
    let seed = options
        .seed
        .map_or_else(String::new, |seed| format!(" --seed {seed}"));
    format!("klero reproduce {names}{quick}{seed}\n")
}

fn row(claim: &StudyClaim) -> PageClaim {
    let ours: Vec<String> = claim.ours.iter().map(Number::text).collect();
    PageClaim {
        claim: claim.place.clone(),
        link: None,
        paper: claim.paper.clone(),
        ours: if ours.is_empty() {
            "–".into()
        } else {
            ours.join("\n")
        },
        rule: claim.rule.clone(),
        finding: claim.finding.clone(),
    }
}

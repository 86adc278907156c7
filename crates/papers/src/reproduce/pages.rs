//! The pages of a reproduction: one per study and, for several studies, an index.

use super::claim::StudyClaim;
use super::filenames::{file_of, page_of};
use super::number::Number;
use super::papers::studies;
use super::study::{StudyOptions, StudyResult};
use kleroterion_report::report::account::capital;
use kleroterion_report::report::page::{
    Chart, ClaimFinding, Link, Page, PageClaim, PageClaims, PagePart, PageSection, PageStudies,
    PageStudy, Picture,
};

/// The page that is opened first.
const INDEX: &str = "index.html";

/// Builds the pages of studies, each with its file name; the first is `index.html`. A single study
/// is that page. Several have a page each ([`page_of`]), and the first page lists them.
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

/// Builds the index of all studies: the number of sentences by verdict, those that do not hold, and
/// each sentence with our numbers.
fn index(made: &[StudyResult], options: StudyOptions) -> Page {
    let whole = studies().count() == made.len();
    let names: Vec<&str> = made.iter().map(|one| one.name).collect();
    let names = if whole {
        "all".to_owned()
    } else {
        names.join(" ")
    };
    Page {
        title: "The papers' claims beside our numbers".into(),
        lead: held(made, options),
        counted: findings(made.iter().flat_map(|one| &one.findings.claims)),
        sections: vec![
            section(
                "Studies",
                vec![PagePart::Studies(PageStudies {
                    studies: made.iter().map(said).collect(),
                })],
            ),
            section("What does not hold", vec![lost(made)]),
            section(
                "How it was made",
                vec![
                    PagePart::Prose(HOW.into()),
                    PagePart::Code(command(&names, options)),
                ],
            ),
        ],
        ..Page::default()
    }
}

/// Builds the index's entry of a study: its sentences with links, and its figures in small.
fn said(made: &StudyResult) -> PageStudy {
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
    let claims = PageClaims {
        caption: format!("What the paper says, and what we found ({})", made.name),
        links: vec![],
        pictures: pictures.collect(),
        claims: claims.collect(),
    };
    PageStudy {
        page: link(made.name, &page),
        paper: made.name.split('-').next().unwrap_or_default().to_owned(),
        about: made.about.to_owned(),
        claims,
    }
}

/// Lists the sentences that do not hold, each with a link to its study.
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

/// The explanation of the numbers and of verdicts, for the pages.
const HOW: &str = "Every number of ours is measured, with its standard error (±), counted, with \
                   exact limits, the p-value of a test on what was measured, or computed from a law \
                   or policy; none is copied. A verdict is the strongest that the numbers establish \
                   and the ground allows: a definition, an instance that was fitted to the sentence \
                   and other people than the paper's are no evidence for it. Where the paper prints a \
                   number, a strip shows both: a diamond for the paper's, a dot for ours, with a \
                   thick bar of one standard error either way and a thin one of three. \
                   Strips of one sentence have one scale where their numbers are of one order of \
                   magnitude; its ends are below them.";

/// The caution for readers of the quick form; empty for the full form.
fn quick(options: StudyOptions) -> &'static str {
    match options.quick {
        true => "The quick form, of few replications: less is decided than in the full form.",
        false => "",
    }
}

fn findings<'a>(claims: impl Iterator<Item = &'a StudyClaim>) -> Vec<ClaimFinding> {
    claims.map(|claim| claim.finding.clone()).collect()
}

/// Describes the number of sentences that hold, of all. The quick form adds a caution.
fn held(made: &[StudyResult], options: StudyOptions) -> String {
    let all: Vec<ClaimFinding> = findings(made.iter().flat_map(|one| &one.findings.claims));
    let [reproduced, in_shape, built, ..] = ClaimFinding::kinds().map(|kind| kind.count(&all));
    let held = format!(
        "Of {} sentences of {} figures, tables and theorems {} hold: {reproduced} by their numbers, \
         {in_shape} in shape, {built} because what was played was made so. {}",
        all.len(),
        made.len(),
        reproduced + in_shape + built,
        quick(options)
    );
    held.trim_end().to_owned()
}

/// Describes the result of a study: its sentences by verdict, by their names. The quick form adds a
/// caution.
fn lead(made: &StudyResult, options: StudyOptions) -> String {
    let mut parts = Vec::new();
    for kind in ClaimFinding::kinds() {
        let claims = made.findings.claims.iter();
        let claims = claims.filter(|claim| kind.count([&claim.finding]) > 0);
        let names: Vec<&str> = claims.map(|claim| about(&claim.place)).collect();
        let rest = match names.len().saturating_sub(NAMED) {
            0 => String::new(),
            rest => format!("; {rest} more"),
        };
        if !names.is_empty() {
            let names = names[..names.len().min(NAMED)].join("; ");
            parts.push(format!("{}: {names}{rest}.", capital(kind.word())));
        }
    }
    parts.push(quick(options).to_owned());
    parts.join(" ").trim_end().to_owned()
}

/// The most sentences that a lead names of each verdict.
const NAMED: usize = 4;

/// Returns the topic of a sentence: its place in the paper, without the section's number if it has
/// a name.
fn about(place: &str) -> &str {
    place.split_once(": ").map_or(place, |(_, name)| name)
}

/// Builds the page of a study, with those of these parts that it has: statements, figures,
/// sentences, further tables, and the commands.
fn page(made: &StudyResult, links: Vec<Link>, options: StudyOptions) -> Page {
    let found = &made.findings;
    let prose =
        (!found.statements.is_empty()).then(|| PagePart::Prose(found.statements.join("\n\n")));
    let figures = found.figures.iter().enumerate();
    let figures = figures.map(|(at, figure)| {
        PagePart::Chart(Chart {
            figure: figure.clone(),
            file: Some(file_of(made.name, at)),
            table: None,
        })
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
        lead: lead(made, options),
        links,
        counted: findings(found.claims.iter()),
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

/// Lists the commands that make a study and its runs.
fn runs(made: &StudyResult, options: StudyOptions) -> Vec<PagePart> {
    if made.runs.is_empty() {
        return vec![];
    }
    let runs = made.runs.iter().map(|(preset, seed, replications)| {
        format!("klero run {preset} --seed {seed} --replications {replications}\n")
    });
    let runs: String = runs.collect();
    vec![
        PagePart::Prose(format!(
            "{HOW}\n\nMade by the first line; its runs are those of the others."
        )),
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
    let numbers = claim.ours.iter().enumerate();
    let strips = numbers.filter_map(|(line, number)| Some((line, number.strip()?)));
    PageClaim {
        claim: claim.place.clone(),
        link: None,
        paper: claim.paper.clone(),
        ours: if ours.is_empty() {
            "–".into()
        } else {
            ours.join("\n")
        },
        strips: strips.collect(),
        rule: claim.rule.clone(),
        finding: claim.finding.clone(),
    }
}

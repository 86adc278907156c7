//! The index page of a reproduction: a section a study.

use super::{Claim, Made, Number, Order, told};
use crate::report::page::{Claim as Row, Claims, Page, Part, Section};

/// The name of a study's figure beside the page, the first being number 0.
#[must_use]
pub fn file_of(study: &str, figure: usize) -> String {
    match figure {
        0 => format!("{study}.svg"),
        n => format!("{study}-{}.svg", n + 1),
    }
}

/// The page of some studies.
#[must_use]
pub fn index(made: &[Made], order: Order) -> Page {
    let claims = made.iter().flat_map(|one| &one.findings.claims);
    let quick = match order.quick {
        true => {
            " This is the quick form, of few replications: less is decided than in the full form."
        }
        false => "",
    };
    Page {
        title: "The papers' claims beside our numbers".into(),
        lead: format!(
            "{}. Every number of ours is measured, with its standard error (±), the p-value of a test on what was measured, or computed \
             from a law or policy; none is copied. \
             A verdict is the strongest that the numbers establish.{quick}",
            told::counts(claims)
        ),
        sections: made.iter().map(|one| section(one, order)).collect(),
    }
}

fn section(made: &Made, order: Order) -> Section {
    let found = &made.findings;
    let mut parts = Vec::new();
    if !found.statements.is_empty() {
        parts.push(Part::Prose(found.statements.join("\n\n")));
    }
    for (at, figure) in found.figures.iter().enumerate() {
        parts.push(Part::Figure {
            figure: figure.clone(),
            file: Some(file_of(made.name, at)),
        });
    }
    parts.push(Part::Claims(Claims {
        caption: format!("What the paper says, and what we found ({})", made.name),
        claims: found.claims.iter().map(row).collect(),
    }));
    for (caption, table) in &found.tables {
        parts.push(Part::Table {
            caption: caption.clone(),
            table: table.clone(),
        });
    }
    if made.runs.is_empty() {
        return Section {
            heading: made.about.to_owned(),
            parts,
        };
    }
    let runs = made.runs.iter().map(|(preset, seed, replications)| {
        format!("klero run {preset} --seed {seed} --replications {replications}\n")
    });
    let quick = if order.quick { " --quick" } else { "" };
    let seed = order
        .seed
        .map_or_else(String::new, |seed| format!(" --seed {seed}"));
    parts.push(Part::Prose(
        "Made by the first line; its runs are those of the others.".into(),
    ));
    parts.push(Part::Code(format!(
        "klero reproduce {}{quick}{seed}\n{}",
        made.name,
        runs.collect::<String>()
    )));
    Section {
        heading: made.about.to_owned(),
        parts,
    }
}

fn row(claim: &Claim) -> Row {
    let ours: Vec<String> = claim.ours.iter().map(Number::text).collect();
    Row {
        claim: claim.place.clone(),
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

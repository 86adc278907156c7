//! The claims as a table for people, as JSON and as CSV.

use std::io;

use serde_json::{Value, json};

use super::claim::StudyClaim;
use super::filenames::file_of;
use super::number::{Number, NumberSource};
use super::study::{StudyOptions, StudyResult};
use crate::report::page::ClaimFinding;
use crate::report::wrapped;

/// How wide the columns of the table are: what the paper says, what we found, the verdict.
const WIDTHS: [usize; 3] = [44, 44, 26];

/// Between the columns.
const GAP: &str = "  ";

/// How often each verdict was reached, in the verdicts' order, those that were.
pub(super) fn counts<'a>(claims: impl Iterator<Item = &'a StudyClaim> + Clone) -> String {
    let count = |kind: ClaimFinding| {
        let n = kind.count(claims.clone().map(|claim| &claim.finding));
        (n > 0).then(|| format!("{n} {}", kind.word()))
    };
    let counts: Vec<String> = ClaimFinding::kinds()
        .into_iter()
        .filter_map(count)
        .collect();
    counts.join(", ")
}

/// The table of each study: what the paper says, what we found, the verdict.
#[must_use]
pub fn text(made: &[StudyResult], options: StudyOptions) -> String {
    let mut text = String::new();
    for one in made {
        text += &format!("{}: {}\n", one.name, one.about);
        for statement in &one.findings.statements {
            for line in wrapped(statement, 116) {
                text += &format!("  {line}\n");
            }
        }
        for (preset, seed, replications) in &one.runs {
            text += &format!("  {preset}: {replications} replications, seed {seed}\n");
        }
        text += "\n";
        text += &row(["the paper says", "our numbers", "verdict"].map(str::to_owned));
        text += &row(WIDTHS.map(|width| "-".repeat(width)));
        let claims: Vec<String> = one.findings.claims.iter().map(claim_row).collect();
        text += &claims.join("\n");
        text += "\n";
    }
    let claims = made.iter().flat_map(|one| &one.findings.claims);
    let quick = match options.quick {
        true => "; quick: few replications, so that less is decided than in the full form",
        false => "",
    };
    text += &format!("In all: {}{quick}\n", counts(claims));
    text
}

fn claim_row(claim: &StudyClaim) -> String {
    let verdict = match claim.finding.why() {
        "" => claim.finding.word().to_owned(),
        why => format!("{}: {why}", claim.finding.word()),
    };
    let ours: Vec<String> = claim.ours.iter().map(Number::text).collect();
    row([
        format!("{}: {}", claim.place, claim.paper),
        ours.join("\n"),
        verdict,
    ])
}

/// A row of wrapped cells.
fn row(cells: [String; 3]) -> String {
    let columns: Vec<Vec<String>> = cells
        .iter()
        .zip(WIDTHS)
        .map(|(cell, width)| {
            let lines = cell.lines().flat_map(|line| wrapped(line, width));
            lines.collect()
        })
        .collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        let cells = columns.iter().zip(WIDTHS).map(|(column, width)| {
            let cell = column.get(line).map_or("", String::as_str);
            format!(
                "{cell}{}",
                " ".repeat(width.saturating_sub(cell.chars().count()))
            )
        });
        let cells: Vec<String> = cells.collect();
        text += cells.join(GAP).trim_end();
        text += "\n";
    }
    text
}

/// `claims.json`: options, studies, their runs, statements and claims with every number.
#[must_use]
pub fn json(made: &[StudyResult], options: StudyOptions) -> String {
    let studies = made.iter().map(|one| {
        let runs = one.runs.iter().map(|(preset, seed, replications)| {
            json!({ "preset": preset, "seed": seed, "replications": replications })
        });
        let claims = one.findings.claims.iter().map(claim);
        let figures = (0..one.findings.figures.len()).map(|at| file_of(one.name, at));
        json!({
            "name": one.name,
            "about": one.about,
            "statements": one.findings.statements,
            "runs": runs.collect::<Vec<_>>(),
            "claims": claims.collect::<Vec<_>>(),
            "figures": figures.collect::<Vec<_>>(),
        })
    });
    let studies: Vec<Value> = studies.collect();
    let all = json!({
        "schema": 1,
        "quick": options.quick,
        "studies": studies,
        "versions": { "kleroterion": env!("CARGO_PKG_VERSION") },
    });
    format!("{all:#}\n")
}

fn claim(claim: &StudyClaim) -> Value {
    let ours = claim.ours.iter().map(|number| match number.source {
        NumberSource::Measured(se, n) => json!({
            "what": number.what, "value": number.value, "se": se, "replications": n, "source": "measured",
        }),
        NumberSource::Tested(n) => json!({
            "what": number.what, "value": number.value, "se": null, "values": n, "source": "tested",
        }),
        NumberSource::Recorded(se, n) => json!({
            "what": number.what, "value": number.value, "se": se, "people": n, "source": "recorded",
        }),
        NumberSource::Computed => json!({
            "what": number.what, "value": number.value, "se": null, "replications": null, "source": "computed",
        }),
    });
    json!({
        "place": claim.place,
        "paper": claim.paper,
        "ours": ours.collect::<Vec<_>>(),
        "rule": claim.rule,
        "verdict": claim.finding.word(),
        "why": claim.finding.why(),
    })
}

/// `claims.csv`: a row a claim.
///
/// # Errors
/// Never, as it writes to memory; the writer's signature has one.
pub fn csv(made: &[StudyResult]) -> io::Result<Vec<u8>> {
    let mut out = ::csv::Writer::from_writer(Vec::new());
    out.write_record(["study", "place", "paper", "ours", "rule", "verdict", "why"])?;
    for one in made {
        for claim in &one.findings.claims {
            let (word, why) = (claim.finding.word(), claim.finding.why());
            out.write_record([
                one.name,
                &claim.place,
                &claim.paper,
                &claim.ours(),
                &claim.rule,
                word,
                why,
            ])?;
        }
    }
    out.into_inner().map_err(|error| error.into_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_wrapped_and_stand_side_by_side() {
        let long = "x".repeat(50);
        let text = row([
            format!("one {long} two"),
            "ours\nbelow".into(),
            "yes".into(),
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], format!("{:44}  {:44}  yes", "one", "ours"));
        assert_eq!(lines[1], format!("{long}  {:44}", "below").trim_end());
        assert_eq!(lines[2], "two");
        assert_eq!(wrapped("a bb ccc", 4), ["a bb", "ccc"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}

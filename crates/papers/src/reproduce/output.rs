//! The output of claims: as tables for people, as JSON and as CSV.

use std::io;

use serde_json::{Value, json};

use super::claim::StudyClaim;
use super::filenames::file_of;
use super::holds::SURE;
use super::number::{Number, NumberSource};
use super::study::{StudyOptions, StudyResult};
use kleroterion_io::record::SheetWriter;
use kleroterion_report::report::medium::{Medium, hung};
use kleroterion_report::report::page::ClaimFinding;
use kleroterion_report::report::plain;

/// The columns of the table: what the paper says, what we found, the verdict.
const HEADS: [&str; 3] = ["the paper says", "our numbers", "verdict"];

/// Between the columns.
const GAP: &str = "  ";

/// Formats the number of sentences with each verdict, in the verdicts' order. Verdicts that were
/// not reached are left out.
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

/// Formats a table for each study: the paper's sentences, our numbers, the verdicts.
#[must_use]
pub fn text(made: &[StudyResult], options: StudyOptions, medium: &Medium) -> String {
    let mut text = String::new();
    for one in made {
        let title = plain(&format!("{}: {}", one.name, one.about));
        text += &format!("{}\n", medium.title(&title));
        for statement in &one.findings.statements {
            text += &format!("  {}\n", plain(statement));
        }
        for (preset, seed, replications) in &one.runs {
            text += &format!("  {preset}: {replications} replications, seed {seed}\n");
        }
        text += &format!("\n{}\n", table(&one.findings.claims, medium));
    }
    let claims = made.iter().flat_map(|one| &one.findings.claims);
    let quick = match options.quick {
        true => "; quick: few replications, so that less is decided than in the full form",
        false => "",
    };
    let in_all = format!("In all: {}{quick}", counts(claims));
    text += &format!("{}\n", medium.strong(&in_all));
    medium.finished(&text)
}

fn table(claims: &[StudyClaim], medium: &Medium) -> String {
    let cells = claims.iter().map(cells);
    if medium.is_markdown() {
        let heads = [HEADS, [":---"; 3]].map(|line| line.map(str::to_owned));
        let lines = heads.into_iter().chain(cells);
        let on_one = |cell: String| cell.replace('\n', "; ");
        return lines
            .map(|line| Medium::table_line(line.map(on_one).into_iter()))
            .collect();
    }
    let widths = widths(medium.width());
    let heads = row(&HEADS.map(str::to_owned), widths);
    let rule = row(&widths.map(|width| "-".repeat(width)), widths);
    let rows: Vec<String> = cells.map(|cells| row(&cells, widths)).collect();
    format!("{heads}{rule}{}", rows.join("\n"))
}

/// Returns the widths of the columns for a table of this width.
fn widths(width: usize) -> [usize; 3] {
    let room = width - 6;
    let verdict = room * 26 / 114;
    let each = (room - verdict) / 2;
    [each, each, verdict]
}

fn cells(claim: &StudyClaim) -> [String; 3] {
    let verdict = match claim.finding.why() {
        "" => claim.finding.word().to_owned(),
        why => format!("{}: {why}", claim.finding.word()),
    };
    let ours: Vec<String> = claim.ours.iter().map(Number::text).collect();
    [
        format!("{}: {}", claim.place, claim.paper),
        ours.join("\n"),
        verdict,
    ]
}

/// Formats a row of wrapped cells.
fn row(cells: &[String; 3], widths: [usize; 3]) -> String {
    let columns: Vec<Vec<String>> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| {
            let lines = cell.lines().flat_map(|line| hung(&plain(line), width, ""));
            lines.collect()
        })
        .collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        let cells = columns.iter().zip(widths).map(|(column, width)| {
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

/// Returns the text of `claims.json`: options, studies, their runs, statements, and claims with
/// every number.
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
        NumberSource::Share(share) => {
            let [low, high] = share.limits(SURE);
            json!({
                "what": number.what, "value": number.value, "se": null, "low": low, "high": high,
                "hits": share.hits, "replications": share.n, "source": "counted",
            })
        }
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
        "ground": claim.ground.word(),
        "verdict": claim.finding.word(),
        "why": claim.finding.why(),
    })
}

/// Returns the bytes of `claims.csv`, one row per claim.
///
/// # Errors
/// Never, as it writes to memory; the writer's signature has one.
pub fn csv(made: &[StudyResult]) -> io::Result<Vec<u8>> {
    let mut out = SheetWriter::to(Vec::new());
    out.row([
        "study", "place", "paper", "ours", "rule", "verdict", "why", "ground",
    ])?;
    for one in made {
        for claim in &one.findings.claims {
            let (word, why) = (claim.finding.word(), claim.finding.why());
            out.row([
                one.name,
                &claim.place,
                &claim.paper,
                &claim.ours(),
                &claim.rule,
                word,
                why,
                claim.ground.word(),
            ])?;
        }
    }
    out.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_wrapped_and_stand_side_by_side() {
        let long = "x".repeat(50);
        let cells = [
            format!("one {long} two"),
            "ours\nbelow".into(),
            "yes".into(),
        ];
        let text = row(&cells, widths(120));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], format!("{:44}  {:44}  yes", "one", "ours"));
        assert_eq!(lines[1], format!("{long}  {:44}", "below").trim_end());
        assert_eq!(lines[2], "two");
        for width in [80, 100, 120, 200] {
            let wide: usize = widths(width).iter().sum();
            assert!(wide + 2 * GAP.len() <= width, "{width}");
        }
    }
}

//! `klero list`.

use clap::{Args, ValueEnum};

use super::{Failure, show};
use kleroterion::catalog::KINDS;
use kleroterion::presets::PRESETS;
use kleroterion::score::{Direction, catalogue};

/// Options of `klero list`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero list
  klero list policies")]
pub struct ListArgs {
    /// What to list; everything where it is left out
    what: Option<What>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    Policies,
    Sources,
    Pools,
    Metrics,
    Presets,
}

/// A section: its title, and rows of name and description.
type Section = (&'static str, Vec<(String, String)>);

/// Lists what there is.
pub fn list(args: &ListArgs) -> Result<(), Failure> {
    let wanted = |what| args.what.is_none_or(|only| only == what);
    let sections: [(What, fn() -> Section); 5] = [
        (What::Policies, policies),
        (What::Sources, sources),
        (What::Pools, pools),
        (What::Metrics, metrics),
        (What::Presets, presets),
    ];
    let texts: Vec<String> = sections
        .iter()
        .filter(|(what, _)| wanted(*what))
        .map(|(_, section)| render(&section()))
        .collect();
    show::print(&texts.join("\n")).map_err(|error| {
        show::say(&format!("error: can't print: {error}"));
        Failure::Failed
    })
}

fn render((title, rows): &Section) -> String {
    let width = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!("{title}\n");
    for (name, about) in rows {
        text += &format!("  {name:width$}  {about}\n");
    }
    text
}

fn policies() -> Section {
    let rows = KINDS.iter().map(|kind| {
        let parameters = match kind.parameters {
            "" => String::new(),
            parameters => format!("; {parameters}"),
        };
        let about = format!("{}: {}{parameters}", kind.setting, kind.about);
        (kind.name.to_owned(), about)
    });
    ("Policies (kind)", rows.collect())
}

fn sources() -> Section {
    let rows = [
        (
            "admissions",
            "a generated season of graduate admissions: applicants, admitted, spread, reviews, review_sd, chair_sd (all ours, calibrated)",
        ),
        (
            "arms",
            "a given set of applicants with true utilities: by formula, listed, or drawn anew; with groups",
        ),
        (
            "categorical",
            "generated people: shares (product of marginals), weights relative to the target, or a joint table",
        ),
        (
            "file",
            "people from a CSV or NDJSON file: in its order, shuffled, or resampled; with utility, score and reviews where they have such; with follow = true, as it grows (live)",
        ),
        (
            "gaussian_groups",
            "people of groups whose scores are normal, of whom a pool lets some apply: groups (mean, variance, score_bias), score_noise",
        ),
        (
            "http",
            "people posted as JSON to an address, as they come (live)",
        ),
        (
            "linear_groups",
            "contexts of several groups, worth mu.x each: a preset, or mu and [[source.group]]",
        ),
        (
            "respondents",
            "an organiser's volunteers, with the attributes of [target] categories = \"categories.csv\": resampled, shuffled, or in their order",
        ),
        (
            "stdin",
            "people on the standard input, a JSON record or a row of CSV a line (live)",
        ),
        (
            "tape",
            "a recorded stream of records, at once or at a multiple of its pace: path, replay.speed (live)",
        ),
        (
            "tcp",
            "people over connections to an address, as on the standard input (live)",
        ),
    ];
    ("Sources (type)", rows.map(own).into())
}

fn pools() -> Section {
    let rows = [
        ("fixed", "groups' shares stay: start"),
        (
            "positive_reinforcement",
            "a share moves by eta (admitted share - applicant share): start, eta",
        ),
        (
            "role_model",
            "the same, by the best-scored part rho of the admitted: start, eta, rho",
        ),
        (
            "order",
            "by sign(x) |x|^beta of that difference x: start, eta, beta",
        ),
        (
            "weighted",
            "by a weight of each group times that difference: start, eta, weights",
        ),
    ];
    ("Pools (type)", rows.map(own).into())
}

fn metrics() -> Section {
    let rows = catalogue().map(|(name, info)| {
        let direction = match info.direction {
            Direction::Lower => " (less is better)",
            Direction::Higher => " (more is better)",
            Direction::None => "",
        };
        (name.to_owned(), format!("{}{direction}", info.about))
    });
    (
        "Metrics, of all settings (a run has those of its own)",
        rows.collect(),
    )
}

fn presets() -> Section {
    let rows = PRESETS
        .iter()
        .map(|preset| (preset.name.to_owned(), preset.about()));
    ("Presets", rows.collect())
}

fn own((name, about): (&str, &str)) -> (String, String) {
    (name.to_owned(), about.to_owned())
}

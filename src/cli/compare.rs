//! `klero compare TABLE`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::Printed;
use super::failure::{Failure, print, unwritten};
use super::show;
use kleroterion::compare::{Comparison, Judge};
use kleroterion::jobs::{CompareRequest, ComparedTable, PerMeasure, compare as compared};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::account::case_page;
use kleroterion::report::cases::{case_json, case_table};
use kleroterion::report::files::Folder;
use kleroterion::report::plain;
use kleroterion::score::Direction;

/// The name of the standard input, as an argument and as a place.
const STDIN: &str = "-";
const NAME_OF_STDIN: &str = "standard input";

/// Options of `klero compare`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero compare scores.csv --metric accuracy --policy model --pair question --range 0..1
  klero compare scores.csv --metric accuracy,seconds --range accuracy=0..1 --direction seconds=lower --baseline old
  klero compare wide.csv --columns old,new --range 0..1 --margin 0.01 --html verdicts.html
  klero compare results/replications.csv --metric representation_loss --baseline greedy
  klero compare scores.csv --metric accuracy --range 0..1 --format latex

A case is whatever all policies have a value of: a question, a customer, a replication. The table has a row for each
policy and case; or, with --columns, a row for each case and a column for each policy. Cases count in the order in which
they first appear. Without --range a verdict is by t, for a number of cases that was fixed beforehand; with it, it holds
at any time.")]
pub struct CompareArgs {
    /// The table: CSV, JSON records or a workbook; - is the standard input
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// The measures: columns of numbers, or names in the column `metric` of a run's replications.csv.
    /// With --columns, what the one measure is called [default: value]
    #[arg(long, value_name = "METRIC,…", value_delimiter = ',')]
    metric: Vec<String>,
    /// The column of the policies
    #[arg(long, value_name = "COLUMN", default_value = "policy")]
    policy: String,
    /// The column that says which values belong together [default: replication; with --columns each
    /// row is a case]
    #[arg(long, value_name = "COLUMN")]
    pair: Option<String>,
    /// The columns of the policies, in a table with a column for each
    #[arg(
        long,
        value_name = "COLUMN,…",
        value_delimiter = ',',
        conflicts_with = "policy"
    )]
    columns: Vec<String>,
    /// Compare the other policies with this one [default: each with each]
    #[arg(long, value_name = "LABEL")]
    baseline: Option<String>,
    /// The better side: higher, lower or none; may be repeated, METRIC=SIDE is of one measure
    /// [default: higher; the known one of a run's metric]
    #[arg(long, value_name = "[METRIC=]SIDE", value_parser = |text: &str| stated(text, side))]
    direction: Vec<Stated<Direction>>,
    /// The least and the greatest value that can come, as 0..1; may be repeated
    #[arg(
        long,
        value_name = "[METRIC=]LEAST..MOST",
        allow_hyphen_values = true,
        value_parser = |text: &str| stated(text, range)
    )]
    range: Vec<Stated<(f64, f64)>>,
    /// The difference up to which two policies count as equivalent; may be repeated
    #[arg(long, value_name = "[METRIC=]SIZE", allow_hyphen_values = true, value_parser = |text: &str| stated(text, number))]
    margin: Vec<Stated<f64>>,
    /// The error probability allowed to all verdicts together
    #[arg(long, value_name = "ALPHA", default_value_t = Judge::ALPHA)]
    alpha: f64,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "table")]
    format: Printed,
    /// Write a page with the picture into this file
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,
    /// Overwrite PAGE
    #[arg(long, requires = "html")]
    force: bool,
}

/// A value for all measures, or for one.
#[derive(Clone, Debug)]
struct Stated<T> {
    measure: Option<String>,
    value: T,
}

/// Compares the policies of a table, prints the verdicts, and writes their page if asked.
///
/// # Errors
/// Fails if the table or the request is wrong, or the page can't be written.
pub fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let wrong = |problems: Problems| unwritten(problems, "nothing was compared");
    let page = args.html.as_deref();
    if let Some(page) = page.filter(|page| !args.force && page.exists()) {
        let what = format!("{} is there already", page.display());
        let help = "name another file with --html, or overwrite it with --force";
        return Err(wrong(Problem::of_request(what).help(help).into()));
    }
    let table = table(&args.table).map_err(|problem| wrong(problem.into()))?;
    let found = compared(&table, &request(args)).map_err(wrong)?;
    if let Some(page) = page {
        write(page, &found)?;
    }
    print(&match args.format {
        Printed::Json => case_json(&found),
        format => case_table(&found, &format.medium()),
    })
}

fn table(path: &Path) -> Result<ComparedTable, Problem> {
    if path.as_os_str() != STDIN {
        return Ok(ComparedTable::file(path));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Problem::of_file(NAME_OF_STDIN, format!("can't be read: {error}")))?;
    Ok(ComparedTable::bytes(NAME_OF_STDIN, bytes))
}

fn request(args: &CompareArgs) -> CompareRequest {
    CompareRequest {
        measures: args.metric.clone(),
        policy: args.policy.clone(),
        pair: args.pair.clone(),
        columns: args.columns.clone(),
        baseline: args.baseline.clone(),
        directions: per_measure(&args.direction),
        ranges: per_measure(&args.range),
        margins: per_measure(&args.margin),
        alpha: args.alpha,
    }
}

/// The last value for all measures, and the last for each.
fn per_measure<T: Copy>(stated: &[Stated<T>]) -> PerMeasure<T> {
    let all = stated.iter().rfind(|one| one.measure.is_none());
    let by = stated.iter();
    let by = by.filter_map(|one| Some((one.measure.clone()?, one.value)));
    PerMeasure {
        all: all.map(|one| one.value),
        by: by.collect::<BTreeMap<_, _>>(),
    }
}

fn write(page: &Path, found: &Comparison) -> Result<(), Failure> {
    let name = page.file_name().and_then(|name| name.to_str());
    let Some(name) = name else {
        let what = format!("{} is no name of a file", page.display());
        let problem = Problem::of_request(what).help("name a file, as --html verdicts.html");
        return Err(unwritten(problem, "nothing was written"));
    };
    let folder = match page.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let html = case_page(found).html();
    let written = Folder::at(folder).write(name, |out| out.write_all(html.as_bytes()));
    written.map_err(|problem| unwritten(problem, "nothing was written"))?;
    show::say(&format!("wrote {}", plain(&page.display().to_string())));
    Ok(())
}

/// Reads `METRIC=VALUE` or `VALUE`.
fn stated<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Stated<T>, String> {
    let (measure, value) = match text.rsplit_once('=') {
        Some((measure, value)) => (Some(measure.to_owned()), value),
        None => (None, text),
    };
    let value = read(value)?;
    Ok(Stated { measure, value })
}

fn side(text: &str) -> Result<Direction, String> {
    match text {
        "higher" => Ok(Direction::Higher),
        "lower" => Ok(Direction::Lower),
        "none" => Ok(Direction::None),
        _ => Err("expected higher, lower or none".into()),
    }
}

fn range(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once("..");
    let ends = ends.and_then(|(least, most)| Some((number(least).ok()?, number(most).ok()?)));
    ends.ok_or_else(|| "expected the least and the greatest value, as 0..1".into())
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number".into())
}

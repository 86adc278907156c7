//! `klero fit scores`: what scores each group has, by logistic regression.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use toml_writer::ToTomlKey;

use super::super::args::data;
use super::super::failure::{Failure, failed, print};
use super::super::show;
use super::rounded::rounded;
use kleroterion::config::located;
use kleroterion::fit::{ApplicantScores, ApplicantsSpec, CellChoice, FitApplicants, GroupScores};
use kleroterion::problem::Problems;
use kleroterion::report::files::Folder;
use kleroterion::report::plain;

/// The file name of the figure.
const FIGURE: &str = "scores.svg";

/// The error of the conic solver's own scores above which a note is printed.
const FAR: f64 = 1e-3;

/// Options of `klero fit scores`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero fit scores people.csv --label hired --group sex=F
  klero fit scores lawschool.csv --label bar1 --group race7=0 --out law
  klero fit scores lawschool.csv --label bar1 --group race7=0 \\
      --exclude race1,race2,race3,race4,race5,race6,race7,race8
  klero fit scores german.data --delimiter tab --no-header --label c21=1 --group c9=A92,A95

The file has a row a person. The regression has no intercept, a ridge of weight 1, and takes numbers as they are;
a column of texts becomes a feature of 1 and 0 for each of its values but the first. Ids, counters, dates and columns
that differ in every row are left out and named; numbers with decimals stay.")]
pub struct ScoresArgs {
    /// A CSV file of people, one a row: looked for here, then where KLERO_DATA points
    people: PathBuf,
    /// The column of labels, 0 or 1; or a column and the values that stand for 1
    #[arg(long, value_name = "COLUMN[=VALUE,…]")]
    label: CellChoice,
    /// Who is in the first group; all others are in the second
    #[arg(long, value_name = "COLUMN=VALUE,…", value_parser = group)]
    group: CellChoice,
    /// Columns that are no features
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    exclude: Vec<String>,
    /// Columns that are features though they differ in every row, as an income in full
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    include: Vec<String>,
    /// Columns of numbers that are codes of categories
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    categories: Vec<String>,
    /// What the two groups are called
    #[arg(long, value_name = "FIRST,SECOND", default_value = "u,v", value_parser = names)]
    names: [String; 2],
    /// What separates the fields: a character, or `tab`
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// The first row is a person; the columns are c1, c2, …
    #[arg(long)]
    no_header: bool,
    /// Write the histograms with their normal laws into this folder, as scores.svg
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write into a folder that is not empty
    #[arg(long, requires = "out")]
    force: bool,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "toml")]
    format: ScoresForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScoresForm {
    /// Lines for a config
    Toml,
    /// An object, with all digits
    Json,
}

fn group(text: &str) -> Result<CellChoice, String> {
    let choice: CellChoice = text.parse()?;
    match choice.values.as_slice() {
        [] => Err("expected COLUMN=VALUE, as in sex=F".into()),
        _ => Ok(choice),
    }
}

fn names(text: &str) -> Result<[String; 2], String> {
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    match names.as_slice() {
        [u, v] if !u.is_empty() && !v.is_empty() && u != v => Ok([u, v].map(|s| (*s).to_owned())),
        _ => Err("expected two different names with a comma between, as in u,v".into()),
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ => match text.as_bytes() {
            [one] if one.is_ascii() && !b"\"\r\n\0".contains(one) => Ok(*one),
            _ => Err("expected one ASCII character, no quote, or `tab`".into()),
        },
    }
}

/// Fits scores and their normal laws.
///
/// # Errors
/// Fails if the file is wrong, the regression does not converge, or the folder may not be written.
pub fn scores(args: &ScoresArgs) -> Result<(), Failure> {
    // As the files that configs name: in the current folder, else where the shared data are; an
    // error names it as written.
    let written = args.people.to_str().filter(|_| !args.people.exists());
    let data = data();
    let path = written.map(|written| located(written, Path::new("."), data.as_deref()));
    let path = path.filter(|path| path.exists());
    let spec = ApplicantsSpec {
        path: path.as_deref().unwrap_or(&args.people),
        delimiter: args.delimiter,
        header: !args.no_header,
        label: &args.label,
        group: &args.group,
        exclude: &args.exclude,
        categories: &args.categories,
        include: &args.include,
    };
    let folder = match &args.out {
        Some(out) => Folder::check(out, args.force),
        None => Ok(()),
    };
    let people = match (spec.load(), folder) {
        (Ok(people), Ok(())) => people,
        (people, folder) => {
            let mut problems = Problems::default();
            if let Err(error) = people {
                problems.0.extend(error.problems.0);
                for problem in &mut problems.0 {
                    let help = || "give the path of a CSV file, a person a row".to_owned();
                    problem.help.get_or_insert_with(help);
                }
            }
            problems.0.extend(folder.err().unwrap_or_default().0);
            return Err(problems.into());
        }
    };
    let fitted = ApplicantScores::of(&people).map_err(|error| {
        failed(&format!(
            "{}: {error}; write columns of very large numbers in a larger unit, as thousands",
            args.people.display()
        ))
    })?;
    for line in said(args, &people, &fitted) {
        show::say(&plain(&line));
    }
    if let Some(out) = &args.out {
        write(out, args, &people, &fitted)?;
    }
    let text = match args.format {
        ScoresForm::Toml => fragment(args, &people, &fitted),
        ScoresForm::Json => format!("{:#}\n", object(args, &people, &fitted)),
    };
    print(&text)
}

fn write(
    out: &Path,
    args: &ScoresArgs,
    people: &FitApplicants,
    fitted: &ApplicantScores,
) -> Result<(), Failure> {
    let folder = Folder::create(out, args.force)?;
    let [u, v] = &args.names;
    let svg = fitted.figure(&people.inside, [u, v]).svg();
    let written = folder.write(FIGURE, |file| file.write_all(svg.as_bytes()));
    written.map_err(|problem| failed(&problem.to_string()))
}

/// The method of the fit, as lines of text.
const FITTED: [&str; 2] = [
    "score = w.x of the least |w|^2 / 2 + sum of log-losses: no intercept, nothing standardised, \
     one fit for all",
    "converged: the gradient is below 1e-9 of what cancels in it, \
     another of Newton's steps would move no score by 1e-10 of the largest",
];

/// The comments on a fit: the data, the method and the certainty. They are printed for people and
/// in the config.
fn said(args: &ScoresArgs, people: &FitApplicants, fitted: &ApplicantScores) -> Vec<String> {
    let list = |names: Vec<&str>| names.join(", ");
    let ones = people.labels.iter().filter(|label| **label).count();
    let mut said = vec![
        format!(
            "fitted from {}: {} rows; the label, {}, holds of {ones}",
            people.path.display(),
            people.labels.len(),
            args.label
        ),
        format!(
            "{} is {}, {} rows; {} is everybody else, {} rows",
            args.names[0],
            args.group,
            fitted.groups[0].people,
            args.names[1],
            fitted.groups[1].people
        ),
        format!(
            "features: {}; columns of numbers: {}, of categories: {}",
            people.cases().width,
            people.numbers.len(),
            people.categories.len()
        ),
    ];
    if !people.categories.is_empty() {
        let names = people.categories.iter().map(|(name, _)| name.as_str());
        said.push(format!(
            "categories, a feature of 1 and 0 for each value but the first: {}",
            list(names.collect())
        ));
    }
    said.extend(match people.excluded.as_slice() {
        [] if !people.no_features.is_empty() => None,
        [] => Some("left out: nothing but the label".to_owned()),
        names => Some(format!(
            "left out: {}",
            list(names.iter().map(String::as_str).collect())
        )),
    });
    if !people.no_features.is_empty() {
        let names = people.no_features.iter();
        let names: Vec<String> = names.map(|(name, why)| format!("{name} {why}")).collect();
        said.push(format!(
            "left out, since it would be learnt by heart: {}; to keep a column: --include COLUMN",
            names.join("; ")
        ));
    }
    said.extend(FITTED.map(str::to_owned));
    said.extend(notes(args, people, fitted));
    said
}

/// The notes that a reader of the fit also needs.
fn notes(args: &ScoresArgs, people: &FitApplicants, fitted: &ApplicantScores) -> Vec<String> {
    let unmet = people.unmet.iter().map(|what| format!("note: {what}"));
    let mut notes: Vec<String> = unmet.collect();
    if fitted.regression.convergence.mended > FAR {
        notes.push(format!(
            "note: the conic solver's own answer was up to {:.0e} off in a score; Newton's steps \
             corrected that",
            fitted.regression.convergence.mended
        ));
    }
    if fitted.tells_all(&people.labels) {
        notes.push(
            "note: the scores tell all labels apart: how far they spread is set by the ridge alone"
                .into(),
        );
    }
    for (name, group) in args.names.iter().zip(&fitted.groups) {
        if group.variance == 0.0 {
            notes.push(format!(
                "note: all scores of {name} are equal, so they have no normal law"
            ));
        }
    }
    notes
}

fn key(name: &str) -> String {
    name.to_toml_key()
}

fn fragment(args: &ScoresArgs, people: &FitApplicants, fitted: &ApplicantScores) -> String {
    let mut text = String::new();
    for line in said(args, people, fitted) {
        text += &format!("# {}\n", plain(&line));
    }
    text += &coefficients(people, fitted);
    let law = |name: &str, group: &GroupScores| {
        let (mean, variance) = (rounded(group.mean), rounded(group.variance));
        format!(
            "{} = {{ mean = {mean:?}, variance = {variance:?} }}",
            key(name)
        )
    };
    let [u, v] = &args.names;
    text += "# Under [source], of type \"gaussian_groups\"; a variance is the mean squared \
             deviation:\n";
    text += &format!(
        "groups = {{ {}, {} }}\n",
        law(u, &fitted.groups[0]),
        law(v, &fitted.groups[1])
    );
    text += "# Under [pool]:\n";
    text + &format!("start = {{ {} = {:?} }}\n", key(u), rounded(fitted.share()))
}

/// The most coefficients in the lines for a config. JSON has all of them.
const LISTED: usize = 40;

/// The regression's coefficients as comments, one feature per line.
fn coefficients(people: &FitApplicants, fitted: &ApplicantScores) -> String {
    let all = || people.names.iter().zip(&fitted.regression.weights);
    let mut text = String::from("# coefficients of the score, by feature:\n");
    for ((column, level), weight) in all().take(LISTED) {
        let name = match level {
            None => column.clone(),
            Some(level) => format!("{column} = {level}"),
        };
        text += &format!("#   {}: {:?}\n", plain(&name), rounded(*weight));
    }
    match all().count().checked_sub(LISTED) {
        None | Some(0) => text,
        Some(more) => text + &format!("#   and {more} more: --format json\n"),
    }
}

fn object(args: &ScoresArgs, people: &FitApplicants, fitted: &ApplicantScores) -> Value {
    let groups = args.names.iter().zip(&fitted.groups).map(|(name, group)| {
        json!({
            "name": name,
            "people": group.people,
            "mean": group.mean,
            "variance": group.variance,
        })
    });
    let convergence = &fitted.regression.convergence;
    let categories = people.categories.iter();
    json!({
        "rows": people.labels.len(),
        "label": args.label.to_string(),
        "group": args.group.to_string(),
        "groups": groups.collect::<Vec<_>>(),
        "start": fitted.share(),
        "features": people.cases().width,
        "numbers": people.numbers,
        "categories": categories.map(|(name, levels)| json!({ "column": name, "levels": levels })).collect::<Vec<_>>(),
        "excluded": people.excluded,
        "no_features": people.no_features.iter().map(|(column, why)| json!({ "column": column, "why": why })).collect::<Vec<_>>(),
        "coefficients": people.names.iter().zip(&fitted.regression.weights).map(|((column, level), weight)| {
            json!({ "column": column, "level": level, "value": weight })
        }).collect::<Vec<_>>(),
        "convergence": {
            "gradient": convergence.gradient,
            "step": convergence.step,
            "mended": convergence.mended,
        },
    })
}

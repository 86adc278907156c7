//! `klero reproduce NAME…`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::args::{Format, data, whole};
use super::failure::{Failure, failed, print};
use super::interrupts::watch_for_interrupts;
use super::{log, look, show};
use kleroterion::document::meant;
use kleroterion::nearest::nearest;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::files::Folder;
use kleroterion::report::medium::Medium;
use kleroterion::report::page::ClaimFinding;
use kleroterion::reproduce::{
    Study, StudyError, StudyOptions, StudyProgress, StudyResult, csv, file_of, json, page_of,
    pages, studies, study, text,
};
use kleroterion::run::Settings;

/// The word for every study.
const ALL: &str = "all";

/// The files that every reproduction has.
const FILES: [&str; 3] = ["claims.json", "claims.csv", "index.html"];

/// Options of `klero reproduce`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero reproduce                                  what can be reproduced
  klero reproduce do2021-fig1 --out fig1           the figure, and a page of claims and verdicts
  klero reproduce all --quick                      everything, with few replications

Exit codes: 0 no claim fails, 1 some claim was tried and does not hold, 2 the request is wrong, 130 interrupted.
Claims that are undecided, or could not be run, fail nothing; they are counted after the result.")]
pub struct ReproduceArgs {
    /// A figure, table or example of a paper, or `all`; they are listed where none is named
    names: Vec<String>,
    /// Few replications: less is decided, in a few seconds
    #[arg(long)]
    quick: bool,
    /// Write index.html (of several studies a list, and a page each), the figures as SVG and the
    /// claims as JSON and CSV into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite what is in the folder
    #[arg(long, requires = "out")]
    force: bool,
    /// The seed of every run, instead of the configs' own
    #[arg(long, value_name = "S", value_parser = whole(0..=i64::MAX))]
    seed: Option<i64>,
    /// How many threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    threads: Option<i64>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Reproduces the named studies.
pub fn reproduce(args: &ReproduceArgs) -> Result<(), Failure> {
    if args.names.is_empty() {
        return print(&list(&look::of_stdout()));
    }
    let studies = wanted(&args.names);
    let folder = match &args.out {
        Some(out) => Folder::check(out, args.force),
        None => Ok(()),
    };
    let (studies, folder) = match (studies, folder) {
        (Ok(studies), Ok(())) => (studies, args.out.as_ref()),
        (studies, folder) => {
            let mut problems = studies.err().unwrap_or_default();
            problems.0.extend(folder.err().unwrap_or_default().0);
            return Err(problems.into());
        }
    };
    let folder = folder.map(|out| Folder::create(out, args.force));
    let folder = folder.transpose()?;
    let options = StudyOptions {
        quick: args.quick,
        seed: args.seed.map(i64::cast_unsigned),
    };
    let mut settings = Settings::default();
    settings.threads = args.threads.map_or(settings.threads, |n| n as usize);
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let mut made = Vec::new();
    for study in studies {
        made.push(one(study, options, &settings, args.quiet)?);
    }
    if let Some(folder) = &folder {
        write(folder, &made, options).map_err(|problem| failed(&problem.to_string()))?;
    }
    let claims = match args.format {
        Format::Table | Format::Markdown => text(&made, options, &args.format.medium()),
        Format::Json => json(&made, options),
        Format::Csv => as_csv(&made)?,
    };
    print(&claims)?;
    verdict(&made, args.quick)
}

/// The studies with these names, each once, in the order given.
fn wanted(names: &[String]) -> Result<Vec<&'static Study>, Problems> {
    let mut problems = Problems::default();
    let mut all: Vec<&'static Study> = Vec::new();
    for name in names {
        let found: Vec<&'static Study> = match study(name) {
            Some(study) => vec![study],
            None if name == ALL => studies().collect(),
            None => {
                let known: Vec<&str> = studies().map(|study| study.name).chain([ALL]).collect();
                let list = format!("there are {}", known.join(", "));
                let help = meant(nearest(name, known), list);
                let what = format!("there is nothing to reproduce under the name {name:?}");
                problems.push(Problem::of_request(what).help(help));
                continue;
            }
        };
        for study in found {
            if !all.iter().any(|known| known.name == study.name) {
                all.push(study);
            }
        }
    }
    problems.or(all)
}

fn list(medium: &Medium) -> String {
    let title = medium.title("What can be reproduced: klero reproduce NAME…, or all");
    let rows = studies().map(|study| (study.name.to_owned(), study.about.to_owned()));
    format!("{title}\n{}", medium.listed(&rows.collect::<Vec<_>>()))
}

fn one(
    study: &Study,
    options: StudyOptions,
    settings: &Settings,
    quiet: bool,
) -> Result<StudyResult, Failure> {
    let template = "{wide_bar} {pos}/{len} replications of {msg}, {eta} left";
    let bar = log::bar(0, template, quiet);
    let made = study.run(
        options,
        settings,
        data().as_deref(),
        &mut |step| match step {
            StudyProgress::Run(preset, replications) => {
                bar.reset();
                bar.set_length(replications);
                bar.set_message(preset.to_owned());
            }
            StudyProgress::Replication => bar.inc(1),
        },
    );
    bar.finish_and_clear();
    made.map_err(|error| match error {
        StudyError::Interrupted => {
            show::say("interrupted: nothing is said of half a study, and nothing was written");
            Failure::Interrupted
        }
        error => failed(&format!("{}: {error}", study.name)),
    })
}

/// Writes the pages, figures and claims, after removing those of an earlier reproduction.
fn write(folder: &Folder, made: &[StudyResult], options: StudyOptions) -> Result<(), Problem> {
    for name in FILES {
        folder.remove(name)?;
    }
    for study in studies() {
        folder.remove(&page_of(study.name))?;
        for at in 0..4 {
            folder.remove(&file_of(study.name, at))?;
        }
    }
    for one in made {
        for (at, figure) in one.findings.figures.iter().enumerate() {
            folder.write(&file_of(one.name, at), |out| {
                out.write_all(figure.svg().as_bytes())
            })?;
        }
    }
    let claims = json(made, options);
    folder.write(FILES[0], |out| out.write_all(claims.as_bytes()))?;
    folder.write(FILES[1], |out| out.write_all(&csv(made)?))?;
    // The index last, so that all it links to is there.
    for (name, page) in pages(made, options).iter().rev() {
        folder.write(name, |out| out.write_all(page.html().as_bytes()))?;
    }
    Ok(())
}

fn as_csv(made: &[StudyResult]) -> Result<String, Failure> {
    let bytes = csv(made).map_err(|error| failed(&error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Fails if a claim was tried and is not met, and reports how many are open.
fn verdict(made: &[StudyResult], quick: bool) -> Result<(), Failure> {
    if let Some(note) = open(made, quick) {
        show::say(&note);
    }
    let mut lost = Vec::new();
    for one in made {
        for claim in &one.findings.claims {
            if matches!(claim.finding, ClaimFinding::Failed(_)) {
                lost.push(format!("{}, {}", one.name, claim.place));
            }
        }
    }
    match lost.is_empty() {
        true => Ok(()),
        false => Err(failed(&format!("not reproduced: {}", lost.join("; ")))),
    }
}

/// The note that some claims are neither met nor failed, if there are any.
fn open(made: &[StudyResult], quick: bool) -> Option<String> {
    let claims = made.iter().flat_map(|one| &one.findings.claims);
    let all = claims.clone().count();
    let many = |found: fn(&ClaimFinding) -> bool| {
        let claims = claims.clone();
        claims.filter(|claim| found(&claim.finding)).count()
    };
    let undecided = many(|finding| matches!(finding, ClaimFinding::Undecided(_)));
    let not_run = many(|finding| matches!(finding, ClaimFinding::NotRun(_)));
    let mut parts = Vec::new();
    if undecided > 0 {
        let help = match quick {
            true => ": without --quick more replications are played",
            false => "",
        };
        parts.push(format!("{undecided} undecided{help}"));
    }
    if not_run > 0 {
        parts.push(format!("{not_run} not run, for want of a file"));
    }
    (!parts.is_empty()).then(|| format!("note: of {all} claims {}", parts.join("; ")))
}

//! `klero init`.

mod args;
mod asked;
mod named;
mod table;

use std::io::Write as _;
use std::path::Path;

use crate::cli::args::inputs;
use kleroterion::config::{Document, check};
use kleroterion::init::{
    Draft, InitFile, QuotaWishes, Roles, RowFaults, RowProblem, Setting, Wishes, draft, live,
};
use kleroterion::jobs::ConfigText;
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::record::{Filter, own_file};

pub use self::args::InitArgs;
use self::named::Named;
use self::table::QuotaTable;
use super::failure::{self, Failure};
use super::show;

/// The people of a file as a config reads them.
struct People {
    sheet: InitFile,
    roles: Roles,
    filters: Vec<String>,
    faults: RowFaults,
    quotas: Option<QuotaTable>,
}

/// Writes a first config, and reports what it did with each column and row.
///
/// # Errors
/// Fails if the files give no config, it can't be written, or the written config does not run. The
/// messages are already printed.
pub fn init(args: &InitArgs) -> Result<(), Failure> {
    let written =
        write(args).map_err(|problems| failure::unwritten(problems, "nothing was written"))?;
    written.say(args)
}

fn write(args: &InitArgs) -> Result<Written, Problems> {
    if args.out.exists() && !args.force {
        let what = format!("{} is there already", args.out.display());
        let help = "name another file with -o, or overwrite it with --force";
        return Err(Problem::of_request(what).help(help).into());
    }
    let named = Named::read(args)?;
    let people = args.people.as_deref().map(|path| read(path, &named, args));
    let people = people.transpose()?;
    if people.is_none() {
        named.needs_people(args)?;
    }
    let (config, command) = config(people.as_ref(), args).map_err(|problems| {
        let mut all = Problems(of_rows(people.as_ref(), args));
        all.0.extend(problems.0);
        all
    })?;
    let out = args.out.display();
    let head = format!(
        "A first config, written by `klero init`. `klero check {out}` says what it assumes, `klero {command} {out}` plays it, and `klero schema config` lets an editor complete its keys."
    );
    let text = config.finish(&head);
    put(&args.out, &text).map_err(|error| unwritten(&args.out, &error))?;
    Ok(Written {
        problems: problems(&text, args),
        text,
        config,
        command,
        people,
    })
}

/// Writes a config. Only its user may read it if its conditions name people.
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let document = Document::parse(text);
    match document.is_ok_and(|document| document.without_named_people().is_some()) {
        // The user named the path: where it is a link, the file is the one that it leads to.
        true => {
            let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            own_file(&path)?.write_all(text.as_bytes())
        }
        false => std::fs::write(path, text),
    }
}

/// Reads the people and their quotas. It reports the role of each column.
fn read(path: &Path, named: &Named, args: &InitArgs) -> Result<People, Problems> {
    let grid = table::people(path, args)?;
    let quotas = args.quotas.as_deref();
    let quotas = quotas
        .map(|quotas| QuotaTable::read(quotas, named, args))
        .transpose()?;
    let mut sheet = InitFile::of(path, grid, args.header)?;
    if quotas.is_some() && !sheet.has_header() {
        let what =
            "the first row of the people names no columns, and quotas find columns by their names";
        let help =
            "write a first row with the names of the quotas' categories, or say --header yes";
        return Err(Problem::of_file(path, what).help(help).into());
    }
    say_all("found", &sheet.found);
    let own = named::filters(&sheet, &args.filters)?;
    sheet = kept(&sheet, &args.filters, &own, &[])?;
    let categories = quotas.as_ref().map(|quotas| &quotas.categories);
    let mut roles = named.roles(&sheet, categories, args)?;
    for line in roles.lines(&sheet, categories.is_some()) {
        show::say(&line);
    }
    let faults = RowFaults::find(&sheet, &roles, categories);
    say_all("rows", &faults.said);
    let filters: Vec<String> = args
        .filters
        .iter()
        .chain(&faults.filters)
        .cloned()
        .collect();
    let parsed = named::filters(&sheet, &faults.filters)?;
    let before = sheet.people;
    sheet = kept(&sheet, &faults.filters, &parsed, &faults.twins)?;
    if sheet.people < before {
        show::say(&format!(
            "rows: {} of {before} are people who are kept",
            sheet.people
        ));
    }
    if categories.is_none() {
        say_all("rows", &roles.drop_alike(&sheet));
    }
    Ok(People {
        sheet,
        roles,
        filters,
        faults,
        quotas,
    })
}

/// The people whom the filters keep.
///
/// # Errors
/// Fails if no person is kept.
fn kept(
    sheet: &InitFile,
    texts: &[String],
    filters: &[Filter],
    without: &[usize],
) -> Result<InitFile, Problems> {
    let kept = sheet.kept(filters, without);
    if kept.people > 0 {
        return Ok(kept);
    }
    let what = format!(
        "no one is kept of {} people by {}",
        sheet.people,
        texts.join(" and ")
    );
    Err(Problem::of_file(&sheet.path, what)
        .help("correct the cells, or loosen --where")
        .into())
}

fn say_all(prefix: &str, sentences: &[String]) {
    for sentence in sentences {
        show::say(&format!("{prefix}: {sentence}"));
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> Problem {
    let what = format!("{} can't be written: {error}", path.display());
    Problem::of_request(what).help("name a file in a folder that can be written to")
}

/// The config, and the command that runs it.
fn config(people: Option<&People>, args: &InitArgs) -> Result<(Draft, &'static str), Problems> {
    let shown = |path: Option<&Path>| path.map_or_else(String::new, |path| from(path, &args.out));
    let quotas = people.and_then(|people| people.quotas.as_ref());
    let path = shown(args.people.as_deref());
    let quotas_path = shown(quotas.map(|quotas| &*quotas.path));
    let wishes = people.map(|people| Wishes {
        sheet: &people.sheet,
        roles: &people.roles,
        filters: &people.filters,
        quotas: quotas.map(|quotas| QuotaWishes {
            categories: &quotas.categories,
            columns: &quotas.columns,
            path: &quotas_path,
            sheet: quotas.sheet.as_deref(),
        }),
        places: args.places,
        people: &path,
    });
    let guess = match people {
        Some(people) => Setting::guess(&people.roles, quotas.is_some()),
        None => Setting::Committee,
    };
    let setting = match (args.setting, args.live) {
        (Some(word), _) => Setting::from(word),
        (None, Some(_)) if guess == Setting::Cohort => Setting::Committee,
        (None, Some(_)) => guess,
        (None, None) => asked::setting(guess, args),
    };
    named::fits(setting, quotas.is_some(), args)?;
    match (args.live, &wishes) {
        (Some(doorway), wishes) => {
            let config = live(doorway.into(), setting, wishes.as_ref(), args.places)?;
            Ok((config, "live"))
        }
        (None, Some(wishes)) => Ok((draft(setting, wishes)?, "run")),
        (None, None) => {
            let help = "klero init people.csv, or klero init --live http";
            Err(Problem::of_request("no file of people is named")
                .help(help)
                .into())
        }
    }
}

/// The problems that `klero check` finds in a config.
fn problems(text: &str, args: &InitArgs) -> Problems {
    let folder = args.out.parent().map(Path::to_path_buf).unwrap_or_default();
    let document = Document::parse(text);
    let document = document.map(|document| document.named(args.out.display().to_string()));
    let checked = document.and_then(|document| check(&document, inputs().in_folder(&folder)));
    checked.err().unwrap_or_default()
}

/// The problems of rows.
fn of_rows(people: Option<&People>, args: &InitArgs) -> Vec<Problem> {
    let path = args.people.as_deref().unwrap_or(Path::new(""));
    let faults = people.into_iter().flat_map(|people| &people.faults.wrong);
    let problem =
        |fault: &RowProblem| Problem::of_file(path, fault.what.clone()).help(fault.help.clone());
    faults.map(problem).collect()
}

/// A path as a config in another folder names it.
fn from(path: &Path, config: &Path) -> String {
    let folder = config.parent().filter(|folder| *folder != Path::new(""));
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = match folder {
        None => path,
        Some(folder) => {
            let folder = std::path::absolute(folder).unwrap_or_default();
            match absolute.strip_prefix(&folder) {
                Ok(below) => return below.display().to_string(),
                Err(_) => &absolute,
            }
        }
    };
    path.display().to_string()
}

/// A written config, with its notes.
struct Written {
    text: String,
    config: Draft,
    command: &'static str,
    people: Option<People>,
    /// The problems that `klero check` finds in it.
    problems: Problems,
}

impl Written {
    /// Prints the assumptions, then the next step or the corrections needed first.
    fn say(&self, args: &InitArgs) -> Result<(), Failure> {
        say_all("assumed", &self.config.assumed);
        let faults = self.people.iter().flat_map(|people| &people.faults.wrong);
        let (out, command) = (args.out.display(), self.command);
        if self.problems.0.is_empty() {
            for fault in faults {
                show::say(&format!("warning: {}; {}", fault.what, fault.help));
            }
            show::say(&format!(
                "wrote {out}; next: klero {command} {out} --out results"
            ));
            return Ok(());
        }
        let mut problems = Problems(of_rows(self.people.as_ref(), args));
        // A config in another folder names the file by its absolute path.
        let people = args.people.as_deref().map(std::path::absolute);
        let people = people.and_then(Result::ok);
        let is_said = |problem: &&Problem| match &problem.place {
            Place::File {
                path,
                line: Some(line),
                ..
            } => {
                std::path::absolute(path).ok() == people
                    && faults.clone().any(|fault| fault.lines.contains(line))
            }
            _ => false,
        };
        let mut was_said = false;
        let others = self.problems.0.iter().filter(|problem| {
            // "and 20 more like these" has no line, and speaks of the problems before it.
            let is_count = was_said && problem.what.ends_with(" more like these");
            was_said = is_count || is_said(problem);
            !was_said
        });
        problems.0.extend(others.cloned());
        let text = ConfigText::of(out.to_string(), &*self.text);
        let done = format!(
            "{out} was written and does not run yet: correct this, then `klero init` again with --force, or `klero check {out}`"
        );
        show::wrong(&problems, Some(&text), problems.0.len(), &done);
        Err(Failure::Wrong)
    }
}

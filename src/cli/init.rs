//! `klero init`.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kleroterion::init::{Doorway, Draft, Roles, Setting, Sheet, Wishes, draft, live};
use kleroterion::nearest::nearest;
use kleroterion::problem::{Problem, Problems};
use kleroterion::record::file::How;
use kleroterion::source::organisers::Categories;

use super::failure::Failure;
use super::show;

/// Options of `klero init`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero init people.csv                            a config from the columns of a file
  klero init respondents.csv quotas.csv -o my.toml an organiser's two files
  klero init loans.ndjson --outcome repaid         one of ten chosen each round, outcomes learnt
  klero init --live http -o live.toml              people by HTTP")]
pub struct InitArgs {
    /// People: CSV with any delimiter, or a JSON record a line
    people: Option<PathBuf>,
    /// An organiser's quotas: how many members may have each value
    quotas: Option<PathBuf>,
    /// The setting; guessed from the files where it is left out
    #[arg(long, value_enum)]
    setting: Option<SettingWord>,
    /// A config for people who come from outside
    #[arg(long, value_enum, conflicts_with_all = ["setting", "quotas"])]
    live: Option<DoorwayWord>,
    /// How many are chosen in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    places: Option<u64>,
    /// The column that names people
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// The column that says what became of people
    #[arg(long, value_name = "COLUMN")]
    outcome: Option<String>,
    /// The column of a score
    #[arg(long, value_name = "COLUMN")]
    score: Option<String>,
    /// Write the config to this file
    #[arg(short, long, value_name = "FILE", default_value = "klero.toml")]
    out: PathBuf,
    /// Overwrite the file
    #[arg(long)]
    force: bool,
    /// Ask nothing: take what is guessed
    #[arg(long)]
    yes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SettingWord {
    /// People come one by one, and a committee is to be like a target
    Committee,
    /// One of several is chosen each round, and its outcome is learnt
    Merit,
    /// A cohort is chosen at once, after costly interviews
    Cohort,
    /// Who applies reacts to who was admitted
    Pool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DoorwayWord {
    /// Posted to an address
    Http,
    /// A line each on the standard input
    Stdin,
    /// A line each over a TCP connection
    Tcp,
}

/// Writes a first config.
///
/// # Errors
/// Where the files give none, or it can't be written; all has been said.
pub fn init(args: &InitArgs) -> Result<(), Failure> {
    let written = write(args);
    written.map_err(|problems| {
        show::wrong(&problems, None, problems.0.len(), "nothing was written");
        Failure::Wrong
    })
}

fn write(args: &InitArgs) -> Result<(), Problems> {
    if args.out.exists() && !args.force {
        let what = format!("{} is there already", args.out.display());
        let help = "name another file with -o, or overwrite it with --force";
        return Err(Problem::of_request(what).help(help).into());
    }
    let sheet = args.people.as_deref().map(Sheet::read);
    let sheet = sheet.transpose()?;
    let roles = sheet.as_ref().map(|sheet| roles(sheet, args)).transpose()?;
    let sample = sheet.as_ref().zip(roles.as_ref());
    let (config, command) = match (args.live, sample) {
        (Some(doorway), _) => (live(doorway.into(), sample), "live"),
        (None, Some((sheet, roles))) => (played(sheet, roles, args)?, "run"),
        (None, None) => {
            let help = "klero init people.csv, or klero init --live http";
            return Err(Problem::of_request("no file of people is named")
                .help(help)
                .into());
        }
    };
    let out = args.out.display();
    let head = format!(
        "A first config, written by `klero init`. `klero check {out}` says what it assumes, `klero {command} {out}` plays it, and `klero schema config` lets an editor complete its keys."
    );
    std::fs::write(&args.out, config.finish(&head))
        .map_err(|error| unwritten(&args.out, &error))?;
    say(args, &config, command);
    Ok(())
}

fn unwritten(path: &Path, error: &std::io::Error) -> Problem {
    let what = format!("{} can't be written: {error}", path.display());
    Problem::of_request(what).help("name a file in a folder that can be written to")
}

/// The guessed roles of columns, as far as the command line does not name them.
fn roles(sheet: &Sheet, args: &InitArgs) -> Result<Roles, Problems> {
    let mut problems = Problems::default();
    let mut named = |option: &str, name: &Option<String>| {
        let name = name.as_deref()?;
        let found = sheet.column(name);
        if found.is_none() {
            problems.push(no_column(sheet, option, name));
        }
        found
    };
    let id = named("--id", &args.id);
    let outcome = named("--outcome", &args.outcome);
    let score = named("--score", &args.score);
    problems.or(())?;
    let mut roles = Roles::guess(sheet).with(id, outcome, score);
    if asks(args) && args.outcome.is_none() && roles.outcome.is_none() && args.quotas.is_none() {
        let answer = ask("Which column says what became of people (empty: none)?", "");
        roles = roles.with(None, answer.and_then(|name| sheet.column(&name)), None);
    }
    Ok(roles)
}

fn no_column(sheet: &Sheet, option: &str, name: &str) -> Problem {
    let names: Vec<&str> = sheet.columns.iter().take(30).map(|c| &*c.name).collect();
    let near = nearest(name, names.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let what = format!("{option}: {} has no column `{name}`", sheet.path.display());
    Problem::of_request(what).help(format!("{near}the columns are {}", names.join(", ")))
}

/// The config of a run over the people of a sheet.
fn played(sheet: &Sheet, roles: &Roles, args: &InitArgs) -> Result<Draft, Problems> {
    let quotas_path = args.quotas.clone();
    let quotas = quotas_path
        .as_deref()
        .map(|path| Categories::load(path, &How::default(), args.places));
    let quotas = quotas.transpose().map_err(Problems::from)?;
    let guess = Setting::guess(sheet, roles, quotas.is_some());
    let setting = args
        .setting
        .map_or_else(|| chosen(guess, args), Setting::from);
    let (people, quotas_path) = (from(&sheet.path, &args.out), quotas_path);
    let quotas_path = quotas_path
        .map(|path| from(&path, &args.out))
        .unwrap_or_default();
    let wishes = Wishes {
        sheet,
        roles,
        quotas: quotas.as_ref(),
        places: args.places,
        people: &people,
        quotas_path: &quotas_path,
    };
    Ok(draft(setting, &wishes)?)
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

/// Whether questions can be asked.
fn asks(args: &InitArgs) -> bool {
    !args.yes && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks on the terminal; an empty answer is the default.
fn ask(question: &str, default: &str) -> Option<String> {
    let mut terminal = std::io::stderr();
    let shown = match default {
        "" => format!("{question} "),
        _ => format!("{question} [{default}] "),
    };
    terminal.write_all(shown.as_bytes()).ok()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).ok()?;
    let answer = answer.trim();
    let answer = if answer.is_empty() { default } else { answer };
    (!answer.is_empty()).then(|| answer.to_owned())
}

/// The setting that the user confirms or names; the guess where nothing can be asked.
fn chosen(guess: Setting, args: &InitArgs) -> Setting {
    let word = SettingWord::from(guess);
    let name = |word: SettingWord| {
        word.to_possible_value()
            .map(|value| value.get_name().to_owned())
    };
    if !asks(args) || args.quotas.is_some() {
        return guess;
    }
    let default = name(word).unwrap_or_default();
    let answer = ask("Setting: committee, merit, cohort or pool?", &default);
    let named = answer.and_then(|answer| SettingWord::from_str(&answer, true).ok());
    named.unwrap_or(word).into()
}

fn say(args: &InitArgs, config: &Draft, command: &str) {
    let out = args.out.display();
    for assumed in &config.assumed {
        show::say(&format!("assumed: {assumed}"));
    }
    show::say(&format!(
        "wrote {out}; next: klero {command} {out} --out results"
    ));
}

impl From<SettingWord> for Setting {
    fn from(word: SettingWord) -> Self {
        match word {
            SettingWord::Committee => Self::Committee,
            SettingWord::Merit => Self::Merit,
            SettingWord::Cohort => Self::Cohort,
            SettingWord::Pool => Self::Pool,
        }
    }
}

impl From<Setting> for SettingWord {
    fn from(setting: Setting) -> Self {
        match setting {
            Setting::Committee => Self::Committee,
            Setting::Merit => Self::Merit,
            Setting::Cohort => Self::Cohort,
            Setting::Pool => Self::Pool,
        }
    }
}

impl From<DoorwayWord> for Doorway {
    fn from(word: DoorwayWord) -> Self {
        match word {
            DoorwayWord::Http => Self::Http,
            DoorwayWord::Stdin => Self::Stdin,
            DoorwayWord::Tcp => Self::Tcp,
        }
    }
}

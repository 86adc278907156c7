//! The options of `klero init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kleroterion::init::{Doorway, HeaderRows, Setting};

/// Options of `klero init`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero init people.csv                            a config from the columns of a file
  klero init respondents.csv quotas.csv -o my.toml an organiser's two files
  klero init leute.xlsx quoten.xlsx --columns Thema=category,Antwort=value
                                                   workbooks, and which column is which
  klero init people.csv --columns PLZ=out,Alter=number --where \"Status != 'withdrawn'\"
  klero init loans.ndjson --outcome repaid         one of ten chosen each round, outcomes learnt
  klero init loans.csv --outcome hired=1 --live http --setting merit
                                                   the same of people who come by HTTP
  klero init --live http -o live.toml              people by HTTP")]
pub struct InitArgs {
    /// People: text with any separator, a workbook (.xlsx, .ods), JSON
    pub(super) people: Option<PathBuf>,
    /// An organiser's quotas: how many members may have each value
    pub(super) quotas: Option<PathBuf>,
    /// The setting; guessed from the files where it is left out
    #[arg(long, value_enum)]
    pub(super) setting: Option<SettingWord>,
    /// A config for people who come from outside
    #[arg(long, value_enum, conflicts_with = "quotas")]
    pub(super) live: Option<DoorwayWord>,
    /// How many are chosen in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) places: Option<u64>,
    /// The column that names people
    #[arg(long, value_name = "COLUMN")]
    pub(super) id: Option<String>,
    /// The column that says what became of people; which of its cells are good: hired=yes
    #[arg(long, value_name = "COLUMN[=GOOD]")]
    pub(super) outcome: Option<String>,
    /// The column of a score
    #[arg(long, value_name = "COLUMN")]
    pub(super) score: Option<String>,
    /// What columns are: id, attribute, number, outcome, score, household, contact, out; of quotas:
    /// category, value, min, max, quota
    #[arg(long, value_name = "NAME=ROLE")]
    pub(super) columns: Vec<String>,
    /// Whether the first row of the people names the columns: yes, no, or how many rows do
    #[arg(long, value_name = "yes|no|N", value_parser = header)]
    pub(super) header: Option<HeaderRows>,
    /// The sheet of a workbook of people
    #[arg(long, value_name = "NAME")]
    pub(super) sheet: Option<String>,
    /// The sheet of a workbook of quotas
    #[arg(long, value_name = "NAME", requires = "quotas")]
    pub(super) quotas_sheet: Option<String>,
    /// Keep only the people of whom this holds, as `where` of a config: "Status != 'withdrawn'"
    #[arg(long = "where", value_name = "FILTER")]
    pub(super) filters: Vec<String>,
    /// Write the config to this file
    #[arg(short, long, value_name = "FILE", default_value = "klero.toml")]
    pub(super) out: PathBuf,
    /// Overwrite the file
    #[arg(long)]
    pub(super) force: bool,
    /// Ask nothing: take what is guessed
    #[arg(long)]
    pub(super) yes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SettingWord {
    /// People come one by one, and a committee is to be like a target
    Committee,
    /// One of several is chosen each round, and its outcome is learnt
    Merit,
    /// A cohort is chosen at once, after costly interviews
    Cohort,
    /// Who applies reacts to who was admitted
    Pool,
}

/// Parses the rows that name the columns.
fn header(text: &str) -> Result<HeaderRows, String> {
    match (text, text.parse()) {
        ("yes", _) => Ok(HeaderRows::First),
        ("no", _) | (_, Ok(0)) => Ok(HeaderRows::None),
        (_, Ok(many)) => Ok(HeaderRows::Just(many)),
        _ => Err("expected yes, no, or how many rows name the columns, as in 2".into()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DoorwayWord {
    /// Posted to an address
    Http,
    /// A line each on the standard input
    Stdin,
    /// A line each over a TCP connection
    Tcp,
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

impl From<DoorwayWord> for Doorway {
    fn from(word: DoorwayWord) -> Self {
        match word {
            DoorwayWord::Http => Self::Http,
            DoorwayWord::Stdin => Self::Stdin,
            DoorwayWord::Tcp => Self::Tcp,
        }
    }
}

//! The column roles that the command line names, and options that do not go together.

use kleroterion::document::meant;
use kleroterion::init::{GuessedRole, InitFile, NamedRole, QUOTA_WORDS, QuotaRole, Roles, Setting};
use kleroterion::nearest::nearest;
use kleroterion::people::organisers::Categories;
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::record::Filter;

use super::args::InitArgs;
use super::asked;

/// The column roles that `--columns` names.
pub(super) struct Named {
    /// The names and roles of columns of people.
    people: Vec<(String, GuessedRole)>,
    /// The names and roles of columns of quotas.
    pub(super) quotas: Vec<(String, QuotaRole)>,
}

impl Named {
    /// Reads `--columns`.
    ///
    /// # Errors
    /// Returns the problems of all entries that are malformed, or that name roles of quotas without
    /// quotas.
    pub(super) fn read(args: &InitArgs) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let (mut people, mut quotas) = (Vec::new(), Vec::new());
        for entry in args.columns.iter().flat_map(|list| entries(list)) {
            let place = Place::Option(format!("--columns {entry}"));
            let Some((name, word)) = entry.rsplit_once('=') else {
                let help = "write NAME=ROLE: --columns PLZ=out,Alter=number";
                problems.push(Problem::new(place, format!("`{entry}` names no role")).help(help));
                continue;
            };
            let (name, word) = (name.trim().to_owned(), word.trim().to_lowercase());
            let role = GuessedRole::WORDS.iter().find(|(known, _)| *known == word);
            let of_quotas = QUOTA_WORDS.iter().find(|(known, _)| *known == word);
            match (role, of_quotas) {
                (Some((_, role)), _) => people.push((name, *role)),
                (None, Some((_, role))) if args.quotas.is_some() => quotas.push((name, *role)),
                (None, Some(_)) => {
                    let what = format!(
                        "`{word}` is a role of columns of quotas, and no file of quotas is named"
                    );
                    let help = "name it behind the people: klero init people.csv quotas.csv";
                    problems.push(Problem::new(place, what).help(help));
                }
                (None, None) => {
                    let what = format!("`{word}` is no role of a column");
                    problems.push(Problem::new(place, what).help(roles_there_are(&word)));
                }
            }
        }
        problems.or(Self { people, quotas })
    }

    /// Refuses options about people if no file of people is named.
    pub(super) fn needs_people(&self, args: &InitArgs) -> Result<(), Problems> {
        let given = [
            ("--id", args.id.is_some()),
            ("--outcome", args.outcome.is_some()),
            ("--score", args.score.is_some()),
            ("--columns", !args.columns.is_empty()),
            ("--header", args.header.is_some()),
            ("--sheet", args.sheet.is_some()),
            ("--where", !args.filters.is_empty()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        let problem = |(option, _): (&str, bool)| {
            let what = format!("{option} speaks of a file of people, and none is named");
            Problem::of_request(what).help("name it: klero init people.csv")
        };
        Problems(given.map(problem).collect()).or(())
    }

    /// The roles of a sheet's columns.
    ///
    /// # Errors
    /// Fails if a column is missing or named twice, or if its cells do not fit its role.
    pub(super) fn roles(
        &self,
        sheet: &InitFile,
        categories: Option<&Categories>,
        args: &InitArgs,
    ) -> Result<Roles, Problems> {
        let mut named = self.named(sheet, categories, args)?;
        let roles = Roles::guess(sheet, &named, categories)?;
        let is_open = args.outcome.is_none() && roles.outcome().is_none() && categories.is_none();
        if !asked::asks(args) || !is_open || args.setting.is_some() {
            return Ok(roles);
        }
        let answer = asked::ask("Which column says what became of people (empty: none)?", "");
        let Some((column, good)) = answer.and_then(|answer| outcome(sheet, &answer)) else {
            return Ok(roles);
        };
        let option = "your answer".to_owned();
        named.push(NamedRole {
            column,
            role: GuessedRole::Outcome,
            option,
            good,
        });
        Roles::guess(sheet, &named, categories)
    }

    /// The columns that the options name, and the problems of options that name none.
    fn found(&self, sheet: &InitFile, args: &InitArgs) -> (Vec<NamedRole>, Problems) {
        let mut problems = Problems::default();
        let mut found = Vec::new();
        let single = [
            ("--id", &args.id, GuessedRole::Id),
            ("--score", &args.score, GuessedRole::Score),
        ];
        let single = single.into_iter().filter_map(|(option, name, role)| {
            let name = name.as_ref()?;
            Some((format!("{option} {name}"), name.clone(), role))
        });
        let listed = self.people.iter().map(|(name, role)| {
            let option = format!("--columns {name}={}", role.word());
            (option, name.clone(), *role)
        });
        let of_columns = single.chain(listed).map(|(option, name, role)| {
            let column = sheet.column(&name).map(|column| (column, Vec::new()));
            (option, name, role, column)
        });
        let of_outcome = args.outcome.iter().map(|text| {
            let name = text.split_once('=').map_or(&**text, |(name, _)| name);
            let option = format!("--outcome {text}");
            let column = outcome(sheet, text);
            (option, name.to_owned(), GuessedRole::Outcome, column)
        });
        for (option, name, role, column) in of_columns.chain(of_outcome) {
            match column {
                Some((column, good)) => found.push(NamedRole {
                    column,
                    role,
                    option,
                    good,
                }),
                None => problems.push(no_column(sheet, &option, &name)),
            }
        }
        (found, problems)
    }

    fn named(
        &self,
        sheet: &InitFile,
        categories: Option<&Categories>,
        args: &InitArgs,
    ) -> Result<Vec<NamedRole>, Problems> {
        use GuessedRole::{Id, Outcome, Score};
        let (found, mut problems) = self.found(sheet, args);
        let mut named: Vec<NamedRole> = Vec::new();
        for found in found {
            let is_single = matches!(found.role, Id | Outcome | Score);
            let clash = named.iter().find(|other| {
                let (same_column, same_role) =
                    (other.column == found.column, other.role == found.role);
                (same_column && !same_role) || (is_single && same_role && !same_column)
            });
            let clash = clash.map(|other| {
                let what = format!("`{}` and this can't both be", other.option);
                let help =
                    "a column has one role, and one column each is the id, the outcome, the score";
                (what, help.to_owned())
            });
            let of_quotas = || not_with_quotas(sheet, found.column, found.role, categories?);
            match clash.or_else(of_quotas) {
                Some((what, help)) => {
                    problems.push(Problem::of_option(found.option, what).help(help));
                }
                None => named.push(found),
            }
        }
        problems.or(named)
    }
}

/// Splits a list `NAME=ROLE,NAME=ROLE` into its entries. A name may hold commas.
fn entries(list: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    let mut begun = String::new();
    for part in list.split(',') {
        begun += part;
        match part.contains('=') {
            true => entries.push(std::mem::take(&mut begun)),
            false => begun.push(','),
        }
    }
    if !begun.is_empty() {
        entries.push(begun.trim_end_matches(',').to_owned());
    }
    entries.retain(|entry| !entry.trim().is_empty());
    entries
}

/// The column of an outcome and its good cells, from `hired`, `hired=yes` or `hired=yes|maybe`.
fn outcome(sheet: &InitFile, text: &str) -> Option<(usize, Vec<String>)> {
    if let Some(column) = sheet.column(text) {
        return Some((column, Vec::new()));
    }
    let (name, good) = text.rsplit_once('=')?;
    let good = good.split('|').map(|cell| cell.trim().to_owned());
    Some((sheet.column(name)?, good.collect()))
}

fn roles_there_are(word: &str) -> String {
    let words = GuessedRole::WORDS.iter().map(|(word, _)| *word);
    let words = words.chain(QUOTA_WORDS.iter().map(|(word, _)| *word));
    let words: Vec<&str> = words.filter(|word| *word != "feature").collect();
    let near = nearest(word, words.iter().copied()).map(|near| format!("`{near}`"));
    meant(near, format!("roles are {}", words.join(", ")))
}

fn no_column(sheet: &InitFile, option: &str, name: &str) -> Problem {
    let names: Vec<&str> = sheet.columns.iter().take(30).map(|c| &*c.name).collect();
    let near = nearest(name, names.iter().copied()).map(|near| format!("`{near}`"));
    let what = format!("{} has no column `{name}`", sheet.path.display());
    let help = meant(near, format!("the columns are {}", names.join(", ")));
    Problem::of_option(option, what).help(help)
}

/// The problem of a column's role that does not go with quotas, if there is one.
fn not_with_quotas(
    sheet: &InitFile,
    column: usize,
    role: GuessedRole,
    categories: &Categories,
) -> Option<(String, String)> {
    let name = &sheet.columns[column].name;
    let category = categories
        .attributes()
        .iter()
        .find(|c| sheet.column(&c.name) == Some(column));
    match role {
        GuessedRole::Outcome | GuessedRole::Score | GuessedRole::Number => Some((
            format!("a committee by quotas reads no {}", role.word()),
            "leave it out, or leave out the quotas and take --setting merit or cohort".into(),
        )),
        GuessedRole::AttributeColumn if category.is_none() => Some((
            format!("the quotas do not name `{name}`, so no one is grouped by it"),
            "give it rows in the quotas, or leave it out".into(),
        )),
        GuessedRole::AttributeColumn => None,
        role => category.map(|_| {
            (
                format!("the quotas name `{name}`, so it can't be {}", role.word()),
                "leave it out, or remove its rows from the quotas".into(),
            )
        }),
    }
}

/// Parses the filters.
///
/// # Errors
/// Fails if a text is no filter, or names a column that the people lack.
pub(super) fn filters(sheet: &InitFile, texts: &[String]) -> Result<Vec<Filter>, Problems> {
    let mut problems = Problems::default();
    let mut filters = Vec::new();
    for text in texts {
        let option = format!("--where {text:?}");
        match Filter::parse(text) {
            Err(error) => {
                let what = format!("{} at character {}", error.what, error.at + 1);
                problems.push(Problem::of_option(option, what).help(error.help));
            }
            Ok(filter) => {
                let mut columns = filter.clauses().iter().map(|clause| clause.column());
                match columns.find(|name| sheet.column(name).is_none()) {
                    Some(name) => problems.push(no_column(sheet, &option, name)),
                    None => filters.push(filter),
                }
            }
        }
    }
    problems.or(filters)
}

/// Refuses options that a setting does not read.
pub(super) fn fits(setting: Setting, with_quotas: bool, args: &InitArgs) -> Result<(), Problems> {
    let is_live = args.live.is_some();
    let mut problems = Problems::default();
    let mut refuse = |option: &str, what: &str, help: &str| {
        problems.push(Problem::of_option(option, what).help(help));
    };
    if with_quotas && setting != Setting::Committee {
        let help = "leave out the quotas, or --setting";
        refuse("--setting", "quotas go with a committee", help);
    }
    if args.places.is_some() && matches!(setting, Setting::Merit | Setting::Pool) {
        let what = "this setting chooses in each round, and has no number of places in all";
        refuse(
            "--places",
            what,
            "leave it out, or take --setting committee or cohort",
        );
    }
    let (reads_outcome, reads_score) = match setting {
        Setting::Committee => (is_live, is_live),
        Setting::Merit => (true, true),
        Setting::Cohort => (is_live || args.score.is_none(), true),
        Setting::Pool => (is_live, true),
    };
    if args.outcome.is_some() && !reads_outcome {
        let help = "leave it out, or take --setting merit, which learns outcomes";
        refuse("--outcome", "this setting reads no outcome", help);
    }
    if args.score.is_some() && !reads_score {
        let help = "leave it out, or take --setting cohort, pool or merit";
        refuse("--score", "this setting reads no score", help);
    }
    problems.or(())
}

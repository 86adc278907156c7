//! Tips after the errors of a command line that clap refuses.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use kleroterion::config::keys::keys_named;
use kleroterion::nearest::nearest;

/// The most commands or keys that a tip lists.
const LISTED: usize = 4;

/// Adds tips on what to write instead to an error. `whole` is the built command `klero`, and
/// `typed` are the words after it.
pub(super) fn advised(mut error: Error, whole: &Command, typed: &[String]) -> Error {
    let at = Asked::of(whole, typed);
    if error.kind() == ErrorKind::ArgumentConflict
        && let Some(given) = text(&error, ContextKind::InvalidSubcommand)
        && !names(at.command).any(|name| name == given)
    {
        // A second word of a command that has commands and takes one word: no command is meant.
        error = Error::new(ErrorKind::UnknownArgument).with_cmd(at.command);
        error.insert(ContextKind::InvalidArg, ContextValue::String(given));
    }
    match error.kind() {
        ErrorKind::UnknownArgument => unknown_argument(&mut error, &at, whole, typed),
        ErrorKind::InvalidSubcommand => unknown_command(&mut error, &at),
        ErrorKind::InvalidValue => unknown_value(&mut error),
        ErrorKind::InvalidUtf8 => no_utf8(&mut error, typed),
        _ => {}
    }
    error
}

/// Tips on an option or a word that the command does not have.
fn unknown_argument(error: &mut Error, at: &Asked<'_>, whole: &Command, typed: &[String]) {
    let Some(given) = text(error, ContextKind::InvalidArg) else {
        return;
    };
    // clap's own: `-- --judge`, which would make a file of the option.
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Suggested);
    let tips = match given.strip_prefix('-') {
        Some(_) => at.option(whole, &given, value_of(&given, typed)),
        None => at.word(&given, typed),
    };
    let near = at.near_option(&given).filter(|_| tips.is_empty());
    if let Some(near) = near {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(near));
    }
    // clap's own usage has an option that it guessed.
    let usage = at.command.clone().render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    tell(error, tips);
}

/// Tips on an unknown command.
fn unknown_command(error: &mut Error, at: &Asked<'_>) {
    let given = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
    error.remove(ContextKind::Suggested);
    error.remove(ContextKind::SuggestedSubcommand);
    let known: Vec<&str> = names(at.command).collect();
    match nearest(&given, known.iter().copied().chain(["help"])) {
        Some(near) => {
            let near = ContextValue::String(near.to_owned());
            error.insert(ContextKind::SuggestedSubcommand, near);
        }
        None => {
            let tip = format!("commands of {}: {}", at.path, known.join(", "));
            tell(error, vec![tip]);
        }
    }
}

/// Tips on a word that an option does not take.
fn unknown_value(error: &mut Error) {
    let given = text(error, ContextKind::InvalidValue).unwrap_or_default();
    error.remove(ContextKind::SuggestedValue);
    if let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue)
        && let Some(near) = nearest(&given, known.iter().map(String::as_str))
    {
        let near = ContextValue::String(near.to_owned());
        error.insert(ContextKind::SuggestedValue, near);
    }
}

/// Tips on a word that is not UTF-8.
fn no_utf8(error: &mut Error, typed: &[String]) {
    let mut words = typed.iter();
    let odd = words.find(|word| word.contains(char::REPLACEMENT_CHARACTER));
    let odd = odd.map_or("", |word| word);
    tell(
        error,
        vec![format!("it is in {odd:?}: give the file a name in UTF-8")],
    );
}

/// Adds tips, if there are any.
fn tell(error: &mut Error, tips: Vec<String>) {
    if !tips.is_empty() {
        let tips = tips.into_iter().map(Into::into).collect();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// The word after an option, unless it is an option itself.
fn value_of<'a>(option: &str, typed: &'a [String]) -> Option<&'a str> {
    let glued = format!("{option}=");
    let at = |word: &String| word == option || word.starts_with(&glued);
    let place = typed.iter().position(at)?;
    if let Some(value) = typed[place].strip_prefix(&glued) {
        return Some(value);
    }
    let next = typed.get(place + 1)?;
    (!next.starts_with('-')).then_some(next)
}

/// The names of a command's subcommands.
fn names(command: &Command) -> impl Iterator<Item = &str> {
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    shown.map(Command::get_name).filter(|name| *name != "help")
}

/// The argument with this long option, whose name is without its dashes.
fn option<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    let mut all = command.get_arguments();
    all.find(|arg| arg.get_long() == Some(name))
}

/// The command that the typed words name.
struct Asked<'a> {
    command: &'a Command,
    /// The command as it is typed: `klero sweep run`.
    path: String,
}

impl<'a> Asked<'a> {
    /// The command that these words name.
    fn of(whole: &'a Command, typed: &[String]) -> Self {
        let (mut command, mut path) = (whole, whole.get_name().to_owned());
        let mut words = typed.iter();
        while let Some(word) = words.next() {
            if let Some(name) = word.strip_prefix("--") {
                let takes =
                    option(command, name).is_some_and(|arg| arg.get_action().takes_values());
                if takes {
                    words.next();
                }
                continue;
            }
            let Some(next) = command.find_subcommand(word) else {
                break;
            };
            command = next;
            path = format!("{path} {}", next.get_name());
        }
        Self { command, path }
    }

    /// The tips on an option that the command has not.
    fn option(&self, whole: &Command, given: &str, value: Option<&str>) -> Vec<String> {
        let name = given.trim_start_matches('-');
        let mut tips = Vec::new();
        if option(self.command, "set").is_some() {
            let keys = keys_named(name);
            let keys = keys.iter().take(LISTED).map(|key| key.assignment(value));
            let keys: Vec<String> = keys.collect();
            if !keys.is_empty() {
                tips.push(format!(
                    "it is a key of the config: set it there, or by {}",
                    keys.join(" or ")
                ));
            }
        }
        let mut others = Vec::new();
        having(whole, whole.get_name(), name, &mut others);
        if !others.is_empty() {
            let more = others.len().saturating_sub(LISTED);
            others.truncate(LISTED);
            let more = match more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            tips.push(format!(
                "--{name} is an option of {}{more}, not of {}",
                others.join(", "),
                self.path
            ));
        }
        tips.extend(self.instead(name));
        tips
    }

    /// A tip if the command has another way to do what this option of other commands does.
    fn instead(&self, name: &str) -> Option<String> {
        let path = &self.path;
        Some(match (path.as_str(), name) {
            ("klero reproduce", "set" | "sweep" | "replications" | "only") => {
                "a study plays its presets as they are; to change one: klero run PRESET \
                 --set KEY=VALUE (klero list presets)"
                    .to_owned()
            }
            (_, "policy" | "policies" | "lane") if option(self.command, "only").is_some() => {
                "to play some policies alone: --only LABEL,…".to_owned()
            }
            (_, "out") => format!("what it prints goes to a file by the shell: {path} … > FILE"),
            _ => return None,
        })
    }

    /// The tips on a word that the command does not take.
    fn word(&self, given: &str, typed: &[String]) -> Vec<String> {
        let set = typed
            .iter()
            .find(|word| ["--set", "--sweep"].contains(&word.as_str()));
        if let Some(set) = set {
            // The shell has taken a label or a text apart at its blanks.
            return vec![format!(
                "what holds blanks is quoted for the shell: {set} \
                 'policy.\"greedy .05\".tolerance=0.02'"
            )];
        }
        // A command that also takes a file has read a misspelt subcommand as its file.
        let mut before = typed.iter().take_while(|word| *word != given);
        let meant = before.find_map(|word| {
            let near = nearest(word, names(self.command))?;
            (!word.starts_with('-')).then_some(near)
        });
        if let Some(meant) = meant {
            return vec![format!("did you mean {} {meant}?", self.path)];
        }
        let places: Vec<String> = self
            .command
            .get_positionals()
            .filter(|arg| !arg.is_hide_set())
            .map(ToString::to_string)
            .collect();
        let takes = match places.as_slice() {
            [] => "takes no words besides its options".to_owned(),
            places => format!("takes {} besides its options", places.join(" ")),
        };
        let path = &self.path;
        vec![format!(
            "{path} {takes}; what holds blanks is quoted for the shell"
        )]
    }

    /// The command's option whose name is nearest.
    fn near_option(&self, given: &str) -> Option<String> {
        let name = given.strip_prefix("--")?;
        let all = self
            .command
            .get_arguments()
            .filter(|arg| !arg.is_hide_set());
        let near = nearest(name, all.filter_map(Arg::get_long))?;
        Some(format!("--{near}"))
    }
}

/// The commands that have an option of this name.
fn having(command: &Command, path: &str, name: &str, found: &mut Vec<String>) {
    let has = option(command, name).is_some_and(|arg| !arg.is_hide_set());
    if has && !command.is_subcommand_required_set() {
        found.push(path.to_owned());
    }
    for sub in command.get_subcommands() {
        if !sub.is_hide_set() && sub.get_name() != "help" {
            having(sub, &format!("{path} {}", sub.get_name()), name, found);
        }
    }
}

#[cfg(test)]
mod tests;

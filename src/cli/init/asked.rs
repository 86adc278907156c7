//! The questions that `klero init` asks on a terminal.

use std::io::{BufRead, IsTerminal, Write};

use clap::ValueEnum;
use kleroterion::init::{QuotaColumns, QuotaRole, Setting};

use super::args::{InitArgs, SettingWord};
use crate::cli::args::word_of;

/// Returns true if questions can be asked.
pub(super) fn asks(args: &InitArgs) -> bool {
    !args.yes && std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks on the terminal. An empty answer means the default.
pub(super) fn ask(question: &str, default: &str) -> Option<String> {
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

/// The setting that the user confirms or names, or the guess if no question can be asked.
pub(super) fn setting(guess: Setting, args: &InitArgs) -> Setting {
    if !asks(args) || args.quotas.is_some() {
        return guess;
    }
    let mut words = SettingWord::value_variants().iter();
    let default = words.find(|word| Setting::from(**word) == guess);
    let default = default.map_or_else(String::new, word_of);
    let answer = ask("Setting: committee, merit, cohort or pool?", &default);
    let named = answer.and_then(|answer| SettingWord::from_str(&answer, true).ok());
    named.map_or(guess, Setting::from)
}

/// Asks for the columns of quotas that no name reveals. Returns each with its role.
pub(super) fn quota_columns(columns: &QuotaColumns) -> Vec<(String, QuotaRole)> {
    let question = |role| match role {
        QuotaRole::Category => "what people are grouped by (gender, age)",
        QuotaRole::Name => "the values (women, 18-34)",
        QuotaRole::Min => "the fewest members",
        _ => "the most members",
    };
    let list = columns.others.join(", ");
    let missing = columns.missing().into_iter();
    let answers = missing.filter_map(|role| {
        let question = format!("Which column of the quotas has {}: {list}?", question(role));
        Some((ask(&question, "")?, role))
    });
    answers.collect()
}

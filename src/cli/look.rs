//! The width and the colours of the command line's output.

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::{ColorChoice, ValueEnum};
use terminal_size::{Width, terminal_size_of};

use kleroterion::report::medium::{Medium, WIDTH};

/// When weight and colour are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWord {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static COLOR: OnceLock<ColorWord> = OnceLock::new();

impl ColorWord {
    /// The colour option of a command line, before it is parsed.
    pub fn wished(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut wished = Self::default();
        while let Some(argument) = arguments.next() {
            let word = match argument.split_once('=') {
                Some(("--color", word)) => Some(word.to_owned()),
                None if argument == "--color" => arguments.next(),
                _ => None,
            };
            let word = word.and_then(|word| Self::from_str(&word, false).ok());
            wished = word.unwrap_or(wished);
        }
        wished
    }

    /// Makes the choice effective from now on.
    pub fn start(self) {
        // Once, in `main`.
        let _ = COLOR.set(self);
    }

    /// The choice for clap's own texts.
    pub fn of_help(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
    }

    /// Returns true if a stream shows colours. `variable` returns environment variables.
    fn shows(self, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        let is_on = |name| is_set(name) && variable(name).as_deref() != Some("0");
        let is_off = |name, word| variable(name).as_deref() == Some(word);
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if is_set("NO_COLOR") => false,
            Self::Auto if is_on("CLICOLOR_FORCE") => true,
            Self::Auto => is_terminal && !is_off("CLICOLOR", "0") && !is_off("TERM", "dumb"),
        }
    }
}

/// Returns true if a stream shows colours.
pub fn has_colour(stream: &impl IsTerminal) -> bool {
    let word = COLOR.get().copied().unwrap_or_default();
    word.shows(stream.is_terminal(), |name| {
        std::env::var_os(name).map(|value| OsStr::to_string_lossy(&value).into_owned())
    })
}

/// The layout of stdout.
pub fn of_stdout() -> Medium {
    Medium::text(width_of_stdout().unwrap_or(WIDTH)).coloured(has_colour(&std::io::stdout()))
}

/// The width of stdout: COLUMNS if it is set, or else that of the terminal; `None` if it is none.
pub fn width_of_stdout() -> Option<usize> {
    let stdout = std::io::stdout();
    let own = || terminal_size_of(&stdout).map(|(Width(columns), _)| usize::from(columns));
    columns().or_else(|| own().filter(|_| stdout.is_terminal()))
}

/// The width of stderr; `None` if it is no terminal, so that lines stay whole.
pub fn width_of_stderr() -> Option<usize> {
    let stderr = std::io::stderr();
    let (Width(own), _) = terminal_size_of(&stderr).filter(|_| stderr.is_terminal())?;
    Some(columns().unwrap_or(usize::from(own)))
}

fn columns() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.parse().ok()?;
    (columns > 0).then_some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_goes_before_the_environment_and_no_color_before_force() {
        let shows = |word: ColorWord, is_terminal, set: &[(&str, &str)]| {
            word.shows(is_terminal, |name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        use ColorWord::{Always, Auto, Never};
        assert!(shows(Auto, true, &[]) && !shows(Auto, false, &[]));
        assert!(shows(Always, false, &[("NO_COLOR", "1")]));
        assert!(!shows(Never, true, &[("CLICOLOR_FORCE", "1")]));
        assert!(shows(Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!shows(Auto, false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!shows(
            Auto,
            true,
            &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]
        ));
        // An empty NO_COLOR says nothing.
        assert!(shows(Auto, true, &[("NO_COLOR", "")]));
        for off in [("CLICOLOR", "0"), ("TERM", "dumb")] {
            assert!(!shows(Auto, true, &[off]), "{off:?}");
        }
    }

    #[test]
    fn the_word_is_found_before_the_line_is_parsed() {
        let wished = |line: &str| ColorWord::wished(line.split(' ').map(str::to_owned));
        assert_eq!(wished("klero run --color always"), ColorWord::Always);
        assert_eq!(wished("klero --color=never run"), ColorWord::Never);
        assert_eq!(wished("klero run --color odd"), ColorWord::Auto);
    }
}

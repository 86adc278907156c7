//! The policy that runs in a program of its own: its keys, the reader of its table, and its entry.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::kind::{ANY, PolicyKind};
use super::lane::LABEL;
use super::ready::Ready;
use crate::document::param::{Shape, TEXTS};
use crate::document::{ConfigKey, Field, Later, Reader, Value};
use crate::keys;
use kleroterion_core::arena::{FORFEITS, Remote};
use kleroterion_core::brief::Brief;
use kleroterion_io::seat::{OnTimeout, PROGRAM_DEADLINE, Spec, hello};

const COMMAND: ConfigKey<Later> = ConfigKey::later("command", TEXTS)
    .about("the program and its arguments")
    .like("command = [\"python3\", \"my_policy.py\"]")
    .needed();

const DEADLINE: ConfigKey<Duration> = ConfigKey::of("deadline", Shape::Text, seconds)
    .about("of an answer in live runs")
    .or(PROGRAM_DEADLINE);

const ON_TIMEOUT: ConfigKey<OnTimeout> = ConfigKey::word(
    "on_timeout",
    &[("forfeit", OnTimeout::Forfeit), ("leave", OnTimeout::Leave)],
)
.about("what a late answer does")
.or_word("forfeit");

/// The kinds of policies.
pub(super) const KINDS: &[PolicyKind] = &[PolicyKind::built_in(
    ANY,
    "exec",
    "a program of your own, in any language, asked over its standard input and output",
    exec,
)
.with(keys![COMMAND, DEADLINE, ON_TIMEOUT])
.measuring(&[FORFEITS])];

fn exec(table: &mut Reader<'_>, brief: &Brief<'_>) -> Option<Ready> {
    let command = program(&COMMAND.field(table), "my_policy");
    let (deadline, on_timeout) = (DEADLINE.value(table), ON_TIMEOUT.value(table));
    let label = LABEL.param.again(table).text()?;
    let mut spec = Spec::new(command?, hello(label, brief)?);
    (spec.deadline, spec.on_timeout) = (deadline?, on_timeout?);
    Some(Ready {
        outside: Some(Arc::new(spec)),
        ..Ready::new(Box::new(Remote::default()))
    })
}

/// Reads the words of a program that is there; `name`: of a program like it, for examples.
pub(crate) fn program(field: &Field<'_>, name: &str) -> Option<Vec<String>> {
    if let Some(Value::Text(line)) = field.value() {
        let what = format!(
            "expected a list for `{}`, found the string {line:?}",
            field.path()
        );
        return field.refused(what, own_strings(line));
    }
    let members = field.members()?;
    let Some(first) = members.first() else {
        return field.refused(
            "no program is named",
            format!("for example: command = [\"python3\", \"{name}.py\"]"),
        );
    };
    let words: Vec<_> = members.iter().map(Field::text).collect();
    let first_word = words[0];
    let words = words.into_iter().map(|word| word.map(str::to_owned));
    let words = words.collect::<Option<Vec<String>>>();
    let first_word = first_word?;
    if let Err(what) = find(first_word) {
        let help = match first_word.contains(char::is_whitespace) {
            true => own_strings(first_word),
            false => format!(
                "give a program that is on the PATH, or a path from the current folder: \
                 [\"./{name}\"]"
            ),
        };
        return first.refused(what, help);
    }
    words
}

/// The advice to write the words of a command line as a list.
fn own_strings(line: &str) -> String {
    let words: Vec<String> = words(line).iter().map(|word| format!("{word:?}")).collect();
    format!(
        "write the program and each argument as a string of its own: [{}]",
        words.join(", ")
    )
}

/// The words of a command line, as a shell takes them apart: at blanks that are not in quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Finds a program as a shell does: by its path where the name has a slash, else in the folders of
/// `PATH`.
fn find(program: &str) -> Result<PathBuf, String> {
    if program.contains(std::path::is_separator) {
        let path = PathBuf::from(program);
        return match (path.is_file(), is_executable(&path)) {
            (true, true) => Ok(path),
            (true, false) => Err(format!("{program} is no program: it may not be executed")),
            (false, _) => Err(format!("there is no program {program}")),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(program));
    let found =
        paths.find(|path| is_executable(path) || is_executable(&path.with_extension("exe")));
    found.ok_or_else(|| format!("there is no program `{program}` on the PATH"))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let data = path.metadata();
    data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// `"250ms"`, `"2s"`: above 0.
pub(crate) fn seconds(field: &Field<'_>) -> Option<Duration> {
    let expected = "a time such as \"250ms\" or \"2s\"";
    let text = match field.value()? {
        Value::Text(text) => text.trim(),
        _ => return field.expected(expected),
    };
    let (number, unit) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 1e-3),
        (None, Some(number)) => (number, 1.0),
        (None, None) => return field.expected(expected),
    };
    let seconds = number
        .trim()
        .parse::<f64>()
        .ok()
        .map(|number| number * unit);
    // A day is longer than any run waits, and no clock overflows on it.
    let seconds = seconds.filter(|&seconds| (1e-3..=86_400.0).contains(&seconds));
    match seconds {
        Some(seconds) => Some(Duration::from_secs_f64(seconds)),
        None => field.expected(expected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_taken_apart_as_a_shell_does() {
        for (line, list) in [
            ("python3 x.py", r#"["python3", "x.py"]"#),
            ("./my_policy", r#"["./my_policy"]"#),
            (
                "  python3\tx.py  --fast ",
                r#"["python3", "x.py", "--fast"]"#,
            ),
            (
                r#"sh -c "echo 'a b'" x"#,
                r#"["sh", "-c", "echo 'a b'", "x"]"#,
            ),
            ("node 'my policy.js' ''", r#"["node", "my policy.js", ""]"#),
            (
                "Rscript --vanilla a\"b c\"d",
                r#"["Rscript", "--vanilla", "ab cd"]"#,
            ),
        ] {
            let advice = own_strings(line);
            assert!(advice.ends_with(&format!(": {list}")), "{line}: {advice}");
        }
    }
}

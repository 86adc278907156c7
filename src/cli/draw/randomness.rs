//! `--seed-from`: public randomness, as a text or from a file.

use std::path::Path;

use crate::cli::show;
use kleroterion::drawing::{Randomness, SeedOrigin};
use kleroterion::problem::{Place, Problem};
use kleroterion::record::{MOST_WHOLE, read_whole};
use kleroterion::report::plain;

/// The prefixes that mark a value as a text or a file.
const PREFIXES: [(&str, SeedOrigin); 2] =
    [("text:", SeedOrigin::Text), ("file:", SeedOrigin::File)];

/// The endings that only file names have.
const ENDINGS: [&str; 9] = [
    "txt", "json", "csv", "bin", "dat", "html", "xml", "pdf", "sig",
];

/// Reads the randomness of an option: the bytes of the file of that name, or else the text itself.
///
/// # Errors
/// Fails if the value is empty, or seems to be the name of a missing file.
pub(super) fn read(value: &str) -> Result<Randomness, Problem> {
    let place = || Place::Option("--seed-from".to_owned());
    let prefixed = PREFIXES.iter().find_map(|(prefix, origin)| {
        let rest = value.strip_prefix(prefix)?;
        Some((rest, *origin))
    });
    let (value, origin) = prefixed.unwrap_or_else(|| {
        let origin = match Path::new(value).is_file() {
            true => SeedOrigin::File,
            false => SeedOrigin::Text,
        };
        (value, origin)
    });
    if prefixed.is_none() && origin == SeedOrigin::Text && seems_a_file(value) {
        let what = format!("there is no file {value:?}, and it seems to be the name of one");
        let help =
            format!("correct the path; or, where the text itself is the randomness: text:{value}");
        return Err(Problem::new(place(), what).help(help));
    }
    let bytes = match origin {
        SeedOrigin::Text => value.as_bytes().to_vec(),
        SeedOrigin::File => read_whole(Path::new(value), MOST_WHOLE).map_err(|error| {
            let what = format!("the file {value:?} cannot be read: {error}");
            Problem::new(place(), what).help("correct the path, or make the file readable")
        })?,
    };
    if bytes.trim_ascii().is_empty() {
        let what = "the randomness is empty";
        let help =
            "give what a public source published: the numbers of a lottery, a beacon's value";
        return Err(Problem::new(place(), what).help(help));
    }
    Ok(Randomness { bytes, origin })
}

/// Returns true if a text that names no file looks like a file name.
fn seems_a_file(value: &str) -> bool {
    let has_blanks = value.chars().any(char::is_whitespace);
    let ending = Path::new(value)
        .extension()
        .and_then(|ending| ending.to_str());
    let is_named = ending.is_some_and(|ending| ENDINGS.contains(&&*ending.to_lowercase()));
    !has_blanks && (value.contains(['/', '\\']) || is_named)
}

/// Prints how the randomness was read.
pub(super) fn note(randomness: &Randomness) {
    /// The number of bytes below which values can be tried out beforehand.
    const FEW: usize = 8;
    let n = randomness.bytes.len();
    let bytes = if n == 1 { "byte" } else { "bytes" };
    let what = match randomness.origin {
        SeedOrigin::Text => "text",
        SeedOrigin::File => "file",
    };
    let sha256 = randomness.sha256();
    show::say(&plain(&format!(
        "randomness: the {n} {bytes} of the {what}; SHA-256 {sha256}"
    )));
    if n < FEW {
        show::say(
            "warning: so short a value can be one of few, all of which could be tried beforehand",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(value: &str) -> Result<(Vec<u8>, SeedOrigin), String> {
        let read = read(value).map(|randomness| (randomness.bytes, randomness.origin));
        read.map_err(|problem| problem.what)
    }

    #[test]
    fn a_text_is_a_text_and_a_file_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lotto.txt");
        std::fs::write(&path, " 1 2 3\n").unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(taken(path), Ok((b" 1 2 3\n".to_vec(), SeedOrigin::File)));
        let file = format!("file:{path}");
        assert_eq!(taken(&file), Ok((b" 1 2 3\n".to_vec(), SeedOrigin::File)));
        let text = format!("text:{path}");
        assert_eq!(taken(&text), Ok((path.into(), SeedOrigin::Text)));
        assert_eq!(
            taken("3, 14 and 15"),
            Ok((b"3, 14 and 15".to_vec(), SeedOrigin::Text))
        );
        assert_eq!(
            taken("a/b and c"),
            Ok((b"a/b and c".to_vec(), SeedOrigin::Text))
        );
    }

    #[test]
    fn what_seems_a_file_must_be_one() {
        for value in [
            "lotto.txt",
            "draws/lotto",
            "https://a.example/latest",
            "BEACON.JSON",
        ] {
            let why = taken(value).unwrap_err();
            assert!(why.contains("seems to be the name"), "{value}: {why}");
        }
        assert!(taken("file:lotto").unwrap_err().contains("cannot be read"));
        for value in ["", " \n", "text:"] {
            assert!(taken(value).unwrap_err().contains("empty"), "{value:?}");
        }
    }
}

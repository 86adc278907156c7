//! A JSON array of records as a record a line.

use std::io;
use std::path::Path;

use super::load_error::LoadError;
use crate::record::outside;
use kleroterion_core::problem::{Place, Problem, Problems};

/// Returns true if a text is a JSON array, rather than lines of which the first is one.
pub(super) fn is_array(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let text = text.trim_ascii();
    let end = text.iter().position(|byte| *byte == b'\n');
    let is_whole = |first: &[u8]| outside::syntax(first).is_ok();
    text.starts_with(b"[") && !end.is_some_and(|end| is_whole(&text[..end]))
}

/// The elements of an array, each on a line of its own: the one on which it begins in the file,
/// where no other does.
///
/// # Errors
/// Where the text is no array.
pub(super) fn lines(path: &Path, text: &[u8]) -> Result<Vec<u8>, LoadError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let refuse = |at: Option<u64>, what: String| {
        let help =
            "write [{\"id\": \"ann\"}, {\"id\": \"bob\"}], or a record a line without the brackets";
        let problem = Problem::new(Place::line(path, at), what).help(help);
        LoadError {
            unopened: Some(io::ErrorKind::InvalidData),
            ..Problems::from(problem).into()
        }
    };
    let text = std::str::from_utf8(text)
        .map_err(|_| refuse(None, "the array holds bytes that are not UTF-8".into()))?;
    let elements = outside::elements(text, usize::MAX).map_err(|error| {
        let what = format!("this is no JSON array of records: {}", brief(&error));
        refuse(Some(error.line() as u64), what)
    })?;
    let mut lines = Vec::with_capacity(text.len());
    let (mut passed, mut reached, mut written) = (0, 0, 0);
    for element in elements {
        let begins = element.get().as_ptr() as usize - text.as_ptr() as usize;
        reached += text.as_bytes()[passed..begins]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        passed = begins;
        let blank = reached.saturating_sub(written);
        lines.resize(lines.len() + blank, b'\n');
        // A text in JSON has no line feed of its own.
        lines.extend(element.get().bytes().map(|byte| match byte {
            b'\n' | b'\r' => b' ',
            byte => byte,
        }));
        lines.push(b'\n');
        written += blank + 1;
    }
    Ok(lines)
}

/// An error without its place, which is named apart.
fn brief(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_on_the_lines_on_which_they_begin() {
        for (text, due) in [
            ("[{\"a\": 1}, {\"a\": 2}]", "{\"a\": 1}\n{\"a\": 2}\n"),
            (
                "[\n {\"a\":\n 1},\n\n {\"a\": 2}\n]\n",
                "\n{\"a\":  1}\n\n\n{\"a\": 2}\n",
            ),
            (" [ ] ", ""),
            ("[{\"a\": 1}]\n\n", "{\"a\": 1}\n"),
            ("\u{feff}[1,\n2]", "1\n2\n"),
        ] {
            let found = lines(Path::new("x.json"), text.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), due);
            assert!(is_array(text.as_bytes()));
        }
    }

    #[test]
    fn lines_of_which_one_is_an_array_are_no_array() {
        for text in ["[1]\n{\"a\": 1}\n", "{\"a\": [1]}", "a,[b\n1,2"] {
            assert!(!is_array(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_is_no_array_is_refused_where_it_ends() {
        for (text, line) in [("[1, 2", 1), ("[{}\n{}]", 2), ("[1] x", 1)] {
            let error = lines(Path::new("x.json"), text.as_bytes()).unwrap_err();
            let said = error.to_string();
            assert!(
                said.starts_with(&format!("x.json:{line}: this is no JSON array")),
                "{said}"
            );
        }
    }
}

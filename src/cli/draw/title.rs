//! `--title`: the title of a draw's page.

use kleroterion::problem::Problem;

/// The most characters of a title.
const LONGEST_TITLE: usize = 200;

/// Returns a title that fits on a line.
///
/// # Errors
/// Fails if the title is empty, too long, or not fit for a line.
pub(super) fn title(given: &str) -> Result<String, Problem> {
    let title = given.trim();
    let letters = title.chars().count();
    let (what, help) = if title.is_empty() {
        (
            "the title is empty".to_owned(),
            "write it out, or leave out --title",
        )
    } else if title.chars().any(char::is_control) {
        (
            "the title is more than a line, or has characters that can't be shown".to_owned(),
            "write it in one line of letters",
        )
    } else if letters > LONGEST_TITLE {
        (
            format!("the title has {letters} characters, and at most {LONGEST_TITLE} fit"),
            "shorten it",
        )
    } else {
        return Ok(title.to_owned());
    };
    Err(Problem::of_option("--title", what).help(help))
}

//! The names of a study's files in the folder of a reproduction.

/// Returns the file name of a study's figure; the first is number 0.
#[must_use]
pub fn file_of(study: &str, figure: usize) -> String {
    match figure {
        0 => format!("{study}.svg"),
        n => format!("{study}-{}.svg", n + 1),
    }
}

/// Returns the file name of a study's page among several.
#[must_use]
pub fn page_of(study: &str) -> String {
    format!("{study}.html")
}

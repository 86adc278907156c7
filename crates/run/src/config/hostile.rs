//! Checks of arbitrary texts as configs, for fuzzing.

use std::path::Path;

use super::{Document, check};

/// Reads a text as a config. It must be refused, or its resolved form must mean the same.
pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // No file is found from here.
    let folder = Path::new("a folder that is nowhere");
    let Ok(document) = Document::parse(text) else {
        return;
    };
    let Ok(plan) = check(&document, folder) else {
        return;
    };
    let resolved = document.resolved(&plan, folder).to_toml();
    let again = Document::parse(&resolved).expect("a resolved config can be read");
    let plan = match check(&again, folder) {
        Ok(plan) => plan,
        Err(problems) => panic!("a resolved config is refused: {problems}"),
    };
    let twice = again.resolved(&plan, folder).to_toml();
    let first = resolved
        .lines()
        .zip(twice.lines())
        .find(|(one, two)| one != two);
    assert!(twice == resolved, "resolved twice is otherwise: {first:?}");
}

#[cfg(test)]
mod tests {
    use kleroterion_testkit::hostile::feed;

    #[test]
    fn any_config_is_read_or_refused() {
        feed("config", 10, Some("configs"), super::config);
    }
}

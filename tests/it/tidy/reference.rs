//! The page of a config's keys is the one that the declarations make.

use std::fs;

use crate::support::project;

/// With KLERO_WRITE_DOCS=1 the page is written anew.
#[test]
fn the_page_of_keys_is_up_to_date() {
    let path = project().join("docs/config.md");
    let page = kleroterion::config::reference();
    if std::env::var_os("KLERO_WRITE_DOCS").is_some() {
        fs::write(&path, &page).expect("it can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let hint = "write it anew: KLERO_WRITE_DOCS=1 cargo test --test it the_page_of_keys";
    assert!(
        written == page,
        "docs/config.md is not what the declarations say; {hint}"
    );
}

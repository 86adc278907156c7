//! Style sheets and short scripts that only some pages need, besides those of all pages.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A style sheet and a script for some of the things that a page may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageExtra {
    pub(super) style: &'static str,
    pub(super) script: &'static str,
}

/// The layout of claims and studies.
pub(super) const STUDIES: PageExtra = PageExtra {
    style: include_str!("studies.css"),
    script: "",
};

/// A script as the page's content policy names it; nothing else runs.
pub(super) fn hash_of(script: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_named_as_browsers_do() {
        let known = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        assert_eq!(hash_of(""), known);
    }

    /// The words of a page are in the document, never in the script.
    #[test]
    fn the_scripts_ask_for_nothing_and_write_no_markup() {
        for script in [include_str!("sort.js"), include_str!("filter.js")] {
            for word in ["fetch", "http", "import", "innerHTML", "eval", "</"] {
                assert!(!script.contains(word), "{word}");
            }
        }
    }
}

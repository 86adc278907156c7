//! A check of a draw's hashes by the reader's browser.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::super::markup::{text, void};
use super::bullets::DRAW_STYLE;
use super::pieces::{PageExtra, PageNumbers};

/// Hashes that the reader's browser computes again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashCheck {
    /// The files: the commitment, then the randomness once there is one.
    pub files: Vec<HashedFile>,
    /// The lot that follows from both files, once there is one.
    pub lot: Option<HashedLot>,
}

/// A file and its hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashedFile {
    /// The name of the file.
    pub name: String,
    /// The bytes of the file, if the page has them. Otherwise the reader chooses the file.
    pub bytes: Option<Vec<u8>>,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// A number from the hash of some lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashedLot {
    /// The name of the number, for example "the seed".
    pub name: String,
    /// The lines, with `{commitment}` and `{randomness}` for the hashes of the two files.
    pub lines: String,
    /// The SHA-256 of the lines.
    pub sha256: String,
    /// The number.
    pub number: u64,
    /// The number of panels, if the number is one of theirs. Otherwise it is the first 15 digits of
    /// the hash.
    pub panels: Option<u32>,
}

/// The script that computes the hashes.
pub(super) const HASHES: PageExtra = PageExtra {
    style: "",
    script: include_str!("hashes.js"),
};

/// The button and a line for each hash. Without a script it is not shown.
pub(super) fn hashes_html(check: &HashCheck, numbers: &mut PageNumbers) -> Markup {
    numbers.need(DRAW_STYLE);
    numbers.need(HASHES);
    html! {
        div #hash-check hidden="hidden" { "\n"
            p { button type="button" { "Compute the hashes in this browser" } } "\n"
            ul { "\n"
                @for file in &check.files { (file_html(file)) }
                @if let Some(lot) = &check.lot {
                    li data-lines=(STANDARD.encode(&lot.lines)) data-sha256=(lot.sha256) {
                        "the hash of " (text(&lot.name)) " " code { (lot.sha256) } " " (state())
                    } "\n"
                    li data-number=(lot.number) data-panels=[lot.panels] {
                        (text(&lot.name)) " " code { (lot.number) } " " (state())
                    } "\n"
                }
            } "\n"
            p { label {
                "To check the files themselves, choose those that were published: "
                (void("input", &[("type", "file"), ("multiple", "multiple")]))
            } } "\n"
        } "\n"
    }
}

fn file_html(file: &HashedFile) -> Markup {
    let bytes = file.bytes.as_ref().map(|bytes| STANDARD.encode(bytes));
    html! {
        li data-file=(text(&file.name)) data-bytes=[bytes] data-sha256=(file.sha256) {
            code { (text(&file.name)) } " " code { (file.sha256) } " " (state())
        } "\n"
    }
}

/// The place of a finding.
fn state() -> Markup {
    html! { output aria-live="polite" {} }
}

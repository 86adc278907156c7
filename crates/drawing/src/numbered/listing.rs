//! The panels on their page, each with the first letters of its members' codes.

use super::list::{PANELS, by_code};
use crate::code::Codes;
use crate::limits::MOST_LISTING_BYTES;
use crate::page::section;
use kleroterion_report::report::page::{PagePart, PageSection};

/// The panels in a fold.
const IN_FOLD: usize = 100;

/// The letters in a line of codes.
const WIDTH: usize = 96;

/// The panels, each with the first letters of its members' codes.
pub(super) fn panels(all: &[Vec<u32>], codes: &Codes) -> PageSection {
    let letters = letters(codes);
    let mut folds = Vec::new();
    let mut bytes = 0;
    let mut shown = 0;
    for (at, some) in all.chunks(IN_FOLD).enumerate() {
        let first = at * IN_FOLD + 1;
        let text: String = (first..)
            .zip(some)
            .map(|one| row(one, codes, letters))
            .collect();
        bytes += text.len();
        if bytes > MOST_LISTING_BYTES {
            break;
        }
        shown = at * IN_FOLD + some.len();
        folds.push(PagePart::Fold {
            summary: format!("Panels {first} to {shown}"),
            parts: vec![PagePart::Code(text)],
        });
    }
    let mut prose = format!(
        "Each panel by its number, with the first {letters} letters of its members' codes, which no two \
         respondents share. The file `{PANELS}` has the whole codes; its SHA-256 is in the commitment."
    );
    if shown < all.len() {
        prose += &format!(
            " The page has room for the first {shown} of the {} panels; the file has all.",
            all.len()
        );
    }
    let parts = std::iter::once(PagePart::Prose(prose)).chain(folds);
    section("The panels", parts.collect())
}

/// A panel in lines.
fn row((number, members): (usize, &Vec<u32>), codes: &Codes, letters: usize) -> String {
    let codes = by_code(members, codes);
    let short: Vec<&str> = codes
        .iter()
        .map(|code| &code[..letters.min(code.len())])
        .collect();
    let in_line = (WIDTH - 7) / (letters + 1);
    let lines = short.chunks(in_line.max(1)).map(|codes| codes.join(" "));
    let lines: Vec<String> = lines.collect();
    format!("{number:>5}  {}\n", lines.join("\n       "))
}

/// The fewest letters by which all codes differ, four at least.
fn letters(codes: &Codes) -> usize {
    let all: Vec<&str> = codes.by_code().into_keys().collect();
    let longest = all.iter().map(|code| code.len()).max().unwrap_or(4);
    // In their order, those that share most letters are neighbours.
    let differ = |n: &usize| {
        let mut pairs = all.windows(2);
        pairs.all(|pair| pair[0].get(..*n) != pair[1].get(..*n))
    };
    (4..longest).find(differ).unwrap_or(longest)
}

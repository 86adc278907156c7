//! A list of other pages.

use maud::{Markup, html};

use super::Link;
use super::pieces::{inline, link};

/// The pages, each with what it says.
pub(super) fn pages_html(pages: &[(Link, Vec<String>)]) -> Markup {
    html! {
        ul.runs { "\n"
            @for (to, lines) in pages {
                li { (link(to)) @for line in lines { p { (inline(line)) } } } "\n"
            }
        } "\n"
    }
}

//! Steps side by side, each with the hash that proves it.

use maud::{Markup, html};

use super::super::markup::text;
use super::bullets::DRAW_STYLE;
use super::pieces::{PageNumbers, inline};

/// A step, in a few words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageStep {
    /// The title of the step.
    pub title: String,
    /// The content of the step. Text between backticks is shown as code.
    pub words: String,
    /// The hash that proves it, if there is one.
    pub hash: Option<String>,
}

/// The letters of a hash that are shown at its ends.
const ENDS: (usize, usize) = (8, 4);

pub(super) fn steps_html(steps: &[PageStep], numbers: &mut PageNumbers) -> Markup {
    numbers.need(DRAW_STYLE);
    html! {
        ol.steps { "\n"
            @for step in steps {
                li {
                    b { (text(&step.title)) } " "
                    span { (inline(&step.words)) }
                    @if let Some(hash) = &step.hash {
                        " " div { code title=(text(hash)) { (text(&shortened(hash))) } }
                    }
                } "\n"
            }
        } "\n"
    }
}

/// The ends of a hash.
fn shortened(hash: &str) -> String {
    let (first, last) = ENDS;
    match (hash.get(..first), hash.len().checked_sub(last)) {
        (Some(start), Some(end)) if hash.len() > first + last && hash.is_ascii() => {
            format!("{start}…{}", &hash[end..])
        }
        _ => hash.to_owned(),
    }
}

//! The part of a hiring round: the money, what waits, the quotas, and the table of applicants.

use maud::{Markup, PreEscaped, html};

use super::BoardPage;

/// The style and the script of the part.
pub(super) const LINKS: PreEscaped<&str> = PreEscaped(
    "<link rel=\"stylesheet\" href=\"hiring.css\">\n<script src=\"hiring.js\" defer></script>\n",
);

/// The field for the interviewer's name.
const INPUT: PreEscaped<&str> = PreEscaped("<input autocomplete=\"name\" maxlength=\"100\"/>");

impl BoardPage<'_> {
    /// The part, with its content as it is now.
    pub(super) fn hiring(&self) -> Markup {
        html! {
            section #hiring aria-labelledby="hiring-head" {
                h2 #hiring-head.unseen tabindex="-1" { "Applicants" }
                div.terms {
                    (self.p("money", "")) (self.p("waits", "")) (self.p("quota", ""))
                }
                label #by hidden { "Interviewer " (INPUT) }
                (self.table("applicants", "claims", "The applicants, those who are in first"))
                (self.p("applicants-note", "note"))
            } "\n"
        }
    }
}

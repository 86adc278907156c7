//! A page: one self-contained HTML file of prose, tables and figures. It asks for nothing from
//! outside (its own content policy forbids it), follows the reader's light or dark theme or the one
//! chosen on it, and fits a phone. It needs no script; where figures are live, a small one of its
//! own reads their values under the pointer or by the arrow keys.

mod answers;
mod chart;
mod claims;
mod extras;
mod html;
mod map;
mod pieces;
mod sortable;
mod strip;
mod studies;

use std::mem::discriminant;

use super::figure::{Figure, FigureTable};
pub(crate) use answers::{answers_html, verdicts_html};
pub(crate) use html::{THEMES, parts_html, style};
pub use map::{MapCell, MapMood, MapPanel, PageMap};
pub(crate) use pieces::{card_cell, card_heads};
pub use sortable::{SortCell, SortTable};
pub use strip::PageStrip;
pub use studies::{PageStudies, PageStudy};

/// The most bytes a page may have. Where long tables would exceed it they are shortened, and say
/// so, those under figures first.
pub const MOST_BYTES: usize = 400_000;

/// A page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The title, in a line.
    pub title: String,
    /// What the page says, in a sentence or two under the title.
    pub lead: String,
    /// Links to other pages, above the title.
    pub links: Vec<Link>,
    /// What is counted under the title: the verdicts on the page's claims.
    pub findings: Vec<ClaimFinding>,
    /// From top to bottom.
    pub sections: Vec<PageSection>,
}

/// A link to a file in the page's folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// What it says.
    pub text: String,
    /// Where it leads, from the page's folder.
    pub to: String,
}

/// A section under its own heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageSection {
    /// The heading.
    pub heading: String,
    /// From top to bottom.
    pub parts: Vec<PagePart>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum PagePart {
    /// Paragraphs, parted by empty lines; text between backticks is shown as code.
    Prose(String),
    /// A command or other text to be copied, unchanged.
    Code(String),
    /// What a paper says and what we found.
    Claims(PageClaims),
    /// Studies, each with its verdicts and sentences.
    Studies(PageStudies),
    /// A table.
    Table {
        /// What it shows.
        caption: String,
        /// Its cells; the first column names the row.
        table: FigureTable,
    },
    /// What was found, in a card each.
    Answers(Vec<PageAnswer>),
    /// Comparisons and what may be said of them.
    Verdicts(Verdicts),
    /// Who is best at each pair of values.
    Map(PageMap),
    /// A table that a reader sorts.
    Sortable(SortTable),
    /// What opens at a click.
    Fold {
        /// What it holds.
        summary: String,
        /// From top to bottom.
        parts: Vec<PagePart>,
    },
    /// Boxes to tick: which names the live figures below show; the name and the number of its look.
    Switches(Vec<(String, usize)>),
    /// A figure whose values can be read under the pointer or by keys.
    Chart(Chart),
    /// A figure, its numbers in a table that opens below.
    Figure {
        /// The figure.
        figure: Figure,
        /// Its SVG file, as a link from the page's folder.
        file: Option<String>,
    },
}

/// A live figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The figure.
    pub figure: Figure,
    /// Its SVG file, as a link from the page's folder.
    pub file: String,
    /// Its numbers, where the figure's own points are not what a reader wants.
    pub table: Option<FigureTable>,
}

/// What was found of one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageAnswer {
    /// What was asked.
    pub question: String,
    /// The answer in a few words.
    pub answer: String,
    /// Whether that settles it.
    pub mood: Mood,
    /// By how much, how sure, what else.
    pub lines: Vec<String>,
}

/// What an answer settles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// The question.
    Settled,
    /// Something, where neither way is better.
    Told,
    /// Nothing yet.
    #[default]
    Open,
}

/// A table of comparisons on one measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdicts {
    /// On which measure, and which way is better.
    pub caption: String,
    /// The comparisons, best first.
    pub rows: Vec<VerdictRow>,
}

/// A comparison as it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictRow {
    /// Who is compared, with whom where that is not said of all.
    pub who: String,
    /// The mean difference.
    pub difference: String,
    /// Its interval.
    pub interval: String,
    /// The verdict's word, as in `summary.json`, or `baseline`.
    pub verdict: String,
    /// What else is to be said.
    pub note: String,
}

/// A table of claims.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageClaims {
    /// Whose claims they are.
    pub caption: String,
    /// Pages that say more of them.
    pub links: Vec<Link>,
    /// Pictures that show what they are about.
    pub pictures: Vec<Picture>,
    /// The claims in order.
    pub claims: Vec<PageClaim>,
}

/// A picture in a file of its own: shown small, with a link to the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its file, from the page's folder.
    pub file: String,
    /// What is to be seen, for those who can't see it.
    pub about: String,
}

/// What a paper says, and what we found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageClaim {
    /// What is claimed, and where: "Table 2: cost of SWAP".
    pub claim: String,
    /// Where more is said of it, from the page's folder. The n-th claim of a page is its
    /// `#claim-n`.
    pub link: Option<String>,
    /// The paper's number.
    pub paper: String,
    /// Our number; several on a line each.
    pub ours: String,
    /// The lines of ours that stand beside a number of the paper's.
    pub strips: Vec<(usize, PageStrip)>,
    /// By what rule the two are compared; may be empty.
    pub rule: String,
    /// How the two compare.
    pub finding: ClaimFinding,
}

/// How our number compares with a paper's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClaimFinding {
    /// It is met.
    #[default]
    Reproduced,
    /// It is met because what was played was made so: no evidence for it.
    ByConstruction,
    /// Order, slope or form are met, the numbers are not; what differs, and why.
    InShape(String),
    /// It was tried too few times to tell; between what.
    Undecided(String),
    /// It cannot be tried; why.
    CannotBe(String),
    /// It was not tried, as something is missing that the reader may have; what.
    NotRun(String),
    /// It was tried and is not met; how.
    Failed(String),
}

impl ClaimFinding {
    /// One of each kind, without reasons, in the order in which they are counted.
    pub fn kinds() -> [Self; 7] {
        [
            Self::Reproduced,
            Self::InShape(String::new()),
            Self::ByConstruction,
            Self::Failed(String::new()),
            Self::Undecided(String::new()),
            Self::CannotBe(String::new()),
            Self::NotRun(String::new()),
        ]
    }

    /// How many of some findings are of this kind.
    pub fn count<'a>(&self, findings: impl IntoIterator<Item = &'a Self>) -> usize {
        let kind = discriminant(self);
        let findings = findings.into_iter();
        findings
            .filter(|other| discriminant(*other) == kind)
            .count()
    }

    /// The finding in a word or three.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::ByConstruction => "by construction",
            Self::InShape(_) => "reproduced in shape",
            Self::Undecided(_) => "undecided",
            Self::CannotBe(_) => "can't be reproduced",
            Self::NotRun(_) => "not run",
            Self::Failed(_) => "not reproduced",
        }
    }

    /// Why, where there is something to say.
    pub fn why(&self) -> &str {
        match self {
            Self::Reproduced | Self::ByConstruction => "",
            Self::InShape(why)
            | Self::Undecided(why)
            | Self::CannotBe(why)
            | Self::NotRun(why)
            | Self::Failed(why) => why,
        }
    }
}

#[cfg(test)]
mod tests;

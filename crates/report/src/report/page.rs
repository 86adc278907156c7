//! A page: one self-contained HTML file of prose, tables and figures. It asks for nothing from
//! outside (its own content policy forbids it), follows the reader's light or dark theme or the one
//! chosen on it, and fits a phone. It can be read without a script; where figures are live, a small
//! one of its own shows their values under the pointer or by the arrow keys, and hides policies.

mod chart;
mod claims;
mod extras;
mod findings;
mod html;
mod map;
mod map_cells;
mod map_plan;
mod pieces;
mod sortable;
mod strip;
mod studies;
mod verdicts;

use std::mem::discriminant;

use super::figure::{Figure, FigureTable, VerdictBar};
use super::strip::Strip;
pub use html::{THEMES, style};
use kleroterion_core::score::Direction;
use kleroterion_stats::Standing;
pub use map_cells::{MapCell, MapMood, MapPanel, PageMap};
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
    /// What was found, before all else; none of a page that says it in its lead.
    pub found: Option<Findings>,
    /// What is counted under the title: the verdicts on the page's claims.
    pub counted: Vec<ClaimFinding>,
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
    /// Comparisons, a table of rows with bars for each measure.
    Verdicts(VerdictPicture),
    /// The decisions of a run, round by round.
    Strip(Strip),
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
    /// Links to files in the page's folder.
    Files(Vec<Link>),
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

/// What was found: a sentence over all measures, and a line for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// What was asked; may be empty.
    pub question: String,
    /// The answer in a sentence; empty where there is none over all measures.
    pub answer: String,
    /// What the answer settles.
    pub mood: Mood,
    /// What else is to be said of the answer.
    pub lines: Vec<String>,
    /// On each measure.
    pub measures: Vec<Finding>,
}

/// What was found on a measure, in a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The measure.
    pub measure: String,
    /// Which way is better, in words.
    pub side: String,
    /// Who leads, in a few words.
    pub answer: String,
    /// By how much on whom; may be empty.
    pub detail: String,
    /// What the answer settles.
    pub mood: Mood,
}

/// What an answer settles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// The question.
    Settled,
    /// A difference, of which neither side is better.
    Differs,
    /// A fact of one stream.
    SoFar,
    /// Nothing yet.
    #[default]
    Open,
}

/// The comparisons of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictPicture {
    /// A table for each measure.
    pub tables: Vec<Verdicts>,
    /// What the bars are, and how sure all are together.
    pub about: String,
    /// The same as an SVG file, as a link from the page's folder.
    pub file: Option<String>,
}

/// The comparisons on one measure: a row for each policy, or for each pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// The measure.
    pub measure: String,
    /// Which way is better.
    pub direction: Direction,
    /// The same in words, and how the intervals were made.
    pub about: String,
    /// The head of the column of differences.
    pub against: String,
    /// The head of the column of means; none where rows have none.
    pub means: Option<&'static str>,
    /// The difference that is too small to matter.
    pub margin: Option<f64>,
    /// The comparisons, best first.
    pub rows: Vec<VerdictRow>,
    /// What else is to be said of them.
    pub notes: Vec<String>,
}

/// A comparison as it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictRow {
    /// The policy that the verdict speaks of.
    pub who: PolicyName,
    /// The policy that it is compared with, where that is not the same for all rows.
    pub against: Option<PolicyName>,
    /// The policy's own mean.
    pub mean: String,
    /// The difference as it is drawn.
    pub bar: Option<VerdictBar>,
    /// The difference with its standard error.
    pub difference: String,
    /// Its interval.
    pub interval: String,
    /// The verdict's word, as in `summary.json`, or `baseline`.
    pub verdict: String,
    /// How it stands; none of a baseline.
    pub standing: Option<Standing>,
    /// How far an undecided comparison is.
    pub progress: Option<Progress>,
    /// What else is to be said.
    pub note: String,
}

/// A policy's label, and its place among all labels, which gives its look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyName {
    /// The label.
    pub label: String,
    /// From 0, in label order.
    pub look: usize,
    /// Whether it is compared and never the answer.
    pub is_yardstick: bool,
}

/// How far an undecided comparison is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Replications or rounds so far.
    pub seen: u64,
    /// How many may decide it in all; none where they are beyond counting.
    pub whole: Option<u64>,
    /// The same in words.
    pub words: String,
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
    /// The lines of ours for which the paper prints a number.
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

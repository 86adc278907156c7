//! A page: one self-contained HTML file of prose, tables and figures.
//!
//! It loads nothing from outside, as its content policy forbids it. It follows the reader's light
//! or dark theme or the one chosen on it, and fits a phone. It can be read without a script. If
//! figures are live, a small script shows their values under the pointer or by the arrow keys, and
//! hides policies.

mod bullets;
mod claims;
mod hashes;
mod html;
mod map;
mod matrix;
mod order;
mod pieces;
mod rows;
mod sortable;
mod steps;
mod strip;
mod verdicts;

use std::mem::discriminant;

use super::figure::{Figure, FigureTable, VerdictBar};
use super::strip::Strip;
pub use bullets::{Bullet, BulletTable};
pub use claims::{PageStudies, PageStudy};
pub use hashes::{HashCheck, HashedFile, HashedLot};
pub use html::{THEMES, style};
use kleroterion_core::score::Direction;
use kleroterion_stats::Standing;
pub use map::{MapCell, MapMood, MapPanel, PageMap};
pub use order::SureOrder;
pub use sortable::{SortCell, SortTable};
pub use steps::PageStep;
pub use strip::PageStrip;

/// A page, from title to sections.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The title, in a line.
    pub title: String,
    /// The title of the browser's tab. If empty, it is the page's.
    pub tab: String,
    /// The content of the page, in a sentence or two under the title.
    pub lead: String,
    /// Links to other pages, above the title.
    pub links: Vec<Link>,
    /// The findings, before all else. `None` for a page that states them in its lead.
    pub found: Option<Findings>,
    /// The verdicts on the page's claims, counted under the title.
    pub counted: Vec<ClaimFinding>,
    /// The sections from top to bottom.
    pub sections: Vec<PageSection>,
}

/// A link to a file in the page's folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// The text of the link.
    pub text: String,
    /// The target, relative to the page's folder.
    pub to: String,
}

/// A section under its own heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageSection {
    /// The heading.
    pub heading: String,
    /// The parts, from top to bottom.
    pub parts: Vec<PagePart>,
}

impl PageSection {
    /// Makes the sections of those that have parts, from their headings and parts.
    pub fn filled(all: impl IntoIterator<Item = (&'static str, Vec<PagePart>)>) -> Vec<Self> {
        let filled = all.into_iter().filter(|(_, parts)| !parts.is_empty());
        let section = |(heading, parts): (&str, _)| Self {
            heading: heading.into(),
            parts,
        };
        filled.map(section).collect()
    }
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum PagePart {
    /// Paragraphs, separated by empty lines. Text between backticks is shown as code.
    Prose(String),
    /// A command or other text to be copied, unchanged.
    Code(String),
    /// A table of a paper's claims and our results.
    Claims(PageClaims),
    /// Studies, each with its verdicts and claims.
    Studies(PageStudies),
    /// A table.
    Table {
        /// The caption of the table.
        caption: String,
        /// The table. The first column names the row.
        table: FigureTable,
    },
    /// Comparisons: a table of rows with bars for each measure.
    Verdicts(VerdictPicture),
    /// The members of a panel by value, each with the range that was wanted.
    Bullets(BulletTable),
    /// Steps side by side.
    Steps(Vec<PageStep>),
    /// A check of hashes by the reader's browser.
    Hashes(HashCheck),
    /// The decisions of a run, round by round.
    Strip(Strip),
    /// A map of the best policy at each pair of values.
    Map(PageMap),
    /// A table that a reader sorts.
    Sortable(SortTable),
    /// Parts that open at a click.
    Fold {
        /// The summary that is always shown.
        summary: String,
        /// The parts, from top to bottom.
        parts: Vec<PagePart>,
    },
    /// Links to files in the page's folder.
    Files(Vec<Link>),
    /// Check boxes that select the series in the live figures below. Each has a name and the number
    /// of its look.
    Switches(Vec<(String, usize)>),
    /// A figure whose values can be read under the pointer or by keys.
    Chart(Chart),
    /// A figure, with its numbers in a table that opens below.
    Figure {
        /// The figure.
        figure: Figure,
        /// A link to the figure's SVG file, from the page's folder.
        file: Option<String>,
    },
}

impl PagePart {
    /// Makes a table under its caption.
    pub fn table(caption: impl Into<String>, table: FigureTable) -> Self {
        let caption = caption.into();
        Self::Table { caption, table }
    }

    /// Makes a table that opens at a click on its summary.
    pub fn folded(
        summary: impl Into<String>,
        caption: impl Into<String>,
        table: FigureTable,
    ) -> Self {
        Self::Fold {
            summary: summary.into(),
            parts: vec![Self::table(caption, table)],
        }
    }
}

/// A live figure, whose values can be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The figure.
    pub figure: Figure,
    /// A link to the figure's SVG file, from the page's folder, if it has one.
    pub file: Option<String>,
    /// The numbers of the chart, if they differ from the points of the figure.
    pub table: Option<FigureTable>,
}

/// The findings: a sentence over all measures, and a line for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The question. May be empty.
    pub question: String,
    /// The answer in a sentence. Empty if there is none over all measures.
    pub answer: String,
    /// The degree to which the answer is settled.
    pub mood: Mood,
    /// The numbers of the policy that leads. Empty if none does.
    pub numbers: Vec<AnswerNumber>,
    /// The next step.
    pub next: Option<NextStep>,
    /// Further notes on the answer.
    pub lines: Vec<String>,
    /// The finding on each measure. Empty where the table of verdicts has them.
    pub measures: Vec<MeasureFinding>,
    /// The order of the policies, where more is sure of it than a sentence says.
    pub order: Option<SureOrder>,
}

/// A number below the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerNumber {
    /// The number, set large.
    pub value: String,
    /// The number that it is held against. May be empty.
    pub aside: String,
    /// The name of the number.
    pub below: String,
}

/// The next step for a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextStep {
    /// The step in words.
    pub words: String,
    /// A command to be copied. Empty if there is none.
    pub command: String,
}

/// The finding on a measure, in a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasureFinding {
    /// The measure.
    pub measure: String,
    /// The better direction, in words.
    pub side: String,
    /// The leader, in a few words.
    pub answer: String,
    /// The difference, and the policy it refers to. May be empty.
    pub detail: String,
    /// The degree to which the answer is settled.
    pub mood: Mood,
}

/// The degree to which an answer is settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// The question is settled.
    Settled,
    /// The policies differ, and neither direction is better.
    Differs,
    /// The answer is a fact of one stream.
    SoFar,
    /// Nothing is settled yet.
    #[default]
    Open,
}

/// The comparisons of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictPicture {
    /// The rows of each measure.
    pub tables: Vec<Verdicts>,
    /// The finding on each measure.
    pub findings: Vec<MeasureFinding>,
    /// An explanation of the bars, and the joint confidence of all intervals.
    pub about: String,
    /// A link to the same picture as an SVG file, from the page's folder.
    pub file: Option<String>,
}

/// The comparisons on one measure: a row for each policy, or for each pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// The name of the measure in files and configs.
    pub measure: String,
    /// The name of the measure with its unit, for people.
    pub title: String,
    /// The better direction.
    pub direction: Direction,
    /// The better direction in words, and the method of the intervals.
    pub about: String,
    /// The heading of the column of differences.
    pub against: String,
    /// The heading of the column of means. `None` if the rows have no means.
    pub means: Option<&'static str>,
    /// The difference that is too small to matter.
    pub margin: Option<f64>,
    /// The comparisons, best first; yardsticks come last.
    pub rows: Vec<VerdictRow>,
    /// The policies of pairs, best first. Empty for a table against a baseline.
    pub policies: Vec<PolicyName>,
    /// Further notes on the comparisons.
    pub notes: Vec<String>,
}

/// A comparison to be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictRow {
    /// The policy that the verdict is about.
    pub who: PolicyName,
    /// The policy that it is compared with, if it differs between rows.
    pub against: Option<PolicyName>,
    /// The policy's own mean.
    pub mean: String,
    /// The difference to be drawn.
    pub bar: Option<VerdictBar>,
    /// The difference with its standard error.
    pub difference: String,
    /// The interval of the difference.
    pub interval: String,
    /// The number of replications, rounds or people compared, in words.
    pub counted: String,
    /// The share of them in which the policy has the better value, in percent. May be empty.
    pub wins: String,
    /// The verdict's word, as in `summary.json`, or `baseline`.
    pub verdict: String,
    /// The standing of the comparison. `None` for a baseline.
    pub standing: Option<Standing>,
    /// The progress of an undecided comparison.
    pub progress: Option<Progress>,
    /// A further note.
    pub note: String,
    /// A note for those who ask for more than the verdict.
    pub aside: String,
}

/// A policy's label and the number of its look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyName {
    /// The label.
    pub label: String,
    /// The number of the look: the policy's place among all labels in order, from 0.
    pub look: usize,
    /// True if the policy is a yardstick, which can never be the answer.
    pub is_yardstick: bool,
}

/// The progress of an undecided comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The number of replications or rounds so far.
    pub seen: u64,
    /// The estimated total that may decide it. `None` if it is too large to estimate.
    pub whole: Option<u64>,
    /// The progress in words.
    pub words: String,
}

/// A table of claims.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageClaims {
    /// The caption: the source of the claims.
    pub caption: String,
    /// Links to further pages on the claims.
    pub links: Vec<Link>,
    /// Pictures of the subject of the claims.
    pub pictures: Vec<Picture>,
    /// The claims in order.
    pub claims: Vec<PageClaim>,
}

/// A picture in its own file. A small version is shown, with a link to the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The file, relative to the page's folder.
    pub file: String,
    /// A description for readers who can't see the picture.
    pub about: String,
}

/// A paper's claim and our result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageClaim {
    /// The claim and its place in the paper, for example "Table 2: cost of SWAP".
    pub claim: String,
    /// A link to further text on the claim, from the page's folder. The n-th claim of a page is its
    /// `#claim-n`.
    pub link: Option<String>,
    /// The paper's number.
    pub paper: String,
    /// Our number. Several numbers are on one line each.
    pub ours: String,
    /// The strips that compare our numbers with printed ones, each with the line of `ours` it
    /// belongs to.
    pub strips: Vec<(usize, PageStrip)>,
    /// The rule by which the two are compared. May be empty.
    pub rule: String,
    /// The result of the comparison.
    pub finding: ClaimFinding,
}

/// The result of comparing our number with a paper's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClaimFinding {
    /// The claim is met.
    #[default]
    Reproduced,
    /// The claim is met because the instance was made to meet it. This is no evidence for it.
    ByConstruction,
    /// Order, slope or form agree, and the numbers do not. The text gives the difference and its
    /// cause.
    InShape(String),
    /// There were too few replications to tell. The text gives the alternatives.
    Undecided(String),
    /// The claim cannot be tried. The text gives the reason.
    CannotBe(String),
    /// The claim was not tried, since something is missing that the reader may have. The text names
    /// it.
    NotRun(String),
    /// The claim was tried and is not met. The text says how.
    Failed(String),
}

impl ClaimFinding {
    /// Returns one finding of each kind, without reasons, in the order in which they are counted.
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

    /// Returns the number of findings of the same kind as this one.
    pub fn count<'a>(&self, findings: impl IntoIterator<Item = &'a Self>) -> usize {
        let kind = discriminant(self);
        let findings = findings.into_iter();
        findings
            .filter(|other| discriminant(*other) == kind)
            .count()
    }

    /// Returns the finding in one to three words.
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

    /// Returns the explanation of the finding. It is empty for kinds without one.
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

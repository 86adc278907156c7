//! A file of past reviews, one review per row.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::looks::{Costs, Noise};
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::people::reviews::{ReviewColumns, reviews};
use kleroterion_io::people::table::LoadError;
use kleroterion_io::people::table::sheet::Sheet;
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::file::How;

/// A file of reviews, and the names of its columns. Names are compared trimmed and
/// case-insensitively.
#[derive(Clone, Debug)]
pub struct ReviewsSpec<'a> {
    /// The file: fields separated by commas, UTF-8, a header.
    pub path: &'a Path,
    /// The column of the reviewed applicants.
    pub applicant: &'a str,
    /// The column of the kind of interview.
    pub kind: &'a str,
    /// The column of the score, a number.
    pub score: &'a str,
    /// The column of the review's cost, in any unit. If it is `None`, the column `cost` is used if
    /// there is one.
    pub cost: Option<&'a str>,
}

/// The applicant and the score of each review.
type ReviewScores = Vec<(String, f64)>;

/// The reviews of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct PastKind {
    /// The name of the kind, as the file spells it.
    pub name: String,
    /// The noise of its scores.
    pub noise: Noise,
    /// The costs of its reviews; `None` if the file has no column of costs.
    pub costs: Option<Costs>,
}

/// The contents of a file of reviews.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewFile {
    /// The file.
    pub path: PathBuf,
    /// The number of rows.
    pub reviews: u64,
    /// The number of applicants with a review of any kind.
    pub applicants: u64,
    /// The kinds of review, by name; at least one.
    pub kinds: Vec<PastKind>,
}

/// The weak and the strong kind among those of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReviewTiers<'a> {
    /// The cheap and noisy kind.
    pub weak: &'a PastKind,
    /// The thorough one.
    pub strong: &'a PastKind,
    /// The reason why `weak` is taken as the weak kind.
    pub why: &'static str,
}

impl ReviewsSpec<'_> {
    /// Reads the reviews.
    ///
    /// # Errors
    /// All that is wrong with the file: columns that are missing or there twice; rows of too few or
    /// too many fields; applicants and kinds without a name; scores that are no finite number;
    /// costs that are no positive one; no row.
    pub fn load(&self) -> Result<ReviewFile, LoadError> {
        let sheet = Sheet::open(self.path, "each review", &How::default())?;
        let cost = self.cost.or_else(|| sheet.find("cost").map(|_| "cost"));
        let columns = ReviewColumns {
            applicant: (self.applicant, "the applicants (--applicant)"),
            kind: Some((self.kind, "the kinds of review (--kind)")),
            score: (self.score, "the scores (--score)"),
            cost: cost.map(|cost| (cost, "the costs (--cost)")),
        };
        let reviews = reviews(sheet, &columns)?;
        let mut people = BTreeSet::new();
        let mut kinds: BTreeMap<&str, (ReviewScores, Vec<f64>)> = BTreeMap::new();
        for review in &reviews {
            people.insert(&review.applicant);
            let (scores, costs) = kinds.entry(&review.kind).or_default();
            scores.push((review.applicant.clone(), review.score));
            costs.extend(review.cost);
        }
        let kinds = kinds.into_iter().map(|(name, (scores, costs))| PastKind {
            name: name.to_owned(),
            noise: Noise::of(scores),
            costs: (!costs.is_empty()).then(|| Costs::of(&costs)),
        });
        Ok(ReviewFile {
            path: self.path.to_owned(),
            reviews: reviews.len() as u64,
            applicants: people.len() as u64,
            kinds: kinds.collect(),
        })
    }
}

impl ReviewFile {
    /// Returns the weak and the strong kind. They are those named, else the cheaper of two is weak,
    /// and without costs the noisier.
    ///
    /// # Errors
    /// A name that is no kind of the file or both kinds'; other than two kinds where a name is not
    /// given; a kind of which no applicant has two reviews, or whose reviews of each applicant are
    /// all alike.
    pub fn tiers(
        &self,
        weak: Option<&str>,
        strong: Option<&str>,
    ) -> Result<ReviewTiers<'_>, Problems> {
        let mut problems = Problems::default();
        let mut find = |option: &str, name: Option<&str>| {
            let name = name?;
            let found = self.kinds.iter().find(|kind| kind.name == name);
            if found.is_none() {
                let what = format!("there is no review of the kind {}", shown(name));
                let help = format!("the kinds are {}", self.names());
                problems.push(Problem::of_option(format!("--{option} {name}"), what).help(help));
            }
            found
        };
        let named = [find("weak", weak), find("strong", strong)];
        if !problems.0.is_empty() {
            return Err(problems);
        }
        let tiers = self.told_apart(named)?;
        for kind in [tiers.weak, tiers.strong] {
            if let Some(problem) = self.noiseless(kind) {
                problems.push(problem);
            }
        }
        problems.or(tiers)
    }

    /// Returns the weak and the strong kind. `named` are the kinds that the user named as weak and
    /// strong.
    fn told_apart<'a>(
        &'a self,
        named: [Option<&'a PastKind>; 2],
    ) -> Result<ReviewTiers<'a>, Problem> {
        let other =
            |one: &PastKind, [a, b]: [&'a PastKind; 2]| if one.name == a.name { b } else { a };
        let as_asked = |weak, strong| ReviewTiers {
            weak,
            strong,
            why: "as asked for",
        };
        match (named, self.kinds.as_slice()) {
            ([Some(weak), Some(strong)], _) if weak.name == strong.name => {
                let what = "this kind is the weak one too";
                Err(
                    Problem::of_option(format!("--strong {}", strong.name), what)
                        .help("name two kinds"),
                )
            }
            ([Some(weak), Some(strong)], _) => Ok(as_asked(weak, strong)),
            (_, [only]) => {
                let what = format!("all reviews are of one kind, {}", shown(&only.name));
                let help = "s and j compare two kinds: add reviews of another, \
                            or name another column by --kind";
                Err(self.problem(what).help(help))
            }
            ([Some(weak), None], [a, b]) => Ok(as_asked(weak, other(weak, [a, b]))),
            ([None, Some(strong)], [a, b]) => Ok(as_asked(other(strong, [a, b]), strong)),
            ([None, None], [a, b]) => Ok(cheaper_first(a, b)),
            (_, kinds) => {
                let what = format!("the reviews are of {} kinds: {}", kinds.len(), self.names());
                let help = "name two of them by --weak and --strong";
                Err(self.problem(what).help(help))
            }
        }
    }

    /// Returns the reason why the noise of a kind can't be measured, or `None` if it can.
    fn noiseless(&self, kind: &PastKind) -> Option<Problem> {
        let name = shown(&kind.name);
        if kind.noise.freedom() == 0 {
            let what = format!("no applicant has two reviews of the kind {name}");
            let help = "its noise shows only where it looked at someone twice: add such reviews";
            Some(self.problem(what).help(help))
        } else if kind.noise.squares == 0.0 {
            let what = format!("the reviews of the kind {name} never differ on an applicant");
            let help = "there is no noise to measure: \
                        see whether the scores were agreed on, or copied";
            Some(self.problem(what).help(help))
        } else {
            None
        }
    }

    fn names(&self) -> String {
        const LISTED: usize = 20;
        let names = self.kinds.iter().take(LISTED).map(|kind| shown(&kind.name));
        let more = self.kinds.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| format!("{more} more"));
        names.chain(more).collect::<Vec<_>>().join(", ")
    }

    fn problem(&self, what: String) -> Problem {
        Problem::of_file(&self.path, what)
    }
}

fn cheaper_first<'a>(one: &'a PastKind, other: &'a PastKind) -> ReviewTiers<'a> {
    let price = |kind: &PastKind| kind.costs.map_or(0.0, |costs| costs.mean);
    let noise = |kind: &PastKind| kind.noise.variance().unwrap_or(0.0);
    let (why, other_is_weak) = match price(one) == price(other) {
        true => ("the noisier", noise(other) > noise(one)),
        false => ("the cheaper", price(other) < price(one)),
    };
    let (weak, strong) = if other_is_weak {
        (other, one)
    } else {
        (one, other)
    };
    ReviewTiers { weak, strong, why }
}

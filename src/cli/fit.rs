//! `klero fit`: parameters of a config, estimated from past records.

mod rounded;
mod scores;

use self::rounded::rounded;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use toml_writer::{ToTomlValue, TomlStringBuilder};

use super::failure::{Failure, print};
use super::show;
use kleroterion::fit::looks::{self, LookEstimate};
use kleroterion::fit::{PastKind, ReviewFile, ReviewTiers, ReviewsSpec};
use kleroterion::report::plain;

/// The error probability of each interval.
const ALPHA: f64 = 0.05;

/// Options of `klero fit`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero fit looks reviews.csv                    sigma, s and j of interviews, as TOML for a config
  klero fit looks reviews.csv --format json      the same for machines
  klero fit scores people.csv --label hired --group sex=F
                                                 the score law of each group, as TOML for a config")]
pub struct FitArgs {
    #[command(subcommand)]
    what: FitSubject,
}

#[derive(Subcommand)]
enum FitSubject {
    /// From past reviews: the noise of a look, the gain of a thorough one and its cost, with
    /// intervals
    Looks(LooksArgs),
    /// From people with a label: the normal law of each group's scores, by logistic regression, and
    /// its share
    Scores(scores::ScoresArgs),
}

/// Options of `klero fit looks`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero fit looks reviews.csv
  klero fit looks reviews.csv --applicant candidate --score rating --cost minutes
  klero fit looks reviews.csv --weak paper --strong interview > looks.toml

The file has a row a review, with columns `applicant`, `kind`, `score` and, where costs are known, `cost`.")]
struct LooksArgs {
    /// A CSV file of past reviews, one a row
    reviews: PathBuf,
    /// The column that says who was reviewed
    #[arg(long, value_name = "COLUMN", default_value = "applicant")]
    applicant: String,
    /// The column that says which kind of look it was
    #[arg(long, value_name = "COLUMN", default_value = "kind")]
    kind: String,
    /// The column of scores
    #[arg(long, value_name = "COLUMN", default_value = "score")]
    score: String,
    /// The column of costs, in minutes or money; `cost` where there is one
    #[arg(long, value_name = "COLUMN")]
    cost: Option<String>,
    /// The kind that is weak; of two the cheaper, without costs the noisier
    #[arg(long, value_name = "NAME")]
    weak: Option<String>,
    /// The kind that is strong
    #[arg(long, value_name = "NAME")]
    strong: Option<String>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "toml")]
    format: FitForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FitForm {
    /// A part of a config, the intervals as comments
    Toml,
    /// An object
    Json,
}

/// Estimates parameters.
///
/// # Errors
/// Fails if the file is wrong or has too few reviews.
pub fn fit(args: &FitArgs) -> Result<(), Failure> {
    match &args.what {
        FitSubject::Looks(args) => looks(args),
        FitSubject::Scores(args) => scores::scores(args),
    }
}

fn looks(args: &LooksArgs) -> Result<(), Failure> {
    let spec = ReviewsSpec {
        path: &args.reviews,
        applicant: &args.applicant,
        kind: &args.kind,
        score: &args.score,
        cost: args.cost.as_deref(),
    };
    let reviews = spec.load().map_err(|mut error| {
        for problem in &mut error.problems.0 {
            let help = || "give the path of a CSV file, a review a row".to_owned();
            problem.help.get_or_insert_with(help);
        }
        error.problems
    })?;
    let tiers = reviews.tiers(args.weak.as_deref(), args.strong.as_deref());
    let tiers = tiers?;
    let Some(fitted) = FittedReviews::of(&tiers) else {
        // `tiers` has seen to it that both kinds have noise.
        show::say("error: the noise of the reviews can't be measured");
        return Err(Failure::Failed);
    };
    for line in assumed(&reviews, &tiers, &fitted) {
        show::say(&plain(&line));
    }
    let text = match args.format {
        FitForm::Toml => fragment(&reviews, &tiers, &fitted),
        FitForm::Json => format!("{:#}\n", object(&reviews, &tiers, &fitted)),
    };
    print(&text)
}

struct FittedReviews {
    sigma: LookEstimate,
    gain: LookEstimate,
    cost: Option<LookEstimate>,
}

impl FittedReviews {
    fn of(tiers: &ReviewTiers<'_>) -> Option<Self> {
        let (weak, strong) = (tiers.weak, tiers.strong);
        let costs = weak.costs.zip(strong.costs);
        Some(Self {
            sigma: looks::sigma(&weak.noise, ALPHA)?,
            gain: looks::gain(&weak.noise, &strong.noise, ALPHA)?,
            cost: costs.map(|(weak, strong)| looks::cost(&weak, &strong, ALPHA)),
        })
    }
}

/// The comments on a fit: the counts, the assumptions and the oddities.
fn assumed(reviews: &ReviewFile, tiers: &ReviewTiers<'_>, fitted: &FittedReviews) -> Vec<String> {
    let mut said = vec![format!(
        "{}: {} reviews of {} applicants",
        reviews.path.display(),
        reviews.reviews,
        reviews.applicants
    )];
    said.push(format!("which kind is weak: {}", tiers.why));
    for (role, kind) in [("weak", tiers.weak), ("strong", tiers.strong)] {
        let noise = &kind.noise;
        said.push(format!(
            "{role} is {:?}: {} reviews of {} applicants, of whom {} had one such review: that \
             says nothing about noise",
            kind.name, noise.reviews, noise.applicants, noise.alone
        ));
    }
    for kind in &reviews.kinds {
        if kind != tiers.weak && kind != tiers.strong {
            said.push(format!(
                "left out, of the kind {:?}: {}",
                kind.name, kind.noise.reviews
            ));
        }
    }
    said.push(
        "assumed: a score is the applicant's worth plus normal noise of one spread a kind, \
               whoever reviews and whoever is reviewed"
            .into(),
    );
    if fitted.cost.is_none() {
        said.push("j is unknown: the file has no column of costs (name one by --cost)".into());
    }
    if fitted.gain.value <= 1.0 {
        said.push(
            "note: s is not above 1: strong reviews differ at least as much as weak ones".into(),
        );
    }
    if fitted.cost.is_some_and(|cost| cost.value <= 1.0) {
        said.push("note: j is not above 1: strong reviews cost no more than weak ones".into());
    }
    said
}

fn line(name: &str, what: &str, estimate: &LookEstimate, by: &str) -> String {
    let bounds = match estimate.interval {
        Some((low, high)) => format!("between {:?} and {:?} ({by})", rounded(low), rounded(high)),
        None => "no interval: the costs bound none".to_owned(),
    };
    format!(
        "# {name} = {:?}, {bounds}: {what}\n",
        rounded(estimate.value)
    )
}

fn fragment(reviews: &ReviewFile, tiers: &ReviewTiers<'_>, fitted: &FittedReviews) -> String {
    let name = |kind: &PastKind| {
        TomlStringBuilder::new(&kind.name)
            .as_basic()
            .to_toml_value()
    };
    let (weak, strong) = (tiers.weak.noise.freedom(), tiers.strong.noise.freedom());
    let mut text = plain(&format!(
        "# Fitted from {}: {} reviews of {} applicants. Intervals of 95 %.",
        reviews.path.display(),
        reviews.reviews,
        reviews.applicants
    ));
    text.push('\n');
    let by = format!("chi-square, {weak} degrees of freedom");
    text += &line("sigma", "sd of a weak look", &fitted.sigma, &by);
    let by = format!("F, {weak} and {strong} degrees of freedom");
    text += &line("s", "gain of a strong look", &fitted.gain, &by);
    let cost = match &fitted.cost {
        Some(cost) => {
            text += &line("j", "cost of a strong look in weak ones", cost, "Fieller");
            format!("cost = {:?}, ", rounded(cost.value))
        }
        None => {
            text += "# j is unknown: write the cost of a strong look in weak ones into its braces, \
                     as in cost = 6\n";
            String::new()
        }
    };
    text += &format!(
        "# Where the config has a [rules] of its own, `interviews` goes there.\n\
         [rules]\ninterviews = [\n\
         \x20 {{ name = {}, cost = 1, gain = 1 }},\n\
         \x20 {{ name = {}, {cost}gain = {:?} }},\n]\n\n",
        name(tiers.weak),
        name(tiers.strong),
        rounded(fitted.gain.value)
    );
    let sd = rounded(fitted.sigma.value);
    text + &format!("[feedback.interview]\ntype = \"gaussian_looks\"\nsd = {sd:?}\n")
}

fn object(reviews: &ReviewFile, tiers: &ReviewTiers<'_>, fitted: &FittedReviews) -> Value {
    let estimate = |estimate: &LookEstimate| {
        let (low, high) = estimate.interval.unzip();
        json!({ "value": estimate.value, "low": low, "high": high })
    };
    let kind = |kind: &PastKind| {
        json!({
            "name": kind.name,
            "reviews": kind.noise.reviews,
            "applicants": kind.noise.applicants,
            "reviewed_once": kind.noise.alone,
            "degrees_of_freedom": kind.noise.freedom(),
            "variance": kind.noise.variance(),
            "mean_cost": kind.costs.map(|costs| costs.mean),
        })
    };
    json!({
        "level": 1.0 - ALPHA,
        "reviews": reviews.reviews,
        "applicants": reviews.applicants,
        "sigma": estimate(&fitted.sigma),
        "s": estimate(&fitted.gain),
        "j": fitted.cost.as_ref().map(estimate),
        "weak": kind(tiers.weak),
        "strong": kind(tiers.strong),
    })
}

//! The question asked of a finished run, as options.

use clap::Args;
use kleroterion::jobs::RunQuestion;

/// Changes of `[report]`.
#[derive(Args, Clone, Debug, Default)]
pub struct QuestionArgs {
    /// Judge these metrics in place of those that the config judges
    #[arg(long, value_name = "METRIC,…", value_delimiter = ',')]
    judge: Vec<String>,
    /// Compare the other policies with this one
    #[arg(long, value_name = "LABEL")]
    baseline: Option<String>,
    /// The metric whose best value is sought, and bounds on others:
    /// 'selection_rate where representation_loss <= 0.05, quotas_kept >= 0.9'
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
    /// Set a key of `[report]`: report.KEY=VALUE; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl From<QuestionArgs> for RunQuestion {
    fn from(args: QuestionArgs) -> Self {
        Self {
            judge: args.judge,
            baseline: args.baseline,
            goal: args.goal,
            set: args.set,
        }
    }
}

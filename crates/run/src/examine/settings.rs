//! The settings that come with the examiner.

/// A setting that a program is examined in.
#[derive(Debug)]
pub struct ExamSetting {
    /// The name of the setting.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The config, without policies.
    pub config: &'static str,
}

/// The settings that come with the examiner.
pub const SETTINGS: &[ExamSetting] = &[
    ExamSetting {
        name: "committee",
        about: "one candidate at a time, at most one is chosen, until 20 are",
        config: include_str!("settings/committee.toml"),
    },
    ExamSetting {
        name: "exactly",
        about: "ten candidates a round, exactly three are chosen; then slates of other sizes",
        config: include_str!("settings/exactly.toml"),
    },
    ExamSetting {
        name: "interviews",
        about: "eight candidates, looks of two kinds for sale, three are chosen",
        config: include_str!("settings/interviews.toml"),
    },
    ExamSetting {
        name: "outcomes",
        about: "four candidates with features, exactly one is chosen; what came of it is reported \
             up to three rounds later",
        config: include_str!("settings/outcomes.toml"),
    },
    ExamSetting {
        name: "share",
        about: "a pool of changing size that reacts, candidates with scores; three tenths are \
             chosen",
        config: include_str!("settings/share.toml"),
    },
];

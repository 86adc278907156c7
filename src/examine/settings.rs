//! The settings that come with the examiner.

/// A setting that a program is examined in.
#[derive(Debug)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its config, without policies.
    pub config: &'static str,
}

/// The settings.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "committee",
        about: "one candidate at a time, at most one is chosen, until 20 are",
        config: r#"
            name = "committee"
            [source]
            type = "categorical"
            shares = { gender = { M = 0.6, F = 0.4 }, vote = { L = 0.3, R = 0.7 } }
            [target]
            gender = { M = 0.5, F = 0.5 }
            vote = { L = 0.4, R = 0.6 }
            [rules]
            slate = 1
            choose = "at_most_one"
            until = { accepted = 20 }
            max_rounds = 200
        "#,
    },
    Setting {
        name: "exactly",
        about: "ten candidates a round, exactly three are chosen; then slates of other sizes",
        config: r#"
            name = "exactly"
            [source]
            type = "gaussian_groups"
            groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }
            [target]
            group = { u = 0.5, v = 0.5 }
            [rules]
            slate = [10, 10, 10, 2, 1, 7, 10, 3, 4, 10]
            choose = { exactly = 3 }
            until = { rounds = 10 }
            [pool]
            type = "fixed"
            start = { u = 0.5 }
        "#,
    },
    Setting {
        name: "interviews",
        about: "eight candidates, looks of two kinds for sale, three are chosen",
        config: r#"
            name = "interviews"
            [source]
            type = "arms"
            means = { linear = { n = 8, from = 0.0, to = 1.0 } }
            groups = { modulo = 2 }
            [rules]
            slate = "all"
            choose = { exactly = 3 }
            until = { rounds = 5 }
            interviews = [{ name = "weak", cost = 1, gain = 1 }, { name = "strong", cost = 2, gain = 5 }]
            interview_cap = 40
            budget = 30
            [feedback.interview]
            type = "gaussian_looks"
            sd = 0.1
        "#,
    },
    Setting {
        name: "outcomes",
        about: "four candidates with features, exactly one is chosen; what came of it is reported \
             up to three rounds later",
        config: r#"
            name = "outcomes"
            [source]
            type = "linear_groups"
            preset = "grazzi2022-section6"
            [rules]
            slate = 4
            choose = "exactly_one"
            until = { rounds = 20 }
            [feedback.outcome]
            type = "linear"
            noise = 2.0
            delay = { uniform = [0, 3] }
        "#,
    },
    Setting {
        name: "share",
        about: "a pool of changing size that reacts, candidates with scores; three tenths are \
             chosen",
        config: r#"
            name = "share"
            [source]
            type = "gaussian_groups"
            groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }
            [rules]
            slate = { poisson = 20 }
            choose = { share = 0.3 }
            until = { rounds = 10 }
            [pool]
            type = "positive_reinforcement"
            start = { u = 0.3 }
            eta = 0.05
        "#,
    },
];

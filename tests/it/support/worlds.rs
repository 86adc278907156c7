//! A world of each setting, as the text of a config without its policies.

/// Two groups of equals and a pool that answers, without its policies.
pub const POOL: &str = r#"
name = "a pool"
seed = 1
replications = 2
[source]
type = "gaussian_groups"
groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }
[rules]
slate = 100
choose = { share = 0.3 }
until = { rounds = 50 }
[pool]
type = "positive_reinforcement"
start = { u = 0.1 }
eta = 0.05
"#;

/// Two attributes with two values each, one candidate at a time.
pub const COMMITTEE: &str = r#"
name = "a committee"
[source]
type = "categorical"
weights = { gender = { M = 1.0, F = 0.75 }, vote = { L = 1.0, R = 0.5 } }
[target]
gender = { M = 0.5, F = 0.5 }
vote = { L = 0.5, R = 0.5 }
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 20 }
"#;

/// Four groups of candidates with contexts.
pub const CONTEXTS: &str = r#"
name = "contexts"
[source]
type = "linear_groups"
preset = "grazzi2022-section6"
[rules]
slate = 4
choose = "exactly_one"
until = { rounds = 40 }
[feedback.outcome]
type = "linear"
noise = 2.0
"#;

/// Eight arms, of which three are chosen after interviews.
pub const COHORT: &str = r#"
name = "a cohort"
[source]
type = "arms"
means = { linear = { n = 8, from = 0.0, to = 1.0 } }
[rules]
slate = "all"
choose = { exactly = 3 }
until = { rounds = 1 }
interviews = [{ name = "weak", cost = 1, gain = 1 }, { name = "strong", cost = 2, gain = 5 }]
budget = 60
[feedback.interview]
type = "gaussian_looks"
sd = 0.1
"#;

/// Two attributes, one candidate at a time; policies are to follow.
pub const SEATED: &str = r#"
name = "seats"
seed = 8
replications = 2
[source]
type = "categorical"
shares = { gender = { M = 0.6, F = 0.4 }, vote = { L = 0.3, R = 0.7 } }
[target]
gender = { M = 0.5, F = 0.5 }
vote = { L = 0.4, R = 0.6 }
[rules]
choose = "at_most_one"
until = { accepted = 25 }
max_rounds = 400
"#;

/// Committees of ten where women are rare; the baseline takes everybody. Further policies may
/// follow, and then a report.
pub const FEW_WOMEN: &str = r#"[source]
type = "categorical"
shares = { gender = { M = 0.8, F = 0.2 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 10 }
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "greedy"
kind = "greedy"
"#;

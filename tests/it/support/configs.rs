//! Configs and files that several tests break, play or build on.

/// A lender's file of people, `people.csv`, with what became of them.
pub const LENDER: &str = r#"name = "lender"
seed = 4
replications = 3

[source]
type = "file"
path = "people.csv"
order = "shuffled"
score = "score"

[source.attributes]
sex = { column = "sex" }

[rules]
slate = 2
choose = "exactly_one"
until = { rounds = 2 }

[feedback.outcome]
type = "recorded"
column = "repaid"

[[policy]]
label = "any"
kind = "uniform_choice"

[report]
judge = ["outcome_mean"]
"#;

/// A sound config of two policies, of which each case breaks something.
pub const SOUND: &str = r#"name = "small"
seed = 1
replications = 4

[source]
type = "categorical"
shares = { gender = { M = 0.5, F = 0.5 } }

[target]
gender = { M = 0.4, F = 0.6 }

[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 10 }

[[policy]]
label = "all"
kind = "accept_all"

[[policy]]
label = "greedy .05"
kind = "greedy"
tolerance = 0.05

[report]
at = [5, 10]
judge = ["selection_rate", "representation_loss"]
margin = { representation_loss = 0.01 }
baseline = "all"
"#;

/// A config of people in `people.csv`.
pub const PEOPLE: &str = r#"name = "people"
seed = 1

[source]
type = "file"
path = "people.csv"
order = "resampled"
weight = "w"

[source.attributes]
sex = { column = "SEX", values = { "1" = "male", "2" = "female" } }
age = { column = "AGE", bands = { young = [0, 40], old = [40, inf] } }

[target]
from = "weights"

[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 4 }

[[policy]]
label = "queue"
kind = "virtual_queue"
"#;

/// Its people.
pub const ROWS: &str = "id,SEX,AGE,w\na,1,20,1.5\nb,2,30,1\nc,1,50,2\nd,2,60,0.5\n";

/// A committee of 4 from an organiser's two files.
pub const ORGANISER: &str = r#"name = "organiser"
seed = 1

[source]
type = "respondents"
path = "respondents.csv"
id = "id"

[target]
categories = "categories.csv"

[rules]
choose = "at_most_one"
until = { accepted = 4 }

[[policy]]
label = "greedy"
kind = "greedy"

[[policy]]
label = "look-ahead"
kind = "quota_lookahead"
"#;

/// A sound config of a feed.
pub const FEED: &str = r#"name = "from outside"
seed = 1

[source]
type = "tcp"
address = "127.0.0.1:0"
decoding.codec = "json"
framing.max_length = "100KiB"
on_error = "skip"
pace = "200/s"
id = "id"
where = ["AGE >= 18"]
score = "mark"
shares = { sex = { male = 0.5, female = 0.5 }, age = { young = 0.6, old = 0.4 } }
[source.attributes]
sex = { column = "SEX", values = { "1" = "male", "2" = "female" } }
age = { column = "AGE", bands = { young = [18, 40], old = [40, inf] } }
[source.features]
constant = true
numeric = ["EDU"]
one_hot = ["sex"]

[target]
sex = { male = 0.5, female = 0.5 }

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
tolerance = 0.05
"#;

/// A config with some of its lines replaced; each `old` occurs in it once.
pub fn with(config: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(config.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old:?} in\n{text}");
        text.replace(old, new)
    })
}

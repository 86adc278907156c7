//! People from outside: how they are sent, what of it is taken, what is said of the rest.

mod alike;
mod configs;
mod connections;
mod files;
mod pipes;
mod recorder;
mod schemas;

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

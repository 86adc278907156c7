//! Twenty thousand people, real ones where KLERO_DATA has the file.

use std::fmt::Write;

use crate::support::wants::found;

/// A person a line: `{"id":"p1","AGEP":"69","SEX":"2"}`.
pub fn people(many: usize) -> Vec<String> {
    match found("acs-national2018.csv") {
        Some(path) => census(&path, many),
        None => made(many),
    }
}

/// Adults of the American Community Survey.
fn census(path: &std::path::Path, many: usize) -> Vec<String> {
    let mut rows = csv::Reader::from_path(path).expect("it is there");
    let names = rows.headers().expect("a header").clone();
    let column = |name: &str| names.iter().position(|n| n == name).expect("the column");
    let (age, sex) = (column("AGEP"), column("SEX"));
    let rows = rows.records().map(|row| row.expect("a row"));
    let adults = rows.filter(|row| row[age].parse::<f64>().is_ok_and(|age| age >= 18.0));
    let person = |(n, row): (usize, csv::StringRecord)| {
        format!(
            "{{\"id\":\"p{n}\",\"AGEP\":{},\"SEX\":\"{}\"}}",
            &row[age], &row[sex]
        )
    };
    let people: Vec<String> = adults.take(many).enumerate().map(person).collect();
    assert_eq!(people.len(), many, "enough adults");
    people
}

/// People of no place at all.
fn made(many: usize) -> Vec<String> {
    let mut word = 1_u64;
    let person = |n| {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (age, sex) = (18 + (word >> 33) % 70, 1 + (word >> 60) % 2);
        format!("{{\"id\":\"p{n}\",\"AGEP\":{age},\"SEX\":\"{sex}\"}}")
    };
    (0..many).map(person).collect()
}

/// A line each.
pub fn lines(people: &[String]) -> String {
    let mut text = String::new();
    for person in people {
        writeln!(text, "{person}").expect("memory");
    }
    text
}

/// The source where people come by HTTP.
pub const HTTP: &str = "type = \"http\"\naddress = \"127.0.0.1:0\"";

/// A config of these people, but for what is particular to its source.
pub fn config(source: &str, rules: &str, more: &str) -> String {
    format!(
        r#"name = "people"
seed = 11
[source]
{source}
id = "id"
[source.attributes]
age = {{ column = "AGEP", bands = {{ "18-34" = [18, 35], "35-54" = [35, 55], "55+" = [55, inf] }} }}
sex = {{ column = "SEX", values = {{ "1" = "male", "2" = "female" }} }}
[target]
age = {{ "18-34" = 0.3, "35-54" = 0.35, "55+" = 0.35 }}
sex = {{ male = 0.49, female = 0.51 }}
[rules]
choose = "at_most_one"
{rules}
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
v = 2.0
[[policy]]
label = "learner"
kind = "plugin_cmdp"
[report]
judge = ["selection_rate"]
baseline = "all"
{more}
"#
    )
}

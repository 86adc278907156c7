//! Changes of a config by path: `--set` on the command line, and `[sweep]` in the config.

use std::cmp::Reverse;

use super::node::{Node, Table, Value};
use super::path::{Refusal, join, label, parse_word_or_value, split, steps};
use super::root::Document;
use super::words::meant;
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::{Place, Problem};

impl Document {
    /// Applies an assignment `path.to.key=value`, like `--set` on the command line. Missing tables
    /// are created.
    ///
    /// The path is a dotted TOML key. A member of a list is named by its `label` where the members
    /// have one (`policy.greedy .05.tolerance=0.02`, with or without quotes), else by its index
    /// from 0 (`interviews.0.cost=2`). The value is TOML; bare words that are not (`virtual_queue`,
    /// `greedy .05`, `people.csv`, `127.0.0.1:0`) are taken as a text. All that is put in has the place `--set …`;
    /// a key that was there keeps its own.
    ///
    /// # Errors
    /// A malformed path or value, an unknown label or index, a path through a value that holds
    /// nothing. The document is then as it was.
    pub fn set(&mut self, assignment: &str) -> Result<(), Problem> {
        let place = Place::Option(format!("--set {assignment}"));
        let (path, value) = split(assignment).ok_or_else(|| {
            Problem::new(place.clone(), "there is no `=`").help("write --set path.to.key=value")
        })?;
        let value = value.trim();
        let value = parse_word_or_value(value, &place).map_err(|(what, help)| {
            let help = match what == format!("`{value}` is not a TOML value") {
                // Quoted for TOML, and the whole for the shell.
                true => format!("quote a text: --set '{path}={value:?}'"),
                false => help,
            };
            Problem::new(place.clone(), what).help(help)
        })?;
        self.put(path, value)
    }

    /// Puts a value at a path, as [`Document::set`] does.
    ///
    /// # Errors
    /// As [`Document::set`], at the value's place.
    pub fn put(&mut self, path: &str, value: Node) -> Result<(), Problem> {
        let place = value.place.clone();
        steps_in(self.root(), path)
            .and_then(|steps| into_table(self.root_mut(), "", &steps, value))
            .map_err(|(what, help)| Problem::new(place, what).help(help))
    }
}

fn into_table(table: &mut Table, at: &str, steps: &[String], value: Node) -> Result<(), Refusal> {
    let (step, rest) = steps.split_first().expect("a path has at least one key");
    if rest.is_empty() {
        table.set(step, value);
        return Ok(());
    }
    into_node(
        table.get_or_add_table(step, &value.place),
        &join(at, step),
        rest,
        value,
    )
}

fn into_node(node: &mut Node, at: &str, steps: &[String], value: Node) -> Result<(), Refusal> {
    match &mut node.value {
        Value::Table(table) => into_table(table, at, steps, value),
        Value::List(members) => {
            let (step, rest) = steps.split_first().expect("a path has at least one key");
            let index = position(members, at, step)?;
            let member = &mut members[index];
            if rest.is_empty() {
                *member = value;
                return Ok(());
            }
            into_node(member, &join(at, step), rest, value)
        }
        other => Err((
            format!("`{at}` is {}, which holds no `{}`", other.found(), steps[0]),
            format!("end the path with `{at}`"),
        )),
    }
}

/// The keys of a path within a tree. The label of a list's member needs no quotes there, whatever
/// it holds; of two labels that fit, the longer is meant.
pub(super) fn steps_in(root: &Table, path: &str) -> Result<Vec<String>, Refusal> {
    bare_label(root, path).map_or_else(|| steps(path), Ok)
}

/// The keys of a path that names a member of a list by its bare label; none of another path.
fn bare_label(root: &Table, path: &str) -> Option<Vec<String>> {
    let to_list = |at: usize| {
        let before = steps(&path[..at]).ok()?;
        let members = node_at(root, &before)?.value.list()?;
        Some((before, members, path[at + 1..].trim_start()))
    };
    let (mut keys, members, rest) = path.match_indices('.').find_map(|(at, _)| to_list(at))?;
    let mut labels: Vec<&str> = members.iter().filter_map(label).collect();
    labels.sort_by_key(|label| Reverse(label.len()));
    let after = |label: &str| {
        let after = rest.strip_prefix(label)?.trim_start();
        let is_whole = after.is_empty() || after.starts_with('.');
        is_whole.then_some(after)
    };
    let found = labels
        .into_iter()
        .find_map(|label| Some((label, after(label)?)));
    let (label, after) = found?;
    keys.push(label.to_owned());
    if let Some(after) = after.strip_prefix('.') {
        keys.extend(steps(after).ok()?);
    }
    Some(keys)
}

/// The value at the end of some keys, at least one.
pub(super) fn node_at<'a>(root: &'a Table, keys: &[String]) -> Option<&'a Node> {
    let (first, rest) = keys.split_first()?;
    let mut node = root.get(first)?;
    for key in rest {
        node = match &node.value {
            Value::Table(table) => table.get(key)?,
            Value::List(members) => &members[position(members, "", key).ok()?],
            _ => return None,
        };
    }
    Some(node)
}

/// Returns the index of the list member that a step names.
pub(super) fn position(members: &[Node], at: &str, step: &str) -> Result<usize, Refusal> {
    let labels: Vec<&str> = members.iter().filter_map(label).collect();
    if !labels.is_empty() {
        return members
            .iter()
            .position(|member| label(member) == Some(step))
            .ok_or_else(|| {
                let paths: Vec<_> = labels.iter().map(|label| join(at, label)).collect();
                let all = format!("there are {}", paths.join(", "));
                let near = nearest(step, labels.iter().copied());
                let near = near.map(|near| format!("`{}`", join(at, near)));
                let what = format!("no member of `{at}` is labelled `{step}`");
                (what, meant(near, all))
            });
    }
    match step.parse::<usize>() {
        Ok(index) if index < members.len() => Ok(index),
        _ => {
            let help = match members.len() {
                0 => format!("the list is empty; set {at} as a whole"),
                1 => "its only member is 0".to_owned(),
                count => format!("its members are 0 to {}", count - 1),
            };
            Err((format!("the list `{at}` has no member `{step}`"), help))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = r#"seed = 1
interviews = [ { name = "weak", cost = 1 }, { name = "strong", cost = 2 } ]
[rules]
slate = 1
until = { accepted = 150 }
[[policy]]
label = "greedy .05"
tolerance = 0.05
[[policy]]
label = "queue"
kind = "greedy"
[report]
at = [50, 100]
none = []
"#;

    fn document() -> Document {
        Document::parse(CONFIG).unwrap()
    }

    /// The document's text after an assignment, as the lines that are new.
    fn after(assignment: &str) -> Vec<String> {
        let mut document = document();
        let before = document.to_toml();
        document.set(assignment).unwrap();
        let after = document.to_toml();
        let new = after
            .lines()
            .filter(|line| !before.lines().any(|old| old == *line));
        new.map(str::to_owned).collect()
    }

    #[test]
    fn all_shapes_can_be_set() {
        for (assignment, line) in [
            ("seed=2", "seed = 2"),
            (" seed = 0x10 ", "seed = 16"),
            ("rules.slate=all", "slate = \"all\""),
            ("rules.until.accepted=20", "until = { accepted = 20 }"),
            ("rules.until={rounds=5}", "until = { rounds = 5 }"),
            (
                "rules . 'quoted key' = [1, 2.0]",
                "\"quoted key\" = [1, 2.0]",
            ),
            ("rules.'a=b'=\"c=d\"", "\"a=b\" = \"c=d\""),
            ("rules.\"a\\\"=b\"=1", "'a\"=b' = 1"),
            ("policy.\"greedy .05\".tolerance=0.02", "tolerance = 0.02"),
            ("policy.greedy .05.tolerance=0.03", "tolerance = 0.03"),
            (" policy . greedy .05 . tolerance =0.04", "tolerance = 0.04"),
            ("policy.'greedy .05'.tolerance=inf", "tolerance = inf"),
            (
                "policy.queue.kind=virtual_queue",
                "kind = \"virtual_queue\"",
            ),
            ("policy.queue.label=tail", "label = \"tail\""),
            ("report.at.1=75", "at = [50, 75]"),
            ("report.at=[]", "at = []"),
            ("report.at.0={ a = true }", "at = [{ a = true }, 100]"),
            (
                "source.path=../data/people-1.csv",
                "path = \"../data/people-1.csv\"",
            ),
            ("name=été", "name = \"été\""),
            ("name=two words", "name = \"two words\""),
            ("name='two words'", "name = \"two words\""),
            ("name=''", "name = \"\""),
        ] {
            assert_eq!(
                after(assignment).last().map(String::as_str),
                Some(line),
                "{assignment}"
            );
        }
        assert_eq!(after("interviews.1.cost=3.5"), ["cost = 3.5"]);
        assert_eq!(after("a.b.c.d=1"), ["[a]", "b = { c = { d = 1 } }"]);
    }

    #[test]
    fn of_two_labels_that_fit_the_longer_is_meant() {
        let config = "[[policy]]\nlabel = \"a\"\n[[policy]]\nlabel = \"a.b\"\n";
        for (assignment, place) in [
            ("policy.a.b.c=1", 1),
            ("policy.a.c=1", 0),
            ("policy.\"a\".b=1", 0),
        ] {
            let mut document = Document::parse(config).unwrap();
            document.set(assignment).unwrap();
            let text = document.to_toml();
            let changed = text
                .split("[[policy]]")
                .skip(1)
                .position(|text| text.contains("= 1"));
            assert_eq!(changed, Some(place), "{assignment}: {text}");
        }
    }

    #[test]
    fn what_is_set_says_where_it_came_from() {
        let mut document = document();
        document.set("rules.slate=3").unwrap();
        document.set("rules.new.key=3").unwrap();
        let Value::Table(rules) = &document.root().get("rules").unwrap().value else {
            panic!()
        };
        let (key, node) = rules.iter().next().unwrap();
        assert_eq!(node.place, Place::Option("--set rules.slate=3".into()));
        assert!(matches!(
            key.place,
            Place::Config {
                line: 4,
                column: 1,
                ..
            }
        ));
        let (key, node) = rules.iter().last().unwrap();
        let here = Place::Option("--set rules.new.key=3".into());
        assert_eq!((&key.place, &node.place), (&here, &here));
    }

    #[test]
    fn what_cannot_be_set() {
        for (assignment, what, help) in [
            ("seed", "there is no `=`", "path.to.key=value"),
            ("=1", "`` is not a path of keys", "joined by points"),
            ("a..b=1", "`a..b` is not", "joined by points"),
            (
                "policy.greedy .06.tolerance=1",
                "labelled `greedy`",
                "policy.\"greedy .05\"",
            ),
            ("a\nb=1", "is not a path", "points"),
            ("[a]=1", "is not a path", "points"),
            ("# a=1", "is not a path", "points"),
            ("été=1", "is not a path", "quoted"),
            ("seed=", "there is no value", "''"),
            (
                "seed=.05",
                "`.05` is not a TOML value: a number needs digits",
                "0.5",
            ),
            ("seed=1,5", "`1,5` is not a TOML value", "no comma"),
            ("seed=5x", "`5x` is not", "5x"),
            ("seed=two, words", "`two, words` is not", "\"two, words\""),
            ("seed=[1, 2", "unclosed array", "`]`"),
            ("seed=nan", "`nan` is not", "number"),
            ("seed=1979-05-27", "date", "\"1979-05-27\""),
            (
                "seed.x=1",
                "`seed` is 1, which holds no `x`",
                "end the path with `seed`",
            ),
            (
                "rules.slate.x.y=1",
                "`rules.slate` is 1, which holds no `x`",
                "rules.slate",
            ),
            (
                "policy.greedy.x=1",
                "no member of `policy` is labelled `greedy`",
                "there are policy.\"greedy .05\", policy.queue",
            ),
            (
                "policy.queeu.x=1",
                "labelled `queeu`",
                "did you mean `policy.queue`?",
            ),
            ("policy.0.x=1", "labelled `0`", "there are"),
            (
                "policy.\"greedy .05\".tolerance.x=1",
                "`policy.\"greedy .05\".tolerance` is 0.05",
                "end the path with",
            ),
            (
                "interviews.2.cost=1",
                "`interviews` has no member `2`",
                "0 to 1",
            ),
            (
                "interviews.weak.cost=1",
                "`interviews` has no member `weak`",
                "0 to 1",
            ),
            (
                "report.none.0=1",
                "`report.none` has no member `0`",
                "empty",
            ),
            ("report.at.-1=1", "`report.at` has no member `-1`", "0 to 1"),
        ] {
            let mut document = document();
            let problem = document.set(assignment).expect_err(assignment);
            assert_eq!(problem.place, Place::Option(format!("--set {assignment}")));
            assert!(problem.what.contains(what), "{problem}");
            assert!(problem.help.as_deref().unwrap().contains(help), "{problem}");
            assert_eq!(
                document.to_toml(),
                self::document().to_toml(),
                "{assignment}"
            );
        }
        let deep = format!("{}=1", ["a"; 200].join("."));
        assert!(document().set(&deep).is_err());
    }

    #[test]
    fn a_sweep_puts_its_own_nodes() {
        let mut document =
            Document::parse("[rules]\nslate = 1\n[sweep]\n\"rules.until.accepted\" = [50, 100]\n")
                .unwrap();
        let (key, sweep) = document.take("sweep").unwrap();
        assert!(document.take("sweep").is_none() && key.name == "sweep");
        let Value::Table(axes) = &sweep.value else {
            panic!()
        };
        let (path, values) = axes.iter().next().unwrap();
        let Value::List(values) = &values.value else {
            panic!()
        };
        document.put(&path.name, values[1].clone()).unwrap();
        assert_eq!(
            document.to_toml(),
            "[rules]\nslate = 1\nuntil = { accepted = 100 }\n"
        );
        let problem = document
            .put("rules.slate.x", values[0].clone())
            .unwrap_err();
        assert!(
            matches!(
                problem.place,
                Place::Config {
                    line: 4,
                    column: 27,
                    ..
                }
            ),
            "{problem}"
        );
    }
}

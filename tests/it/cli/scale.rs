//! The known-p program on large types of people, from a config to its note.

use std::fmt::Write;

use crate::support::terminal::{Said, Terminal};

/// How many values each attribute has: 4,608 cells, and with both more of 10 values 460,800.
const LEVELS: [usize; 9] = [2, 2, 3, 8, 2, 2, 12, 10, 10];

/// A row of numbers as parts of their sum, as a table of TOML.
fn table(attribute: usize, numbers: &[f64]) -> String {
    let sum: f64 = numbers.iter().sum();
    let entries: Vec<String> = (0..)
        .zip(numbers)
        .map(|(value, number)| format!("v{value} = {}", number / sum))
        .collect();
    format!("a{attribute} = {{ {} }}", entries.join(", "))
}

/// A committee of 20 out of these people, all values wanted alike, found with the solution of the
/// program.
fn config(source: &str, levels: &[usize]) -> String {
    let mut text = format!(
        "name = 'scale'\nseed = 1\nreplications = 2\n[source]\ntype = 'categorical'\n{source}\n\
         [target]\n"
    );
    for (attribute, &n) in levels.iter().enumerate() {
        writeln!(text, "{}", table(attribute, &vec![1.0; n])).unwrap();
    }
    text + "[rules]\nslate = 1\nchoose = 'at_most_one'\nuntil = { accepted = 20 }\n\
            [[policy]]\nlabel = 'solved'\nkind = 'cmdp'\n"
}

/// What the note says of the gain, and how it was found.
fn gain(said: &Said) -> (f64, &str) {
    let start = "(gain of the program ";
    let line = said.stdout.lines().chain(said.stderr.lines());
    let note = line
        .filter_map(|line| line.split_once(start))
        .map(|(_, rest)| rest)
        .next()
        .unwrap_or_else(|| panic!("{said:?}"));
    let (number, method) = note.split_once(", ").expect("the method after the gain");
    (
        number.parse().expect("a number"),
        method.trim_end_matches(')'),
    )
}

#[test]
fn a_product_of_460_800_cells_is_checked_and_run() {
    let rows: Vec<String> = LEVELS
        .iter()
        .enumerate()
        .map(|(i, &n)| {
            // Attribute 0 is so uneven that its rarer value sets the pace.
            let tilt = if i == 0 { 2.0 } else { 0.3 };
            let row: Vec<f64> = (0..n)
                .map(|j| 1.0 + tilt * j as f64 / (n - 1) as f64)
                .collect();
            table(i, &row)
        })
        .collect();
    let terminal = Terminal::new();
    let source = format!("shares = {{ {} }}", rows.join(", "));
    terminal.put("large.toml", config(&source, &LEVELS));
    let said = terminal.exits(0, &["check", "large.toml"]);
    // 1/4 of the people are to be 1/2 of the committee.
    assert_eq!(gain(&said), (0.5, "capped fit"));
    terminal.done(&["run", "large.toml", "--quiet"]);
}

#[test]
fn a_table_of_4_608_types_whose_bound_is_not_attained_is_checked() {
    let levels = &LEVELS[..7];
    let mut types: String = (0..levels.len()).map(|i| format!("a{i},")).collect();
    types += "p\n";
    // People of two kinds: values with high numbers go together, and so do those with low ones.
    let share = |up: bool, value: usize, n: usize| {
        let place = value as f64 / (n - 1) as f64;
        (if up {
            1.0 + 4.0 * place
        } else {
            5.0 - 4.0 * place
        }) / (3.0 * n as f64)
    };
    let total: usize = levels.iter().product();
    for cell in 0..total {
        let mut rest = cell;
        let (mut kinds, mut values) = ([0.8, 0.2], vec![0; levels.len()]);
        for (value, &n) in values.iter_mut().zip(levels).rev() {
            *value = rest % n;
            rest /= n;
            kinds[0] *= share(true, *value, n);
            kinds[1] *= share(false, *value, n);
        }
        for value in values {
            write!(types, "v{value},").unwrap();
        }
        writeln!(types, "{}", kinds[0] + kinds[1]).unwrap();
    }
    let terminal = Terminal::new();
    terminal.put("types.csv", types);
    terminal.put("joint.toml", config("joint = 'types.csv'", levels));
    let said = terminal.exits(0, &["check", "joint.toml"]);
    let (gain, method) = gain(&said);
    assert_eq!(method, "clipped fit");
    // The bound, of the values least frequent.
    let least = |&n: &usize| n as f64 * (0.8 * share(true, 0, n) + 0.2 * share(false, 0, n));
    let bound = levels.iter().map(least).fold(1.0, f64::min);
    assert!(gain > 0.1 && gain < bound - 1e-3, "{gain} {bound}");
    terminal.exits(0, &["run", "joint.toml"]);
}

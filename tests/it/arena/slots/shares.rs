//! The groups' shares among the first and the last slots are those of the whole slate.

use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::papers::pools::traced;
use crate::support::terminal::Terminal;

/// A world without its source, rules and pool.
const REST: &str = r#"
[[policy]]
label = "first come"
kind = "accept_all"
[report]
judge = ["accepted"]
"#;

/// How many of each group are among the first slots and on the whole slate.
struct Counted {
    first: Vec<f64>,
    all: Vec<f64>,
}

fn counted(slate: &[usize], slots: usize, groups: usize) -> Counted {
    let mut counted = Counted {
        first: vec![0.0; groups],
        all: vec![0.0; groups],
    };
    for (slot, &group) in slate.iter().enumerate() {
        counted.all[group] += 1.0;
        if slot < slots {
            counted.first[group] += 1.0;
        }
    }
    counted
}

/// The p-value of what the first slots hold, given what the whole slates hold: of a slate in random
/// order the counts are multivariate hypergeometric, and chi-square is the distance of their sums
/// by the sum of their covariances.
fn p_value(slates: &[Vec<usize>], slots: usize, groups: usize) -> f64 {
    // The last group is the rest.
    let dimension = groups - 1;
    let mut off = DVector::zeros(dimension);
    let mut covariance = DMatrix::zeros(dimension, dimension);
    for slate in slates.iter().filter(|slate| slate.len() > slots) {
        let Counted { first, all } = counted(slate, slots, groups);
        let (n, m) = (slate.len() as f64, slots as f64);
        let factor = m * (n - m) / (n - 1.0);
        for g in 0..dimension {
            let share = all[g] / n;
            off[g] += first[g] - m * share;
            for h in 0..dimension {
                let same = if g == h { share } else { 0.0 };
                covariance[(g, h)] += factor * (same - share * all[h] / n);
            }
        }
    }
    let inverse = covariance.try_inverse().expect("every group applies");
    let distance = off.dot(&(inverse * &off));
    1.0 - ChiSquared::new(dimension as f64).unwrap().cdf(distance)
}

/// Holds the first and the last slots of every slate; `group` reads a person's from the id.
#[track_caller]
fn say_nothing(what: &str, slates: &[Vec<String>], groups: usize, group: impl Fn(&str) -> usize) {
    let of = |slate: &Vec<String>| -> Vec<usize> {
        let ids = slate.iter().map(|id| group(id.trim_matches('"')));
        ids.collect()
    };
    let forward: Vec<Vec<usize>> = slates.iter().map(of).collect();
    let backward: Vec<Vec<usize>> = forward
        .iter()
        .map(|slate| slate.iter().rev().copied().collect())
        .collect();
    assert!(slates.len() >= 100, "{what}: {} slates", slates.len());
    for (end, slates) in [("first", &forward), ("last", &backward)] {
        for slots in [1, 2, 4, 10] {
            let p = p_value(slates, slots, groups);
            assert!(p > 1e-4, "{what}: the {end} {slots} slots, p = {p:e}");
        }
    }
}

fn config(source: &str, slate: u32, rounds: u32, start: &str) -> String {
    format!(
        "name = \"slots\"\nseed = 11\nreplications = 1\n[source]\n{source}\n[rules]\n\
         slate = {slate}\n\
        choose = {{ exactly = 4 }}\nuntil = {{ rounds = {rounds} }}\n[pool]\ntype = \"fixed\"\n\
        start = {{ {start} }}\n{REST}"
    )
}

/// Who applied in each round, in slot order.
fn slates(terminal: &Terminal, text: &str) -> Vec<Vec<String>> {
    let decisions = traced(terminal, text).into_values();
    decisions.map(|[shown, _]| shown).collect()
}

#[test]
fn of_gaussian_groups() {
    let two = "type = \"gaussian_groups\"\n\
        groups = { u = { mean = 0.0, variance = 1.0 }, v = { mean = 0.0, variance = 1.0 } }";
    // At .95 nearly all of u who could apply do.
    for (start, slate) in [
        ("u = 0.2", 40),
        ("u = 0.5", 40),
        ("u = 0.95", 40),
        ("u = 0.3", 11),
    ] {
        let slates = slates(&Terminal::new(), &config(two, slate, 400, start));
        let group = |id: &str| id.parse::<usize>().expect("a number") % 2;
        say_nothing(&format!("{start} of {slate}"), &slates, 2, group);
    }
}

#[test]
fn of_three_groups() {
    let group = "{ mean = 0.0, variance = 1.0 }";
    let three =
        format!("type = \"gaussian_groups\"\ngroups = {{ u = {group}, v = {group}, w = {group} }}");
    for start in [
        "u = 0.2, v = 0.3",
        "u = 0.34, v = 0.33",
        "u = 0.05, v = 0.9",
    ] {
        let slates = slates(&Terminal::new(), &config(&three, 40, 400, start));
        let group = |id: &str| id.parse::<usize>().expect("a number") % 3;
        say_nothing(start, &slates, 3, group);
    }
}

/// A file in which every stretch of 80 rows begins with those of u, 20 or 60 in turns, so that one
/// group or the other is too few for its share now and then.
#[test]
fn of_files() {
    let mut people = String::from("id,side\n");
    for k in 0..12_000 {
        let side = if k % 80 < [20, 60][k / 80 % 2] {
            "u"
        } else {
            "v"
        };
        people += &format!("{side}{k},{side}\n");
    }
    for order in ["file", "shuffled", "resampled"] {
        let source = format!(
            "type = \"file\"\npath = \"people.csv\"\nid = \"id\"\norder = \"{order}\"\n\
            attributes = {{ side = {{ column = \"side\" }} }}"
        );
        for start in ["u = 0.25", "u = 0.5", "u = 0.9"] {
            let terminal = Terminal::new();
            terminal.put("people.csv", &people);
            let slates = slates(&terminal, &config(&source, 40, 150, start));
            let group = |id: &str| usize::from(id.starts_with('v'));
            say_nothing(&format!("{order}, {start}"), &slates, 2, group);
        }
    }
}

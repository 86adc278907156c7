//! The made-up people of `configs/organiser/respondents.csv`: 300 volunteers of a town that is not
//! there.
//!
//! `cargo run --release --example made_up_respondents > configs/organiser/respondents.csv`
//!
//! As in real recruitments the older and the better schooled volunteer more, and some live at the
//! same address. Every combination of values is among them, so that a policy that waits for one
//! does not wait in vain.

use kleroterion::draw::{Draw, Key, Purpose};

const SEED: u64 = 2;

/// Attributes, and how often each value volunteers.
const ATTRIBUTES: [(&str, &[(&str, f64)]); 5] = [
    ("Gender", &[("Female", 0.46), ("Male", 0.54)]),
    ("Age", &[("16-34", 0.28), ("35-59", 0.38), ("60+", 0.34)]),
    ("Area", &[("Town", 0.60), ("Hills", 0.40)]),
    ("Degree", &[("Yes", 0.55), ("No", 0.45)]),
    ("Uses buses", &[("Often", 0.62), ("Seldom", 0.38)]),
];

const STREETS: [&str; 6] = [
    "Quay",
    "Mill Lane",
    "High St",
    "Church Rd",
    "Hill Rise",
    "Elm Ave",
];

fn value<'a>(values: &[(&'a str, f64)], draw: &mut Draw) -> &'a str {
    let mut left = draw.uniform();
    for (value, share) in values {
        left -= share;
        if left < 0.0 {
            return value;
        }
    }
    values[values.len() - 1].0
}

fn main() {
    let names: Vec<&str> = ATTRIBUTES.iter().map(|(name, _)| *name).collect();
    println!("nationbuilder_id,{},address,postcode", names.join(","));
    let mut homes: Vec<String> = Vec::new();
    for person in 0..300 {
        let mut draw = Key::new(SEED, 0).draw(Purpose::World, person, 0);
        let values = ATTRIBUTES.map(|(_, values)| value(values, &mut draw));
        let shared = draw.uniform() < 0.125 && !homes.is_empty();
        let home = if shared {
            homes[draw.below(homes.len() as u64) as usize].clone()
        } else {
            let street = draw.below(STREETS.len() as u64);
            let number = draw.below(200) + 1;
            format!(
                "{number} {},KL{} {}AA",
                STREETS[street as usize],
                street + 1,
                number % 9
            )
        };
        homes.push(home.clone());
        println!("K{:04},{},{home}", 1001 + person, values.join(","));
    }
}

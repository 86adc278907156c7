//! The made-up applicants of `configs/applicants/applicants.csv`: 60 people with the reviews that
//! they had.
//!
//! `cargo run --release --example made_up_applicants > configs/applicants/applicants.csv`
//!
//! `probability` is what a classifier of past decisions would say of an application, and
//! `first_review` to `third_review` are what reviewers said of it, in their order, in steps of
//! 0.05. As at the university of Schumann et al. (2019, Section 5.2) the clearly good and the
//! clearly bad have one review and those in between have more; a few have none yet. Regions differ
//! in how many apply, not in how good they are. All parameters are ours.

use kleroterion::draw::{Draw, Key, Purpose};

const SEED: u64 = 5;

/// The spread of reviewers' scores about the probability.
const NOISE: f64 = 0.15;

const GENDERS: [(&str, f64); 2] = [("female", 0.35), ("male", 0.65)];
const REGIONS: [(&str, f64); 4] = [
    ("Asia", 0.50),
    ("Europe", 0.25),
    ("Americas", 0.15),
    ("Africa", 0.10),
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

/// The number of reviews of an application.
fn reviews(probability: f64, draw: &mut Draw) -> usize {
    let in_between = (0.35..0.75).contains(&probability);
    match (draw.uniform() < 0.1, in_between) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2 + usize::from(draw.uniform() < 0.4),
    }
}

/// The file.
pub fn applicants() -> String {
    let mut text =
        String::from("id,gender,region,probability,first_review,second_review,third_review\n");
    for person in 0..60 {
        let mut draw = Key::new(SEED, 0).draw(Purpose::World, person, 0);
        let gender = value(&GENDERS, &mut draw);
        let region = value(&REGIONS, &mut draw);
        // Most are middling: the mean of two uniform numbers.
        let probability = 0.05 + 0.9 * (draw.uniform() + draw.uniform()) / 2.0;
        let had = reviews(probability, &mut draw);
        text += &format!("A{:02},{gender},{region},{probability:.3}", person + 1);
        for nth in 0..3 {
            let score = probability + NOISE * draw.normal();
            let score = ((score * 20.0).round() / 20.0).clamp(0.0, 1.0);
            match nth < had {
                true => text += &format!(",{score:.2}"),
                false => text.push(','),
            }
        }
        text.push('\n');
    }
    text
}

fn main() {
    print!("{}", applicants());
}

//! The made-up entrants of `configs/pool-bandit/entrants.csv`: 300 people with a test, a grade and
//! what became of them.
//!
//! `cargo run --release --example made_up_entrants > configs/pool-bandit/entrants.csv`
//!
//! Both groups are as able. The test underrates group u by .8, the grade does not; both are noisy.
//! `worth` is the ability and what the years after added to it. All parameters are ours.

use kleroterion::draw::{Key, Purpose};

const SEED: u64 = 44;

/// The file.
pub fn entrants() -> String {
    let mut text = String::from("id,group,test,grade,worth\n");
    for person in 0..300 {
        let mut draw = Key::new(SEED, 0).draw(Purpose::World, person, 0);
        let (group, bias) = match draw.uniform() < 0.4 {
            true => ("u", -0.8),
            false => ("v", 0.0),
        };
        let ability = draw.normal();
        let test = ability + bias + 0.5 * draw.normal();
        let grade = ability + 0.8 * draw.normal();
        let worth = ability + 0.4 * draw.normal();
        let id = person + 1;
        text += &format!("E{id:03},{group},{test:.2},{grade:.2},{worth:.2}\n");
    }
    text
}

fn main() {
    print!("{}", entrants());
}

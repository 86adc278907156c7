//! Outcomes of one's own: what becomes of the chosen is said by a type of this program.
//!
//! `cargo run --release --example own_feedback`

use std::error::Error;

use kleroterion::prelude::*;

/// The chosen stay with a probability that depends on their value, by addressed random numbers.
struct Stays([f64; 2]);

impl Feedback for Stays {
    fn answer(&self, person: Person<'_>, _: Probe, draw: &mut Draw) -> f64 {
        let value = usize::from(person.shown().values()[0]);
        f64::from(u8::from(draw.uniform() < self.0[value]))
    }
}

const CONFIG: &str = r#"
replications = 200
source = { type = "categorical", shares = { area = { town = 0.5, country = 0.5 } } }
rules = { choose = "at_most_one", until = { accepted = 50 } }
feedback = { outcome = { type = "stays" } }
policy = [{ label = "all", kind = "accept_all" }]
"#;

/// The mean outcome of the chosen.
pub fn outcome() -> Result<String, Box<dyn Error>> {
    let kind = OutcomesKind::new("stays", "1 if the person stays", |_| {
        Some(DrawnOutcomes::new(Stays([0.9, 0.6])))
    });
    let registry = Registry::default().outcomes(kind)?;
    let request = JobRequest::text("stays.toml", CONFIG, ".").with_registry(registry);
    let finished = Job::load(request)?.play(&JobWatch::default())?;
    let all = &finished.runs[0].summary.policies["all"].metrics;
    Ok(format!(
        "{:.3} of the chosen stay\n",
        all["outcome_mean"].mean
    ))
}

#[allow(dead_code, reason = "tests print the outcome themselves")]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", outcome()?);
    Ok(())
}

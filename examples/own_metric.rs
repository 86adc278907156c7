//! A metric of one's own, judged like the built-in ones.
//!
//! `cargo run --release --example own_metric`

use std::error::Error;

use kleroterion::compare::Pair;
use kleroterion::prelude::*;

/// The most rounds in a row in which no one was chosen.
#[derive(Default)]
struct Wait {
    now: u32,
    longest: u32,
}

impl Scorer for Wait {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.now = (self.now + 1) * u32::from(entry.chosen().len() == 0);
        self.longest = self.longest.max(self.now);
    }

    fn read(&self, readings: &mut Readings) {
        readings.put("longest_wait", f64::from(self.longest));
    }
}

/// The verdict on the metric.
pub fn verdict() -> Result<String, Box<dyn Error>> {
    let info = MetricInfo::lower("the most rounds in a row in which no one was chosen");
    let family = MetricFamily::new("longest_wait", info, |_| Wait::default());
    let mut request = JobRequest::default().with_registry(Registry::default().metric(family)?);
    request.set.push("report.judge=[\"longest_wait\"]".into());
    request.replications = Some(100);
    let finished = Job::load(request)?.play(&JobWatch::default())?;
    let pairs = &finished.runs[0].summary.pairs;
    let line = |pair: &Pair| {
        let (a, b, word) = (&pair.a, &pair.b, pair.verdict.word());
        let by = pair.mean.unwrap_or_default();
        format!("{a} against {b}: {by:.1} rounds, {word}\n")
    };
    Ok(pairs.iter().map(line).collect())
}

#[allow(dead_code, reason = "tests print the verdict themselves")]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", verdict()?);
    Ok(())
}

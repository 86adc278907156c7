//! A lane stepped by hand, for environments of Gymnasium.

use kleroterion::arena::{LaneNews, Step, Stepper};
use kleroterion::jobs::JobRun;
use kleroterion::problem::{Place, Problem, Problems};
use kleroterion::run::{self, Settings};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::host::Hosts;
use super::request::Asked;
use super::{errors, moves};

/// A round: the codes, features and scores by slot, and the places left.
type Round = (Vec<Vec<u16>>, Vec<Vec<f64>>, Vec<f64>, Option<u64>);

/// The sum of the outcomes that are heard, the next round, and the ending with its detail.
type Acted = (f64, Option<Round>, Option<(String, Option<String>)>);

/// A lane of a config that the program steps.
#[pyclass(module = "kleroterion._klero", name = "Stepped", unsendable)]
pub struct Stepped {
    run: JobRun,
    lane: usize,
    stepper: Option<Stepper>,
}

#[pymethods]
impl Stepped {
    #[new]
    fn new(py: Python<'_>, asked: Asked, lane: &str) -> PyResult<Self> {
        let request = asked.request(py, &Hosts::absent())?;
        let run = py.detach(|| Ok(asked.job(request)?.runs.swap_remove(0)));
        let run: JobRun = run.map_err(|error| errors::of_job(py, error))?;
        let lanes = run.plan.lanes.iter();
        let labels: Vec<&str> = lanes.map(|lane| &*lane.label).collect();
        let place = labels.iter().position(|label| *label == lane);
        let wrong = |key: &str, what: String, help: String| {
            let problem = Problem::new(Place::Key(key.to_owned()), what).help(help);
            errors::config_error(py, &Problems::from(problem), None)
        };
        let Some(place) = place else {
            let what = format!("there is no policy {lane:?}");
            let help = format!("policies: {}", labels.join(", "));
            return Err(wrong("lane", what, help));
        };
        if !run.plan.rules.interviews.is_empty() {
            let what = "an environment has no action that buys interviews".to_owned();
            let help = "leave rules.interviews out".to_owned();
            return Err(wrong("rules.interviews", what, help));
        }
        Ok(Self {
            run,
            lane: place,
            stepper: None,
        })
    }

    /// What a policy of the lane knows before the first round, as JSON.
    fn facts(&self) -> PyResult<String> {
        let label = &self.run.plan.lanes[self.lane].label;
        let hello = self.run.plan.hello(label);
        serde_json::to_string(&hello).map_err(|error| failed(&error))
    }

    /// The seed of the config.
    #[getter]
    fn seed(&self) -> u64 {
        self.run.plan.seed
    }

    /// Begins a replication with this seed. Returns the first round.
    fn begin(&mut self, seed: u64, replication: u64) -> PyResult<Option<Round>> {
        self.stepper = None;
        self.run.plan.set_seed(seed);
        let begun = run::stepper(&self.run.plan, &Settings::default(), replication, self.lane);
        self.stepper = Some(begun.map_err(|error| failed(&error))?);
        Ok(self.round())
    }

    /// Chooses by scores: the highest, as many as must be, and beyond these only those above 0.
    /// Returns the sum of the outcomes that are heard, the next round, and the ending.
    fn act(&mut self, scores: Vec<f64>) -> PyResult<Acted> {
        let stepper = self.stepper.as_mut();
        let stepper = stepper.ok_or_else(|| failed(&"call reset before step"))?;
        let places = match stepper.step() {
            Step::Acts(view) => view.places(),
            Step::Ended(_) => return Err(failed(&"the episode has ended: call reset")),
        };
        let choice = moves::by_scores(&scores, (places.min, places.max));
        let follows = stepper.answer(choice).map_err(|error| failed(&error))?;
        let values = follows.heard.iter().filter_map(|news| match news {
            LaneNews::Outcome(outcome) => Some(outcome.outcome().value()),
            _ => None,
        });
        let reward = values.sum();
        let ending = follows.stop.map(|stop| {
            let detail = stop.detail.as_ref().map(ToString::to_string);
            (stop.ending.word().to_owned(), detail)
        });
        Ok((reward, self.round(), ending))
    }

    /// The measures of the lane at its end, by name.
    fn metrics(&mut self) -> PyResult<Vec<(String, f64)>> {
        let Some(stepper) = self.stepper.take() else {
            return Ok(Vec::new());
        };
        let mut played = stepper.finish().map_err(|error| failed(&error))?;
        let (scores, stop) = played.lanes.remove(0);
        let result = scores.finish(stop);
        let rows = result.rows().filter(|row| row.at.is_none());
        Ok(rows
            .map(|row| (row.metric.to_string(), row.value))
            .collect())
    }
}

impl Stepped {
    /// The round that waits for a move. `None` once the lane has ended.
    fn round(&mut self) -> Option<Round> {
        let Step::Acts(view) = self.stepper.as_mut()?.step() else {
            return None;
        };
        let slate = view.slate();
        let codes = slate.candidates().map(|one| one.values().to_vec());
        let features = slate.candidates().map(|one| one.features().to_vec());
        let scores = slate.candidates().filter_map(|one| one.score());
        Some((
            codes.collect(),
            features.collect(),
            scores.collect(),
            view.places_left(),
        ))
    }
}

fn failed(error: &impl ToString) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

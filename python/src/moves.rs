//! The answers of a policy in Python, read as moves.

use kleroterion::protocol::{Chosen, Move, Pull, Pulls, Selection};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt};

use super::view::View;

/// A choice with its propensity and its reason.
#[pyclass(module = "kleroterion", name = "Select", frozen)]
pub struct Select {
    choice: Py<PyAny>,
    p: Option<f64>,
    reason: Vec<(String, f64)>,
}

#[pymethods]
impl Select {
    #[new]
    #[pyo3(signature = (choice, *, p=None, reason=None))]
    fn new(
        choice: Py<PyAny>,
        p: Option<f64>,
        reason: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut terms = Vec::new();
        for (name, value) in reason.into_iter().flat_map(|reason| reason.iter()) {
            terms.push((name.extract()?, value.extract()?));
        }
        Ok(Self {
            choice,
            p,
            reason: terms,
        })
    }
}

/// Interviews to buy, in order.
#[pyclass(module = "kleroterion", name = "Interview", frozen)]
pub struct Interview {
    slots: Vec<u32>,
    kind: Kind,
}

/// A kind of interview: its place in the rules, or its name.
#[derive(FromPyObject)]
enum Kind {
    Place(usize),
    Name(String),
}

/// A slot, or several.
#[derive(FromPyObject)]
enum Slots {
    One(u32),
    Many(Vec<u32>),
}

#[pymethods]
impl Interview {
    #[new]
    #[pyo3(signature = (slots, kind=Kind::Place(0)))]
    fn new(slots: Slots, kind: Kind) -> Self {
        let slots = match slots {
            Slots::One(slot) => vec![slot],
            Slots::Many(slots) => slots,
        };
        Self { slots, kind }
    }
}

/// The move of a policy that gives up: no one who can still come would be chosen.
#[pyclass(module = "kleroterion", name = "Stall", frozen)]
pub struct Stall;

#[pymethods]
impl Stall {
    #[new]
    fn new() -> Self {
        Self
    }
}

/// Reads the answer of `act`. `kinds` are the names of the kinds of interviews.
pub fn read(answer: &Bound<'_, PyAny>, view: &mut View, kinds: &[String]) -> PyResult<Move> {
    if let Ok(accept) = answer.cast::<PyBool>() {
        return one(accept.is_true(), view.len());
    }
    if answer.is_none() {
        return Ok(Move::pass());
    }
    if let Ok(select) = answer.cast::<Select>() {
        let select = select.get();
        view.reasons.extend(select.reason.iter().cloned());
        let chosen = chosen(select.choice.bind(answer.py()), view)?;
        let mut selection = Selection::of(chosen);
        selection.p = select.p;
        return Ok(Move::Select(selection));
    }
    if let Ok(interview) = answer.cast::<Interview>() {
        return interviews(interview.get(), kinds);
    }
    if answer.is_instance_of::<Stall>() {
        return Ok(Move::Stall);
    }
    Ok(Move::Select(Selection::of(chosen(answer, view)?)))
}

fn one(accept: bool, many: usize) -> PyResult<Move> {
    match many {
        1 => Ok(Move::decide(accept)),
        _ => Err(PyTypeError::new_err(format!(
            "a bool answers a slate of one, and this slate has {many}: return slots, or a bool for each"
        ))),
    }
}

fn interviews(interview: &Interview, kinds: &[String]) -> PyResult<Move> {
    let kind = match &interview.kind {
        Kind::Place(place) => *place,
        Kind::Name(name) => kinds.iter().position(|kind| kind == name).ok_or_else(|| {
            let known = kinds.join(", ");
            PyValueError::new_err(format!(
                "there is no kind of interview {name:?}; the kinds are: {known}"
            ))
        })?,
    };
    let pulls = interview.slots.iter().map(|&slot| Pull { slot, kind });
    Ok(Move::Interview(Pulls::Many(pulls.collect())))
}

/// Reads a choice: a bool, a slot, slots, or a bool for each slot.
fn chosen(choice: &Bound<'_, PyAny>, view: &View) -> PyResult<Chosen> {
    let many = view.len();
    if choice.is_none() {
        return Ok(Chosen::None);
    }
    if choice.is_instance_of::<PyBool>() {
        return match one(choice.is_truthy()?, many)? {
            Move::Select(selection) => Ok(selection.chosen),
            _ => Ok(Chosen::None),
        };
    }
    if choice.is_instance_of::<PyInt>() {
        return match many {
            1 => Err(PyTypeError::new_err(
                "a number on a slate of one may be a slot or a yes: return True, False, or [0]",
            )),
            _ => Ok(Chosen::One(choice.extract()?)),
        };
    }
    // Numbers and arrays of NumPy.
    if choice.hasattr("tolist")? {
        return chosen(&choice.call_method0("tolist")?, view);
    }
    let Ok(members) = choice.try_iter() else {
        let kind = choice.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "act returned a {kind}: return a bool, slots, Select, Interview, STALL or None"
        )));
    };
    let members: Vec<Bound<'_, PyAny>> = members.collect::<PyResult<_>>()?;
    let is_mask = !members.is_empty() && members.iter().all(|one| one.is_instance_of::<PyBool>());
    let slots = match is_mask {
        false => members
            .iter()
            .map(|one| one.extract())
            .collect::<PyResult<Vec<u32>>>()?,
        true if members.len() != many => {
            let given = members.len();
            return Err(PyValueError::new_err(format!(
                "act returned {given} bools for a slate of {many}"
            )));
        }
        true => {
            let mut slots = Vec::new();
            for (slot, one) in (0..).zip(&members) {
                if one.is_truthy()? {
                    slots.push(slot);
                }
            }
            slots
        }
    };
    Ok(match slots[..] {
        [] => Chosen::None,
        [slot] => Chosen::One(slot),
        _ => Chosen::Many(slots),
    })
}

/// The choice by scores, one a slot: the highest, as many as must be, and beyond these only those
/// above 0. Of equals the first slot comes first.
pub fn by_scores(scores: &[f64], (least, most): (u32, u32)) -> Move {
    if let [score] = scores {
        return Move::decide(most > 0 && (least > 0 || *score > 0.0));
    }
    let mut slots: Vec<u32> = (0..scores.len() as u32).collect();
    let score = |slot: u32| scores[slot as usize];
    slots.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
    slots.truncate(most as usize);
    let taken = slots.iter().zip(0..);
    let taken = taken.take_while(|(slot, at)| *at < least || score(**slot) > 0.0);
    let taken = taken.count();
    slots.truncate(taken);
    Move::take_all(slots)
}

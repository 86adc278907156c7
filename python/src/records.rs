//! People of the program as records of JSON.

use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// A person as JSON; `place` is what errors call the person. What is no plain dict of plain values
/// is left to Python.
pub fn record(person: &Bound<'_, PyAny>, place: impl Display) -> PyResult<Vec<u8>> {
    if let Some(text) = plain(person) {
        return Ok(text);
    }
    let module = person.py().import("kleroterion._live")?;
    module
        .call_method1("_record", (person, place.to_string()))?
        .extract()
}

/// A plain dict as the module `json` would write it, but for blanks. `None` if it is another thing.
fn plain(person: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    let person = person.cast_exact::<PyDict>().ok()?;
    let mut text = Vec::with_capacity(48 * person.len() + 2);
    text.push(b'{');
    for (name, value) in person.iter() {
        if text.len() > 1 {
            text.push(b',');
        }
        quote(&mut text, name.cast_exact::<PyString>().ok()?)?;
        text.push(b':');
        write(&mut text, &value)?;
    }
    text.push(b'}');
    Some(text)
}

fn write(text: &mut Vec<u8>, value: &Bound<'_, PyAny>) -> Option<()> {
    if let Ok(value) = value.cast_exact::<PyString>() {
        return quote(text, value);
    }
    if value.is_none() {
        text.extend_from_slice(b"null");
    } else if let Ok(value) = value.cast_exact::<PyBool>() {
        text.extend_from_slice(if value.is_true() { b"true" } else { b"false" });
    } else if let Ok(value) = value.cast_exact::<PyInt>() {
        // A longer one is left to Python.
        text.extend_from_slice(value.extract::<i64>().ok()?.to_string().as_bytes());
    } else {
        let value = value.cast_exact::<PyFloat>().ok()?;
        value.value().is_finite().then_some(())?;
        text.extend_from_slice(value.repr().ok()?.to_str().ok()?.as_bytes());
    }
    Some(())
}

fn quote(text: &mut Vec<u8>, value: &Bound<'_, PyString>) -> Option<()> {
    let value = value.to_str().ok()?;
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if value.bytes().all(is_plain) {
        text.push(b'"');
        text.extend_from_slice(value.as_bytes());
        text.push(b'"');
        return Some(());
    }
    serde_json::to_writer(text, value).ok()
}

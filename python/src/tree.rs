//! A mapping of Python as a config: the place of each value is the path of its keys.

use kleroterion::document::{Document, Table, Value};
use kleroterion::problem::{Place, Problem};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyMapping, PyString};

use super::errors;

/// The document of a mapping.
pub fn document(tree: &Bound<'_, PyAny>) -> PyResult<Document> {
    match value(tree, "")? {
        Value::Table(table) => Ok(Document::of(table)),
        _ => Err(PyTypeError::new_err("a config is a mapping")),
    }
}

fn value(any: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    if any.is_instance_of::<PyBool>() {
        return Ok(any.extract::<bool>()?.into());
    }
    if any.is_instance_of::<PyString>() {
        return Ok(any.extract::<String>()?.into());
    }
    if any.is_instance_of::<PyInt>() {
        return whole(any, path);
    }
    if any.is_instance_of::<PyFloat>() {
        return Ok(any.extract::<f64>()?.into());
    }
    if let Ok(mapping) = any.cast::<PyMapping>() {
        return table(mapping, path).map(Value::Table);
    }
    // Paths, and numbers and arrays of NumPy.
    for method in ["__fspath__", "tolist"] {
        if any.hasattr(method)? {
            return value(&any.call_method0(method)?, path);
        }
    }
    let Ok(members) = any.try_iter() else {
        let kind = any.get_type().name()?;
        let what = format!("a config can't hold an object of type {kind}");
        let help = "give text, a number, True or False, a list, or a mapping";
        return Err(refused(any.py(), path, what, help));
    };
    let members = members.enumerate();
    let members = members.map(|(at, member)| value(&member?, &format!("{path}[{at}]")));
    Ok(members.collect::<PyResult<Vec<Value>>>()?.into())
}

/// The exception for what no config can hold.
fn refused(py: Python<'_>, path: &str, what: String, help: &str) -> PyErr {
    let problem = Problem::new(Place::Key(path.to_owned()), what).help(help);
    errors::config_error(py, &problem.into(), None)
}

fn whole(any: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    if let Ok(number) = any.extract::<i64>() {
        return Ok(number.into());
    }
    // It is refused where it is read, with its place.
    let number = any.extract::<u64>();
    let refused = |_| {
        let what = "the number has more than 64 bits".to_owned();
        refused(any.py(), path, what, "give a smaller number")
    };
    number.map(Value::from).map_err(refused)
}

fn table(mapping: &Bound<'_, PyMapping>, path: &str) -> PyResult<Table> {
    let mut entries = Vec::new();
    for item in mapping.items()?.iter() {
        let (key, member): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        // A key that is unset counts as absent.
        if member.is_none() {
            continue;
        }
        let key = key.str()?.to_string();
        let at = match path.is_empty() {
            true => key.clone(),
            false => format!("{path}.{key}"),
        };
        let read = value(&member, &at)?;
        entries.push((key, read));
    }
    Ok(Table::of(entries))
}

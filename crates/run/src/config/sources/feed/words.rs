//! Values with units: addresses, lengths and paces.

use std::net::SocketAddr;

use crate::document::{Field, Value};
use kleroterion_io::feed::is_local;
use kleroterion_io::secrets::{Secrets, TOKEN};

/// The shortest and the longest line that a config may allow.
const LENGTHS: std::ops::RangeInclusive<u64> = 64..=16 << 20;

/// An address to listen at: of this machine alone, or guarded by a token. A token that is no good
/// is refused wherever it would be demanded.
pub(in crate::config) fn guarded(field: &Field<'_>, secrets: &Secrets) -> Option<SocketAddr> {
    let address = address(field)?;
    let (what, put) = match secrets.token() {
        Ok(Some(_)) => return Some(address),
        Ok(None) if is_local(address) => return Some(address),
        Ok(None) => ("no token keeps them out", "put a secret into"),
        Err(wrong) => (wrong.what, wrong.put),
    };
    let port = address.port();
    match is_local(address) {
        true => field.refuse(
            format!("this would be served with the token of {TOKEN}, and {what}"),
            format!("{put} the environment variable {TOKEN}, or unset it"),
        ),
        false => field.refuse(
            format!("others than this machine could reach {address}, and {what}"),
            format!(
                "{put} the environment variable {TOKEN}, or take a loopback address such as \
                 127.0.0.1:{port}"
            ),
        ),
    }
    None
}

/// `"127.0.0.1:8090"`, `"localhost:8090"`.
pub(in crate::config) fn address(field: &Field<'_>) -> Option<SocketAddr> {
    let text = field.text()?;
    let spelt = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    let address = spelt.parse().ok();
    if address.is_none() {
        let port = text
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse::<u64>().ok());
        let example = "for example: address = \"127.0.0.1:8090\", or \"[::1]:8090\"";
        let help = match port.filter(|port| *port > u64::from(u16::MAX)) {
            Some(_) => format!("a port is at most 65535; {example}"),
            None => example.to_owned(),
        };
        field.refuse(format!("{text:?} is no address with a port"), help);
    }
    address
}

/// A number of bytes, or `"100KiB"`, `"1MiB"`, `"64kB"`.
pub(super) fn bytes(field: &Field<'_>) -> Option<usize> {
    const UNITS: [(&str, u64); 5] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("B", 1),
    ];
    let expected = || {
        let (low, high) = (LENGTHS.start(), LENGTHS.end() >> 20);
        format!("a length from {low} bytes to {high} MiB, such as \"100KiB\", \"64kB\" or 65536,")
    };
    let length = match field.value()? {
        Value::Whole(bytes) => u64::try_from(*bytes).ok(),
        Value::Text(text) => UNITS.iter().find_map(|(unit, size)| {
            let number: u64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            number.checked_mul(*size)
        }),
        _ => None,
    };
    match length.filter(|length| LENGTHS.contains(length)) {
        Some(length) => usize::try_from(length).ok(),
        None => field.expected(&expected()),
    }
}

/// Persons a second: `200`, `"200/s"`, `"30/min"`, `"5/h"`.
pub(in crate::config) fn pace(field: &Field<'_>) -> Option<f64> {
    const UNITS: [(&str, f64); 3] = [("s", 1.0), ("min", 60.0), ("h", 3600.0)];
    let expected = "a pace above 0, such as \"200/s\", \"30/min\" or \"5/h\",";
    let Value::Text(text) = field.value()? else {
        return field.number_where(expected, |x| x > 0.0 && x.is_finite());
    };
    let read = text.split_once('/').and_then(|(number, unit)| {
        let (_, seconds) = UNITS.iter().find(|(known, _)| *known == unit.trim())?;
        let number: f64 = number.trim().parse().ok()?;
        Some(number / seconds)
    });
    match read.filter(|pace| *pace > 0.0 && pace.is_finite()) {
        Some(pace) => Some(pace),
        None => field.expected(expected),
    }
}

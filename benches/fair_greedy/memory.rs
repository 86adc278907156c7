//! The memory of this process, as the system reports it (Linux).

/// A line of the process's status, in MB; `-` where there is none.
pub fn memory(line: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status
        .lines()
        .find_map(|text| text.strip_prefix(line)?.split_whitespace().next())
        .and_then(|number| number.parse::<f64>().ok());
    kilobytes.map_or("-".to_owned(), |kilobytes| {
        format!("{:.1}", kilobytes / 1024.0)
    })
}

/// Lets `VmHWM` start anew. Ignored where it cannot be: the most is then that since the process
/// began.
pub fn forget_most() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

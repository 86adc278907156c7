//! The standard environment variables that name a collector of spans.

/// The variables that name a collector, the one of spans alone first.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// Returns true if an environment variable is set and not empty.
pub fn given(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|text| !text.is_empty())
}

/// The variable that asks for spans to be sent; `None` if there is none or another one disables it.
pub fn asked() -> Option<&'static str> {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|text| text == value);
    if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
        return None;
    }
    ENDPOINTS.into_iter().find(|name| given(name))
}

//! The text formats of metrics, and the choice between them by a request's headers.

use axum::http::header::{ACCEPT, HeaderMap};

/// A text format of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exposition {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The text format of Prometheus, version 0.0.4.
    Prometheus,
}

impl Exposition {
    /// The format that a request prefers (RFC 9110, section 12.5.1). Without a preference it is
    /// OpenMetrics.
    pub(super) fn asked(headers: &HeaderMap) -> Self {
        let accept = headers.get_all(ACCEPT).iter();
        let accept: Vec<&str> = accept.filter_map(|value| value.to_str().ok()).collect();
        let accept = accept.join(",");
        let quality = |format: Self| quality(&accept, format.media_type());
        match quality(Self::Prometheus) > quality(Self::OpenMetrics) {
            true => Self::Prometheus,
            false => Self::OpenMetrics,
        }
    }

    /// The value of `Content-Type`.
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    /// Converts metrics from OpenMetrics into this format.
    pub(super) fn of(self, text: String) -> String {
        match self {
            Self::OpenMetrics => text,
            Self::Prometheus => plain(&text),
        }
    }

    /// The media type: type, subtype and version.
    fn media_type(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::OpenMetrics => ("application", "openmetrics-text", "1.0.0"),
            Self::Prometheus => ("text", "plain", "0.0.4"),
        }
    }
}

/// The quality of a media type in an `Accept` header, by the most specific range that fits; 0
/// without one.
fn quality(accept: &str, (kind, subtype, version): (&str, &str, &str)) -> f64 {
    let ranges = accept.split(',').filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let (wide, narrow) = parts.next()?.split_once('/')?;
        let is = |word: &str, of: &str| word.eq_ignore_ascii_case(of);
        let mut specific = match (wide, narrow) {
            ("*", "*") => 0,
            (wide, "*") if is(wide, kind) => 1,
            (wide, narrow) if is(wide, kind) && is(narrow, subtype) => 2,
            _ => return None,
        };
        let mut quality = 1.0;
        for (name, value) in parts.filter_map(|part| part.split_once('=')) {
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_lowercase().as_str() {
                "q" => quality = value.parse().unwrap_or(0.0),
                "version" if value == version => specific = 3,
                "version" => return None,
                _ => {}
            }
        }
        Some((specific, quality))
    });
    let most = ranges.reduce(|a: (u8, f64), b| match a.0.cmp(&b.0) {
        std::cmp::Ordering::Equal => (a.0, a.1.max(b.1)),
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Greater => a,
    });
    most.map_or(0.0, |(_, quality)| quality)
}

/// Converts OpenMetrics into the text format of Prometheus. There a counter has the name of its
/// samples, and no line marks the end.
fn plain(text: &str) -> String {
    let counters: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" counter"))
        .collect();
    let mut plain = String::with_capacity(text.len());
    for line in text.lines().filter(|line| *line != "# EOF") {
        let described = ["# HELP ", "# TYPE "].iter().find_map(|start| {
            let (name, rest) = line.strip_prefix(start)?.split_once(' ')?;
            counters.contains(&name).then_some((start, name, rest))
        });
        match described {
            Some((start, name, rest)) => plain.extend([*start, name, "_total ", rest, "\n"]),
            None => plain.extend([line, "\n"]),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_format_is_the_one_that_is_wanted_most() {
        // What Prometheus 2 and 3 send, and what they send where OpenMetrics is turned off.
        const PROMETHEUS_2: &str = "application/openmetrics-text;version=1.0.0,\
            application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        const PROMETHEUS_3: &str = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
            application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;\
            q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
        const PLAIN_ONLY: &str = "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.2";
        for (accept, is_plain) in [
            ("", false),
            ("*/*", false),
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                false,
            ),
            ("text/plain", true),
            ("TEXT/Plain ; Version=\"0.0.4\"", true),
            ("text/*", true),
            ("text/plain;version=1.0.0", false),
            ("text/plain;q=0", false),
            ("text/plain;q=0.5, application/*;q=0.4", true),
            ("text/plain;q=0.5, */*", false),
            ("text/plain, */*;q=0.9", true),
            ("application/openmetrics-text;q=0.1, */*;q=0.2", true),
            (
                "application/openmetrics-text;q=nonsense, text/plain;q=0.001",
                true,
            ),
            ("application/json", false),
            ("garbage", false),
            (PROMETHEUS_2, false),
            (PROMETHEUS_3, false),
            (PLAIN_ONLY, true),
        ] {
            let mut headers = HeaderMap::new();
            headers.append(ACCEPT, HeaderValue::from_str(accept).unwrap());
            let is = Exposition::asked(&headers) == Exposition::Prometheus;
            assert_eq!(is, is_plain, "{accept}");
        }
        assert_eq!(
            Exposition::asked(&HeaderMap::new()),
            Exposition::OpenMetrics
        );
        let mut headers = HeaderMap::new();
        headers.append(ACCEPT, HeaderValue::from_static("application/*;q=0.1"));
        headers.append(ACCEPT, HeaderValue::from_static("text/plain;q=0.2"));
        assert_eq!(Exposition::asked(&headers), Exposition::Prometheus);
    }

    #[test]
    fn counters_are_called_as_their_samples_are() {
        let open = "# HELP a_b Of all.\n# TYPE a_b counter\na_b_total{x=\"a_b c\"} 1\n\
                    # HELP a Some.\n# TYPE a gauge\na 2\n# EOF\n";
        let plain = "# HELP a_b_total Of all.\n# TYPE a_b_total counter\na_b_total{x=\"a_b c\"} 1\n\
                     # HELP a Some.\n# TYPE a gauge\na 2\n";
        assert_eq!(Exposition::Prometheus.of(open.into()), plain);
        assert_eq!(Exposition::OpenMetrics.of(open.into()), open);
    }
}

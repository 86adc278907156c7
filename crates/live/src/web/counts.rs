//! Counts of answered requests.

use axum::http::StatusCode;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

/// The number of answered requests, by path and status.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestCounts {
    pub(super) requests: Family<AnsweredRequest, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct AnsweredRequest {
    path: String,
    code: u16,
}

impl RequestCounts {
    /// Counts an answer. `path` is one of the routes, which bounds the number of series.
    pub(super) fn request(&self, path: &str, status: StatusCode) {
        let answered = AnsweredRequest {
            path: path.into(),
            code: status.as_u16(),
        };
        self.requests.get_or_create(&answered).inc();
    }
}

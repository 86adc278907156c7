//! Sending of spans and events to a collector by OTLP over HTTP, if the standard variables name
//! one.
//!
//! Exporting can't slow or fail a run. Spans wait in a bounded queue of a thread of their own.
//! Spans that do not fit are dropped, with one warning. A collector that does not answer causes one
//! warning.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::WithHttpConfig;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::Layer;

use super::collector::{asked, given};
use super::log::{BoxedLayer, filter};
use super::show;
use crate::cli::limits::{OTEL_ANSWER, OTEL_CONNECT, OTEL_LAST, OTEL_LAST_AFTER_FAILURE};

/// The spans that are sent unless RUST_LOG is set: tasks and batches.
const FILTER: &str = "kleroterion=debug,klero=debug";

/// An exporter of spans. It sends the remaining ones when it is dropped.
pub struct SpanExporter {
    provider: SdkTracerProvider,
    failed: Arc<AtomicBool>,
}

impl Drop for SpanExporter {
    fn drop(&mut self) {
        let wait = match self.failed.load(Ordering::Relaxed) {
            true => OTEL_LAST_AFTER_FAILURE,
            false => OTEL_LAST,
        };
        if let Err(error) = self.provider.shutdown_with_timeout(wait) {
            warn_once(&self.failed, &error.to_string());
        }
    }
}

/// The layer that sends spans; `None` if no variable names a collector.
pub fn layer() -> Option<(BoxedLayer, SpanExporter)> {
    asked()?;
    let failed = Arc::new(AtomicBool::new(false));
    let client = Client::new(Arc::clone(&failed));
    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_http_client(client);
    let exporter = match exporter.build() {
        Ok(exporter) => exporter,
        Err(error) => {
            warn_once(&failed, &error.to_string());
            return None;
        }
    };
    let mut resource = Resource::builder();
    if !given("OTEL_SERVICE_NAME") {
        resource = resource.with_service_name("klero");
    }
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.build())
        .build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("klero"));
    let layer = layer.with_filter(filter(FILTER)).boxed();
    Some((layer, SpanExporter { provider, failed }))
}

fn warn_once(failed: &AtomicBool, why: &str) {
    if !failed.swap(true, Ordering::Relaxed) {
        show::say(&format!(
            "warning: spans are not sent: {why}; the run goes on without"
        ));
    }
}

/// An HTTP client without TLS: a collector is on the same machine or network.
#[derive(Debug)]
struct Client {
    agent: ureq::Agent,
    failed: Arc<AtomicBool>,
}

impl Client {
    fn new(failed: Arc<AtomicBool>) -> Self {
        let answer = std::env::var("OTEL_EXPORTER_OTLP_TIMEOUT").ok();
        let answer = answer.and_then(|text| text.parse().ok());
        let config = ureq::Agent::config_builder()
            .timeout_connect(Some(OTEL_CONNECT))
            .timeout_global(Some(answer.map_or(OTEL_ANSWER, Duration::from_millis)))
            .build();
        let agent = config.into();
        Self { agent, failed }
    }
}

#[async_trait::async_trait]
impl HttpClient for Client {
    /// Sends a request and blocks, on the exporter's own thread. A failure is reported here and is
    /// no error, since it would otherwise be reported for each batch.
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let where_to = head.uri.to_string();
        let sent = self.agent.run(Request::from_parts(head, body.to_vec()));
        if let Err(error) = sent {
            warn_once(&self.failed, &format!("{where_to}: {error}"));
        }
        Ok(Response::new(Bytes::new()))
    }
}

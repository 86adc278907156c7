//! The state of a run for monitoring: `GET /metrics` for Prometheus, and `GET /healthz`.

use std::fmt;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, VARY};
use axum::response::{IntoResponse, Response};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use serde_json::json;

use super::answer::{self, HttpRefusal};
use super::exposition::Exposition;
use super::state::Server;
use crate::watch::gauges::LaneGauges;
use crate::watch::latency::Latency;
use crate::watch::remote::{RemoteLane, farthest};
use crate::watch::{Acts, Stage, Watched};

pub(super) fn stage(watched: &Watched) -> &'static str {
    match *watched.stage.borrow() {
        Stage::Replaying => "replaying",
        Stage::Following => "following",
        Stage::Over => "over",
    }
}

/// Serves `GET /healthz`: the process is alive, with the lengths of its queues.
pub(super) async fn health(State(server): State<Arc<Server>>) -> Response {
    let watched = &server.services.watched;
    let health = json!({
        "status": "ok",
        "stage": stage(watched),
        "deliveries_waiting": watched.gauges.deliveries.get(),
        "committed_waiting": watched.to_be_played(),
    });
    answer::json(StatusCode::OK, &health)
}

/// Serves `GET /metrics`, in the text format of OpenMetrics or, if requested, of Prometheus.
pub(super) async fn metrics(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
) -> Result<Response, HttpRefusal> {
    let mut registry = Registry::with_prefix("klero");
    let run = Run(server.services.watched.clone());
    registry.register_collector(Box::new(run));
    let requests = server.counts.requests.clone();
    registry.register(
        "http_requests",
        "Requests answered, by route and status",
        requests,
    );
    let mut text = String::new();
    encode(&mut text, &registry).map_err(|_| {
        let error = "the metrics can't be written";
        HttpRefusal::unavailable(error, "this is a bug of klero")
    })?;
    let format = Exposition::asked(&headers);
    let headers = [
        (CONTENT_TYPE, format.content_type()),
        (CACHE_CONTROL, "no-store"),
        (VARY, "accept"),
    ];
    Ok((headers, format.of(text)).into_response())
}

/// A run's gauges, read at each request.
struct Run(Arc<Watched>);

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Run")
    }
}

impl Collector for Run {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let gauges = &self.0.gauges;
        let encoder = &mut encoder;
        for (name, help, value) in [
            (
                "accepted",
                "Persons taken into the journal.",
                &gauges.accepted,
            ),
            ("duplicates", "Repeats dropped.", &gauges.duplicates),
            (
                "left_out",
                "Records that `where` leaves out.",
                &gauges.left_out,
            ),
            ("refused", "Records refused.", &gauges.refused),
            (
                "unreadable",
                "Requests whose body could not be read.",
                &gauges.unreadable,
            ),
            ("outcomes", "Outcomes reported.", &gauges.outcomes),
            ("corrections", "Outcomes corrected.", &gauges.corrections),
            ("commits", "Group commits of the journal.", &gauges.commits),
        ] {
            one(encoder, name, help, &ConstCounter::new(value.get()))?;
        }
        for (name, help, value) in [
            (
                "journal_last_seq",
                "Number of the journal's last entry.",
                gauges.last_seq.get(),
            ),
            (
                "deliveries_waiting",
                "Deliveries that wait for the recorder.",
                gauges.deliveries.get(),
            ),
            (
                "committed_waiting",
                "Persons taken and not yet handed to the policies.",
                self.0.to_be_played(),
            ),
        ] {
            one(encoder, name, help, &ConstGauge::new(value as i64))?;
        }
        let decisions = *self.0.decisions.watch().borrow();
        let help = "Decisions of all lanes, of rounds that all have decided.";
        one(encoder, "decisions", help, &ConstCounter::new(decisions))?;
        self.stage(encoder)?;
        self.acting(encoder)?;
        self.looks(encoder)?;
        self.link(encoder)?;
        self.lanes(encoder)?;
        self.remote(encoder)?;
        let help = "From a person's commit until all lanes have decided about it.";
        latency(encoder, "decision_latency_seconds", help, &gauges.decision)?;
        let help = "How long a group commit of the journal took.";
        latency(encoder, "commit_latency_seconds", help, &gauges.commit)
    }
}

impl Run {
    fn stage(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let help = "Whether the run is at this stage.";
        let now = stage(&self.0);
        let mut family = encoder.encode_descriptor("stage", help, None, MetricType::Gauge)?;
        for stage in ["replaying", "following", "over"] {
            let is = ConstGauge::new(i64::from(stage == now));
            is.encode(family.encode_family(&[("stage", stage)])?)?;
        }
        Ok(())
    }

    /// Encodes the policy whose decisions count, if a policy acts.
    fn acting(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let acts = self.0.acts();
        let lane = match &acts {
            Acts::NotAsked => return Ok(()),
            Acts::Plays(lane) | Acts::TakenOver { lane, .. } => Some(*lane),
            Acts::Done(..) | Acts::Broken { .. } => None,
        };
        let help = "Whether this policy's decisions count now.";
        let mut family = encoder.encode_descriptor("acting", help, None, MetricType::Gauge)?;
        for (at, label) in self.0.labels.iter().enumerate() {
            let is = ConstGauge::new(i64::from(lane == Some(at)));
            is.encode(family.encode_family(&[("policy", &**label)])?)?;
        }
        let help = "Whether the acting policy has left, stalled, panicked or broken a rule.";
        let broke_off = matches!(acts, Acts::TakenOver { .. } | Acts::Broken { .. });
        let is = ConstGauge::new(i64::from(broke_off));
        one(encoder, "acting_ended", help, &is)?;
        let help = "Whether no policy decides any more, for that reason.";
        let is = ConstGauge::new(i64::from(matches!(acts, Acts::Broken { .. })));
        one(encoder, "acting_nobody", help, &is)
    }

    /// Encodes the interviews that people were asked to hold, if there are any.
    fn looks(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let Some(desk) = &self.0.desk else {
            return Ok(());
        };
        let help = "Interviews in this state.";
        let mut family = encoder.encode_descriptor("looks", help, None, MetricType::Gauge)?;
        let states = ["open", "answered", "missed"];
        for (state, count) in states.into_iter().zip(desk.counts()) {
            let count = ConstGauge::new(count as i64);
            count.encode(family.encode_family(&[("state", state)])?)?;
        }
        Ok(())
    }

    /// Encodes the feed's connection, if it reads from a server elsewhere.
    fn link(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let Some(link) = self.0.link.get() else {
            return Ok(());
        };
        let help = "Whether the feed has its connection.";
        let is = ConstGauge::new(i64::from(link.is_up()));
        one(encoder, "feed_connected", help, &is)?;
        let help = "Messages that the server still held when the last came.";
        let is = ConstGauge::new(link.waiting() as i64);
        one(encoder, "feed_waiting", help, &is)?;
        let help = "How often the feed lost its connection.";
        let lost = ConstCounter::new(link.lost());
        one(encoder, "feed_connections_lost", help, &lost)?;
        let help = "Messages that came once more.";
        let again = ConstCounter::new(link.again());
        one(encoder, "feed_redelivered", help, &again)
    }

    fn lanes(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        type ReadGauge = fn(&LaneGauges) -> u64;
        let counters: [(_, _, ReadGauge); 3] = [
            ("lane_rounds", "Rounds played.", |lane| lane.rounds.get()),
            ("lane_accepted", "Persons accepted.", |lane| {
                lane.accepted.get()
            }),
            ("lane_forfeits", "Rounds that a seat forfeited.", |lane| {
                lane.forfeits.get()
            }),
        ];
        for (name, help, read) in counters {
            self.each(encoder, name, help, MetricType::Counter, |lane| {
                ConstCounter::new(read(lane))
            })?;
        }
        let help = "Batches that wait for a lane.";
        self.each(encoder, "lane_waiting", help, MetricType::Gauge, |lane| {
            ConstGauge::new(lane.waiting.get() as i64)
        })?;
        let help = "How long the stream stood still for a lane.";
        let name = "lane_held_back_seconds";
        self.each(encoder, name, help, MetricType::Counter, |lane| {
            ConstCounter::new(lane.held_back.get() as f64 / 1e6)
        })?;
        let help = "From when a lane was handed a round until it decided it.";
        let kind = MetricType::Histogram;
        let mut family = encoder.encode_descriptor("lane_latency_seconds", help, None, kind)?;
        for (label, lane) in self.0.labels.iter().zip(&self.0.gauges.lanes) {
            histogram(
                family.encode_family(&[("policy", &**label)])?,
                &lane.latency,
            )?;
        }
        Ok(())
    }

    /// Encodes the lanes that play elsewhere and have not ended, if there are any.
    fn remote(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let remote = self.0.remote_lanes();
        if remote.is_empty() {
            return Ok(());
        }
        let labels = |lane: &RemoteLane| [("policy", &*self.0.labels[lane.lane])];
        let help = "Persons let out whom a lane elsewhere has not decided about.";
        let kind = MetricType::Gauge;
        let mut family = encoder.encode_descriptor("lane_behind", help, None, kind)?;
        for lane in &remote {
            let behind = ConstGauge::new(lane.behind as i64);
            behind.encode(family.encode_family(&labels(lane))?)?;
        }
        let help = "Whether a lane is the farthest behind of those elsewhere.";
        let mut family = encoder.encode_descriptor("lane_farthest_behind", help, None, kind)?;
        let farthest = farthest(&remote);
        for lane in &remote {
            let is = ConstGauge::new(i64::from(farthest == Some(*lane)));
            is.encode(family.encode_family(&labels(lane))?)?;
        }
        let help = "How long ago a move of a lane elsewhere came; nothing before the first.";
        let mut family = encoder.encode_descriptor("lane_silent_seconds", help, None, kind)?;
        for lane in &remote {
            if let Some(silent) = lane.silent {
                let silent = ConstGauge::new(silent.as_secs_f64());
                silent.encode(family.encode_family(&labels(lane))?)?;
            }
        }
        let help = "Messages of a lane elsewhere that were damaged, and asked for again.";
        let kind = MetricType::Counter;
        let mut family = encoder.encode_descriptor("lane_damaged", help, None, kind)?;
        for lane in &remote {
            let damaged = self.0.gauges.lanes[lane.lane].damaged.get();
            ConstCounter::new(damaged).encode(family.encode_family(&labels(lane))?)?;
        }
        Ok(())
    }

    fn each<M: EncodeMetric>(
        &self,
        encoder: &mut DescriptorEncoder<'_>,
        name: &str,
        help: &str,
        kind: MetricType,
        metric: impl Fn(&LaneGauges) -> M,
    ) -> fmt::Result {
        let mut family = encoder.encode_descriptor(name, help, None, kind)?;
        for (label, lane) in self.0.labels.iter().zip(&self.0.gauges.lanes) {
            let labels = [("policy", &**label)];
            metric(lane).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }
}

fn one(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    metric: &impl EncodeMetric,
) -> fmt::Result {
    metric.encode(encoder.encode_descriptor(name, help, None, metric.metric_type())?)
}

fn latency(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    latency: &Latency,
) -> fmt::Result {
    let encoder = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
    histogram(encoder, latency)
}

fn histogram(mut encoder: MetricEncoder<'_>, latency: &Latency) -> fmt::Result {
    let buckets = latency.doublings();
    let count = buckets.iter().map(|(_, count)| count).sum();
    let sum = latency.sum().as_secs_f64();
    encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
}

//! The state of a run for monitoring: `GET /metrics` for Prometheus, `GET /healthz` and `GET
//! /readyz`.

use std::fmt;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, VARY};
use axum::response::{IntoResponse, Response};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::{MetricType, TypedMetric};
use prometheus_client::registry::Registry;
use serde_json::json;

use super::answer::{self, HttpRefusal};
use super::exposition::Exposition;
use super::state::Server;
use crate::watch::gauges::{Gauge, LaneGauges};
use crate::watch::latency::Latency;
use crate::watch::remote::{RemoteLane, farthest};
use crate::watch::{Acts, Stage, Watched};

fn stage(watched: &Watched) -> &'static str {
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

/// Serves `GET /readyz`: 200 if the run follows its stream, takes records, and the acting policy
/// decides; or else 503 with the reason. An acting policy that has filled all its places counts as
/// ready.
pub(super) async fn ready(State(server): State<Arc<Server>>) -> Response {
    let services = &server.services;
    let watched = &services.watched;
    let is_shut = services.intake.as_ref();
    let is_shut = is_shut.is_some_and(|intake| intake.deliveries.is_closed());
    let why = match (watched.acts(), *watched.stage.borrow()) {
        (Acts::Broken { .. }, _) => watched.acting_news(),
        (_, Stage::Over) => Some("no lane runs any more".into()),
        (_, Stage::Replaying) => Some("what the journal holds is played again".into()),
        (_, Stage::Following) if is_shut => Some("nothing is taken any more".into()),
        (_, Stage::Following) => None,
    };
    let (stage, news) = (stage(watched), watched.acting_news());
    let Some(why) = why else {
        let ready = json!({"status": "ready", "stage": stage, "note": news});
        return answer::json(StatusCode::OK, &ready);
    };
    let help = matches!(watched.acts(), Acts::Broken { .. }).then(|| watched.acting_remedy());
    let not_ready = json!({"status": "not ready", "stage": stage, "error": why, "help": help});
    answer::json(StatusCode::SERVICE_UNAVAILABLE, &not_ready)
}

/// Serves `GET /metrics`, in the text format of OpenMetrics or, if requested, of Prometheus.
pub(super) async fn metrics(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
) -> Result<Response, HttpRefusal> {
    let mut registry = Registry::with_prefix("klero");
    let run = Run(server.services.watched.clone());
    registry.register_collector(Box::new(run));
    let help = "Requests answered, by route and status";
    registry.register("http_requests", help, server.answered.clone());
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
        self.counts(encoder)?;
        let help = "Number of the journal's last entry.";
        one(
            encoder,
            "journal_last_seq",
            help,
            number(gauges.last_seq.get()),
        )?;
        let help = "Deliveries that wait for the recorder.";
        one(
            encoder,
            "deliveries_waiting",
            help,
            number(gauges.deliveries.get()),
        )?;
        let help = "Persons taken and not yet handed to the policies.";
        one(
            encoder,
            "committed_waiting",
            help,
            number(self.0.to_be_played()),
        )?;
        let decisions = *self.0.decisions.watch().borrow();
        let help = "Decisions of all lanes, of rounds that all have decided.";
        one(encoder, "decisions", help, counter(decisions))?;
        let (now, stages) = (stage(&self.0), ["replaying", "following", "over"]);
        let help = "Whether the run is at this stage.";
        each(
            encoder,
            "stage",
            help,
            "stage",
            stages.map(|stage| (stage, flag(stage == now))),
        )?;
        self.acting(encoder)?;
        if let Some(desk) = &self.0.desk {
            let states = ["open", "answered", "missed"].into_iter();
            let states = states.zip(desk.counts().map(number));
            each(
                encoder,
                "looks",
                "Interviews in this state.",
                "state",
                states,
            )?;
        }
        self.link(encoder)?;
        self.lanes(encoder)?;
        self.remote(encoder)?;
        let help = "From a person's commit until all lanes have decided about it.";
        one(
            encoder,
            "decision_latency_seconds",
            help,
            Buckets(&gauges.decision),
        )?;
        let help = "How long a group commit of the journal took.";
        one(
            encoder,
            "commit_latency_seconds",
            help,
            Buckets(&gauges.commit),
        )
    }
}

impl Run {
    /// Encodes what has come and what became of it.
    fn counts(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let gauges = &self.0.gauges;
        let mut count = |name, help, count: &Gauge| one(encoder, name, help, counter(count.get()));
        count(
            "accepted",
            "Persons taken into the journal.",
            &gauges.accepted,
        )?;
        count("duplicates", "Repeats dropped.", &gauges.duplicates)?;
        let help = "Records that `where` leaves out.";
        count("left_out", help, &gauges.left_out)?;
        count("refused", "Records refused.", &gauges.refused)?;
        let help = "Requests whose body could not be read.";
        count("unreadable", help, &gauges.unreadable)?;
        count("outcomes", "Outcomes reported.", &gauges.outcomes)?;
        count("corrections", "Outcomes corrected.", &gauges.corrections)?;
        count("commits", "Group commits of the journal.", &gauges.commits)
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
        let labels = self.0.labels.iter().enumerate();
        let is = labels.map(|(at, label)| (&**label, flag(lane == Some(at))));
        each(encoder, "acting", help, "policy", is)?;
        let help = "Whether the acting policy has left, stalled, panicked or broken a rule.";
        let broke_off = matches!(acts, Acts::TakenOver { .. } | Acts::Broken { .. });
        one(encoder, "acting_ended", help, flag(broke_off))?;
        let help = "Whether no policy decides any more, for that reason.";
        let is_broken = matches!(acts, Acts::Broken { .. });
        one(encoder, "acting_nobody", help, flag(is_broken))
    }

    /// Encodes the feed's connection, if it reads from a server elsewhere.
    fn link(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let Some(link) = self.0.link.get() else {
            return Ok(());
        };
        let help = "Whether the feed has its connection.";
        one(encoder, "feed_connected", help, flag(link.is_up()))?;
        let help = "Messages that the server still held when the last came.";
        one(encoder, "feed_waiting", help, number(link.waiting()))?;
        let help = "How often the feed lost its connection.";
        one(encoder, "feed_connections_lost", help, counter(link.lost()))?;
        let help = "Messages that came once more.";
        one(encoder, "feed_redelivered", help, counter(link.again()))
    }

    fn lanes(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let lanes = || {
            let labels = self.0.labels.iter().map(|label| &**label);
            labels.zip(self.0.gauges.lanes.iter().map(|lane| &**lane))
        };
        let mut count = |name, help, of: fn(&LaneGauges) -> &Gauge| {
            let counts = lanes().map(|(label, lane)| (label, counter(of(lane).get())));
            each(encoder, name, help, "policy", counts)
        };
        count("lane_rounds", "Rounds played.", |lane| &lane.rounds)?;
        count("lane_accepted", "Persons accepted.", |lane| &lane.accepted)?;
        let help = "Rounds that a seat forfeited.";
        count("lane_forfeits", help, |lane| &lane.forfeits)?;
        let waiting = lanes().map(|(label, lane)| (label, number(lane.waiting.get())));
        let help = "Batches that wait for a lane.";
        each(encoder, "lane_waiting", help, "policy", waiting)?;
        let held = |lane: &LaneGauges| ConstCounter::new(lane.held_back.get() as f64 / 1e6);
        let held = lanes().map(|(label, lane)| (label, held(lane)));
        let help = "How long the stream stood still for a lane.";
        each(encoder, "lane_held_back_seconds", help, "policy", held)?;
        let latency = lanes().map(|(label, lane)| (label, Buckets(&lane.latency)));
        let help = "From when a lane was handed a round until it decided it.";
        each(encoder, "lane_latency_seconds", help, "policy", latency)
    }

    /// Encodes the lanes that play elsewhere and have not ended, if there are any.
    fn remote(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let remote = self.0.remote_lanes();
        if remote.is_empty() {
            return Ok(());
        }
        let lanes = || remote.iter().map(|lane| (&*self.0.labels[lane.lane], lane));
        let behind = lanes().map(|(label, lane)| (label, number(lane.behind)));
        let help = "Persons let out whom a lane elsewhere has not decided about.";
        each(encoder, "lane_behind", help, "policy", behind)?;
        let farthest = farthest(&remote);
        let is = lanes().map(|(label, lane)| (label, flag(farthest == Some(*lane))));
        let help = "Whether a lane is the farthest behind of those elsewhere.";
        each(encoder, "lane_farthest_behind", help, "policy", is)?;
        let silent = lanes().filter_map(|(label, lane)| {
            let silent = ConstGauge::new(lane.silent?.as_secs_f64());
            Some((label, silent))
        });
        let help = "How long ago a move of a lane elsewhere came; nothing before the first.";
        each(encoder, "lane_silent_seconds", help, "policy", silent)?;
        let damaged = |lane: &RemoteLane| self.0.gauges.lanes[lane.lane].damaged.get();
        let damaged = lanes().map(|(label, lane)| (label, counter(damaged(lane))));
        let help = "Messages of a lane elsewhere that were damaged, and asked for again.";
        each(encoder, "lane_damaged", help, "policy", damaged)
    }
}

fn counter(count: u64) -> ConstCounter<u64> {
    ConstCounter::new(count)
}

fn number(number: u64) -> ConstGauge<i64> {
    ConstGauge::new(number as i64)
}

fn flag(is: bool) -> ConstGauge<i64> {
    number(u64::from(is))
}

/// Encodes a metric without labels.
fn one<M: EncodeMetric + TypedMetric>(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    metric: M,
) -> fmt::Result {
    metric.encode(encoder.encode_descriptor(name, help, None, M::TYPE)?)
}

/// Encodes a metric that is there once for each of these values of a label.
fn each<'v, M: EncodeMetric + TypedMetric>(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    label: &str,
    metrics: impl IntoIterator<Item = (&'v str, M)>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, help, None, M::TYPE)?;
    for (value, metric) in metrics {
        metric.encode(family.encode_family(&[(label, value)])?)?;
    }
    Ok(())
}

/// A latency as a histogram.
struct Buckets<'a>(&'a Latency);

impl TypedMetric for Buckets<'_> {
    const TYPE: MetricType = MetricType::Histogram;
}

impl EncodeMetric for Buckets<'_> {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        let buckets = self.0.doublings();
        let count = buckets.iter().map(|(_, count)| count).sum();
        let sum = self.0.sum().as_secs_f64();
        encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}

//! Tests of access control, routes and metrics.

use super::*;

#[test]
fn what_there_is_not_is_told_in_json() {
    let site = site(Set::default());
    let reply = site.get("/candidates");
    assert_eq!(reply.error(404), "there is nothing at /candidates");
    for (head, allowed) in [
        ("GET /v1/candidates", "POST"),
        ("DELETE /v1/decisions", "POST,GET,HEAD"),
        ("POST /metrics", "GET,HEAD"),
        ("OPTIONS /v1/outcomes", "POST"),
    ] {
        let reply = site.ask(head, "");
        reply.error(405);
        let told = reply.headers.iter().find(|(name, _)| name == "allow");
        let mut told: Vec<&str> = told.unwrap().1.split(',').collect();
        let mut allowed: Vec<&str> = allowed.split(',').collect();
        told.sort_unstable();
        allowed.sort_unstable();
        assert_eq!(told, allowed, "{head}");
    }
}

#[test]
fn a_token_is_demanded_but_for_health() {
    let site = site(Set {
        token: Some("secret"),
        ..Set::default()
    });
    let ask = |header: &str| {
        let head = format!("POST /v1/candidates\r\nContent-Type: application/json{header}");
        site.ask(&head, person("a", 1))
    };
    for header in [
        "",
        "\r\nAuthorization: Bearer secreT",
        "\r\nAuthorization: Basic c2VjcmV0",
    ] {
        let reply = ask(header);
        reply.error(401);
        assert!(reply.is("www-authenticate", "Bearer realm=\"klero\""));
    }
    for path in ["/metrics", "/v1/decisions", "/nothing"] {
        site.get(path).error(401);
    }
    assert_eq!(site.get("/healthz").status, 200);
    assert_eq!(site.ids(), Vec::<String>::new());
    assert_eq!(ask("\r\nAuthorization: Bearer secret").status, 202);
    // What browsers make of klero:secret.
    assert_eq!(ask("\r\nAuthorization: Basic a2xlcm86c2VjcmV0").status, 202);
}

#[test]
fn pages_of_other_sites_are_kept_out() {
    let site = site(Set::default());
    let port = site.address.port();
    let own = format!("http://127.0.0.1:{port}");
    let head = "POST /v1/candidates\r\nContent-Type: application/json\r\n";
    for header in [
        "Host: evil.example",
        "Host: 127.0.0.1.evil.example:80",
        "Host: \u{e9}",
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1:1",
        "Sec-Fetch-Site: cross-site",
    ] {
        site.ask(&format!("{head}{header}"), person("a", 1))
            .error(403);
    }
    for header in ["Host: evil.example", "Origin: http://evil.example"] {
        site.ask(&format!("GET /v1/decisions\r\n{header}"), "")
            .error(403);
    }
    site.ask("GET http://evil.example/healthz", "").error(403);
    assert!(site.ids().is_empty());
    for (id, header) in [
        ("a", format!("Origin: {own}")),
        (
            "b",
            format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}"),
        ),
        ("c", format!("Host: [::1]:{port}")),
        ("d", "Sec-Fetch-Site: same-origin".into()),
    ] {
        let reply = site.ask(&format!("{head}{header}"), person(id, 1));
        assert_eq!(reply.status, 202, "{header}");
    }
    let mut connection = site.connect();
    connection.write(b"GET /healthz HTTP/1.1\r\n\r\n");
    connection.reply().error(400);
    let mut connection = site.connect();
    connection.write(b"GET /healthz HTTP/1.0\r\n\r\n");
    assert_eq!(connection.reply().status, 200);
}

#[test]
fn pages_of_listed_origins_may_ask() {
    let site = site(Set {
        token: Some("secret"),
        origins: &["https://example.org", "http://localhost:3000"],
        ..Set::default()
    });
    let allowed = |reply: &TestReply| {
        let headers = reply.headers.iter();
        let named = headers.filter(|(name, _)| name == "access-control-allow-origin");
        named.map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    let preflight = "OPTIONS /v1/decisions\r\nAccess-Control-Request-Method: POST\r\n\
                     Access-Control-Request-Headers: authorization,content-type";
    let reply = site.ask(&format!("{preflight}\r\nOrigin: https://example.org"), "");
    assert_eq!((reply.status, reply.text.as_str()), (204, ""));
    assert_eq!(allowed(&reply), ["https://example.org"]);
    for (name, value) in [
        ("access-control-allow-methods", "GET, POST"),
        ("access-control-allow-headers", "authorization,content-type"),
        ("access-control-max-age", "600"),
        ("vary", "origin"),
    ] {
        assert!(reply.is(name, value), "{name}: {reply:?}");
    }
    assert!(
        !reply
            .headers
            .iter()
            .any(|(name, _)| name.ends_with("private-network"))
    );
    let private = "Access-Control-Request-Private-Network: true";
    let reply = site.ask(
        &format!("{preflight}\r\nOrigin: https://example.org\r\n{private}"),
        "",
    );
    assert!(reply.is("access-control-allow-private-network", "true"));

    // The request itself needs the token still, and its page may read why it is refused.
    let post = "POST /v1/candidates\r\nContent-Type: application/json\r\n\
                Sec-Fetch-Site: cross-site\r\nOrigin: http://localhost:3000";
    let reply = site.ask(post, person("a", 1));
    reply.error(401);
    assert_eq!(allowed(&reply), ["http://localhost:3000"]);
    let token = "\r\nAuthorization: Bearer secret";
    let reply = site.ask(&format!("{post}{token}"), person("a", 1));
    assert_eq!(reply.status, 202);
    assert_eq!(allowed(&reply), ["http://localhost:3000"]);
    assert!(reply.is("access-control-expose-headers", "Retry-After"));

    for origin in [
        "https://example.org:8443",
        "http://example.org",
        "https://example.org.evil.example",
        "https://sub.example.org",
        "null",
    ] {
        for head in [&format!("{post}{token}"), preflight] {
            let head = head.replace("\r\nOrigin: http://localhost:3000", "");
            let reply = site.ask(&format!("{head}\r\nOrigin: {origin}"), "");
            let error = reply.error(403);
            assert_eq!(
                error, "the request comes from a page of another site",
                "{origin}"
            );
            assert!(allowed(&reply).is_empty());
            assert!(reply.is("vary", "origin"));
        }
    }
    // A listed origin opens no way for a name that was resolved to this machine.
    let rebound = format!("{post}{token}\r\nHost: evil.example");
    site.ask(&rebound, person("b", 1)).error(403);
    // Without a list no origin is named.
    let own = super::site(Set::default());
    let reply = own.ask(
        &format!("GET /healthz\r\nOrigin: http://{}", own.address),
        "",
    );
    assert_eq!((reply.status, allowed(&reply)), (200, vec![]));
    assert!(!reply.headers.iter().any(|(name, _)| name == "vary"));
    let reply = own.ask(
        &format!("{preflight}\r\nOrigin: http://{}", own.address),
        "",
    );
    reply.error(405);
    assert_eq!(site.ids(), ["a"]);
}

#[test]
fn health_tells_the_stage_and_what_waits() {
    let site = site(Set::default());
    site.watched.came(3);
    site.watched.gauges.deliveries.set(2);
    let health = serde_json::json!({
        "status": "ok",
        "stage": "following",
        "deliveries_waiting": 2,
        "committed_waiting": 3,
    });
    assert_eq!(site.get("/healthz").json(), health);
    site.watched.stage.send_replace(Stage::Replaying);
    assert_eq!(site.get("/healthz").json()["stage"], "replaying");
}

#[test]
fn metrics_are_the_gauges() {
    let site = site(Set::default());
    site.candidates(person("a", 2));
    site.get("/nothing");
    let gauges = &site.watched.gauges;
    gauges.accepted.set(7);
    gauges.lanes[1].held_back.add(2_500_000);
    gauges.lanes[1].latency.add(Duration::from_millis(1), 1);
    gauges.lanes[0].waiting.set(3);
    gauges.commit.add(Duration::from_millis(4), 2);
    gauges.decision.add(Duration::from_secs(3), 1);
    let reply = site.get("/metrics");
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert!(reply.status == 200 && reply.is("content-type", kind));
    let lines: Vec<&str> = reply.text.lines().collect();
    for line in [
        "# HELP klero_accepted Persons taken into the journal.",
        "# TYPE klero_accepted counter",
        "klero_accepted_total 7",
        "klero_decisions_total 2",
        "klero_journal_last_seq 1",
        "klero_stage{stage=\"following\"} 1",
        "klero_stage{stage=\"over\"} 0",
        "klero_lane_waiting{policy=\"greedy\"} 3",
        "klero_lane_held_back_seconds_total{policy=\"queue\"} 2.5",
        "# TYPE klero_commit_latency_seconds histogram",
        "klero_lane_latency_seconds_bucket{le=\"0.001024\",policy=\"queue\"} 1",
        "klero_commit_latency_seconds_count 2",
        "klero_commit_latency_seconds_sum 0.008",
        "klero_commit_latency_seconds_bucket{le=\"0.002048\"} 0",
        "klero_commit_latency_seconds_bucket{le=\"0.004096\"} 2",
        "klero_decision_latency_seconds_bucket{le=\"+Inf\"} 1",
        "klero_http_requests_total{path=\"/v1/candidates\",code=\"202\"} 1",
        "klero_http_requests_total{path=\"other\",code=\"404\"} 1",
        "# EOF",
    ] {
        assert!(lines.contains(&line), "{line} is not in\n{}", reply.text);
    }
}

#[test]
fn metrics_say_how_far_behind_lanes_elsewhere_are() {
    let site = site(Set::default());
    assert!(!site.get("/metrics").text.contains("klero_lane_behind"));
    let gauges = &site.watched.gauges;
    gauges.handed.set(50);
    for (lane, persons) in gauges.lanes.iter().zip([20, 49]) {
        lane.plays_elsewhere();
        lane.persons.set(persons);
    }
    gauges.lanes[0].damaged.add(3);
    gauges.lanes[1].heard.now();
    let text = site.get("/metrics").text;
    for line in [
        "# TYPE klero_lane_behind gauge",
        "klero_lane_behind{policy=\"greedy\"} 30",
        "klero_lane_behind{policy=\"queue\"} 1",
        "klero_lane_farthest_behind{policy=\"greedy\"} 1",
        "klero_lane_farthest_behind{policy=\"queue\"} 0",
        "klero_lane_damaged_total{policy=\"greedy\"} 3",
    ] {
        assert!(
            text.lines().any(|own| own == line),
            "{line} is not in\n{text}"
        );
    }
    let silent = |policy| format!("klero_lane_silent_seconds{{policy=\"{policy}\"}} ");
    let is_said = |policy| text.lines().any(|line| line.starts_with(&silent(policy)));
    assert!(is_said("queue") && !is_said("greedy"), "{text}");
}

#[test]
fn metrics_come_in_the_format_of_prometheus_where_that_is_asked_for() {
    let site = site(Set::default());
    site.candidates(person("a", 2));
    let reply = site.ask("GET /metrics\r\nAccept: text/plain;version=0.0.4", "");
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    assert!(reply.status == 200 && reply.is("content-type", kind));
    assert!(reply.is("vary", "accept"));
    let lines: Vec<&str> = reply.text.lines().collect();
    for line in [
        "# HELP klero_accepted_total Persons taken into the journal.",
        "# TYPE klero_accepted_total counter",
        "# TYPE klero_lane_held_back_seconds_total counter",
        "# TYPE klero_journal_last_seq gauge",
        "# TYPE klero_commit_latency_seconds histogram",
        "klero_decisions_total 2",
    ] {
        assert!(lines.contains(&line), "{line} is not in\n{}", reply.text);
    }
    assert!(!reply.text.contains("# EOF"));
    // The same samples as in OpenMetrics, but for that of the requests themselves.
    let open = site.get("/metrics").text;
    let samples = |text: &str| {
        let lines = text.lines();
        let lines = lines.filter(|line| !line.starts_with('#') && !line.contains("http_requests"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(samples(&reply.text), samples(&open));
}

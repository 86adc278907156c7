//! Bodies that are too long, and more than the recorder takes.

use super::*;

#[test]
fn what_is_too_long_is_refused_however_it_comes() {
    let site = site(Set {
        limits: Limits {
            body_bytes: 100_000,
            records: 1000,
            ..Limits::default()
        },
        ..Set::default()
    });
    let long = vec![b' '; 300_000];
    assert!(
        site.candidates(&long)
            .error(413)
            .contains("longer than 100000 bytes")
    );

    let mut connection = site.connect();
    let head =
        "POST /v1/candidates\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
    connection.request(head, b"");
    for _ in 0..30 {
        connection.write(b"2710\r\n");
        connection.write(&long[..10_000]);
        connection.write(b"\r\n");
    }
    connection.write(b"0\r\n\r\n");
    connection.reply().error(413);

    // One that waits for `100 Continue` gets a refusal.
    let mut connection = site.connect();
    let head = "POST /v1/candidates\r\nContent-Type: application/json\r\nContent-Length: \
                99999999\r\nExpect: 100-continue";
    connection.request(head, b"");
    connection.reply().error(413);

    let many = "{\"SEX\":1}\n".repeat(1001);
    assert!(
        site.candidates(many)
            .error(413)
            .contains("more than 1000 records")
    );
    let one = format!("{{\"SEX\":1,\"x\":\"{}\"}}", "y".repeat(1000));
    let error = site
        .post("/v1/candidates", "application/json", one)
        .error(413);
    assert!(error.contains("longer than 1000 bytes"));
    assert!(site.taken.lock().unwrap().is_empty());
    assert_eq!(site.candidates(person("a", 1)).status, 202);
}

#[test]
fn a_chunked_body_is_taken() {
    let site = site(Set::default());
    let mut connection = site.connect();
    let head =
        "POST /v1/candidates\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked";
    connection.request(head, b"");
    let body = format!("{}\n{}\n", person("a", 1), person("b", 2));
    for piece in body.as_bytes().chunks(7) {
        connection.write(format!("{:x}\r\n", piece.len()).as_bytes());
        connection.write(piece);
        connection.write(b"\r\n");
    }
    connection.write(b"0\r\n\r\n");
    assert_eq!(connection.reply().json()["accepted"], 2);
    assert_eq!(site.ids(), ["a", "b"]);
}

#[test]
fn long_lists_of_what_is_wrong_are_cut() {
    let site = site(Set::default());
    let reply = site.candidates(format!("{}\n{}", person("a", 1), "x\n".repeat(20_000)));
    let told = reply.json();
    assert_eq!(told["rejected"].as_array().unwrap().len(), 1000);
    assert_eq!(told["more_rejected"], 19_000);
    assert_eq!(told["last_seq"], 20_001);
}

#[test]
fn more_than_the_recorder_takes_is_refused_and_nothing_of_it_taken() {
    let site = site(Set {
        queue: 1,
        ..Set::default()
    });
    let held = site.gate.lock().unwrap();
    let (sender, statuses) = std::sync::mpsc::sync_channel(10);
    thread::scope(|scope| {
        for id in 0..10 {
            let (site, sender) = (&site, sender.clone());
            scope.spawn(move || {
                let reply = site.candidates(person(&id.to_string(), 1));
                if reply.status == 429 {
                    assert!(reply.is("retry-after", "1"));
                    assert!(reply.error(429).contains("journal"));
                }
                sender.send(reply.status).unwrap();
            });
        }
        // One at most is held by the recorder and one waits for it.
        let mut told: Vec<u16> = statuses.iter().take(8).collect();
        assert_eq!(told, [429; 8]);
        drop(held);
        told.extend(statuses.iter().take(2));
        let taken = told.iter().filter(|&&status| status == 202).count();
        assert!(taken > 0 && taken == site.ids().len(), "{told:?}");
    });
}

#[test]
fn too_much_under_way_is_refused() {
    let site = site(Set {
        limits: Limits {
            under_way: 64 << 10,
            ..Limits::default()
        },
        ..Set::default()
    });
    let held = site.gate.lock().unwrap();
    let body = format!("{{\"SEX\":1}}{}", " ".repeat(40_000));
    let mut first = site.connect();
    first.request(
        "POST /v1/candidates\r\nContent-Type: application/x-ndjson",
        body.as_bytes(),
    );
    site.until_held();
    let refused = site.candidates(&body);
    assert!(refused.error(429).contains("under way") && refused.is("retry-after", "1"));
    drop(held);
    first.reply();
    assert_eq!(site.candidates(&body).status, 202);
}

#[test]
fn who_waits_too_long_for_the_recorder_is_answered_and_known_afterwards() {
    let site = site(Set {
        limits: Limits {
            receipt: Duration::from_millis(20),
            ..Limits::default()
        },
        ..Set::default()
    });
    let shut = site.gate.lock().unwrap();
    for path in ["/v1/candidates", "/v1/decisions"] {
        let reply = site.post(path, "application/json", person("a", 1));
        assert!(reply.is("retry-after", "1"), "{path}: {reply:?}");
        let error = reply.error(429);
        assert_eq!(error, "more came than the policies could decide", "{path}");
    }
    drop(shut);
    // It waited, and was taken once.
    let reply = site.candidates(person("b", 1));
    assert_eq!(reply.json()["accepted"], 1);
    let reply = site.candidates(person("a", 1));
    assert_eq!(reply.json()["duplicates"], 1);
}

#[test]
fn while_many_wait_others_are_refused_at_once_and_the_run_can_be_asked() {
    let site = site(Set {
        limits: Limits {
            waiting: 1,
            ..Limits::default()
        },
        ..Set::default()
    });
    let shut = site.gate.lock().unwrap();
    let mut waiting = site.connect();
    let head = "POST /v1/candidates\r\nContent-Type: application/json";
    waiting.request(head, person("a", 1).as_bytes());
    while site.watched.gauges.deliveries.get() == 0 {
        thread::yield_now();
    }
    for path in ["/v1/candidates", "/v1/decisions", "/v1/outcomes"] {
        let reply = site.post(path, "application/json", person("c", 1));
        assert!(reply.is("retry-after", "1"), "{path}: {reply:?}");
        assert_eq!(reply.error(429), "too many requests wait", "{path}");
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(site.get(path).status, 200, "{path}");
    }
    drop(shut);
    assert_eq!(waiting.reply().status, 202);
}

#[test]
fn a_recorder_that_failed_is_no_end_of_the_run() {
    let site = site(Set::default());
    site.watched.fail();
    for _ in 0..2 {
        // The recorder ends with the first.
        let reply = site.candidates(person("halt", 1));
        assert!(reply.is("retry-after", "1"), "{reply:?}");
        assert_eq!(reply.error(503), "the recorder has failed");
    }
}

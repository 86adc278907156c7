//! Clients that are slow, go away, or come in crowds.

use super::*;

const HEAD: &str = "POST /v1/candidates\r\nContent-Type: application/x-ndjson";

fn hasty() -> Site {
    site(Set {
        limits: Limits {
            head: Duration::from_millis(300),
            pause: Duration::from_millis(300),
            body: Duration::from_millis(1500),
            ..Limits::default()
        },
        ..Set::default()
    })
}

#[test]
fn a_head_that_trickles_in_is_cut_off() {
    let site = hasty();
    let mut connection = site.connect();
    for byte in "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
        .bytes()
        .chain([b'x'; 200])
    {
        thread::sleep(Duration::from_millis(10));
        if !connection.try_write(&[byte]) {
            break;
        }
    }
    // Either it is closed or it broke off because something was sent after that.
    connection.ends();
    let mut idle = site.connect();
    idle.request("GET /healthz", b"");
    assert_eq!(idle.reply().status, 200);
    assert!(idle.ends());
}

/// Heads that trickle in hold all places: each that has asked nothing for a while gives its place
/// to the next, and a follower that is served keeps it.
#[test]
fn slow_heads_hold_nobody_up() {
    let site = site(Set {
        limits: Limits {
            connections: 4,
            idle: Duration::from_millis(100),
            head: Duration::from_secs(600),
            ..Limits::default()
        },
        ..Set::default()
    });
    let mut follower = site.connect();
    follower.request("GET /v1/decisions", b"");
    assert_eq!(follower.head().status, 200);
    assert_eq!(follower.event(), "retry: 1000");
    let slow: Vec<_> = (0..12)
        .map(|_| {
            let mut slow = site.connect();
            slow.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
            slow
        })
        .collect();
    assert_eq!(site.ask("GET /healthz", "").status, 200);
    assert_eq!(site.candidates(person("a", 2)).status, 202);
    assert!(follower.event().starts_with("id: 0 event: decision"));
    drop(slow);
}

/// Connections whose bodies trickle in.
fn slow_bodies(site: &Site, many: usize) -> Vec<TestConnection> {
    let begun = |_| {
        let mut slow = site.connect();
        slow.request(&format!("{HEAD}\r\nContent-Length: 1000"), b"");
        slow.write(b"{");
        slow
    };
    (0..many).map(begun).collect()
}

/// A request has a place among those that wait once its body is there.
#[test]
fn slow_bodies_take_no_place_of_those_that_wait() {
    let site = site(Set {
        limits: Limits {
            waiting: 2,
            ..Limits::default()
        },
        ..Set::default()
    });
    let slow = slow_bodies(&site, 20);
    for n in 0..20 {
        assert_eq!(site.candidates(person(&format!("p{n}"), 1)).status, 202);
    }
    drop(slow);
}

/// Bodies that trickle in hold all connections: each gives its own to the next, and a body that comes
/// at a fair pace keeps it.
#[test]
fn slow_bodies_give_their_connections_to_others() {
    let site = site(Set {
        limits: Limits {
            connections: 4,
            idle: Duration::from_millis(100),
            pause: Duration::from_secs(600),
            body: Duration::from_secs(600),
            ..Limits::default()
        },
        ..Set::default()
    });
    let mut fair = site.connect();
    let record = person("fair", 1);
    let text = format!("{record}\n{}", " ".repeat(4096));
    fair.request(&format!("{HEAD}\r\nContent-Length: {}", text.len()), b"");
    fair.write(&text.as_bytes()[..text.len() - 1]);
    let slow = slow_bodies(&site, 12);
    assert_eq!(site.ask("GET /healthz", "").status, 200);
    assert_eq!(site.candidates(person("a", 2)).status, 202);
    fair.write(b" ");
    assert_eq!(fair.reply().status, 202);
    drop(slow);
}

#[test]
fn a_body_that_stands_still_or_takes_too_long_is_refused() {
    let site = hasty();
    let mut connection = site.connect();
    connection.request(&format!("{HEAD}\r\nContent-Length: 100"), b"");
    connection.write(b"{\"SEX\"");
    let reply = connection.reply();
    assert!(reply.error(408).contains("nothing more of the body came"));
    assert!(connection.ends());

    let mut connection = site.connect();
    connection.request(&format!("{HEAD}\r\nContent-Length: 100000"), b"");
    while connection.try_write(b" ") && !connection.has_answer() {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(connection.reply().error(408).contains("took more than"));
    assert!(site.taken.lock().unwrap().is_empty());
    assert_eq!(site.candidates(person("a", 1)).status, 202);
}

#[test]
fn a_client_that_has_said_all_is_answered() {
    let site = site(Set::default());
    let mut connection = site.connect();
    connection.request(HEAD, person("a", 1).as_bytes());
    connection.finish_writing();
    assert_eq!(connection.reply().status, 202);
    assert!(connection.ends());
}

#[test]
fn half_a_body_is_nothing() {
    let site = site(Set::default());
    let mut connection = site.connect();
    connection.request(&format!("{HEAD}\r\nContent-Length: 1000"), b"");
    connection.write(format!("{}\n", person("a", 1)).as_bytes());
    connection.finish_writing();
    connection.ends();
    drop(site.connect());
    assert_eq!(site.candidates(person("b", 1)).status, 202);
    assert_eq!(site.ids(), ["b"]);
}

#[test]
fn what_a_client_handed_in_before_it_went_is_taken_once() {
    let site = site(Set::default());
    let held = site.gate.lock().unwrap();
    let mut connection = site.connect();
    connection.request(HEAD, person("a", 1).as_bytes());
    site.until_held();
    drop(connection);
    let mut connection = site.connect();
    connection.request(
        HEAD.replace("candidates", "decisions").as_str(),
        person("b", 1).as_bytes(),
    );
    connection.finish_writing();
    drop(held);
    assert_eq!(connection.reply().status, 200);
    assert_eq!(site.candidates(person("a", 1)).json()["duplicates"], 1);
    assert_eq!(site.ids(), ["a", "b"]);
}

#[test]
fn requests_that_come_at_once_are_answered_in_order() {
    let site = site(Set::default());
    let mut connection = site.connect();
    let mut text = String::new();
    for id in 0..20 {
        let body = person(&id.to_string(), 1);
        let length = body.len();
        text += &format!(
            "POST /v1/candidates HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \
             application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
    }
    connection.write(text.as_bytes());
    for id in 0..20 {
        assert_eq!(connection.reply().json()["seq"], id + 1);
    }
    let ids: Vec<String> = (0..20).map(|id| id.to_string()).collect();
    assert_eq!(site.ids(), ids);
}

#[test]
fn of_a_crowd_nobody_is_lost_or_doubled() {
    let site = site(Set {
        limits: Limits {
            connections: 100,
            ..Limits::default()
        },
        ..Set::default()
    });
    let told: Vec<(u16, u64)> = thread::scope(|scope| {
        let post = |id: usize| {
            let site = &site;
            // Every tenth is a repeat.
            let id = if id % 10 == 9 { id - 1 } else { id };
            scope.spawn(move || {
                let reply = site.candidates(person(&id.to_string(), 1));
                (reply.status, reply.json()["seq"].as_u64().unwrap_or(0))
            })
        };
        let posts: Vec<_> = (0..1000).map(post).collect();
        posts.into_iter().map(|post| post.join().unwrap()).collect()
    });
    assert!(told.iter().all(|(status, _)| *status == 202));
    let mut seqs: Vec<u64> = told
        .iter()
        .map(|(_, seq)| *seq)
        .filter(|&seq| seq > 0)
        .collect();
    seqs.sort_unstable();
    assert_eq!(seqs, (1..=900).collect::<Vec<u64>>());
    let mut ids: Vec<usize> = site.ids().iter().map(|id| id.parse().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..1000).filter(|id| id % 10 != 9).collect::<Vec<_>>());
}

#[test]
fn a_large_body_keeps_nobody_waiting_and_is_taken_whole() {
    let site = site(Set::default());
    let many: String = (0..50_000)
        .map(|n| person(&n.to_string(), 1) + "\n")
        .collect();
    thread::scope(|scope| {
        let large = scope.spawn(|| site.candidates(&many).json()["accepted"].clone());
        while !large.is_finished() {
            assert_eq!(site.get("/healthz").status, 200);
        }
        assert_eq!(large.join().unwrap(), 50_000);
    });
    assert_eq!(site.ids().len(), 50_000);
}

#[test]
fn what_is_under_way_when_the_server_stops_may_end_but_not_for_ever() {
    let mut site = site(Set {
        limits: Limits {
            farewell: Duration::from_millis(500),
            ..Limits::default()
        },
        ..Set::default()
    });
    let gate = site.gate.clone();
    let held = gate.lock().unwrap();
    let mut waiting = site.connect();
    waiting.request(HEAD, person("a", 1).as_bytes());
    site.until_held();
    let mut asking = site.connect();
    asking.request(&format!("{HEAD}\r\nContent-Length: 10"), b"");
    let stop = site.stop.clone();
    stop.send_replace(true);
    drop(held);
    let reply = waiting.reply();
    assert!(reply.status == 202 && waiting.ends());
    site.close();
    asking.ends();
}

#[test]
fn rubbish_is_no_request() {
    let site = site(Set::default());
    for rubbish in [
        "\x16\x03\x01\x02\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
    ] {
        let mut connection = site.connect();
        connection.write(rubbish.as_bytes());
        assert_eq!(connection.head().status, 400);
    }
    let mut connection = site.connect();
    let head = format!("GET /healthz HTTP/1.1\r\nX: {}\r\n", "x".repeat(1 << 20));
    connection.try_write(head.as_bytes());
    connection.ends();
    assert_eq!(site.get("/healthz").status, 200);
}

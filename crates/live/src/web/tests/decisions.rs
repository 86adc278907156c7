//! A decision for the asking.

use serde_json::json;

use super::*;

fn ask(site: &Site, id: &str, sex: u8) -> TestReply {
    site.post("/v1/decisions", "application/json", person(id, sex))
}

#[test]
fn each_policy_s_decision_is_told_and_the_acting_one_s_apart() {
    let site = site(Set {
        acting: Some(0),
        ..Set::default()
    });
    site.watched.note_acted(u64::MAX);
    let reply = ask(&site, "a", 2);
    let lane = |decision: &str| json!({"decision": decision, "p": 0.5, "reason": {"need": 1.5}, "cost": 0.0});
    let answer = json!({
        "seq": 1, "round": 1, "acting": "greedy", "decision": "selected",
        "policies": {"greedy": lane("selected"), "queue": lane("not_selected")},
    });
    assert_eq!((reply.status, reply.json()), (200, answer.clone()));
    assert_eq!(ask(&site, "b", 1).json()["decision"], "not_selected");

    let mut again = answer;
    again["duplicate"] = true.into();
    assert_eq!((ask(&site, "a", 2).json(), site.ids().len()), (again, 2));
}

#[test]
fn the_acting_policy_s_answer_waits_for_no_shadow() {
    let site = site(Set {
        limits: Limits {
            decision: Duration::from_millis(200),
            ..Limits::default()
        },
        acting: Some(0),
        ..Set::default()
    });
    site.watched.note_acted(u64::MAX);
    let reply = ask(&site, "alone", 2);
    let policies = reply.json()["policies"].clone();
    assert_eq!(
        (reply.status, &reply.json()["decision"]),
        (200, &json!("selected"))
    );
    assert_eq!(policies["greedy"]["decision"], "selected");
    assert_eq!(policies.get("queue"), None);
    let all = |query: &str| {
        let path = format!("/v1/decisions?{query}");
        site.post(&path, "application/json", person("alone", 2))
    };
    let reply = all("wait=all");
    assert_eq!(
        (reply.status, &reply.json()["note"]),
        (202, &json!("undecided yet"))
    );
    for query in ["wait=none", "wiat=all"] {
        let error = all(query).error(400);
        assert!(error.contains("what follows `?` is not known"), "{error}");
    }
}

#[test]
fn lanes_that_ended_tell_how() {
    let site = site(Set::default());
    let told = ask(&site, "last", 2).json();
    assert_eq!(
        (&told["acting"], &told["decision"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(told["policies"]["queue"], json!({"ended": "stalled"}));
    assert_eq!(told["policies"]["greedy"]["decision"], "selected");
}

#[test]
fn a_forfeit_is_told_as_one() {
    let site = site(Set {
        acting: Some(0),
        ..Set::default()
    });
    site.watched.note_acted(u64::MAX);
    let told = ask(&site, "late", 1).json();
    assert_eq!(told["decision"], "forfeit");
    assert_eq!(told["policies"]["greedy"]["decision"], "forfeit");
}

#[test]
fn what_takes_long_is_told_later() {
    let site = site(Set {
        limits: Limits {
            decision: Duration::from_millis(200),
            ..Limits::default()
        },
        ..Set::default()
    });
    let reply = ask(&site, "later", 2);
    let told = reply.json();
    assert_eq!(
        (reply.status, &told["note"], &told["seq"]),
        (202, &json!("undecided yet"), &json!(1))
    );
    decide(&site.watched, 1, true, "later");
    let reply = ask(&site, "later", 2);
    assert_eq!(
        (reply.status, &reply.json()["duplicate"]),
        (200, &json!(true))
    );
}

#[test]
fn one_decided_later_is_told_then_and_to_all_that_ask() {
    let site = site(Set::default());
    thread::scope(|scope| {
        let asking = || scope.spawn(|| ask(&site, "later", 2));
        let asked = [asking(), asking(), asking()];
        while site.watched.gauges.deliveries.get() < 3 {
            thread::sleep(Duration::from_millis(1));
        }
        decide(&site.watched, 1, true, "later");
        let told = asked.map(|asked| asked.join().unwrap());
        assert!(told.iter().all(|reply| reply.status == 200), "{told:?}");
        let first = told
            .iter()
            .filter(|reply| reply.json().get("duplicate").is_none());
        assert_eq!(first.count(), 1);
        assert!(
            told.iter()
                .all(|reply| reply.json()["policies"] == told[0].json()["policies"])
        );
    });
    assert_eq!(site.ids(), ["later"]);
}

#[test]
fn the_acting_decision_is_told_once_it_is_committed() {
    let site = site(Set {
        limits: Limits {
            decision: Duration::from_millis(200),
            ..Limits::default()
        },
        acting: Some(1),
        ..Set::default()
    });
    assert_eq!(ask(&site, "a", 2).status, 202);
    site.watched.note_acted(1);
    assert_eq!(ask(&site, "a", 2).json()["decision"], "not_selected");
    // Once it has ended there is nothing to commit, and no policy decides.
    let reply = ask(&site, "last", 2);
    let error = reply.error(503);
    assert!(error.contains("queue acts no more (stalled)"), "{error}");
    assert_eq!(reply.json()["seq"], 2);
}

#[test]
fn a_repeat_whose_decision_is_known_no_more_is_a_conflict() {
    let site = site(Set::default());
    site.candidates(person("a", 1));
    let error = ask(&site, "a", 1).error(409);
    assert!(error.contains("came before"), "{error}");
    assert_eq!(ask(&site, "b", 1).status, 200);
    let many = (0..5000).map(|n| person(&n.to_string(), 1) + "\n");
    let many: String = many.collect();
    assert_eq!(site.candidates(many).json()["accepted"], 5000);
    ask(&site, "b", 1).error(409);
}

#[test]
fn what_can_t_be_decided_is_refused() {
    let site = site(Set::default());
    let post = |body: &str| site.post("/v1/decisions", "application/json", body);
    assert_eq!(
        post("{\"id\":\"a\"}").error(422),
        "1 of 1 records can't be read"
    );
    assert_eq!(site.refused(), [(1, "{\"id\":\"a\"}".into())]);
    post("{\"STATE\":\"off\"}").error(422);
    post("[{\"SEX\":1},{\"SEX\":1}]").error(422);
    post("[{\"SEX\":1},{\"STATE\":\"off\"}]").error(422);
    let unreadable = &site.watched.gauges.unreadable;
    assert_eq!(unreadable.get(), 0);
    post("rubbish").error(400);
    assert_eq!(
        unreadable.get(),
        1,
        "a body without a record is counted too"
    );
    assert!(site.ids().is_empty());
    assert_eq!(post("[{\"SEX\":1}]").status, 200);
}

#[test]
fn runs_that_decide_about_many_at_once_say_so() {
    let site = site(Set {
        decides: false,
        ..Set::default()
    });
    ask(&site, "a", 1).error(409);
    assert!(site.ids().is_empty());
}

#[test]
fn who_waits_when_the_last_lane_ends_is_told() {
    let site = site(Set::default());
    thread::scope(|scope| {
        let asked = scope.spawn(|| ask(&site, "later", 2));
        site.until_held();
        // It may be asking still, or waiting already.
        while site.ids().is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(50));
        site.watched.stage.send_replace(Stage::Over);
        let reply = asked.join().unwrap();
        reply.error(410);
        assert_eq!(reply.json()["seq"], 1);
    });
}

//! What interviewers and the organiser are told where something can't be taken.

use super::kit::{
    HTTP, PEOPLE, TWO, again, answer_all, config, entries, get, open, people, place, refused,
};
use crate::support::process::{Place, ask, live, post};
use crate::support::says::Says as _;

#[test]
fn what_contradicts_or_is_about_nothing_is_refused_and_says_why() {
    let place = place("");
    let mut run = place.start(&live("run"));
    let address = run.feed();
    refused(
        address,
        "/v1/slates",
        "{}",
        409,
        &["no candidate is on the slate"],
    );
    refused(address, "/v1/slates", "[]", 400, &[]);
    refused(address, "/v1/slates", "7", 422, &["no object", "{}"]);
    refused(
        address,
        "/v1/slates",
        "{\"raund\":1}",
        422,
        &["no member `raund`"],
    );
    refused(address, "/v1/slates", "{\"round\":0}", 422, &["from 1"]);
    post(address, "/v1/candidates", &people());
    refused(
        address,
        "/v1/slates",
        "{\"round\":2}",
        409,
        &["that of round 1"],
    );
    refused(
        address,
        "/v1/withdrawals",
        "{\"candidate\":\"zoe\"}",
        422,
        &["no candidate of this id"],
    );
    let gone = "{\"candidate\":\"p7\"}";
    assert_eq!(post(address, "/v1/withdrawals", gone)["accepted"], 1);
    assert_eq!(post(address, "/v1/withdrawals", gone)["duplicates"], 1);
    assert_eq!(post(address, "/v1/slates", "{}")["candidates"], 59);
    refused(
        address,
        "/v1/slates",
        "{}",
        409,
        &["the last slate was closed"],
    );
    let late = "{\"id\":\"late\",\"gender\":\"F\"}";
    refused(
        address,
        "/v1/candidates",
        late,
        409,
        &["the last slate is closed"],
    );
    // Who came before is known still.
    assert_eq!(post(address, "/v1/candidates", &people())["duplicates"], 60);

    let first = open(address, 1, TWO).expect("something is asked");
    first.says("\"p0\"");
    let look = |candidate: &str, kind: &str, value: &str| {
        format!("{{\"candidate\":\"{candidate}\",\"kind\":\"{kind}\",\"value\":{value}}}")
    };
    let unasked = ["no policy wants this interview", "GET /v1/looks"];
    refused(
        address,
        "/v1/looks",
        &look("zoe", "phone", "1"),
        422,
        &unasked,
    );
    refused(
        address,
        "/v1/looks",
        &look("p0", "visit", "1"),
        422,
        &unasked,
    );
    let (phon, far) = (look("p0", "phon", "1"), look("p0", "phone", "21"));
    refused(address, "/v1/looks", &phon, 422, &["did you mean `phone`?"]);
    refused(address, "/v1/looks", &far, 422, &["from 0 to 20"]);
    refused(
        address,
        "/v1/looks",
        &look("p7", "phone", "1"),
        422,
        &["withdrew"],
    );
    refused(
        address,
        "/v1/looks",
        "{}",
        422,
        &["`candidate` is missing", "`kind` is missing"],
    );
    assert_eq!(post(address, "/v1/looks", &first)["accepted"], 1);
    assert_eq!(post(address, "/v1/looks", &first)["duplicates"], 1);
    let other = first.replace("\"value\":", "\"value\":1");
    refused(
        address,
        "/v1/looks",
        &other,
        409,
        &["answered before", "that holds"],
    );
    // After the slate is closed: no interview of theirs is held any more, and no other in the round.
    post(address, "/v1/withdrawals", "{\"candidate\":\"p9\"}");
    let open_now = get(address, "/v1/looks")["looks"].to_string();
    open_now.never_says("\"p9\"");
    open_now.says("\"p8\"");
    assert!(
        get(address, "/v1/looks?all=true")
            .to_string()
            .contains("withdrawn")
    );
    let (status, answer) = ask(address, "GET", "/v1/looks?all=perhaps", "");
    assert!(
        status == 400 && answer.contains("true or false"),
        "{answer}"
    );
    let metrics = ask(address, "GET", "/metrics", "").1;
    let counted = "klero_looks{state=\"answered\"} 1\n";
    metrics.says(counted);
    answer_all(address);
    run.hears("no lane plays any more");
    refused(
        address,
        "/v1/looks",
        &look("zoe", "phone", "1"),
        422,
        &unasked,
    );
    refused(
        address,
        "/v1/candidates",
        late,
        410,
        &["no lane runs any more"],
    );
    assert_eq!(run.stop().0, Some(0));
    // Who withdrew before the slate was closed was shown to no policy.
    assert!(!place.read("run/decisions.ndjson").contains("\"p7\""));
    let rows = place.read("run/replications.csv");
    rows.says("0,SWAP,looks_unanswered,,1");
    assert_eq!(entries(&place, "run", "withdrawal").len(), 2);
    again(&place, "run");
}

/// A pool of the people's groups.
const POOL: &str = "[pool]\ntype = \"fixed\"\nby = \"gender\"\nstart = { F = 0.5, M = 0.5 }\n";

#[test]
fn a_run_without_interviewers_has_no_desk_and_a_slate_of_a_size_closes_itself() {
    let place = Place::new();
    let text = config(HTTP, "type = \"people\"", TWO, "");
    let (rules, _) = text
        .split_once("[feedback.interview]")
        .expect("there is one");
    let rules = rules.split("interviews =").next().expect("rules");
    let text = format!(
        "{}[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n",
        rules
            .replace("slate = \"all\"", "slate = 1")
            .replace("{ exactly = 8 }", "\"any\"")
    );
    place.write("http.toml", &text);
    let mut run = place.start(&live("run"));
    let address = run.feed();
    refused(address, "/v1/slates", "{}", 409, &["number of people"]);
    refused(
        address,
        "/v1/looks",
        "{\"candidate\":\"a\",\"value\":1}",
        404,
        &["no interviewer"],
    );
    let (status, answer) = ask(address, "GET", "/v1/looks", "");
    assert!(
        status == 404 && answer.contains("no interviewer"),
        "{answer}"
    );
    run.kill();

    for (text, words) in [
        (
            config(
                HTTP,
                "type = \"people\"",
                TWO,
                "[live]\nclose = \"soon\"\nlook_deadline = \"0s\"",
            ),
            &["`live.close`", "`live.look_deadline`", "36h"][..],
        ),
        (
            config(
                HTTP,
                "type = \"people\"",
                TWO,
                "[live]\nclose = \"2026-12-01T18:00:00\"",
            ),
            &["an instant without a zone", "or Z for UTC"],
        ),
        (
            config(
                HTTP,
                "type = \"people\"",
                TWO,
                "[live]\nclose = \"2026-13-01T18:00:00Z\"",
            ),
            &["an instant, such as", "`live.close`"],
        ),
        (
            config(
                HTTP,
                "type = \"people\"",
                TWO,
                "[live]\nclose = \"2026-12-01\"",
            ),
            &["an instant, such as", "`live.close`"],
        ),
        (
            config(HTTP, "type = \"people\"", TWO, "[live]\nclose = \"2d\"")
                .replace("slate = \"all\"", "slate = 60"),
            &["no slate of this run is closed by its time"],
        ),
        (
            config(
                HTTP,
                "type = \"gaussian_looks\"",
                TWO,
                "[live]\nlook_deadline = \"2d\"",
            ),
            &[
                "no one is asked to hold interviews",
                "worth nothing in particular",
            ],
        ),
        (
            config(HTTP, "type = \"people\"", TWO, POOL),
            &["a pool musters slates of a size", "slate = 10"],
        ),
        (
            config(HTTP, "type = \"people\"\nrange = [3, 1]", TWO, ""),
            &["the least and the greatest value"],
        ),
    ] {
        place.write("wrong.toml", &text);
        let (code, _, stderr) = place.run(&["check", "wrong.toml"]);
        assert_eq!(code, Some(2), "{stderr}");
        for words in words {
            assert!(stderr.contains(words), "{words}: {stderr}");
        }
    }
    place.write("stdin.toml", &config("type = \"stdin\"", PEOPLE, TWO, ""));
    let args = ["live", "stdin.toml", "--no-board", "--out", "none"];
    let (code, _, stderr) = place.run(&args);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("at the address of the board") && !place.path("none").exists(),
        "{stderr}"
    );
    let (code, _, stderr) = place.run(&["run", "stdin.toml"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("keeps no journal");
    stderr.says("klero live");
}

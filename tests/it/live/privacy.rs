//! Hidden identities.

use std::io::Write;

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, ask, ask_with, live, post};
use crate::support::says::Says as _;

#[test]
fn no_file_but_the_journal_names_a_candidate() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let hidden = ["--hide-identities", "--drop-attributes", "age", "--people"];
    let mut run = place.start(&[&live("run")[..], &hidden].concat());
    let address = run.feed();
    let people = people(40);
    post(address, "/v1/candidates", &lines(&people[..20]));
    post(
        address,
        "/v1/candidates",
        "{\"id\":\"p900\",\"SEX\":\"7\"}\n{\"id\":\"p20\",\"AGEP\":30,\"SEX\":\"1\"}",
    );
    let first = place.read("run/bad.ndjson");
    run.kill();
    let mut run = place.start(&["resume", "run"]);
    post(run.feed(), "/v1/candidates", &lines(&people[21..]));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    assert_eq!(place.read("run/bad.ndjson"), first);
    let selected = place.read("run/selected.csv");
    assert!(
        selected.starts_with("replication,policy,round,id,sex\n"),
        "{selected}"
    );
    // Who resumes the run need not ask for the list again.
    let shown = place.read("run/people.csv");
    assert!(
        shown.starts_with("replication,policy,round,id,selected,sex\n"),
        "{shown}"
    );
    for name in [
        "decisions.ndjson",
        "selected.csv",
        "people.csv",
        "bad.ndjson",
    ] {
        let text = place.read(&format!("run/{name}"));
        for n in (0..40).chain([900]) {
            for id in [format!("\"p{n}\""), format!(",p{n},")] {
                assert!(!text.contains(&id), "{name} names p{n}");
            }
        }
    }
    // One name a person, all along.
    let row = selected.lines().nth(1).expect("somebody");
    let name = row.split(',').nth(3).expect("a name");
    assert_eq!(name.len(), 16);
    assert!(place.read("run/decisions.ndjson").contains(name));
    // Who has the journal may ask by id.
    let (code, stdout, stderr) = place.run(&["trace", "run", "--candidate", "p3"]);
    assert_eq!(code, Some(0), "{stderr}");
    let note = stderr
        .split("p3 is called ")
        .nth(1)
        .expect("what p3 is called");
    stdout.says(&note[..16]);
}

#[test]
fn a_record_that_ends_the_stream_costs_no_results_and_is_not_printed_either() {
    let place = Place::new();
    let source = "type = \"stdin\"\non_error = \"halt\"";
    place.write("stdin.toml", &config(source, "until = { rounds = 40 }", ""));
    let people = lines(&people(5)) + "{\"id\":\"Secretary\",\"AGEP\":30,\"SEX\":\"Secret\"}\n";
    for command in [
        &["live", "stdin.toml", "--no-board", "--hide-identities"][..],
        &["run", "stdin.toml"],
    ] {
        let mut run = place.start(&[command, &["--out", command[0]]].concat());
        let mut stdin = run.stdin.take().expect("piped");
        stdin.write_all(people.as_bytes()).expect("it reads");
        drop(stdin);
        let (code, stdout, stderr) = run.end();
        assert_eq!(code, Some(1), "{stderr}");
        stderr.says("line 6 of the feed");
        stderr.says("what came before");
        stdout.says("queue");
        let files = ["summary.json", "replications.csv"];
        let files = files.map(|name| place.read(&format!("{}/{name}", command[0])));
        assert!(files[0].contains("source_failed"), "{}", files[0]);
        if command[0] == "run" {
            continue;
        }
        let bad = place.read("live/bad.ndjson");
        let (_, _, stderr) = place.run(&["trace", "live"]);
        stderr.says("klero replay live --trace decisions --out OTHER");
        for text in [stdout, stderr, bad].iter().chain(&files) {
            text.never_says("Secret");
        }
    }
}

#[test]
fn an_attribute_that_is_not_there_is_reported() {
    let place = Place::new();
    let (code, _, stderr) = place.run(&["run", "--drop-attributes", "gendre", "--out", "x"]);
    assert_eq!(code, Some(2));
    stderr.says("did you mean gender?");
    assert!(!place.path("x").exists());
}

/// A token that is set is demanded on loopback too, of the feed and of the board; the first step
/// that the run prints shows it.
#[test]
fn a_token_that_is_set_is_demanded_of_this_machine_too() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let token = "0123456789abcdef";
    let mut run = place.start_with(&live("run"), &[("KLERO_TOKEN", token)]);
    let address = run.feed();
    let person = &people(1)[0];
    assert_eq!(ask(address, "POST", "/v1/candidates", person).0, 401);
    assert_eq!(ask(address, "GET", "/healthz", "").0, 200);
    let kind = "content-type: application/json\r\n";
    for (shown, status) in [("0123456789abcdee", 401), (token, 202)] {
        let headers = format!("{kind}authorization: Bearer {shown}\r\n");
        let (code, answer) = ask_with(address, "POST", "/v1/candidates", &headers, person);
        assert_eq!(code, status, "{answer}");
    }
    assert_eq!(run.stop().0, Some(130));
}

/// A token that can be none opens no server: whoever sets the variable means to have one. Also
/// where the config gives no address, and the board takes its own.
#[test]
fn a_token_that_is_empty_or_no_good_serves_nothing() {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let stdin = "type = \"stdin\"";
    place.write("stdin.toml", &config(stdin, "until = { rounds = 40 }", ""));
    let tcp = "type = \"tcp\"\naddress = \"127.0.0.1:0\"";
    place.write("tcp.toml", &config(tcp, "until = { rounds = 40 }", ""));
    for (token, words) in [
        ("", "the token is empty"),
        ("0123456789abcde", "the token is shorter than 16"),
        ("0123456789 abcdef", "the token has blanks"),
    ] {
        for args in [
            &["http.toml", "--no-board"][..],
            &["http.toml"],
            &["stdin.toml"],
            &["tcp.toml", "--no-board"],
        ] {
            let args = [&["live"], args, &["--out", "run"]].concat();
            let (code, _, stderr) = place.run_with(&args, &[("KLERO_TOKEN", token)]);
            assert_eq!(code, Some(2), "{args:?}: {stderr}");
            for word in [words, "KLERO_TOKEN", "  help: ", "or unset it"] {
                stderr.says(word);
            }
            assert!(!stderr.contains("board: http"), "{args:?}: {stderr}");
            assert!(!place.path("run").exists(), "{args:?}");
        }
    }
    // Where nothing is served no token is demanded, and none is asked for.
    let args = ["live", "stdin.toml", "--no-board", "--out", "run"];
    let (code, _, stderr) = place.run_with(&args, &[("KLERO_TOKEN", "")]);
    assert!(code != Some(2), "{stderr}");
}

/// Other users of the machine read nothing of a run: not the records, not the key of hidden names.
#[test]
fn the_files_of_a_run_are_its_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 9 }", ""));
    let mut run = place.start(&live("run"));
    post(run.feed(), "/v1/candidates", &lines(&people(5)));
    place.good(&["journal", "backup", "run", "copy"]);
    assert_eq!(run.stop().0, Some(130));
    place.good(&["replay", "run", "--people", "--out", "again"]);
    for folder in ["run", "copy", "again"] {
        let mode = |path: &std::path::Path| {
            std::fs::metadata(path)
                .expect("it is there")
                .permissions()
                .mode()
                & 0o777
        };
        let path = place.path(folder);
        assert_eq!(mode(&path), 0o700, "{folder}");
        for file in std::fs::read_dir(&path).expect("a folder") {
            let file = file.expect("a file").path();
            let wanted = if file.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode(&file), wanted, "{}", file.display());
        }
    }
}

/// Programs that say whom they were shown, each in another way, in round 4.
const TELL: [&str; 5] = [
    r#"echo "junk $message""#,
    r#"echo "oops $message" >&2; exit 3"#,
    r#"echo "{\"type\":\"$id\"}""#,
    r#"echo "{\"type\":\"interview\",\"looks\":[{\"slot\":0,\"kind\":\"$id\"}]}""#,
    r#"echo "{\"type\":\"select\",\"round\":4,\"chosen\":[0],\"measures\":{\"$id\":1e300}}""#,
];

/// A config of these people and of a program that plays well until round 4.
fn telling(source: &str, fault: &str) -> String {
    let program = format!(
        r#"read -r hello; echo '{{"type":"ready"}}'; n=0
while read -r message; do
  case $message in *'"bye"'*) exit 0;; *'"slate"'*) ;; *) continue;; esac
  n=$((n+1)); id=$(echo "$message" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  if [ $n -eq 4 ]; then {fault}; fi
  echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}}"
done"#
    );
    let policy = format!(
        "[[policy]]\nlabel = \"telling\"\nkind = \"exec\"\ncommand = [\"sh\", \"-c\", '''{program}''']\n"
    );
    config(source, "until = { rounds = 12 }", &policy)
}

/// What a program says may name people: nothing of it leaves a run that hides who they are.
#[test]
fn what_a_program_says_names_no_one_where_identities_are_hidden() {
    for (n, fault) in TELL.into_iter().enumerate() {
        for hide in [
            &["--hide-identities"][..],
            &["--drop-attributes", "age"],
            &[],
        ] {
            let place = Place::new();
            place.write("http.toml", &telling(HTTP, fault));
            let mut run = place.start(&[&live("run")[..], hide].concat());
            let feed = run.feed();
            let ids: Vec<String> = (0..12).map(|k| format!("QX{k:02}Y")).collect();
            for id in &ids {
                post(
                    feed,
                    "/v1/candidates",
                    &format!("{{\"id\":\"{id}\",\"AGEP\":30,\"SEX\":\"1\"}}"),
                );
            }
            run.hears("no lane plays any more");
            let seen = ["/metrics"].map(|path| ask(feed, "GET", path, "").1);
            let (code, stdout, stderr) = run.stop();
            assert_eq!(code, Some(0), "{stderr}");
            // It keeps what it was begun with.
            let again = place.run(&["replay", "run", "--out", "again"]);
            assert_eq!(again.0, Some(0), "{}", again.2);
            let files = ["run", "again"].iter().flat_map(|folder| {
                let names = [
                    "endings.csv",
                    "summary.json",
                    "replications.csv",
                    "report.html",
                ];
                names.map(|name| format!("{folder}/{name}"))
            });
            let files = files.filter(|name| place.path(name).exists());
            let files = files.map(|name| place.read(&name));
            let texts: Vec<String> = files
                .chain(seen)
                .chain([stdout, stderr, again.1, again.2])
                .collect();
            let named = texts
                .iter()
                .filter(|text| ids.iter().any(|id| text.contains(id)));
            match hide {
                ["--hide-identities"] => {
                    let named: Vec<&String> = named.collect();
                    assert!(named.is_empty(), "fault {n}: {named:#?}");
                    let endings = place.read("run/endings.csv");
                    assert!(endings.contains("telling"), "{endings}");
                }
                ["--drop-attributes", _] => {
                    let said = texts
                        .iter()
                        .any(|text| text.contains("junk {") || text.contains("oops {"));
                    assert!(!said, "fault {n} says what is left out");
                }
                _ => assert!(named.count() > 0, "fault {n}: nothing is repeated"),
            }
        }
    }
}

/// What the environment says of klero's own secrets is not for programs.
#[test]
fn a_program_inherits_no_secret() {
    let place = Place::new();
    let program = r#"env > seen.txt; read -r hello; echo '{"type":"ready"}'; exit 3"#;
    let seat = crate::support::programs::exec("odd", &["sh", "-c", program]);
    place.write(
        "c.toml",
        &(crate::support::worlds::SEATED.to_owned() + &seat),
    );
    let secrets = [
        "KLERO_TOKEN",
        "KLERO_NATS_TOKEN",
        "KLERO_NATS_USER",
        "KLERO_NATS_PASSWORD",
    ];
    let mut environment = secrets.map(|name| (name, "a-secret-of-klero")).to_vec();
    environment.push(("ANOTHER", "of-the-program"));
    let (code, _, stderr) = place.run_with(&["run", "c.toml"], &environment);
    assert_eq!(code, Some(0), "{stderr}");
    let seen = place.read("seen.txt");
    assert!(seen.contains("of-the-program"), "{seen}");
    assert!(!seen.contains("a-secret-of-klero"), "{seen}");
}

//! What servers demand of clients, and what clients demand of servers: tokens, passwords,
//! certificates.

use std::process::Command;

use async_nats::ConnectOptions;

use super::feed::{UNTIL, from_nats, holds, source};
use super::server::{Client, Server, program};
use crate::live::people::{config, people};
use crate::support::process::Place;
use crate::support::programs::runs;
use crate::support::says::Says as _;
use crate::support::wants::skip;

/// A feed from a server and a policy elsewhere, both at this url.
fn written(url: &str) -> Place {
    let place = Place::new();
    let text = config(&source(url), UNTIL, "");
    let queue = "label = \"queue\"\n";
    let text = text.replace(queue, &format!("{queue}where = \"remote\"\n"));
    let nats = format!("[live.nats]\nurl = \"{url}\"\nrun = \"spring\"\n[report]");
    place.write("nats.toml", &text.replace("[report]", &nats));
    place
}

fn work(url: &str) -> [&str; 7] {
    ["work", "--nats", url, "--run", "spring", "--lane", "queue"]
}

/// That people come, a worker plays, and `klero check` knows the stream, in an environment.
#[track_caller]
fn serves(place: &Place, url: &str, client: &Client, environment: &[(&str, &str)]) {
    client.stream("PEOPLE", "people.>");
    client.publish("people.a", &people(10));
    let (code, stdout, stderr) = place.run_with(&["check", "nats.toml"], environment);
    assert_eq!(code, Some(0), "{stderr}");
    stdout.says("has one replica");
    let run = place.start_with(&from_nats("run"), environment);
    let mut worker = place.start_with(&work(url), environment);
    worker.hears_of("is played here");
    holds(place, "run", 10);
    client.drained("PEOPLE", "run1");
    super::lanes::moved(client, 1, 1);
    assert_eq!(run.stop().0, Some(130));
    assert!(!place.read("run/endings.csv").contains("left"));
}

/// That neither a run nor a worker begins, and both say this.
#[track_caller]
fn refused(place: &Place, url: &str, environment: &[(&str, &str)], words: &[&str]) {
    for args in [&from_nats("refused")[..], &work(url)] {
        let (code, _, stderr) = place.run_with(args, environment);
        assert_eq!(code, Some(2), "{args:?} {environment:?}: {stderr}");
        for word in words {
            assert!(stderr.contains(word), "{word:?}: {stderr}");
        }
        stderr.never_says("wrong-word");
        assert!(!place.path("refused").exists());
    }
    // What can't be asked at a check is said there.
    let (code, stdout, stderr) = place.run_with(&["check", "nats.toml"], environment);
    assert_eq!(code, Some(0), "{stderr}");
    stdout.says("if it has three replicas");
}

/// The environment of a token, or of a name and a password.
const TOKEN: &str = "KLERO_NATS_TOKEN";
const USER: &str = "KLERO_NATS_USER";
const PASSWORD: &str = "KLERO_NATS_PASSWORD";

#[test]
fn a_token_is_given_by_the_environment() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "authorization { token: \"right-word\" }");
    let url = server.url();
    let place = written(&url);
    let remedy = ["no NATS server answers at", TOKEN, PASSWORD];
    for environment in [
        &[][..],
        &[(TOKEN, "wrong-word")],
        &[(USER, "me"), (PASSWORD, "right-word")],
    ] {
        refused(&place, &url, environment, &remedy);
    }
    for (name, words) in [
        (TOKEN, "KLERO_NATS_TOKEN is empty"),
        (USER, "KLERO_NATS_USER is empty"),
        (PASSWORD, "KLERO_NATS_PASSWORD is empty"),
    ] {
        refused(&place, &url, &[(name, "")], &[words, "or unset it"]);
    }
    refused(
        &place,
        &url,
        &[(TOKEN, "right-word"), (USER, "me")],
        &["do not go together", "set the token alone"],
    );
    let secret = url.replace("://", "://wrong-word@");
    let (code, _, stderr) = place.run(&work(&secret));
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("a secret in it");
    stderr.never_says("wrong-word");
    let client = Client::with(ConnectOptions::new().token("right-word".to_owned()), &url);
    serves(&place, &url, &client, &[(TOKEN, "right-word")]);
}

#[test]
fn a_name_and_a_password_are_given_by_the_environment() {
    let Some(program) = program() else { return };
    let server = Server::start(
        program,
        "authorization { user: \"me\", password: \"right-word\" }",
    );
    let url = server.url();
    let place = written(&url);
    for environment in [
        &[][..],
        &[(USER, "me"), (PASSWORD, "wrong-word")],
        &[(USER, "you"), (PASSWORD, "right-word")],
        &[(TOKEN, "right-word")],
    ] {
        refused(
            &place,
            &url,
            environment,
            &["no NATS server answers at", USER],
        );
    }
    refused(&place, &url, &[(USER, "me")], &["do not go together"]);
    let (user, word) = ("me".to_owned(), "right-word".to_owned());
    let client = Client::with(ConnectOptions::new().user_and_password(user, word), &url);
    serves(
        &place,
        &url,
        &client,
        &[(USER, "me"), (PASSWORD, "right-word")],
    );
}

/// Whether there is an openssl; without it the test is skipped.
#[track_caller]
fn openssl() -> bool {
    let found = runs(Command::new("openssl").arg("version"));
    if !found {
        skip("openssl", "there is no openssl");
    }
    found
}

/// A certificate of an authority that no one knows but these tests.
fn certificate(place: &Place) {
    place.write("names", "subjectAltName = IP:127.0.0.1\n");
    let new = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=klero";
    for make in [
        format!("req -x509 {new}-authority -days 2 -keyout authority.key -out authority.pem"),
        format!("req -new {new} -keyout server.key -out request.pem"),
        "x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
         -extfile names -out server.pem"
            .to_owned(),
    ] {
        let mut openssl = Command::new("openssl");
        let openssl = openssl.args(make.split_whitespace());
        assert!(runs(openssl.current_dir(place.path(""))), "{make}");
    }
}

/// A server is trusted whose certificate is of an authority in SSL_CERT_FILE, and no other.
#[test]
fn a_server_shows_a_certificate_that_is_trusted() {
    let Some(program) = program() else { return };
    if !openssl() {
        return;
    }
    let made = Place::new();
    certificate(&made);
    let [own, key, authority] =
        ["server.pem", "server.key", "authority.pem"].map(|name| made.path(name));
    let server = Server::start(
        program.clone(),
        &format!("tls {{ cert_file: {own:?}, key_file: {key:?} }}"),
    );
    let url = server.url().replace("nats://", "tls://");
    let place = written(&url);
    let words = ["no NATS server answers at", "SSL_CERT_FILE"];
    refused(&place, &url, &[], &words);
    let other = Place::new();
    certificate(&other);
    let other = other.path("authority.pem").display().to_string();
    refused(&place, &url, &[("SSL_CERT_FILE", &other)], &words);
    let trusted = authority.display().to_string();
    let trusted = [("SSL_CERT_FILE", &*trusted)];

    let plain = Server::start(program, "");
    let without = plain.url().replace("nats://", "tls://");
    refused(
        &written(&without),
        &without,
        &trusted,
        &["no NATS server answers at", "nats://"],
    );

    let client = Client::with(ConnectOptions::new().add_root_certificates(authority), &url);
    serves(&place, &url, &client, &trusted);
}

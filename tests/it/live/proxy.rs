//! A live run behind a proxy that ends TLS: nginx, with the config of docs/service.md.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use super::people::{HTTP, config, lines, people};
use super::service::blocks;
use crate::support::ports::free_address;
use crate::support::process::{PATIENCE, Place};
use crate::support::programs::{nginx, runs};
use crate::support::says::Says as _;

const TOKEN: &str = "0123456789abcdef0123";

/// Where what nginx must write lies, and whom it asks to do so.
const MAIN: &str = "daemon off;
user root;
pid nginx.pid;
worker_processes 1;
events {}
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include klero.conf;
}
";

/// An nginx; it ends with the test.
struct Proxy {
    child: Child,
    port: u16,
    certificate: String,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Its worker ends with it.
        let id = self.child.id().to_string();
        runs(Command::new("kill").args(["-TERM", &id]));
        drop(self.child.wait());
    }
}

impl Proxy {
    fn start(place: &Place, feed: SocketAddr, board: SocketAddr) -> Self {
        let names = "subjectAltName=DNS:panel.example.org,DNS:board.example.org";
        let make = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                    -subj /CN=panel.example.org -keyout panel.key -out panel.crt -addext";
        let mut openssl = Command::new("openssl");
        openssl.args(make.split_whitespace()).arg(names);
        assert!(runs(openssl.current_dir(place.path(""))), "a certificate");
        let address = free_address();
        let [(_, documented)] = blocks::<1>("TLS by a proxy");
        let ours = documented
            .replace("listen 443 ssl", &format!("listen {address} ssl"))
            .replace("127.0.0.1:8090", &feed.to_string())
            .replace("127.0.0.1:7717", &board.to_string())
            .replace("/etc/ssl/", &format!("{}/", place.path("").display()));
        place.write("klero.conf", &ours);
        place.write("nginx.conf", MAIN);
        let mut command = Command::new("nginx");
        command
            .arg("-p")
            .arg(place.path(""))
            .args(["-e", "stderr", "-c", "nginx.conf"]);
        let child = command.spawn().expect("nginx runs");
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(begun.elapsed() < PATIENCE, "nginx never listens");
        }
        Self {
            child,
            port: address.port(),
            certificate: place.path("panel.crt").display().to_string(),
        }
    }

    /// A client who knows the certificate, and asks one of the two names.
    fn curl(&self, name: &str, path: &str, args: &[&str]) -> Command {
        let port = self.port;
        let mut curl = Command::new("curl");
        curl.args(["-sN", "--max-time", "60", "--cacert", &self.certificate]);
        curl.arg("--resolve")
            .arg(format!("{name}:{port}:127.0.0.1"));
        curl.args(args).arg(format!("https://{name}:{port}{path}"));
        curl
    }

    /// The status and body of a request to the feed.
    fn ask(&self, path: &str, args: &[&str]) -> (String, String) {
        let mut curl = self.curl("panel.example.org", path, args);
        let output = curl.args(["-w", "\n%{http_code}"]).output().expect("curl");
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        let (body, status) = said.rsplit_once('\n').expect("a status");
        (status.to_owned(), body.to_owned())
    }
}

/// Follows events until a line begins so.
fn first(mut curl: Command, start: &str, once_it_follows: impl FnOnce()) -> String {
    let mut child = curl.stdout(Stdio::piped()).spawn().expect("curl runs");
    let mut said = BufReader::new(child.stdout.take().expect("piped")).lines();
    once_it_follows();
    let line = said.find_map(|line| line.ok().filter(|line| line.starts_with(start)));
    child.kill().expect("it follows");
    child.wait().expect("it ends");
    line.unwrap_or_else(|| panic!("no line begins with {start}"))
}

#[test]
fn people_come_and_decisions_are_followed_through_tls() {
    if !nginx() {
        return;
    }
    let place = Place::new();
    let rules = "until = { rounds = 90000 }";
    place.write("http.toml", &config(HTTP, rules, ""));
    let args = ["live", "http.toml", "--out", "run"];
    let mut run = place.start_with(&args, &[("KLERO_TOKEN", TOKEN)]);
    let (feed, board) = (run.feed(), run.board());
    let proxy = Proxy::start(&place, feed, board);
    let bearer = format!("Authorization: Bearer {TOKEN}");
    let json = ["-H", "Content-Type: application/json"];
    let known = ["-H", &bearer];
    let anna = r#"{"id":"anna","AGEP":40,"SEX":"2"}"#;
    let post = |body: &str, more: &[&str]| {
        let args = [&json[..], &["--data-binary", body], more].concat();
        proxy.ask("/v1/candidates", &args)
    };

    let (status, said) = post(anna, &[]);
    assert_eq!(status, "401", "{said}");
    let (status, said) = post(anna, &known);
    assert_eq!(status, "202", "{said}");
    // Longer than the megabyte that nginx takes unasked.
    let long = "\"id\":\"volunteer-of-the-second-letter-";
    let many = lines(&people(20_000)).replace("\"id\":\"", long);
    assert!(many.len() > 1 << 20, "{}", many.len());
    place.write("many", &many);
    let many = format!("@{}", place.path("many").display());
    let (status, said) = post(&many, &known);
    assert_eq!(status, "202", "{said}");

    // Three policies have decided on 20,001. A decision comes as soon as it is made, though the
    // answer has no end.
    let follow = proxy.curl("panel.example.org", "/v1/decisions?from=60003", &known);
    let decision = first(follow, "data: ", || {
        let (status, said) = post(&anna.replace("anna", "zoe"), &known);
        assert_eq!(status, "202", "{said}");
    });
    decision.says("\"zoe\"");
    let follow = proxy.curl("board.example.org", "/v1/board", &known);
    first(follow, "data: ", || {});
    let page = proxy
        .curl("board.example.org", "/", &known)
        .output()
        .expect("curl");
    let page = String::from_utf8_lossy(&page.stdout).into_owned();
    page.says("<title>");

    assert_eq!(run.stop().0, Some(130));
    assert_eq!(post(anna, &known).0, "502", "no run answers any more");
    let verified = place.good(&["journal", "verify", "run"]);
    verified.says("of 20002 people");
}

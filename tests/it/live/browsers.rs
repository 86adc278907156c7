//! A page of another origin, in headless Chromium.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::Command;
use std::thread;

use super::people::{HTTP, config};
use crate::support::ports::free_address;
use crate::support::process::{Place, live};
use crate::support::programs::chromium;

/// Posts a person, reads the metrics and follows the decisions; says how each went.
const PAGE: &str = r#"<!doctype html><title>applicants</title><pre id="said">nothing</pre><script>
const at = "http://ADDRESS", said = [];
const tried = async (what, trying) => {
  try { said.push(what + " " + await trying()); } catch { said.push(what + " refused"); }
};
const post = async () => {
  const headers = {"content-type": "application/json"};
  const body = JSON.stringify({id: "p1", AGEP: 30, SEX: "2"});
  const answer = await fetch(at + "/v1/candidates", {method: "POST", headers, body});
  return answer.status + " " + (await answer.json()).accepted;
};
const metrics = async () => (await fetch(at + "/metrics")).status;
const event = () => new Promise((took, failed) => {
  const events = new EventSource(at + "/v1/decisions?from=0");
  events.addEventListener("decision", (event) => { events.close(); took(event.lastEventId); });
  events.onerror = failed;
});
(async () => {
  await tried("post", post);
  await tried("metrics", metrics);
  await tried("event", event);
  document.getElementById("said").textContent = said.join(", ");
})();
</script>"#;

/// Serves a page for as long as the test runs; where.
fn serve(page: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let length = page.len();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close";
            let _ = write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{page}");
        }
    });
    address
}

#[test]
fn a_browser_lets_pages_of_listed_origins_ask_and_no_others() {
    let Some(chromium) = chromium() else {
        return;
    };
    for (is_listed, said) in [
        (true, "post 202 1, metrics 200, event 0"),
        (false, "post refused, metrics refused, event refused"),
    ] {
        let place = Place::new();
        // The page's own address has to be known before the run's, which goes into the page.
        let feed = free_address();
        let page = serve(PAGE.replace("ADDRESS", &feed.to_string()));
        let origins = match is_listed {
            true => format!("[live]\norigins = [\"http://localhost:{}\"]\n", page.port()),
            false => String::new(),
        };
        let source = HTTP.replace("127.0.0.1:0", &feed.to_string());
        place.write(
            "http.toml",
            &config(&source, "until = { rounds = 9 }", &origins),
        );
        let mut run = place.start(&live("run"));
        assert_eq!(run.feed(), feed);
        let mut look = Command::new(&chromium);
        look.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
        look.arg("--virtual-time-budget=8000");
        look.arg(format!(
            "--user-data-dir={}",
            place.path("browser").display()
        ));
        look.arg(format!("http://localhost:{}/", page.port()));
        let output = look.output().expect("Chromium runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        let due = format!("<pre id=\"said\">{said}</pre>");
        assert!(shown.contains(&due), "{due}: {shown}");
    }
}

//! A client that writes bytes and reads answers.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Nothing here takes so long.
const HANGING: Duration = Duration::from_secs(30);

pub(super) struct TestConnection {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

/// An answer.
#[derive(Debug)]
pub(super) struct TestReply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) text: String,
}

impl TestReply {
    pub(super) fn json(&self) -> Value {
        assert!(self.is("content-type", "application/json"), "{self:?}");
        serde_json::from_str(&self.text).unwrap()
    }

    /// Returns true if a header has a value.
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.headers.iter().any(|(n, v)| n == name && v == value)
    }

    /// The error's words, of an answer of this status.
    #[track_caller]
    pub(super) fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let json = self.json();
        assert!(json["help"].as_str().is_some_and(|help| !help.is_empty()));
        json["error"].as_str().unwrap().to_owned()
    }
}

impl TestConnection {
    pub(super) fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(HANGING)).unwrap();
        stream.set_write_timeout(Some(HANGING)).unwrap();
        stream.set_nodelay(true).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        Self { stream, reader }
    }

    /// Sends a request; `head`: method, path and further headers.
    pub(super) fn request(&mut self, head: &str, body: &[u8]) {
        let mut lines = head.split("\r\n");
        let mut text = format!("{} HTTP/1.1\r\n", lines.next().unwrap());
        if !head.contains("Host:") {
            text += &format!("Host: {}\r\n", self.stream.peer_addr().unwrap());
        }
        for line in lines {
            text += &format!("{line}\r\n");
        }
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        text += "\r\n";
        self.write(text.as_bytes());
        self.write(body);
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Writes while the other side takes it.
    pub(super) fn try_write(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// Returns true if there is something to read.
    pub(super) fn has_answer(&self) -> bool {
        self.stream.set_nonblocking(true).unwrap();
        let is = self.stream.peek(&mut [0]).is_ok();
        self.stream.set_nonblocking(false).unwrap();
        is
    }

    pub(super) fn finish_writing(&mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    pub(super) fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The next answer.
    pub(super) fn reply(&mut self) -> TestReply {
        let mut reply = self.head();
        let length = reply
            .headers
            .iter()
            .find(|(name, _)| name == "content-length");
        let length: usize = length.map_or(0, |(_, length)| length.parse().unwrap());
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).unwrap();
        reply.text = String::from_utf8(body).unwrap();
        reply
    }

    /// The head of the next answer.
    pub(super) fn head(&mut self) -> TestReply {
        let status = self.line();
        let status = status
            .strip_prefix("HTTP/1.1 ")
            .or(status.strip_prefix("HTTP/1.0 "));
        let status = status.expect("an answer")[..3].parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(": ") else {
                break;
            };
            headers.push((name.to_lowercase(), value.to_owned()));
        }
        TestReply {
            status,
            headers,
            text: String::new(),
        }
    }

    /// Reads until the other side closes; false where it broke off.
    pub(super) fn ends(&mut self) -> bool {
        let mut rest = Vec::new();
        match self.reader.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// The next server-sent event, its fields joined by blanks; comments too.
    pub(super) fn event(&mut self) -> String {
        let mut fields = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                if !fields.is_empty() {
                    return fields.join(" ");
                }
                continue;
            }
            // The sizes of chunks lie between.
            let field = ["id:", "event:", "data:", "retry:", ":"];
            if field.iter().any(|start| line.starts_with(start)) {
                fields.push(line);
            }
        }
    }
}

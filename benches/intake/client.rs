//! The clients that post: kept connections, and requests written beforehand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// A kept connection.
pub struct Client(BufReader<TcpStream>);

impl Client {
    pub fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    /// Sends a request and reads its answer, which must have accepted so many.
    pub fn post(&mut self, request: &[u8], accepted: usize) {
        self.0.get_mut().write_all(request).unwrap();
        let mut length = 0;
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 202"), "{line}");
        loop {
            line.clear();
            self.0.read_line(&mut line).unwrap();
            if let Some(told) = line.strip_prefix("content-length: ") {
                length = told.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        let start = format!("{{\"accepted\":{accepted},\"duplicates\":0,\"rejected\":[],");
        let told = String::from_utf8_lossy(&body);
        assert!(told.starts_with(&start), "{told}");
    }
}

/// A post of candidates.
pub fn request(kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST /v1/candidates HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

//! Ports of this machine for servers that are started later.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ports that systems give to clients and to whoever asks for any: those may be taken by
/// another test between a look and the start.
const FIRST: u16 = 20_000;
const MANY: u16 = 12_000;

/// An address on loopback at which nothing listens, and which this process gives once.
pub fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = (std::process::id() % u32::from(MANY)) as u16;
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        assert!(next < MANY, "no port is free");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, FIRST + (start + next) % MANY));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}

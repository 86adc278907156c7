//! A connection that delays, splits and closes.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::sleep;

use kleroterion_testkit::Chances;

/// The number of bytes on their way in either direction.
pub(super) const ON_THE_WAY: usize = 256;

/// Sends bytes and reads the answer to its end; `None` where the connection closes before.
pub(super) async fn converse(
    mut stream: DuplexStream,
    bytes: &[u8],
    chances: &mut Chances,
) -> Option<Vec<u8>> {
    let closes = chances.one_in(6);
    let until = match closes {
        true => chances.below(bytes.len() as u64 + 1) as usize,
        false => bytes.len(),
    };
    let mut sent = 0;
    while sent < until {
        let most = match chances.one_in(3) {
            true => 1 + chances.below(7),
            false => 1 + chances.below(400),
        };
        let next = until.min(sent + most as usize);
        stream.write_all(&bytes[sent..next]).await.ok()?;
        sent = next;
        if chances.one_in(4) {
            sleep(Duration::from_millis(chances.below(40))).await;
        }
    }
    if closes {
        return None;
    }
    stream.shutdown().await.ok()?;
    let mut answer = Vec::new();
    let most = match chances.one_in(10) {
        // It closes while the answer comes.
        true => chances.below(60),
        false => u64::MAX,
    };
    stream.take(most).read_to_end(&mut answer).await.ok()?;
    (answer.last() == Some(&b'\n')).then_some(answer)
}

use tokio::net::TcpStream;

use super::*;
use crate::feed::OnError;
use crate::feed::transport::tests::doubles::{Running, lines, people, spec};

/// Returns the result of listening to a sender that sends these two pieces, one by one, and then
/// nothing more.
async fn heard(pieces: [&[u8]; 2], token: Option<&str>) -> Result<(bool, Vec<u8>), &'static str> {
    let said = pieces[0].chain(pieces[1]);
    let mut stream = tokio::io::join(said, tokio::io::sink());
    match hear(&mut stream, token).await {
        Ok(first) => Ok(first),
        Err(Broken::Stranger(why)) => Err(why),
        Err(_) => panic!("it is not gone"),
    }
}

/// A line of a token may have 1,024 bytes before its end is there.
#[tokio::test]
async fn a_token_is_heard_up_to_a_length() {
    let line = |length: usize| format!("token {}", "x".repeat(length - TOKEN.len()));
    for length in [7, 1023, 1024] {
        let line = line(length);
        // Where none is wanted, one may be said.
        for token in [line.strip_prefix("token "), None] {
            let end = heard([line.as_bytes(), b"\n"], token).await;
            assert_eq!(end, Ok((true, Vec::new())), "{length}");
        }
    }
    for length in [1025, 1088, 5000] {
        let line = line(length);
        for token in [line.strip_prefix("token "), None] {
            let end = heard([line.as_bytes(), b""], token).await;
            assert_eq!(end, Err("the token's line is too long"), "{length}");
        }
    }
}

#[tokio::test]
async fn a_first_line_is_the_token_or_that_of_a_stranger() {
    let wanted = Some("abc");
    let none = "no token was said: begin with a line `token TOKEN`";
    for (said, end) in [
        (&b"token abc\n{}"[..], Ok((true, b"{}".to_vec()))),
        (b"token  abc \r\n", Ok((true, Vec::new()))),
        (b"token abcd\n", Err("this is not the token")),
        (b"tokens\n", Err("the first line must be `token TOKEN`")),
        (b"{}\n", Err("the first line must be `token TOKEN`")),
        (b"token abc", Err(none)),
        (b"", Err(none)),
    ] {
        for cut in 0..=said.len() {
            let (first, second) = said.split_at(cut);
            let heard = heard([first, second], wanted).await;
            // What comes with the token's line is kept, what comes after is read later.
            let heard = heard.map(|(greeted, rest)| {
                (greeted, end.clone().map(|(_, all)| all.starts_with(&rest)))
            });
            let wanted = end.clone().map(|(greeted, _)| (greeted, Ok(true)));
            assert_eq!(heard, wanted, "{said:?} {cut}");
        }
    }
    assert_eq!(
        heard([b"{}", b"\n"], None).await,
        Ok((false, b"{}".to_vec()))
    );
    assert_eq!(
        heard([b"tok", b""], None).await,
        Ok((false, b"tok".to_vec()))
    );
}

/// The last of all places, because a feed of one place is full with the first sender.
#[tokio::test]
async fn a_silent_sender_leaves_its_place_where_all_are_taken() {
    let limits = TcpLimits {
        connections: 1,
        idle: Duration::from_millis(20),
        ..TcpLimits::default()
    };
    let anywhere = "127.0.0.1:0".parse().unwrap();
    let spec = spec();
    let feed = Tcp::bind_within(limits, anywhere, &spec, None, Arc::default());
    let feed = feed.await.unwrap();
    let address = feed.address().unwrap();
    let mut running = Running::start(feed);
    let mut silent = TcpStream::connect(address).await.unwrap();
    silent.write_all(lines([1]).as_bytes()).await.unwrap();
    assert_eq!(running.next().await, people([1]));
    let mut other = TcpStream::connect(address).await.unwrap();
    other.write_all(lines([2]).as_bytes()).await.unwrap();
    let mut answer = String::new();
    let read = timeout(Duration::from_secs(10), silent.read_to_string(&mut answer));
    read.await.expect("it leaves").unwrap();
    let words = "nothing came for 0.02 s while others wait for a connection; connect again";
    assert!(answer.contains(words), "{answer}");
    drop(silent);
    assert_eq!(running.next().await, people([2]));
}

#[tokio::test]
async fn a_record_that_can_not_be_read_ends_the_feed_where_it_is_to() {
    let spec = FeedSpec {
        on_error: OnError::Halt,
        ..spec()
    };
    let anywhere = "127.0.0.1:0".parse().unwrap();
    let feed = Tcp::bind(anywhere, &spec, None, Arc::default());
    let feed = feed.await.unwrap();
    let mut stream = TcpStream::connect(feed.address().unwrap()).await.unwrap();
    let mut running = Running::start(feed);
    stream.write_all(b"{}\n").await.unwrap();
    let came = running.next().await;
    let why = came[0].replace("1: ", "line 1: ");
    assert_eq!(running.ended().await, Ok(Ended::Halted(why.clone())));
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.contains("\"error\":\"the run ends: line 1: "),
        "{answer}"
    );
}

/// A connection that is closed with bytes unread may lose the answer.
#[tokio::test]
async fn what_is_still_sent_after_the_answer_is_read_to_its_end() {
    let rest = [b'x'; 9000];
    let mut stream = tokio::io::join(&rest[..], tokio::io::sink());
    linger(&mut stream).await.unwrap();
    assert!(stream.reader().is_empty());
}

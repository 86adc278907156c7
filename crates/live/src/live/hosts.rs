//! The sockets of a live run, and the servers that listen on them.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::runtime::Runtime as Tokio;
use tokio::sync::{mpsc, watch};
use tracing::{Instrument, info_span, warn};

use super::options::{Listening, LiveError};
use super::stream::StreamEnd;
use crate::watch::Watched;
use crate::web::{Intake, Interviews, Services};
use kleroterion_core::problem::Problem;
use kleroterion_io::feed::{
    self, Delivery, FOLLOWED, FeedSpec, FollowedMemory, OpenError, TOKEN, Transport,
};
use kleroterion_io::journal::HEAD;
use kleroterion_run::config::Plan;
use kleroterion_stats::sequence::Range;

/// The number of ports after the board's own that are tried if it is in use.
const NEXT: u16 = 9;

/// Opens sockets and their servers.
pub(super) struct Hosts<'a> {
    pub(super) plan: &'a Plan,
    pub(super) watched: &'a Arc<Watched>,
    pub(super) outside: &'a Tokio,
    pub(super) stopped: &'a watch::Receiver<bool>,
    pub(super) end: &'a Arc<StreamEnd>,
    pub(super) resumed: bool,
    /// The folder of the run, if it has one.
    pub(super) folder: Option<&'a Path>,
    pub(super) interviews: Option<Interviews>,
    pub(super) listening: Listening,
}

/// The token that requests must show. It is read here for a config that names no address.
fn token() -> Result<Option<Arc<str>>, LiveError> {
    feed::token().map_err(|wrong| {
        let what = format!("{TOKEN} is set, and {}", wrong.what);
        let help = format!(
            "{} the environment variable {TOKEN}, or unset it",
            wrong.put
        );
        LiveError::Folder(Problem::of_request(what).help(help).into())
    })
}

/// The command that sends a first person.
fn first_step(address: SocketAddr, decides: bool, feed: &FeedSpec, has_token: bool) -> String {
    let path = if decides { "decisions" } else { "candidates" };
    let token = match has_token {
        false => String::new(),
        true => format!(" -H \"Authorization: Bearer ${TOKEN}\""),
    };
    // A quote within quotes of a shell.
    let record = feed::example(&feed.reading)
        .to_string()
        .replace('\'', "'\\''");
    format!("curl{token} --json '{record}' http://{address}/v1/{path}")
}

impl Hosts<'_> {
    /// Opens the feed's side and the board. `deliver` is dropped if nothing delivers.
    pub(super) fn open(
        &mut self,
        feed: Option<&FeedSpec>,
        board: bool,
        deliver: mpsc::Sender<Delivery>,
        tell: Option<mpsc::Sender<Delivery>>,
    ) -> Result<(), LiveError> {
        let interviews = tell.and_then(|deliveries| {
            let desk = self.watched.desk.as_ref()?;
            let kinds = desk.kinds().iter().map(|kind| Arc::clone(&kind.name));
            let range = self.plan.live.interviewers.and_then(|all| all.range);
            Some(Interviews {
                deliveries,
                kinds: kinds.collect(),
                range: range.map(Range::ends),
            })
        });
        self.interviews = interviews;
        let http = feed.and_then(|feed| match feed.transport {
            Transport::Http(address) => Some((feed, address)),
            _ => None,
        });
        let board = board.then_some(self.plan.live.board);
        if self.interviews.is_some() && http.is_none() && board.is_none() {
            let what = "interviewers answer at the address of the board, and there is none";
            let help = "leave --no-board out, or have people come by [source] type = \"http\"";
            let problem = Problem::of_request(what).help(help);
            return Err(LiveError::Folder(problem.into()));
        }
        match http {
            Some((feed, address)) => {
                let intake = Intake {
                    reading: Arc::clone(&feed.reading),
                    max_length: feed.max_length,
                    on_error: feed.on_error,
                    deliveries: deliver,
                    numbers: Intake::numbers(self.resumed),
                    decides: feed.each == 1 && feed.slates.is_one(),
                };
                let both = board == Some(address);
                let decides = intake.decides;
                let listening = self.serve(address, Some(intake), both)?;
                self.listening.feed = Some(listening);
                let step = first_step(listening, decides, feed, token()?.is_some());
                self.watched.first_step.get_or_init(|| step);
                if both {
                    self.listening.board = Some(listening);
                } else if let Some(board) = board {
                    self.listening.board = Some(self.serve_board(board)?);
                }
            }
            None => {
                if let Some(board) = board {
                    self.listening.board = Some(self.serve_board(board)?);
                }
                if let Some(feed) = feed {
                    self.listening.feed = self.transport(feed, deliver)?;
                }
            }
        }
        Ok(())
    }

    /// Opens a transport that is not HTTP. Returns its address.
    fn transport(
        &self,
        spec: &FeedSpec,
        deliver: mpsc::Sender<Delivery>,
    ) -> Result<Option<SocketAddr>, LiveError> {
        // A record of a file has the same number each time; other feeds do not say what came
        // before.
        let counted = match spec.transport {
            Transport::Stdin | Transport::Tcp(_) => {
                Intake::numbers(self.resumed).load(Ordering::Relaxed)
            }
            Transport::Http(_) | Transport::Tail(_) | Transport::Tape(..) | Transport::Nats(_) => 0,
        };
        let memory = self.folder.map(|folder| FollowedMemory {
            path: folder.join(FOLLOWED),
            after: folder.join(HEAD),
        });
        let token = match spec.transport {
            Transport::Tcp(_) => token()?,
            _ => None,
        };
        let feed = feed::open(spec, token, counted, memory);
        let feed = self.outside.block_on(feed);
        let feed = feed.map_err(|error| match (error, &spec.transport) {
            (OpenError::System(error), Transport::Tcp(address)) => {
                LiveError::Listen(*address, error)
            }
            (OpenError::System(error), _) => LiveError::Start(error),
            (OpenError::Asked(problem), _) => LiveError::Folder(problem.into()),
        })?;
        let address = feed.address();
        if let Some(link) = feed.link() {
            let _ = self.watched.link.set(link);
        }
        let (stop, end) = (self.stopped.clone(), Arc::clone(self.end));
        let run = async move {
            // Kept until it is known why no more comes.
            let open = deliver.clone();
            if let Err(error) = feed.run(deliver, stop).await {
                warn!(%error, "the feed broke off");
                let _ = end.failed.set(error.to_string());
            }
            drop(open);
        };
        self.outside.spawn(run.instrument(info_span!("feed")));
        Ok(address)
    }

    /// Serves the board at its address, or at one of the next ports if another program listens
    /// there. A viewer follows the printed address; a sender of people could not.
    fn serve_board(&self, address: SocketAddr) -> Result<SocketAddr, LiveError> {
        let first = self.serve(address, None, true);
        if address.port() == 0 || !address.ip().is_loopback() {
            return first;
        }
        let next = (1..=NEXT).filter_map(|more| address.port().checked_add(more));
        let others = next.map(|port| SocketAddr::new(address.ip(), port));
        others.fold(first, |served, other| match served {
            Err(LiveError::Listen(_, error)) if error.kind() == ErrorKind::AddrInUse => {
                // The address that was asked for is the one to be named.
                let failed = Err(LiveError::Listen(address, error));
                self.serve(other, None, true).or(failed)
            }
            served => served,
        })
    }

    fn serve(
        &self,
        address: SocketAddr,
        intake: Option<Intake>,
        board: bool,
    ) -> Result<SocketAddr, LiveError> {
        if SystemTime::now() < UNIX_EPOCH {
            let what = "the clock of this machine is before 1970, and no answer can have that date";
            let help = "set the clock, then begin again: nothing is lost";
            let problem = Problem::of_request(what).help(help);
            return Err(LiveError::Folder(problem.into()));
        }
        let token = token()?;
        let listen = |error| LiveError::Listen(address, error);
        let listener = TcpListener::bind(address).map_err(listen)?;
        let listening = listener.local_addr().map_err(listen)?;
        let services = Services {
            watched: Arc::clone(self.watched),
            intake,
            interviews: self.interviews.clone(),
            board,
            token,
            origins: Arc::clone(&self.plan.live.origins),
        };
        let stopped = self.stopped.clone();
        let serve = async move {
            if let Err(error) = crate::web::serve(listener, services, stopped).await {
                tracing::error!(%error, "a server ended");
            }
        };
        let span = info_span!("server", %listening);
        self.outside.spawn(serve.instrument(span));
        Ok(listening)
    }
}

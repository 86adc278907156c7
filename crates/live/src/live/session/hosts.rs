//! The sockets of a live run, and the servers that listen on them.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc;
use tracing::{Instrument, info, info_span, warn};

use super::{Listening, LiveError, Session};
use crate::limits::MOST_NEXT_PORTS;
use crate::web::{Intake, Interviews, Services};
use kleroterion_core::problem::Problem;
use kleroterion_io::feed::{
    self, Delivery, FOLLOWED, FeedSpec, FollowedMemory, OpenError, Transport,
};
use kleroterion_io::journal::HEAD;
use kleroterion_io::secrets::TOKEN;
use kleroterion_stats::sequence::Range;

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

impl Session<'_> {
    /// The token that requests must show. It is checked here for a config that names no address.
    fn token(&self) -> Result<Option<Arc<str>>, LiveError> {
        self.plan.live.secrets.token().map_err(|wrong| {
            let what = format!("{TOKEN} is set, and {}", wrong.what);
            let help = format!(
                "{} the environment variable {TOKEN}, or unset it",
                wrong.put
            );
            LiveError::Folder(Problem::of_request(what).help(help).into())
        })
    }

    /// Opens the feed's side and the board. Returns their addresses. `deliver` is dropped if nothing
    /// delivers.
    pub(super) fn listen(
        &self,
        board: bool,
        deliver: mpsc::Sender<Delivery>,
        tell: mpsc::Sender<Delivery>,
    ) -> Result<Listening, LiveError> {
        let feed = self.feed.as_deref().filter(|_| self.is_live());
        // Without a desk no one tells anything of interviews, nor where a journal is played again.
        let desk = self.desk.as_ref().filter(|_| self.is_live());
        let interviews = desk.map(|desk| {
            let kinds = desk.kinds().iter().map(|kind| Arc::clone(&kind.name));
            let range = self.plan.live.interviewers.and_then(|all| all.range);
            Interviews {
                deliveries: tell,
                kinds: kinds.collect(),
                range: range.map(Range::ends),
            }
        });
        let http = feed.and_then(|feed| match feed.transport {
            Transport::Http(address) => Some((feed, address)),
            _ => None,
        });
        let board = board.then_some(self.plan.live.board);
        if interviews.is_some() && http.is_none() && board.is_none() {
            let what = "interviewers answer at the address of the board, and there is none";
            let help = "leave --no-board out, or have people come by [source] type = \"http\"";
            let problem = Problem::of_request(what).help(help);
            return Err(LiveError::Folder(problem.into()));
        }
        let mut listening = Listening::default();
        if let Some((feed, address)) = http {
            let intake = Intake {
                reading: Arc::clone(&feed.reading),
                max_length: feed.max_length,
                on_error: feed.on_error,
                deliveries: deliver.clone(),
                numbers: Intake::numbers(self.is_resumed()),
                decides: feed.each == 1 && feed.slates.is_one(),
            };
            let decides = intake.decides;
            let both = board == Some(address);
            let at = self.serve(address, Some(intake), interviews.as_ref(), both)?;
            let step = first_step(at, decides, feed, self.token()?.is_some());
            self.watched.first_step.get_or_init(|| step);
            listening.feed = Some(at);
            listening.board = both.then_some(at);
        }
        if let Some(board) = board.filter(|_| listening.board.is_none()) {
            listening.board = Some(self.serve_board(board, interviews.as_ref())?);
        }
        if let Some(feed) = feed.filter(|_| http.is_none()) {
            listening.feed = self.transport(feed, deliver)?;
        }
        let text = |at: Option<SocketAddr>| at.map(|at| at.to_string());
        let (feed, board) = (text(listening.feed), text(listening.board));
        if feed.is_some() || board.is_some() {
            info!(feed, board, "listening");
        }
        Ok(listening)
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
            Transport::Stdin | Transport::Tcp(_) | Transport::Memory(_) => {
                Intake::numbers(self.is_resumed()).load(Ordering::Relaxed)
            }
            Transport::Http(_) | Transport::Tail(_) | Transport::Tape(..) | Transport::Nats(_) => 0,
        };
        let folder = self.origin.folder().filter(|_| self.origin.is_live());
        let memory = folder.map(|folder| FollowedMemory {
            path: folder.join(FOLLOWED),
            after: folder.join(HEAD),
        });
        let token = match spec.transport {
            Transport::Tcp(_) => self.token()?,
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
        let (stop, end) = (self.stopped.clone(), Arc::clone(&self.end));
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
    fn serve_board(
        &self,
        address: SocketAddr,
        interviews: Option<&Interviews>,
    ) -> Result<SocketAddr, LiveError> {
        let first = self.serve(address, None, interviews, true);
        if address.port() == 0 || !address.ip().is_loopback() {
            return first;
        }
        let next = (1..=MOST_NEXT_PORTS).filter_map(|more| address.port().checked_add(more));
        let others = next.map(|port| SocketAddr::new(address.ip(), port));
        others.fold(first, |served, other| match served {
            Err(LiveError::Listen(_, error)) if error.kind() == ErrorKind::AddrInUse => {
                // The address that was asked for is the one to be named.
                let failed = Err(LiveError::Listen(address, error));
                self.serve(other, None, interviews, true).or(failed)
            }
            served => served,
        })
    }

    fn serve(
        &self,
        address: SocketAddr,
        intake: Option<Intake>,
        interviews: Option<&Interviews>,
        board: bool,
    ) -> Result<SocketAddr, LiveError> {
        if SystemTime::now() < UNIX_EPOCH {
            let what = "the clock of this machine is before 1970, and no answer can have that date";
            let help = "set the clock, then begin again: nothing is lost";
            let problem = Problem::of_request(what).help(help);
            return Err(LiveError::Folder(problem.into()));
        }
        let token = self.token()?;
        let listen = |error| LiveError::Listen(address, error);
        let listener = TcpListener::bind(address).map_err(listen)?;
        let listening = listener.local_addr().map_err(listen)?;
        let services = Services {
            watched: Arc::clone(&self.watched),
            intake,
            interviews: interviews.cloned(),
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

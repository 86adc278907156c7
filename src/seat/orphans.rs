//! Programs that would outlive this process, however it ends: also by `kill -9`, or for want of
//! memory.

#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::os::unix::process::CommandExt;
#[cfg(unix)]
use std::process::{ChildStdin, Command, Stdio};

/// Keeps the groups of programs that run. Its input ends with the process that writes it; then it
/// kills the groups that are left.
#[cfg(unix)]
const KEEPER: &str = r#"
trap '' HUP INT TERM
groups=' '
while read -r word group; do
  case $word in
    run) groups="$groups$group " ;;
    end) groups="${groups%% $group *} ${groups#* $group }" ;;
  esac
done
for group in $groups; do
  kill -s KILL -- "-$group"
done
"#;

/// The process that ends what this one leaves behind.
#[derive(Default)]
pub(super) struct OrphanKeeper(KeeperState);

#[derive(Default)]
enum KeeperState {
    #[default]
    NotStarted,
    #[cfg(unix)]
    Runs(ChildStdin),
    /// There is none: orphans live on.
    Absent,
}

impl OrphanKeeper {
    /// One that was not started yet.
    pub(super) const fn new() -> Self {
        Self(KeeperState::NotStarted)
    }

    /// The group of a program runs from now on.
    pub(super) fn runs(&mut self, group: u32) {
        if matches!(self.0, KeeperState::NotStarted) {
            self.0 = started();
        }
        self.say("run", group);
    }

    /// Nothing is left of the group: its number may be another's.
    pub(super) fn ended(&mut self, group: u32) {
        self.say("end", group);
    }

    fn say(&mut self, word: &str, group: u32) {
        #[cfg(unix)]
        if let KeeperState::Runs(input) = &mut self.0
            && let Err(error) = writeln!(input, "{word} {group}")
        {
            tracing::debug!(%error, "the keeper of orphans is gone");
            self.0 = KeeperState::Absent;
        }
        #[cfg(not(unix))]
        let _ = (word, group);
    }
}

#[cfg(unix)]
fn started() -> KeeperState {
    let mut keeper = Command::new("/bin/sh");
    // In a group of its own, an interrupt typed at the terminal does not reach it.
    keeper
        .args(["-c", KEEPER])
        .current_dir("/")
        .process_group(0);
    keeper.stdin(Stdio::piped());
    keeper.stdout(Stdio::null()).stderr(Stdio::null());
    match keeper.spawn().map(|mut child| child.stdin.take()) {
        Ok(Some(input)) => KeeperState::Runs(input),
        Ok(None) => KeeperState::Absent,
        Err(error) => {
            tracing::debug!(%error, "no keeper of orphans can be started");
            KeeperState::Absent
        }
    }
}

#[cfg(not(unix))]
fn started() -> KeeperState {
    KeeperState::Absent
}

//! The machine of an operator: a folder in place of `/`, `klero` on its path, and stand-ins for
//! what only a real one has.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use super::process::Place;

/// Folders of files on the pages of an operator.
const FOLDERS: [&str; 4] = [
    "/var/lib/klero",
    "/etc/klero",
    "/usr/local/bin",
    "/srv/panel",
];

/// Starts a run in a folder by a script, and waits until its feed listens; or ends it, and waits
/// for its end. Both service managers are made of it.
const MANAGER: &str = r#"#!/bin/sh
set -eu
case "$1" in
up) cd "$2"
  : > ROOT/log
  nohup sh "$3" > ROOT/out 2> ROOT/log < /dev/null &
  echo $! > ROOT/pid
  for n in $(seq 900); do
    if grep -q '^feed: ' ROOT/log; then exit 0; fi
    sleep 0.1
  done
  cat ROOT/log >&2
  exit 1;;
down) pid=$(cat ROOT/pid)
  kill -TERM "$pid"
  while grep -q '^State:.[^Z]' "/proc/$pid/status" 2> ROOT/none; do sleep 0.1; done;;
esac
"#;

const SYSTEMCTL: &str = r#"#!/bin/sh
case "$*" in
"start klero") exec manager up /var/lib/klero ROOT/begin;;
"stop klero") exec manager down;;
*) echo "systemctl $*?" >&2; exit 1;;
esac
"#;

/// It knows the options of the page, and no others.
const PODMAN: &str = r#"#!/bin/sh
set -eu
verb=$1; shift
up() { env $(cat ROOT/env) manager up "$(cat ROOT/data)" /usr/local/bin/start; }
case "$verb" in
build) test "$*" = "--tag klero .";;
run) while [ $# -gt 1 ]; do
    case "$1" in
    --detach|--read-only) shift;;
    --name|--tmpfs|--cap-drop|--security-opt|--stop-timeout|--restart|--publish) shift 2;;
    --env-file) cat "$2" > ROOT/env; shift 2;;
    --volume) echo "${2%%:*}" > ROOT/data; shift 2;;
    *) echo "podman run $1?" >&2; exit 125;;
    esac
  done
  test "$1" = klero
  up;;
start) up;;
exec) test "$1" = panel; shift; cd "$(cat ROOT/data)"; exec "$@";;
stop) exec manager down;;
*) echo "podman $verb?" >&2; exit 125;;
esac
"#;

/// `install` for one who is not root: the owner stays.
const INSTALL: &str = r#"#!/bin/sh
n=$#
while [ "$n" -gt 0 ]; do
  word=$1; shift; n=$((n - 1))
  if [ "$word" = -o ]; then shift; n=$((n - 1)); else set -- "$@" "$word"; fi
done
exec /usr/bin/install "$@"
"#;

/// A machine; what it runs ends with the test.
pub struct Machine {
    pub place: Place,
}

impl Machine {
    pub fn new() -> Self {
        let machine = Self {
            place: Place::new(),
        };
        for folder in [
            "var/lib/klero",
            "var/lib/klero-backup",
            "etc/klero",
            "usr/local/bin",
            "srv",
        ] {
            std::fs::create_dir_all(machine.path(folder)).expect("a folder");
        }
        let klero = format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_klero"));
        let missing = "#!/bin/sh\nexit 0\n";
        for (name, text) in [
            ("klero", &*klero),
            ("manager", MANAGER),
            ("systemctl", SYSTEMCTL),
            ("podman", PODMAN),
            ("install", INSTALL),
            ("chown", missing),
            ("useradd", missing),
        ] {
            machine.program(name, text);
        }
        machine
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.place.path(name)
    }

    /// A text of a page, whose absolute paths lie in this machine.
    pub fn here(&self, text: &str) -> String {
        let root = self.path("").display().to_string();
        let root = root.trim_end_matches('/');
        let text = text.replace("ROOT", root);
        let put = |text: String, folder: &&str| text.replace(folder, &format!("{root}{folder}"));
        FOLDERS.iter().fold(text, put)
    }

    /// Puts an executable file into `/usr/local/bin`.
    pub fn program(&self, name: &str, text: &str) {
        let path = self.path("usr/local/bin").join(name);
        std::fs::write(&path, self.here(text)).expect("it can be written");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, mode).expect("it is ours");
    }

    /// Runs a block of a page in a shell that stops at the first failure.
    pub fn tries(&self, block: &str) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.path("usr/local/bin").display());
        let mut shell = Command::new("sh");
        shell.args(["-euc", &self.here(block)]).env("PATH", path);
        shell.env_remove("KLERO_TOKEN").current_dir(self.path(""));
        shell.output().expect("there is a shell")
    }

    /// The same of a block that is to do well; what it prints.
    #[track_caller]
    pub fn runs(&self, block: &str) -> String {
        let output = self.tries(block);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{block}\n{stdout}\n{stderr}");
        stdout
    }

    /// The words that the run started last said behind this word, on stderr.
    pub fn said(&self, word: &str) -> String {
        let log = self.place.read("log");
        let said = log.lines().find_map(|line| line.strip_prefix(word));
        said.unwrap_or_else(|| panic!("no {word:?} in {log}"))
            .to_owned()
    }

    /// The address at which the run started last listens, reached from this machine.
    pub fn feed(&self) -> SocketAddr {
        local(&self.said("feed: "))
    }

    /// The same of its board.
    pub fn board(&self) -> SocketAddr {
        local(&self.said("board: http://"))
    }
}

/// An address among all of a machine, as the machine itself reaches it.
fn local(address: &str) -> SocketAddr {
    let address: SocketAddr = address.parse().expect("an address");
    SocketAddr::from(([127, 0, 0, 1], address.port()))
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Ok(pid) = std::fs::read_to_string(self.path("pid")) {
            // It may have ended.
            super::programs::runs(Command::new("kill").args(["-KILL", pid.trim()]));
        }
    }
}

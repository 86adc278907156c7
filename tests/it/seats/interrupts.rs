//! Ctrl-C reaches the run, not its programs: what is under way is played to its end.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{SEATED, exec};
use crate::support::terminal::Terminal;

/// Longer than any test takes, unless something hangs.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn programs_are_not_interrupted_with_the_run() {
    let terminal = Terminal::new();
    let sign = terminal.path("started").display().to_string();
    let script = format!(
        r#"read -r hello; echo '{{"type":"ready"}}'; n=0
        while read -r message; do
            case $message in *'"bye"'*) touch '{sign}'; exit 0;; esac
            n=$((n+1)); echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}}"
        done"#
    );
    terminal.put(
        "my.toml",
        format!("{SEATED}{}", exec("mine", &["sh", "-c", &script])),
    );
    let mut command = terminal.command(&["run", "my.toml", "--replications", "1000000"]);
    // As a terminal has it: the run and what it starts in one group, unless the run says otherwise.
    command
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the binary runs");
    let start = Instant::now();
    while !terminal.path("started").exists() {
        assert!(start.elapsed() < PATIENCE, "it never comes");
        sleep(Duration::from_millis(5));
    }
    let group = format!("-{}", child.id());
    let sent = Command::new("kill").args(["-INT", "--", &group]).status();
    assert!(sent.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(130),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        stdout.contains("filled") && !stdout.contains("left"),
        "{stdout}"
    );
}

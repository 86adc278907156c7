//! What `klero init` asks on a terminal.

use std::process::Command;

use crate::support::programs::python;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// Runs a command in a terminal and answers each question that ends with `? ` or `] ` with the next
/// line of its first argument; prints what was shown.
const ANSWERER: &str = r#"
import os, pty, select, sys
answers, args = sys.argv[1].split("\n"), sys.argv[2:]
pid, tty = pty.fork()
if pid == 0:
    os.execvp(args[0], args)
shown, heard = b"", 0
while True:
    if shown[heard:].rstrip(b" ").endswith((b"?", b"]")) and shown.endswith(b" ") and answers:
        heard = len(shown)
        os.write(tty, answers.pop(0).encode() + b"\n")
    if select.select([tty], [], [], 20)[0]:
        try:
            data = os.read(tty, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    else:
        break
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.buffer.write(shown)
sys.exit(code)
"#;

fn answered(terminal: &Terminal, answers: &str, args: &[&str]) -> Option<(Option<i32>, String)> {
    if !python() {
        return None;
    }
    let mut command = Command::new("python3");
    command.args(["-c", ANSWERER, answers, env!("CARGO_BIN_EXE_klero"), "init"]);
    command.args(args).current_dir(terminal.path(""));
    command.env("TERM", "xterm").env_remove("COLUMNS");
    let output = command.output().expect("python3 runs");
    let shown = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    Some((output.status.code(), shown))
}

#[test]
fn the_columns_of_quotas_are_asked_for_where_no_name_gives_them_away() {
    let terminal = Terminal::new();
    let people: String = (0..40)
        .map(|at| format!("p{at};{}\n", ["w", "m"][at % 2]))
        .collect();
    terminal.put("people.csv", format!("id;Geschlecht\n{people}"));
    terminal.put(
        "quotas.csv",
        "Thema;Antwort;u;o\nGeschlecht;w;4;6\nGeschlecht;m;4;6\n",
    );
    let args = ["people.csv", "quotas.csv", "-o", "my.toml"];
    let Some((code, shown)) = answered(&terminal, "Thema\nAntwort\nu\no", &args) else {
        return;
    };
    assert_eq!(code, Some(0), "{shown}");
    shown.says("Which column of the quotas has");
    let written = terminal.read("my.toml");
    written.says("category = \"Thema\"");
    written.says("max = \"o\"");
    // A column that is not there is refused.
    let Some((code, shown)) = answered(
        &terminal,
        "Tema\nAntwort\nu\no",
        &[&args[..3], &["none.toml"]].concat(),
    ) else {
        return;
    };
    assert_eq!(code, Some(2), "{shown}");
    assert!(
        shown.contains("no column `Tema`") && !terminal.path("none.toml").exists(),
        "{shown}"
    );
}

//! What is wrong with the table of a policy in a program is said before anything is run.

use super::SEATED;
use crate::support::terminal::Terminal;

fn refused(policy: &str, words: &[&str]) {
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        format!("{SEATED}[[policy]]\nlabel = \"mine\"\nkind = \"exec\"\n{policy}\n"),
    );
    for command in ["check", "run"] {
        let said = terminal.klero(&[command, "my.toml"]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        for word in words {
            assert!(
                said.stderr.contains(word),
                "{word:?} is not in: {}",
                said.stderr
            );
        }
    }
}

#[test]
fn a_program_that_is_not_there() {
    let path = [
        "there is no program `no-such-program-of-ours` on the PATH",
        "on the PATH, or a path from the current folder",
    ];
    refused("command = [\"no-such-program-of-ours\", \"x\"]", &path);
    refused(
        "command = [\"./nowhere/policy\"]",
        &["there is no program ./nowhere/policy"],
    );
    let split = [
        "there is no program `python3 policy.py`",
        "each argument as a string of its own",
    ];
    refused("command = [\"python3 policy.py\"]", &split);
    refused("command = []", &["no program is named"]);
    refused("", &["missing key `command`"]);
    refused("command = \"sh\"", &["expected a list", "[\"sh\"]"]);
    for (line, list) in [
        ("python3 x.py", r#"["python3", "x.py"]"#),
        (
            "Rscript --vanilla my.R",
            r#"["Rscript", "--vanilla", "my.R"]"#,
        ),
        ("node 'my policy.js' 3", r#"["node", "my policy.js", "3"]"#),
    ] {
        refused(&format!("command = \"{line}\""), &["expected a list", list]);
        refused(
            &format!("command = [\"{line}\"]"),
            &["there is no program", list],
        );
    }
    refused("command = [\"sh\", 3]", &["expected a string"]);
}

#[test]
fn a_file_that_may_not_be_executed() {
    refused("command = [\"./my.toml\"]", &["./my.toml is no program"]);
}

#[test]
fn all_that_is_wrong_with_its_times_at_once() {
    for deadline in [
        "\"250\"", "\"0ms\"", "\"-1s\"", "\"soon\"", "250", "\"infs\"", "\"1e9s\"",
    ] {
        let keys =
            format!("command = [\"sh\"]\ndeadline = {deadline}\non_timeout = \"wait\"\nenv = 1");
        let words = [
            "a time such as \"250ms\" or \"2s\"",
            "unknown word `wait`",
            "unknown key `env`",
        ];
        // An unknown key is noted once the rest can be read.
        refused(&keys, &words[..2]);
        refused(
            "command = [\"sh\"]\ndeadline = \"1.5s\"\nenv = 1",
            &words[2..],
        );
    }
}

//! `klero seat check` says what is wrong with a program, and nothing of one that is sound.

use super::{model, python};
use crate::support::terminal::{Said, Terminal};

fn check(arguments: &[&str]) -> Said {
    Terminal::new().klero(&[&["seat", "check"], arguments].concat())
}

/// Chooses the first who have to be chosen, as far as `round` goes well.
fn first(instead: &str) -> String {
    format!(
        r#"read -r hello; echo '{{"type":"ready","name":"first"}}'
        while read -r m; do
            case $m in *'"type":"bye"'*) break;; *'"type":"slate"'*) ;; *) continue;; esac
            n=${{m#*round\":}}; n=${{n%%,*}}
            k=${{m#*places\":\{{\"min\":}}; k=${{k%%,*}}
            c=; i=0; while [ $i -lt $k ]; do c=$c,$i; i=$((i+1)); done; c=${{c#,}}
            {instead}
            echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[$c]}}"
        done"#
    )
}

#[test]
fn a_sound_program_is_all_well() {
    let said = check(&["sh", "-c", &first("")]);
    assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{}", said.stdout);
    assert!(
        said.stdout
            .contains("exchanges, all well; it was ready after"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("ms (median)") && said.stdout.contains("ms (p99)"));
    assert_eq!(said.stdout.lines().count(), 1);
}

#[test]
fn both_model_policies_are_all_well_in_every_setting() {
    if !python() {
        return;
    }
    for kind in ["virtual_queue", "lottery"] {
        let said = check(&["python3", &model(), kind]);
        assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
        assert!(
            said.stdout.contains("exchanges, all well"),
            "{}",
            said.stdout
        );
    }
}

#[test]
fn each_finding_has_the_message_and_the_answer() {
    let script = first("if [ $k -eq 3 ]; then c=0,0,1; fi");
    let said = check(&["sh", "-c", &script]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    let found: Vec<_> = said
        .stdout
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    // Of all settings at once: these two have three places in the first round.
    let expected = [
        "exactly: round 1: chose a candidate twice",
        "interviews: round 1: chose a candidate twice",
    ];
    assert_eq!(found[..2], expected, "{}", said.stdout);
    assert!(
        said.stdout
            .contains("    told: {\"type\":\"slate\",\"round\":1,"),
        "{}",
        said.stdout
    );
    let answer = "    said: {\"type\":\"select\",\"round\":1,\"chosen\":[0,0,1]}";
    assert!(said.stdout.contains(answer), "{}", said.stdout);
}

#[test]
fn one_that_answers_differently_each_time_is_found_out() {
    let terminal = Terminal::new();
    let count = terminal.path("count").display().to_string();
    // It remembers how often it was started.
    let script = first(&format!(
        "if [ $k -eq 0 ] && [ -e '{count}' ]; then c=0; fi"
    )) + &format!("; touch '{count}'");
    let said = check(&["--setting", "committee", "sh", "-c", &script]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(
        said.stdout
            .contains("answered the same question in two ways"),
        "{}",
        said.stdout
    );
}

#[test]
fn one_that_says_too_much_or_does_not_end_is_found_out() {
    let only = |script: &str| {
        check(&[
            "--setting",
            "outcomes",
            "--patience",
            "2",
            "sh",
            "-c",
            script,
        ])
    };
    let said = only(&(first("") + "; echo goodbye"));
    assert_eq!(said.code, Some(1));
    assert!(
        said.stdout
            .contains("said something that was not asked for"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("said: goodbye"), "{}", said.stdout);
    let said = only(&(first("") + "; exec sleep 600"));
    assert!(
        said.stdout.contains("did not end within 2 s of `bye`"),
        "{}",
        said.stdout
    );
    assert_eq!(said.code, Some(1));
    let said = only("exec sleep 600");
    assert!(
        said.stdout.contains("was silent for 2 s after `hello`"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("    said: nothing"), "{}", said.stdout);
}

#[test]
fn a_program_that_is_not_there_is_a_wrong_request() {
    for arguments in [
        &["no-such-program-of-ours"][..],
        &["--setting", "nowhere", "sh"],
        &[],
    ] {
        let said = check(arguments);
        assert_eq!((said.code, &*said.stdout), (Some(2), ""), "{}", said.stderr);
    }
}

/// A program that wants the features of a config by name finds them there, and not in the settings.
#[test]
fn a_program_is_examined_in_a_config_of_its_own() {
    let terminal = Terminal::new();
    terminal.put(
        "people.csv",
        "id,sex,income,debt\na,F,1.5,0.2\nb,M,2.5,0.3\nc,F,0.5,0.4\nd,M,1.25,0.1\n",
    );
    let policy = |label: &str, script: &str| {
        format!(
            "[[policy]]\nlabel = \"{label}\"\nkind = \"exec\"\ncommand = [\"sh\", \"-c\", {script:?}]\n"
        )
    };
    let needs = format!(
        "read -r hello; case $hello in *income*) ;; *) echo 'no income' >&2; exit 3;; esac; {}",
        first("").split_once(';').expect("it reads hello").1
    );
    terminal.put("needs.sh", &needs);
    let config = "seed = 1\n[source]\ntype = \"file\"\npath = \"people.csv\"\nid = \"id\"\norder = \"shuffled\"\n\
                  [source.attributes]\nsex = { column = \"sex\", values = { F = \"F\", M = \"M\" } }\n\
                  [source.features]\nnumeric = [\"income\", \"debt\"]\n\
                  [rules]\nslate = 2\nchoose = \"exactly_one\"\nuntil = { rounds = 2 }\n";
    let all =
        "[[policy]]\nlabel = \"all\"\nkind = \"uniform_choice\"\n[report]\nbaseline = \"all\"\n";
    terminal.put("my.toml", format!("{config}{all}"));
    let check = |args: &[&str]| terminal.klero(&[&["seat", "check"], args].concat());
    let said = check(&["sh", "needs.sh"]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(
        said.stdout.contains("committee: its program ended"),
        "{}",
        said.stdout
    );
    let said = check(&["--config", "my.toml", "sh", "needs.sh"]);
    assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{}", said.stdout);
    assert!(
        said.stdout.contains("exchanges, all well"),
        "{}",
        said.stdout
    );
    // What is wrong there is said of the config.
    let said = check(&["--config", "my.toml", "sh", "-c", &first("c=0,1")]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(
        said.stdout.starts_with("my.toml: round 1: "),
        "{}",
        said.stdout
    );
    // Without a command: the programs there, each alone.
    let own = policy("one", &needs) + &policy("two", &first("c=0,1"));
    terminal.put("own.toml", format!("{config}{own}"));
    let said = check(&["--config", "own.toml"]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(
        said.stdout.contains("own.toml, two: round 1: "),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains("own.toml, one: "), "{}", said.stdout);
}

#[test]
fn a_config_that_can_not_examine_is_refused() {
    let terminal = Terminal::new();
    terminal.put("broken.toml", "[rules\n");
    for (args, words) in [
        (
            &["--config", "none.toml", "sh"][..],
            "there is no config \"none.toml\"",
        ),
        (
            &["--config", "broken.toml", "sh"],
            "the header `[rules` is not closed",
        ),
        (
            &["--config", "committee-syn6"],
            "no policy of committee-syn6 is a program",
        ),
        (
            &["--config", "committee-syn6", "no-such-program"],
            "there is no program",
        ),
        (
            &["--config", "live-http", "sh"],
            "the people of live-http come from outside",
        ),
        (&["--set", "seed=3", "sh"], "--config <CONFIG>"),
        (
            &["--config", "committee-syn6", "--setting", "share", "sh"],
            "cannot be used with",
        ),
    ] {
        let said = terminal.klero(&[&["seat", "check"], args].concat());
        assert_eq!((said.code, &*said.stdout), (Some(2), ""), "{args:?}");
        assert!(said.stderr.contains(words), "{args:?}: {}", said.stderr);
    }
}

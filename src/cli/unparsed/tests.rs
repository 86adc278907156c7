//! Command lines that are refused, and what is said of them.

use clap::CommandFactory;

use super::*;
use crate::cli::Cli;

/// All that is said of a command line that is refused, on one line.
fn said(line: &str) -> String {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let mut whole = Cli::command();
    whole.build();
    let typed = ["klero".to_owned()].into_iter().chain(words.clone());
    let error = Cli::command().try_get_matches_from(typed).expect_err(line);
    let text = advised(error, &whole, &words).render().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_option_of_another_command_or_of_the_config_is_said_to_be_one() {
    for (line, tips) in [
        (
            "run --judge impact_ratio",
            &[
                r#"--set 'report.judge=["impact_ratio"]'"#,
                "--judge is an option of klero resume, klero replay, klero report",
                "not of klero run",
            ][..],
        ),
        (
            "run --goal accepted",
            &["--set 'report.goal.best=accepted'", "klero report"],
        ),
        ("run --baseline=x", &[r#"--set 'report.baseline="x"'"#]),
        ("check --alpha 0.01", &["--set 'report.alpha=0.01'"]),
        ("run --max-rounds 7", &["--set 'rules.max_rounds=7'"]),
        (
            "run --tolerance 0.1",
            &["--set 'policy.LABEL.tolerance=0.1'"],
        ),
        (
            "run --policy cmdp",
            &["to play some policies alone: --only LABEL", "klero draw"],
        ),
        (
            "explain --out d",
            &[
                "klero run",
                "not of klero explain",
                "klero explain … > FILE",
            ],
        ),
        (
            "reproduce x --set a=b",
            &["not of klero reproduce", "klero run PRESET --set KEY=VALUE"],
        ),
        ("journal verify d --cut", &["klero journal repair"]),
        ("plan --seed-from x", &["klero draw"]),
        ("sweep status d --plan x", &["klero sweep, not of"]),
        (
            "run --fromat json",
            &["a similar argument exists: '--format'"],
        ),
        (
            "report d --jugde x",
            &["a similar argument exists: '--judge'"],
        ),
        (
            "list --colour always",
            &["a similar argument exists: '--color'"],
        ),
    ] {
        let said = said(line);
        for tip in tips {
            assert!(said.contains(tip), "{line}: no {tip:?} in {said}");
        }
        assert!(!said.contains("use '-- "), "{line}: {said}");
    }
}

#[test]
fn an_option_that_no_command_has_gets_no_tip() {
    for line in ["run --zzzzzzzz", "list --qqqq x", "report d -z"] {
        let said = said(line);
        assert!(!said.contains("tip:"), "{line}: {said}");
    }
}

#[test]
fn misspelt_commands_are_those_with_the_fewest_letters_changed() {
    for (line, meant) in [
        ("explian", "'explain'"),
        ("rum", "'run'"),
        ("rpelay d", "'replay'"),
        ("reprot d", "'report'"),
        ("verfiy x", "'verify'"),
        ("shwo x", "'show'"),
        ("chekc", "'check'"),
        ("journal verfy d", "'verify'"),
        ("fit socres", "'scores'"),
        ("seat chek x", "'check'"),
        ("schema cofnig", "'config'"),
        ("hlep", "'help'"),
    ] {
        let said = said(line);
        let tip = format!("similar subcommand exists: {meant} ");
        assert!(said.contains(&tip), "{line}: {said}");
    }
    let said = said("zzzz");
    assert!(
        said.contains("commands of klero: init, run, sweep"),
        "{said}"
    );
}

#[test]
fn misspelt_words_of_options_too() {
    for (line, meant) in [
        ("list polcies", "'policies'"),
        ("list persets", "'presets'"),
        ("run --format jsno", "'json'"),
        ("run --out d --trace desicions", "'decisions'"),
    ] {
        let said = said(line);
        let tip = format!("similar value exists: {meant} ");
        assert!(said.contains(&tip), "{line}: {said}");
    }
}

#[test]
fn a_word_too_many_is_said_to_be_one() {
    for (line, tip) in [
        ("run a b", "klero run takes [CONFIG] besides its options"),
        ("skill x", "klero skill takes no words besides its options"),
        ("draw verfy d", "did you mean klero draw verify?"),
        ("sweep statsu d", "did you mean klero sweep status?"),
        ("run a --set x y=1", "is quoted for the shell: --set"),
        ("run a --sweep x y=1,2", "is quoted for the shell: --sweep"),
    ] {
        let said = said(line);
        assert!(said.contains(tip), "{line}: {said}");
    }
}

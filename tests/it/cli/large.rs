//! Files that are larger than any that is read whole: refused by their size, before they fill the
//! memory.

use std::fs::OpenOptions;

use super::draw::town;
use crate::support::says::Says as _;
use crate::support::terminal::typed;

#[test]
fn a_file_that_is_too_large_is_refused_by_its_size() {
    let terminal = town();
    let run = "run my.toml -q --replications 2 --out r";
    terminal.done(&typed(run));
    for name in ["s/plan.json", "big.plan", "big.toml", "big.txt"] {
        terminal.put(name, "{");
    }
    for (command, name) in [
        ("check big.toml", "big.toml"),
        ("sweep big.plan --shard 1/2 --out units", "big.plan"),
        ("sweep status s", "s/plan.json"),
        ("report r", "r/summary.json"),
        ("report r", "r/config.toml"),
        (
            "draw my.toml --policy first --seed-from big.txt --out d",
            "big.txt",
        ),
        ("draw my.toml --seed-from 7 --out d", "my.toml"),
    ] {
        let before = terminal.read(name);
        let file = OpenOptions::new().write(true).open(terminal.path(name));
        let grown = file.and_then(|file| file.set_len((1 << 30) + 1));
        grown.expect("the file has a hole");
        let said = terminal.exits(2, &typed(command));
        said.stderr.says("it is larger than 1 GiB");
        said.stderr.says(name);
        said.stderr.says("help: ");
        terminal.put(name, before);
    }
}

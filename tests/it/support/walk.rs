//! Pages whose commands are run: what they say to type, and what they show of the output.

/// A command of a page, and the lines that it shows of its output.
pub struct Step {
    pub command: String,
    pub shown: Vec<String>,
}

/// The commands of a page's blocks `console`, in order.
pub fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let blocks = page.split("```console\n").skip(1);
    for line in blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines()) {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step {
                command: command.to_owned(),
                shown: Vec::new(),
            }),
            None => steps
                .last_mut()
                .expect("a command")
                .shown
                .push(line.to_owned()),
        }
    }
    steps
}

/// Whether a text has these lines in this order; "..." means any lines, or the rest of one.
pub fn shows(text: &str, shown: &[String]) -> bool {
    let mut lines = text.lines();
    let mut skips = false;
    for wanted in shown {
        if wanted == "..." {
            skips = true;
            continue;
        }
        let is_it = |line: &str| match wanted.strip_suffix("...") {
            Some(start) => line.starts_with(start),
            None => line == wanted,
        };
        let found = match skips {
            true => lines.any(is_it),
            false => lines.next().is_some_and(is_it),
        };
        if !found {
            return false;
        }
        skips = false;
    }
    skips || lines.next().is_none()
}

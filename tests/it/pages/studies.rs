//! The pages: their size, their links, and what the index opens.

use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// Every page fits, and every link of every page names a file of the folder, and a place in it
/// where it names one.
pub fn links_lead_somewhere(terminal: &Terminal, folder: &str) {
    let names = terminal.names(folder);
    for name in names.iter().filter(|name| name.ends_with(".html")) {
        let page = terminal.read(&format!("{folder}/{name}"));
        assert!(page.len() <= 400_000, "{name}: {}", page.len());
        for link in page.split("href=\"").skip(1) {
            let link = link.split('"').next().expect("a link");
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { name } else { file };
            if file == "data:," {
                continue;
            }
            assert!(names.iter().any(|name| name == file), "{name}: {link}");
            if !place.is_empty() {
                let there = terminal.read(&format!("{folder}/{file}"));
                assert!(there.contains(&format!("id=\"{place}\"")), "{name}: {link}");
            }
        }
    }
}

/// One that is asked for alone is what `index.html` opens.
#[test]
fn a_study_by_itself_is_the_index() {
    let terminal = Terminal::new();
    for (folder, args) in [
        ("one", &["do2021-example2"][..]),
        ("two", &["do2021-example2", "do2021-table1"]),
    ] {
        let args = [&["reproduce", "--quick", "--out", folder], args].concat();
        terminal.done(&args);
        links_lead_somewhere(&terminal, folder);
    }
    let alone = terminal.read("one/index.html");
    assert!(alone.contains("<h1>Example 2 of Do et al. 2021") && alone.contains("<figure "));
    assert!(
        !terminal
            .names("one")
            .contains(&"do2021-example2.html".to_owned())
    );
    // Among others it is the same, but for the links to them.
    let among_others = terminal.read("two/do2021-example2.html");
    let (before, rest) = among_others
        .split_once("<nav class=\"pages\"")
        .expect("links");
    let (links, after) = rest.split_once("</nav>\n").expect("an end");
    assert_eq!(alone, format!("{before}{after}"));
    assert!(links.contains("index.html") && links.contains("do2021-table1.html"));
    let index = terminal.read("two/index.html");
    assert!(index.contains("No sentence was found not to hold."));
    assert!(index.contains("klero reproduce do2021-example2 do2021-table1 --quick"));
    // Every sentence is on the index as on its study's page, but for its rule, and leads there.
    let cells = |page: &str| -> Vec<String> {
        let rows = page.split("<td role=\"cell\" data-head=\"Paper\">").skip(1);
        let ends = rows.filter_map(|row| row.split("</tr>").next());
        let bare = ends.map(|row| {
            let rule = row
                .split("<span class=\"why\">Rule: ")
                .next()
                .unwrap_or(row);
            rule.trim_end_matches("</td>")
                .trim_end_matches("</span>")
                .to_owned()
        });
        bare.collect()
    };
    let table = terminal.read("two/do2021-table1.html");
    let all = [cells(&among_others), cells(&table)].concat();
    assert!(all.len() > 4 && all[0].contains("Ours"));
    assert_eq!(cells(&index), all);
    for n in 1..=cells(&table).len() {
        assert!(index.contains(&format!("href=\"do2021-table1.html#claim-{n}\"")));
    }
    index.says("<a href=\"do2021-example2.svg\"><img src=\"do2021-example2.svg\" alt=");
}

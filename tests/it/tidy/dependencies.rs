//! Every dependency is named in the code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use syn::visit::Visit;

use super::{code, files, sources};
use crate::support::project;

/// The first names of all paths in some files.
#[derive(Default)]
struct Heads(BTreeSet<String>);

impl Heads {
    /// Of a tree of names after `use`.
    fn of_tree(&mut self, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => _ = self.0.insert(path.ident.to_string()),
            syn::UseTree::Name(name) => _ = self.0.insert(name.ident.to_string()),
            syn::UseTree::Rename(name) => _ = self.0.insert(name.ident.to_string()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|one| self.of_tree(one)),
            syn::UseTree::Glob(_) => {}
        }
    }

    /// Of what a macro or an attribute is given: the names before `::`.
    fn of_tokens(&mut self, tokens: &str) {
        for (at, _) in tokens.match_indices("::") {
            let word = tokens[..at].trim_end();
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let start = word.rfind(|c| !is_name(c)).map_or(0, |before| before + 1);
            self.0.insert(word[start..].to_owned());
        }
    }

    /// Of the Rust files below a folder.
    fn of_folder(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).expect("the folder is there");
        for entry in entries {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                self.of_folder(&path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("it is text");
                self.visit_file(&syn::parse_file(&text).expect("it is Rust"));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Heads {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.of_tree(&item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let first = path.segments.first();
        self.0.extend(first.map(|one| one.ident.to_string()));
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.of_tokens(&call.tokens.to_string());
        syn::visit::visit_macro(self, call);
    }

    fn visit_meta_list(&mut self, list: &'ast syn::MetaList) {
        self.of_tokens(&list.tokens.to_string());
        syn::visit::visit_meta_list(self, list);
    }
}

/// The names of the dependencies in a table of `Cargo.toml`, as code writes them.
fn declared(table: Option<&toml::Value>) -> Vec<String> {
    let table = table.and_then(toml::Value::as_table);
    let names = table.into_iter().flat_map(toml::Table::keys);
    names.map(|name| name.replace('-', "_")).collect()
}

/// Dependencies that only tests of a feature need: they can't be optional among those of tests.
const OF_TESTS: [&str; 1] = ["async_nats"];

/// The dependencies of a package that its code does not name.
fn unused(package: &Path) -> Vec<String> {
    let text = fs::read_to_string(package.join("Cargo.toml")).expect("it is there");
    let cargo: toml::Value = toml::from_str(&text).expect("it is TOML");
    let mut product = declared(cargo.get("dependencies"));
    let targets = cargo.get("target").and_then(toml::Value::as_table);
    for target in targets.into_iter().flat_map(toml::Table::values) {
        product.extend(declared(target.get("dependencies")));
    }
    let mut heads = Heads::default();
    heads.of_folder(&package.join("src"));
    let of_product = product.into_iter();
    let mut unused: Vec<String> = of_product
        .filter(|name| !heads.0.contains(name) && !OF_TESTS.contains(&&**name))
        .collect();
    for folder in ["tests", "examples", "benches"] {
        let folder = package.join(folder);
        if folder.is_dir() {
            heads.of_folder(&folder);
        }
    }
    let tests = declared(cargo.get("dev-dependencies")).into_iter();
    unused.extend(tests.filter(|name| !heads.0.contains(name)));
    unused
}

#[test]
fn every_dependency_is_used() {
    let mut packages: Vec<_> = sources();
    packages.sort();
    assert!(packages.len() > 10, "{packages:?}");
    let unused: Vec<String> = packages
        .iter()
        .filter_map(|source| source.parent())
        .flat_map(|package| {
            let name = package.file_name().unwrap_or_default().to_string_lossy();
            let unused = unused(package).into_iter();
            unused
                .map(move |unused| format!("{name}: {unused}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(unused.is_empty(), "not named in the code: {unused:?}");
}

/// Names by which code reaches what is outside of it.
const OUTSIDE: [&str; 6] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "tokio::fs",
    "tokio::net",
];

/// The crates below `io` know no file, network or config.
#[test]
fn what_plays_knows_no_file_network_or_config() {
    for name in ["core", "sortition", "policies", "stats"] {
        let path = project().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(path).expect("it is there");
        let cargo: toml::Value = toml::from_str(&text).expect("it is TOML");
        let used = declared(cargo.get("dependencies"));
        let below = ["core", "sortition"].map(|one| format!("kleroterion_{one}"));
        let pure = [
            "async_trait",
            "clarabel",
            "good_lp",
            "libm",
            "nalgebra",
            "num_traits",
            "rand",
            "rand_distr",
            "schemars",
            "serde",
            "serde_json",
            "statrs",
            "strsim",
            "thiserror",
            "tokio",
            "tokio_stream",
            "tracing",
        ];
        let strangers: Vec<_> = used
            .iter()
            .filter(|one| !below.contains(one) && !pure.contains(&&***one))
            .collect();
        assert!(strangers.is_empty(), "{name}: {strangers:?}");
        for (path, text) in files(name) {
            let mut parts = path.iter();
            let is_test = parts.any(|part| part == "tests" || part == "tests.rs");
            for line in code(&text).filter(|_| !is_test) {
                let found = OUTSIDE.iter().find(|word| line.contains(**word));
                assert!(found.is_none(), "{}: {line}", path.display());
            }
        }
    }
}

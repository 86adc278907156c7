//! All public items of the workspace are in lists that are checked in, so that a change is seen.
//!
//! An item is public under each path by which another crate can name it. The lists have modules,
//! types, traits, functions, constants and macros, with methods and variants; of features all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::{ImplItem, Item, TraitItem, UseTree, Visibility};

use super::sources;
use crate::support::project;

/// The folder of the lists, a file a crate.
const LISTS: &str = "tests/it/tidy/public";

/// A module: its items, and the modules in it.
#[derive(Default)]
struct Module {
    items: Vec<Item>,
    below: BTreeMap<String, Module>,
}

/// The names that `use` declares, each with its path. A glob has no name.
fn names(tree: &UseTree, head: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let with = |ident: &syn::Ident| [head, &[ident.to_string()]].concat();
    match tree {
        UseTree::Path(path) => names(&path.tree, &with(&path.ident), found),
        UseTree::Name(name) if name.ident == "self" => {
            found.push((head.last().cloned().unwrap_or_default(), head.to_vec()));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), with(&name.ident))),
        UseTree::Rename(name) => found.push((name.rename.to_string(), with(&name.ident))),
        UseTree::Glob(_) => found.push((String::new(), head.to_vec())),
        UseTree::Group(group) => group.items.iter().for_each(|one| names(one, head, found)),
    }
}

/// Returns true for what only tests and fuzzers see.
fn is_hidden(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|one| match &one.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            let words = list.tokens.to_string();
            words == "test" || words.contains("any (test")
        }
        _ => false,
    })
}

fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

impl Module {
    /// Reads a file, and the files of the modules that it declares, which are in `folder`.
    fn read(file: &Path, folder: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{file:?}: {why}"));
        let items = syn::parse_file(&text).expect("it is Rust").items;
        Self::of(items, folder)
    }

    fn of(items: Vec<Item>, folder: &Path) -> Self {
        let mut below = BTreeMap::new();
        for item in &items {
            let Item::Mod(module) = item else { continue };
            if is_hidden(&module.attrs) {
                continue;
            }
            let name = module.ident.to_string();
            let inner = folder.join(&name);
            let read = match &module.content {
                Some((_, items)) => Self::of(items.clone(), &inner),
                None => {
                    let file = folder.join(format!("{name}.rs"));
                    let is_file = file.is_file();
                    Self::read(&if is_file { file } else { inner.join("mod.rs") }, &inner)
                }
            };
            below.insert(name, read);
        }
        Self { items, below }
    }

    fn at(&self, path: &[String]) -> Option<&Self> {
        path.iter().try_fold(self, |at, name| at.below.get(name))
    }
}

/// The lister of a crate's items.
struct Lister<'a> {
    root: &'a Module,
    /// The public methods of each type, by its name.
    methods: BTreeMap<String, BTreeSet<String>>,
    found: BTreeSet<String>,
}

impl<'a> Lister<'a> {
    fn new(root: &'a Module) -> Self {
        let mut methods = BTreeMap::new();
        Self::collect(root, &mut methods);
        Self {
            root,
            methods,
            found: BTreeSet::new(),
        }
    }

    fn collect(module: &Module, methods: &mut BTreeMap<String, BTreeSet<String>>) {
        for item in &module.items {
            let Item::Impl(block) = item else { continue };
            let syn::Type::Path(of) = &*block.self_ty else {
                continue;
            };
            let Some(of) = of.path.segments.last() else {
                continue;
            };
            if block.trait_.is_some() || is_hidden(&block.attrs) {
                continue;
            }
            let of = methods.entry(of.ident.to_string()).or_default();
            of.extend(block.items.iter().filter_map(|one| match one {
                ImplItem::Fn(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                    Some(format!("{} (fn)", one.sig.ident))
                }
                ImplItem::Const(one) if is_public(&one.vis) => {
                    Some(format!("{} (const)", one.ident))
                }
                _ => None,
            }));
        }
        module
            .below
            .values()
            .for_each(|one| Self::collect(one, methods));
    }

    fn put(&mut self, shown: &str, name: &str, what: &str) {
        self.found.insert(format!("{shown}::{name} ({what})"));
    }

    /// Lists an item under a name, and what is in it.
    fn item(&mut self, shown: &str, name: &str, item: &Item) {
        let (what, inner) = match item {
            Item::Fn(_) => ("fn", Vec::new()),
            Item::Const(_) => ("const", Vec::new()),
            Item::Static(_) => ("static", Vec::new()),
            Item::Type(_) => ("type", Vec::new()),
            Item::Struct(_) => ("struct", Vec::new()),
            Item::Enum(one) => {
                let variants = one.variants.iter();
                (
                    "enum",
                    variants
                        .map(|one| format!("{} (variant)", one.ident))
                        .collect(),
                )
            }
            Item::Trait(one) => {
                let items = one.items.iter().filter_map(|one| match one {
                    TraitItem::Fn(one) => Some(format!("{} (fn)", one.sig.ident)),
                    TraitItem::Const(one) => Some(format!("{} (const)", one.ident)),
                    TraitItem::Type(one) => Some(format!("{} (type)", one.ident)),
                    _ => None,
                });
                ("trait", items.collect())
            }
            _ => return,
        };
        self.put(shown, name, what);
        let own = own_name(item).unwrap_or_default();
        let methods = self.methods.get(&own).cloned().unwrap_or_default();
        let inner = inner.into_iter().chain(methods);
        self.found
            .extend(inner.map(|one| format!("{shown}::{name}::{one}")));
    }

    /// Lists the public items of a module at a path, under another one.
    fn module(&mut self, path: &[String], shown: &str) {
        let Some(module) = self.root.at(path) else {
            return;
        };
        for item in &module.items {
            match item {
                Item::Mod(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                    let name = one.ident.to_string();
                    self.put(shown, &name, "mod");
                    self.module(
                        &[path, std::slice::from_ref(&name)].concat(),
                        &format!("{shown}::{name}"),
                    );
                }
                Item::Use(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                    let mut found = Vec::new();
                    names(&one.tree, &[], &mut found);
                    for (name, from) in found {
                        self.passed_on(path, shown, &name, &from, 0);
                    }
                }
                Item::Macro(one) => {
                    let is_exported = one
                        .attrs
                        .iter()
                        .any(|one| one.path().is_ident("macro_export"));
                    if let Some(name) = one.ident.as_ref().filter(|_| is_exported) {
                        let root = shown.split("::").next().unwrap_or_default();
                        self.put(root, &name.to_string(), "macro");
                    }
                }
                item if own_vis(item).is_some_and(is_public) && !is_hidden(attributes(item)) => {
                    if let Some(name) = own_name(item) {
                        self.item(shown, &name, item);
                    }
                }
                _ => {}
            }
        }
    }

    /// Lists under `shown` what `use` brings into the module at `path`.
    fn passed_on(
        &mut self,
        path: &[String],
        shown: &str,
        name: &str,
        from: &[String],
        depth: usize,
    ) {
        let Some(from) = self.absolute(path, from).filter(|_| depth < 9) else {
            let from = from.join("::");
            let name = if name.is_empty() { "*" } else { name };
            return self.put(shown, name, &format!("use {from}"));
        };
        if name.is_empty() {
            return self.module(&from, shown);
        }
        if self.root.at(&from).is_some() {
            self.put(shown, name, "mod");
            return self.module(&from, &format!("{shown}::{name}"));
        }
        let Some((last, head)) = from.split_last() else {
            return;
        };
        let Some(module) = self.root.at(head) else {
            return;
        };
        for item in &module.items {
            match item {
                Item::Use(one) => {
                    let mut found = Vec::new();
                    names(&one.tree, &[], &mut found);
                    if let Some((_, from)) = found.iter().find(|(known, _)| known == last) {
                        self.passed_on(head, shown, name, from, depth + 1);
                    }
                }
                item if own_name(item).as_ref() == Some(last) => self.item(shown, name, item),
                _ => {}
            }
        }
    }

    /// A path as it is written in a module, from the root of the crate. `None` where it leads
    /// outside.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let first = path.first()?;
        match first.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => Some([&module[..module.len().checked_sub(ups)?], &path[ups..]].concat()),
            name => {
                let here = self.root.at(module)?;
                let is_item = |item: &Item| own_name(item).as_deref() == Some(name);
                let is_here = here.below.contains_key(name) || here.items.iter().any(is_item);
                is_here.then(|| [module, path].concat())
            }
        }
    }
}

/// The name of an item that has one.
fn own_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Fn(one) => &one.sig.ident,
        Item::Const(one) => &one.ident,
        Item::Static(one) => &one.ident,
        Item::Type(one) => &one.ident,
        Item::Struct(one) => &one.ident,
        Item::Enum(one) => &one.ident,
        Item::Trait(one) => &one.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn own_vis(item: &Item) -> Option<&Visibility> {
    match item {
        Item::Fn(one) => Some(&one.vis),
        Item::Const(one) => Some(&one.vis),
        Item::Static(one) => Some(&one.vis),
        Item::Type(one) => Some(&one.vis),
        Item::Struct(one) => Some(&one.vis),
        Item::Enum(one) => Some(&one.vis),
        Item::Trait(one) => Some(&one.vis),
        _ => None,
    }
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Fn(one) => &one.attrs,
        Item::Const(one) => &one.attrs,
        Item::Static(one) => &one.attrs,
        Item::Type(one) => &one.attrs,
        Item::Struct(one) => &one.attrs,
        Item::Enum(one) => &one.attrs,
        Item::Trait(one) => &one.attrs,
        _ => &[],
    }
}

/// The list of a crate, a line an item.
fn list(source: &Path, name: &str) -> String {
    let root = Module::read(&source.join("lib.rs"), source);
    let mut lister = Lister::new(&root);
    lister.module(&[], name);
    lister.found.into_iter().map(|line| line + "\n").collect()
}

/// With KLERO_WRITE_DOCS=1 the lists are written anew.
#[test]
fn the_public_items_are_those_of_the_lists() {
    let folder = project().join(LISTS);
    let mut changed = Vec::new();
    for source in sources() {
        let own = source.parent().and_then(|folder| folder.file_name());
        let (file, name) = match source.starts_with(project().join("crates")) {
            true => {
                let own = own.expect("a name").to_string_lossy().into_owned();
                let name = format!("kleroterion_{own}");
                (format!("{own}.txt"), name)
            }
            false => ("kleroterion.txt".to_owned(), "kleroterion".to_owned()),
        };
        // Tests alone use it.
        if file == "testkit.txt" {
            continue;
        }
        let found = list(&source, &name);
        if std::env::var_os("KLERO_WRITE_DOCS").is_some() {
            fs::write(folder.join(&file), &found).expect("it can be written");
        }
        let known = fs::read_to_string(folder.join(&file)).unwrap_or_default();
        let [known, found] = [&known, &found].map(|text| text.lines().collect::<BTreeSet<_>>());
        changed.extend(known.difference(&found).map(|line| format!("- {line}")));
        changed.extend(found.difference(&known).map(|line| format!("+ {line}")));
    }
    assert!(
        changed.is_empty(),
        "public items have changed:\n{}\nIf that is meant, write the lists anew: \
         KLERO_WRITE_DOCS=1 cargo test --features nats --test it tidy::public",
        changed.join("\n")
    );
}

//! No circle of files: a type that several files need has a file of its own.
//!
//! A file depends on the files whose definitions it names. Names that a file only passes on
//! (`pub use`) count as those of the file that defines them; unit tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::Visit;

use super::{rust, sources};

/// The circles that are allowed, each by one of its files, and why.
const ALLOWED: [(&str, &str); 1] = [(
    "protocol::batch",
    "a batch is judged at its truth, which is that of a person of a batch",
)];

type Module = Vec<String>;

/// What a file names, and what it passes on.
#[derive(Default)]
struct Names {
    used: Vec<Module>,
    /// By the last name; where it comes from.
    passed_on: BTreeMap<String, Module>,
}

impl Names {
    /// The paths of a tree of names, each whole.
    fn of_tree(tree: &syn::UseTree, head: &Module, found: &mut Vec<(String, Module)>) {
        let with = |ident: &syn::Ident| [head.as_slice(), &[ident.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => Self::of_tree(&path.tree, &with(&path.ident), found),
            syn::UseTree::Name(name) if name.ident == "self" => {
                found.push((head.last().cloned().unwrap_or_default(), head.clone()));
            }
            syn::UseTree::Name(name) => found.push((name.ident.to_string(), with(&name.ident))),
            syn::UseTree::Rename(name) => found.push((name.rename.to_string(), with(&name.ident))),
            syn::UseTree::Glob(_) => found.push((String::new(), head.clone())),
            syn::UseTree::Group(group) => {
                let members = group.items.iter();
                members.for_each(|member| Self::of_tree(member, head, found));
            }
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    let mut cfgs = attributes.iter().filter(|one| one.path().is_ident("cfg"));
    cfgs.any(|cfg| matches!(&cfg.meta, syn::Meta::List(list) if list.tokens.to_string() == "test"))
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let mut found = Vec::new();
        Self::of_tree(&item.tree, &Vec::new(), &mut found);
        match item.vis {
            syn::Visibility::Inherited => self.used.extend(found.into_iter().map(|(_, path)| path)),
            _ => self.passed_on.extend(found),
        }
    }

    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {
        // Who may see a thing says nothing of what the file needs.
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            syn::visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // A name alone is a variable, or came by a `use`.
        if path.segments.len() > 1 {
            let names = path.segments.iter().map(|one| one.ident.to_string());
            self.used.push(names.collect());
        }
        syn::visit::visit_path(self, path);
    }
}

/// All files of a crate as modules, by their paths below `crate`.
struct Crate(BTreeMap<Module, Names>);

impl Crate {
    fn read(source: &Path) -> Self {
        let mut modules = BTreeMap::new();
        for (path, text) in rust(source) {
            let below = path.strip_prefix(source).expect("in src");
            let below = below.with_extension("");
            let mut module: Module = below
                .iter()
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            if module.last().is_some_and(|last| last == "mod") {
                module.pop();
            }
            let is_root = module == ["lib"] || module == ["main"];
            if is_root || module.iter().any(|name| name == "tests") {
                continue;
            }
            let mut names = Names::default();
            names.visit_file(&syn::parse_file(&text).expect("it is Rust"));
            modules.insert(module, names);
        }
        Self(modules)
    }

    /// A path as it is written in a module, from the root of the crate; none where it leads
    /// outside.
    fn absolute(&self, module: &Module, path: &Module) -> Option<Module> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let first = path.first()?;
        Some(match first.as_str() {
            "crate" => path[1..].to_vec(),
            "self" => [module, &path[1..]].concat(),
            "super" => {
                let base = &module[..module.len().checked_sub(ups)?];
                [base, &path[ups..]].concat()
            }
            name => {
                let child = [module.as_slice(), &[name.to_owned()]].concat();
                let is_child = self.0.contains_key(&child);
                is_child.then(|| [module.as_slice(), path].concat())?
            }
        })
    }

    /// The module that defines what a path from the root leads to.
    fn definer(&self, path: &Module, depth: usize) -> Option<Module> {
        let ends = (1..=path.len()).rev();
        let mut heads = ends.map(|end| (path[..end].to_vec(), &path[end..]));
        let (module, rest) = heads.find(|(head, _)| self.0.contains_key(head))?;
        let passed_on = rest.first().and_then(|name| {
            let from = self.0[&module].passed_on.get(name)?;
            let from = self.absolute(&module, from)?;
            Some([from.as_slice(), &rest[1..]].concat())
        });
        match passed_on {
            Some(from) if depth < 8 => self.definer(&from, depth + 1),
            _ => Some(module),
        }
    }

    fn needs(&self, module: &Module) -> BTreeSet<Module> {
        let paths = self.0[module].used.iter();
        let paths = paths.filter_map(|path| self.absolute(module, path));
        let needs = paths.filter_map(|path| self.definer(&path, 0));
        needs.filter(|other| other != module).collect()
    }

    /// The circles: sets of modules each of which needs, by way of others, each other.
    fn circles(&self) -> Vec<Vec<String>> {
        let needs: BTreeMap<&Module, BTreeSet<Module>> = self
            .0
            .keys()
            .map(|module| (module, self.needs(module)))
            .collect();
        let reached: BTreeMap<&Module, BTreeSet<&Module>> = needs
            .keys()
            .map(|module| {
                let mut reached = BTreeSet::new();
                let mut next: Vec<&Module> = needs[*module].iter().collect();
                while let Some(one) = next.pop() {
                    if reached.insert(one) {
                        next.extend(&needs[one]);
                    }
                }
                (*module, reached)
            })
            .collect();
        let mut circles = BTreeSet::new();
        for (module, others) in &reached {
            let circle = others
                .iter()
                .filter(|other| reached[**other].contains(*module));
            let circle: Vec<String> = circle.map(|other| other.join("::")).collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }
}

#[test]
fn no_circle_of_files() {
    let sources = sources().into_iter();
    let circles: Vec<_> = sources
        .flat_map(|source| Crate::read(&source).circles())
        .collect();
    let is_allowed = |circle: &&Vec<String>| {
        let mut allowed = ALLOWED.iter();
        !allowed.any(|(file, _)| circle.iter().any(|one| one == file))
    };
    let found: Vec<String> = circles
        .iter()
        .filter(is_allowed)
        .map(|circle| circle.join(" "))
        .collect();
    assert!(found.is_empty(), "circles of files:\n{}", found.join("\n"));
    for (file, why) in ALLOWED {
        let is_there = circles
            .iter()
            .any(|circle| circle.iter().any(|one| one == file));
        assert!(
            is_there,
            "{file} is in no circle any more ({why}): delete it here"
        );
    }
}

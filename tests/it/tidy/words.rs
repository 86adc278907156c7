//! Docs of public items begin with the field's noun, and a name stands for one public type.

use std::collections::BTreeMap;
use std::path::Path;

use syn::visit::Visit;

use super::{below, files, sources};

/// First words of docs that ask in place of saying.
const ASKING: [&str; 6] = ["What", "How", "Whether", "Who", "Where", "Of"];

/// The docs that ask and the public types of a file.
#[derive(Default)]
struct Public {
    asking: Vec<String>,
    types: Vec<String>,
}

/// The first line of an item's doc.
fn first_line(attributes: &[syn::Attribute]) -> Option<String> {
    let doc = attributes.iter().find(|one| one.path().is_ident("doc"))?;
    let syn::Meta::NameValue(doc) = &doc.meta else {
        return None;
    };
    let syn::Expr::Lit(text) = &doc.value else {
        return None;
    };
    let syn::Lit::Str(text) = &text.lit else {
        return None;
    };
    Some(text.value().trim().to_owned())
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

impl Public {
    fn doc(&mut self, attributes: &[syn::Attribute]) {
        let line = first_line(attributes).unwrap_or_default();
        let first = line.split(|c: char| !c.is_alphabetic()).next();
        if first.is_some_and(|first| ASKING.contains(&first)) {
            self.asking.push(line);
        }
    }

    fn named(&mut self, visibility: &syn::Visibility, name: &syn::Ident) {
        if is_public(visibility) {
            self.types.push(name.to_string());
        }
    }

    fn fields(&mut self, fields: &syn::Fields) {
        for field in fields.iter().filter(|field| is_public(&field.vis)) {
            self.doc(&field.attrs);
        }
    }
}

impl<'ast> Visit<'ast> for Public {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_test = item.attrs.iter().any(|one| one.path().is_ident("cfg"));
        if !is_test {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.named(&item.vis, &item.ident);
        if is_public(&item.vis) {
            self.doc(&item.attrs);
            self.fields(&item.fields);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.named(&item.vis, &item.ident);
        if is_public(&item.vis) {
            self.doc(&item.attrs);
            for variant in &item.variants {
                self.doc(&variant.attrs);
                for field in &variant.fields {
                    self.doc(&field.attrs);
                }
            }
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.named(&item.vis, &item.ident);
        if is_public(&item.vis) {
            self.doc(&item.attrs);
            for member in &item.items {
                if let syn::TraitItem::Fn(member) = member {
                    self.doc(&member.attrs);
                }
            }
        }
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.named(&item.vis, &item.ident);
        if is_public(&item.vis) {
            self.doc(&item.attrs);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if is_public(&item.vis) {
            self.doc(&item.attrs);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        if is_public(&item.vis) {
            self.doc(&item.attrs);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if is_public(&item.vis) {
            self.doc(&item.attrs);
        }
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        if is_public(&item.vis) {
            self.doc(&item.attrs);
        }
    }
}

fn public(text: &str) -> Public {
    let mut public = Public::default();
    public.visit_file(&syn::parse_file(text).expect("it is Rust"));
    public
}

/// The files of the crates that others use: not of tests, the command line or the testkit.
fn of_the_library() -> Vec<(String, String)> {
    let is_test = |path: &Path| {
        path.iter()
            .any(|part| part == "tests" || part == "tests.rs")
    };
    let ours = files("").into_iter().filter(|(path, _)| {
        let is_inner = path.iter().any(|part| part == "crates");
        is_inner && !path.iter().any(|part| part == "testkit") && !is_test(path)
    });
    let named = ours.map(|(path, text)| {
        let source = sources()
            .into_iter()
            .find(|source| path.starts_with(source));
        let package = source.expect("it is in a folder src");
        let package = package
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default();
        let name = Path::new(package).join(below(&path));
        (name.display().to_string(), text)
    });
    named.collect()
}

#[test]
fn no_public_doc_begins_with_a_question() {
    let mut asking = Vec::new();
    for (path, text) in of_the_library() {
        let found = public(&text).asking.into_iter();
        asking.extend(found.map(|line| format!("{path}: {line}")));
    }
    let asking = asking.join("\n");
    assert!(asking.is_empty(), "say what the thing is:\n{asking}");
}

#[test]
fn a_name_is_that_of_one_public_type() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in of_the_library() {
        for name in public(&text).types {
            places.entry(name).or_default().push(path.clone());
        }
    }
    assert!(places.len() > 500, "{}", places.len());
    let shared = places.iter().filter(|(_, places)| places.len() > 1);
    let shared: Vec<String> = shared
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(shared.is_empty(), "name them apart:\n{}", shared.join("\n"));
}

#[test]
fn docs_that_ask_and_types_are_seen() {
    let text = "
        /// Whether it is.
        pub fn is() {}
        /// Offers of places.
        pub struct Offers {
            /// How many.
            pub many: u32,
            /// What for.
            why: u32,
        }
        pub enum Of {
            /// Of one.
            One,
        }
        /// Where it is.
        fn place() {}
        #[cfg(test)]
        mod tests { pub struct Double; }";
    let public = public(text);
    assert_eq!(public.asking, ["Whether it is.", "How many.", "Of one."]);
    assert_eq!(public.types, ["Offers", "Of"]);
}

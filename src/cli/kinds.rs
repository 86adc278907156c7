//! The kinds of the program, from its start to its end.

use std::sync::{Arc, OnceLock};

use kleroterion::Registry;

static REGISTRY: OnceLock<Arc<Registry>> = OnceLock::new();

/// Sets the kinds of the program. A second call changes nothing.
pub(super) fn start(registry: Registry) {
    // The first call's registry stays.
    drop(REGISTRY.set(Arc::new(registry)));
}

/// The kinds of the program.
pub(super) fn registry() -> &'static Arc<Registry> {
    REGISTRY.get_or_init(Arc::default)
}

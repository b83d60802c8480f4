//! The net that is part of the program.

use super::Network;
use std::sync::{Arc, LazyLock};

/// The file of the net in the program, as `chuhe export-net` writes it.
pub const EMBEDDED_FILE: &[u8] = include_bytes!("embedded.nnue");

static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::decode(EMBEDDED_FILE);
    Arc::new(network.unwrap_or_else(|error| panic!("the net in the program: {error}")))
});

impl Network {
    /// The net in the program.
    pub fn embedded() -> Arc<Self> {
        Arc::clone(&EMBEDDED)
    }
}

//! The `chuhe` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    chuhe::platform::check_processor();
    chuhe::cli::run()
}

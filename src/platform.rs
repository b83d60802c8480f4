//! What depends on the processor or the operating system, and nothing else in
//! the program does.

pub mod files;
pub mod processes;

/// Ends the program with a message when the processor lacks instructions that
/// it was compiled for. To be called before anything else.
///
/// The code here is itself compiled for that processor, so it is plain on
/// purpose: a few masks and calls into the standard library, which is compiled
/// for the oldest.
#[inline(never)]
pub fn check_processor() {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !x86_64::has_v3() {
        use std::io::Write;
        let _ = std::io::stderr().write_all(TOO_OLD);
        std::process::exit(1);
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
const TOO_OLD: &[u8] =
    b"chuhe: this program was built for processors with AVX2, BMI2 and FMA (x86-64-v3,\n\
about 2013 and later), and this one lacks some of them. Build it for this machine:\n\
    RUSTFLAGS=\"-C target-cpu=native\" cargo build --release\n";

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod x86_64 {
    use std::arch::x86_64::__cpuid_count;

    // Bits of the CPUID leaves (Intel's manual, volume 2, CPUID).
    const LEAF_1_ECX: u32 = 1 << 12 // FMA
        | 1 << 19 // SSE4.1
        | 1 << 20 // SSE4.2
        | 1 << 22 // MOVBE
        | 1 << 23 // POPCNT
        | 1 << 27 // OSXSAVE
        | 1 << 28 // AVX
        | 1 << 29; // F16C
    const LEAF_7_EBX: u32 = 1 << 3 // BMI1
        | 1 << 5 // AVX2
        | 1 << 8; // BMI2
    const LEAF_8000_0001_ECX: u32 = 1 << 5; // LZCNT

    /// Whether the processor has the instructions of x86-64-v3.
    pub fn has_v3() -> bool {
        let leaves = __cpuid_count(0, 0).eax;
        leaves >= 7
            && __cpuid_count(1, 0).ecx & LEAF_1_ECX == LEAF_1_ECX
            && __cpuid_count(7, 0).ebx & LEAF_7_EBX == LEAF_7_EBX
            && __cpuid_count(0x8000_0001, 0).ecx & LEAF_8000_0001_ECX == LEAF_8000_0001_ECX
    }
}

/// Asks the system to back this memory with large pages, which spares a lookup
/// at most reads of a large table. Nothing happens where it cannot.
pub fn advise_large_pages(memory: std::ptr::NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        // SAFETY: this advice changes the size of pages, never their content.
        let result = unsafe { madvise(memory.as_ptr().cast(), bytes, Advice::LinuxHugepage) };
        if let Err(error) = result {
            log::debug!("no large pages: {error}");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}

/// The bytes of memory that a program may take without driving others out,
/// where the system tells: what is free, within the limit of the program's
/// control group.
pub fn available_memory() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        use std::fs::read_to_string;
        let number = |path: &str| read_to_string(path).ok()?.trim().parse::<usize>().ok();
        let info = read_to_string("/proc/meminfo").ok()?;
        let line = info.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
        let kilobytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        let limit = number("/sys/fs/cgroup/memory.max");
        let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
        let left = limit.map(|limit| limit.saturating_sub(used));
        let free = kilobytes.saturating_mul(1024);
        Some(left.map_or(free, |left| left.min(free)))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Processors that the program may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Gives way to whatever else the machine has to do, where the system knows
/// of such a thing.
pub fn be_nice() {
    #[cfg(unix)]
    if let Err(error) = rustix::process::nice(LOW_PRIORITY) {
        log::debug!("the priority stays as it is: {error}");
    }
}

/// Niceness of long work in the background.
#[cfg(unix)]
const LOW_PRIORITY: i32 = 19;

#if canImport(Glibc)
    internal import CMalloc
#endif
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Knows whether this process's control group, or the machine, has used up most of its memory: a little later the kernel would
/// kill it.
final class MemoryWatch: Service {
    private static let interval: Duration = .milliseconds(250)

    private let group: ControlGroup?
    private let machine: MachineMemory
    private let short = Atomic<Bool>(false)

    /// - Parameter group: nil when memory is not limited, or the system does not say.
    init(_ group: ControlGroup?, _ machine: MachineMemory) {
        self.group = group
        self.machine = machine
    }

    var isShort: Bool { short.load(ordering: .relaxed) }

    func look() {
        let isGroupShort = group.map { group in group.used.map { $0 > group.limit / 4 * 3 } ?? isShort } ?? false
        short.store(isGroupShort || machine.isShort, ordering: .relaxed)
    }

    func run() async throws {
        await ServiceLoop(every: MemoryWatch.interval).run { [self] in look() }
    }
}

/// The C library's allocator.
package enum Allocator {
    private static let large: Int32 = 128 << 10

    /// Gives large pieces of memory back to the kernel as soon as they are freed.
    ///
    /// Unasked, glibc takes the largest piece that was ever freed, up to 32 MiB, for the size from which on it does so
    /// (mallopt(3), M_MMAP_THRESHOLD): after one large body what the next ones took stays with the process, in holes.
    package static func returnLargePieces() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, large)
            _ = mallopt(M_TRIM_THRESHOLD, large)
        #endif
    }
}

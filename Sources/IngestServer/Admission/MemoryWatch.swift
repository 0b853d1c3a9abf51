#if canImport(Glibc)
    internal import CMalloc
#endif
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Watches whether this process's control group or the machine has used up most of its memory. The kernel would soon kill the
/// process.
final class MemoryWatch: Service {
    private static let interval: Duration = .milliseconds(250)

    private let group: ControlGroup?
    private let machine: MachineMemory
    private let short = Atomic<Bool>(false)

    /// - Parameter group: nil if memory is not limited, or the limit is unknown.
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

    /// Makes the allocator return large blocks to the kernel as soon as they are freed.
    ///
    /// By default glibc raises its threshold for this to the largest block ever freed, up to 32 MiB (mallopt(3),
    /// M_MMAP_THRESHOLD). So after one large body, later bodies would leave the heap fragmented, and the process would keep
    /// their memory.
    package static func returnLargePieces() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, large)
            _ = mallopt(M_TRIM_THRESHOLD, large)
        #endif
    }
}

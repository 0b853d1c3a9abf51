internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Knows whether this process's control group has used up most of its memory: a little later the kernel would kill it.
final class MemoryWatch: Service {
    private static let interval: Duration = .milliseconds(250)

    private let group: ControlGroup?
    private let short = Atomic<Bool>(false)

    /// - Parameter group: nil when memory is not limited, or the system does not say.
    init(_ group: ControlGroup?) { self.group = group }

    var isShort: Bool { short.load(ordering: .relaxed) }

    func look() {
        guard let group, let used = group.used else { return }
        short.store(used > group.limit / 4 * 3, ordering: .relaxed)
    }

    func run() async throws {
        await ServiceLoop(every: MemoryWatch.interval).run { [self] in look() }
    }
}

internal import Synchronization

/// How many batches wait to be committed: by it others on this machine can tell how far to step back.
package final class DoorLoad: Sendable {
    private let count = Atomic<Int>(0)

    package var waiting: Int { count.load(ordering: .relaxed) }

    func enter() { count.wrappingAdd(1, ordering: .relaxed) }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}

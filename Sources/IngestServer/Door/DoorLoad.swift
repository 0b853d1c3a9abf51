internal import Synchronization

/// How many requests wait to be committed: by it others on this machine can tell when to step back.
package final class DoorLoad: Sendable {
    /// From so many on, requests share commits and the machine has no time to spare.
    private static let high = 16

    private let waiting = Atomic<Int>(0)

    package var isHigh: Bool { waiting.load(ordering: .relaxed) >= DoorLoad.high }

    func enter() { waiting.wrappingAdd(1, ordering: .relaxed) }

    func leave() { waiting.wrappingSubtract(1, ordering: .relaxed) }
}

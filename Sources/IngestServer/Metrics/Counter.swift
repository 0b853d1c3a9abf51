internal import Synchronization

/// A number that only grows, and that anybody may count up at once.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ amount: Int = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}

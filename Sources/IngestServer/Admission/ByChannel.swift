internal import NIOCore
internal import Synchronization

/// What belongs to each connection, for those that only know its channel.
final class ByChannel<Value: Sendable>: Sendable {
    private let values = Mutex<[ObjectIdentifier: Value]>([:])

    subscript(channel: any Channel) -> Value? {
        get { values.withLock { $0[ObjectIdentifier(channel)] } }
        set { values.withLock { $0[ObjectIdentifier(channel)] = newValue } }
    }
}

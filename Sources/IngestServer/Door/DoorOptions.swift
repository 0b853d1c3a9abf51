package import CensusCore

/// What an operator may set at the door.
package struct DoorOptions: Sendable {
    package var limits = Limits()
    package var rates = RateLimits()
    package var patience = Patience()
    package var room = RoomLimits()
    package var connections = ConnectionRoom(maximum: 2_048)
    /// Where the system says how much memory there is.
    package var controlGroups = ControlGroups()
    package var metrics = MetricsAccess.local
    /// Whether `POST /noop` reads a body and answers 202: what the rest is measured against.
    package var answersBenchmark = false

    package init() {}
}

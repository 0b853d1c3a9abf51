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

    package init() {}
}

/// How long the door waits for the store before it says 503: a phone waits ten seconds at most, and whoever waits holds
/// memory.
package struct Patience: Sendable {
    /// For a question, such as for keys, names or a device's history.
    package var question: Duration = .milliseconds(1_500)
    /// For a batch to be committed, from when it was read.
    package var commit: Duration = .milliseconds(2_500)
    /// For a batch's turn: what is left must do for the commit.
    package var turn: Duration = .milliseconds(1_500)

    /// For the spool to sync a batch, beyond ``commit``.
    package var spool: Duration = .milliseconds(2_500)

    /// For a device to be forgotten.
    package var erasure: Duration = .seconds(4)

    package init() {}
}

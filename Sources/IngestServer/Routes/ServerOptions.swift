package import CensusCore

/// What an operator can configure.
package struct ServerOptions: Sendable {
    package var limits = Limits()
    package var rates = RateLimits()
    package var patience = Patience()
    package var admission = AdmissionLimits()
    package var connections = ConnectionLimit(maximum: 2_048)
    /// Where the kernel says how much memory there is.
    package var controlGroups = ControlGroups()
    package var metrics = MetricsAccess.local
    package var console = ConsoleOptions()
    /// How long what was decided about an app's kinds is served from memory before it is read again; what a device holds is
    /// read at every request. Shared caches keep the general answer for minutes.
    package var decisionsKeptFor: Duration = .seconds(1)

    package init() {}
}

/// How long the server waits for the store before it answers 503: a phone waits ten seconds at most, and every waiting
/// request holds memory.
package struct Patience: Sendable {
    /// For a query: keys, names, a device's history.
    package var question: Duration = .milliseconds(1_500)
    /// For a look at whether the store is ready. A balancer asks, and a hung session takes half a second to give up.
    package var health: Duration = .seconds(1)
    /// For a batch's commit, from the moment it was read.
    package var commit: Duration = .milliseconds(2_500)
    /// For a batch to wait for its turn; the rest of ``commit`` must be enough for the commit itself.
    package var turn: Duration = .milliseconds(1_500)

    /// For the spool to sync a batch, beyond ``commit``.
    package var spool: Duration = .milliseconds(2_500)

    /// For a report, or a page of the console: people can wait, but phones need the connection.
    package var report: Duration = .seconds(8)

    /// For forgetting a device.
    package var erasure: Duration = .seconds(4)

    package init() {}
}

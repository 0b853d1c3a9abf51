package import CensusCore

/// The server's settings.
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
    /// How long the server reuses an app's decisions before it reads them again. It reads a device's data at every request, and
    /// shared caches keep the general response for minutes.
    package var decisionsKeptFor: Duration = .seconds(1)

    package init() {}
}

/// How long the server waits for the store before it answers 503. A phone waits ten seconds at most, and every waiting request
/// holds memory.
package struct Patience: Sendable {
    /// For a query: keys, names, a device's history.
    package var question: Duration = .milliseconds(1_500)
    /// For the check of `/readyz`. Load balancers wait for it, and giving up a hung session takes half a second.
    package var health: Duration = .seconds(1)
    /// For a batch's commit, from the moment it was decoded.
    package var commit: Duration = .milliseconds(2_500)
    /// For a batch to wait for its turn; the rest of ``commit`` must be enough for the commit itself.
    package var turn: Duration = .milliseconds(1_500)

    /// For the spool to sync a batch, in addition to ``commit``.
    package var spool: Duration = .milliseconds(2_500)

    /// For a report, or a page of the console. People can wait longer, but phones need the connection.
    package var report: Duration = .seconds(8)

    /// For comparing a release with an app's devices, which takes 3 to 11 s for a million. Less than a proxy's patience.
    package var preflight: Duration = .seconds(25)

    /// For an act in the console, which waits for the fold and judges kinds. Less than a proxy's patience.
    package var act: Duration = .seconds(12)

    /// For erasing a device.
    package var erasure: Duration = .seconds(4)

    package init() {}
}

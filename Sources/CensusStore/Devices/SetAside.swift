internal import CensusCore
internal import Postgres

/// A device that can't be reconciled. It waits in `census.set_aside`, keeps its numbers, and doesn't block others.
struct SetAside: Sendable {
    var device: Pseudonym
    var appNumber: Int32
    var reason: String
    /// Whether it claims more than any phone could: see ``Plausibility``.
    var isImplausible = false
}

extension SetAside {
    init(_ history: DeviceHistory, _ reason: String) {
        self.init(
            device: history.device, appNumber: history.appNumber, reason: reason,
            isImplausible: history.fault == .implausible)
    }
}

extension Transaction {
    func setAside(_ devices: [SetAside]) async throws {
        guard !devices.isEmpty else { return }
        try await run(
            SQL.DeviceStore.setAside,
            [devices.map(\.device), devices.map(\.appNumber), devices.map(\.reason), devices.map(\.isImplausible)])
    }
}

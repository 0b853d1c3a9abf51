package import CensusCore
internal import Postgres

/// An acknowledgement as it is stored, with its finding if that was known.
package struct AcknowledgementRecord: Hashable, Sendable, Decodable {
    package var acknowledgement: PreflightAcknowledgement
    package var change: AcknowledgedChange?
}

/// What an acknowledgement is about.
package struct AcknowledgedChange: Hashable, Sendable, Decodable {
    package var rule: String
    package var surface: String
    package var kind: String
    /// The version that was to be released.
    package var appVersion: String

    package init(rule: String, surface: String, kind: String, appVersion: String) {
        self.rule = rule
        self.surface = surface
        self.kind = kind
        self.appVersion = appVersion
    }
}

/// The losses that people accepted. They are added, and never changed or removed.
package struct AcknowledgementRegistry: Sendable {
    let database: Database

    /// - Parameter maximumLoss: devices.
    package func add(
        _ fingerprint: String, maximumLoss: Int, until: Day, by actor: String, reason: String,
        change: AcknowledgedChange?, app: App
    ) async throws(StoreError) {
        guard fingerprint.utf8.count == 12, fingerprint.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
            throw StoreError(.request, "a fingerprint has 12 hexadecimal digits: `preflight` prints it")
        }
        try await database.run(
            SQL.AcknowledgementRegistry.add,
            [
                app.number, fingerprint, maximumLoss, until, actor, reason, change?.rule, change?.surface,
                change?.kind, change?.appVersion,
            ])
    }

    /// Every one, as they were given.
    package func all(app: App) async throws(StoreError) -> [AcknowledgementRecord] {
        try await database.rows(SQL.AcknowledgementRegistry.all, [app.number])
    }
}

extension [AcknowledgementRecord] {
    /// The last one of each finding on a kind. To take an acceptance back, a person need not name the release again.
    ///
    /// - Parameter self: as they were given.
    package func last(on kind: String, surface: String) -> [AcknowledgementRecord] {
        var changes: [String: AcknowledgedChange] = [:]
        for record in self {
            changes[record.acknowledgement.fingerprint] = record.change ?? changes[record.acknowledgement.fingerprint]
        }
        var found: Set<String> = []
        return reversed().filter { found.insert($0.acknowledgement.fingerprint).inserted }.reversed().compactMap {
            record in
            guard let change = changes[record.acknowledgement.fingerprint], change.kind.hasBytes(of: kind),
                change.surface == surface
            else { return nil }
            return AcknowledgementRecord(acknowledgement: record.acknowledgement, change: change)
        }
    }
}

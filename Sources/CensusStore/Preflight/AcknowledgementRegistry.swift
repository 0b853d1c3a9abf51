package import CensusCore
internal import Postgres

/// An acknowledgement as it is stored, with its finding if that is known.
package struct AcknowledgementRecord: Hashable, Sendable, Decodable {
    package var acknowledgement: PreflightAcknowledgement
    package var change: AcknowledgedChange?
}

/// The finding that an acknowledgement accepts.
package struct AcknowledgedChange: Hashable, Sendable, Decodable {
    package var rule: String
    package var surface: String
    package var kind: String
    /// The version to be released.
    package var appVersion: String

    package init(rule: String, surface: String, kind: String, appVersion: String) {
        self.rule = rule
        self.surface = surface
        self.kind = kind
        self.appVersion = appVersion
    }
}

/// The losses that people accepted. Entries are only added, never changed or removed.
package struct AcknowledgementRegistry: Sendable {
    let database: Database

    /// Whether a text is made like the fingerprints that preflight prints.
    package static func accepts(fingerprint: String) -> Bool {
        fingerprint.utf8.count == 12 && fingerprint.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }

    /// The days until which an acknowledgement can be valid.
    package static func days(from today: Day) -> ClosedRange<Day> { today...today + 365 }

    /// - Parameters:
    ///   - maximumLoss: devices.
    ///   - seen: the ``version(of:app:)`` that it is based on; nil: whatever it is.
    /// - Throws: ``StoreError/overtaken``.
    package func add(
        _ fingerprint: String, maximumLoss: Int, until: Day, by actor: String, reason: String,
        change: AcknowledgedChange?, app: App, seen: Int64? = nil
    ) async throws(StoreError) {
        guard AcknowledgementRegistry.accepts(fingerprint: fingerprint) else {
            throw StoreError(.request, "a fingerprint must have 12 hexadecimal digits, as `preflight` prints it")
        }
        let parameters: [(any PostgresCodable)?] = [
            app.number, fingerprint, maximumLoss, until, actor, reason, change?.rule, change?.surface, change?.kind,
            change?.appVersion,
        ]
        try await database.transaction("AcknowledgementRegistry.add") { transaction in
            // Only one at a time can be the next one after what its actor saw.
            try await transaction.run(SQL.KindRegistry.lock, deadline: .seconds(60))
            try await transaction.require(
                seen, from: SQL.AcknowledgementRegistry.last, [app.number, fingerprint])
            try await transaction.run(SQL.AcknowledgementRegistry.add, parameters)
        }
    }

    /// Changes with each acknowledgement of a finding.
    package func version(of fingerprint: String, app: App) async throws(StoreError) -> Int64 {
        try await database.value(SQL.AcknowledgementRegistry.last, [app.number, fingerprint], as: Int64.self) ?? 0
    }

    /// All acknowledgements, in the order in which they were given.
    package func all(app: App) async throws(StoreError) -> [AcknowledgementRecord] {
        try await database.rows(SQL.AcknowledgementRegistry.all, [app.number])
    }
}

extension [AcknowledgementRecord] {
    /// The last acknowledgement of each finding on a kind, whatever the release, so that a person can revoke one without naming
    /// the release.
    ///
    /// - Parameter self: in the order in which they were given.
    package func last(on kind: String, surface: String) -> [AcknowledgementRecord] {
        var found: Set<String> = []
        return all(on: kind, surface: surface).reversed().filter {
            found.insert($0.acknowledgement.fingerprint).inserted
        }.reversed()
    }

    /// The losses of a kind, on any surface, that preflight still accepts on a day.
    package func holding(on kind: String, today: Day) -> [AcknowledgementRecord] {
        Surface.allCases.flatMap { last(on: kind, surface: $0.rawValue) }.filter {
            $0.acknowledgement.state(on: today) == .holds
        }
    }

    /// Every acknowledgement of a finding on a kind. One without a release, such as a withdrawal, has that of the one before it,
    /// or if it is the first, of the next one.
    package func all(on kind: String, surface: String) -> [AcknowledgementRecord] {
        var latest = Dictionary(
            compactMap { record in record.change.map { (record.acknowledgement.fingerprint, $0) } }
        ) { first, _ in first }
        return compactMap { record in
            let fingerprint = record.acknowledgement.fingerprint
            latest[fingerprint] = record.change ?? latest[fingerprint]
            guard let change = latest[fingerprint], change.kind.hasBytes(of: kind), change.surface == surface else {
                return nil
            }
            return AcknowledgementRecord(acknowledgement: record.acknowledgement, change: change)
        }
    }
}

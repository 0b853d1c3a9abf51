package import CensusCore
internal import Postgres

/// An app whose days are to be closed.
package struct NightlyWork: Hashable, Sendable {
    package var appNumber: Int32
    package var appID: String
    package var zone: ReportingZone
    /// The last day that has ended in the app's zone.
    package var lastEndedDay: Day
    /// Whether its ledger might disagree with the spans and must be recounted from them.
    package var isDoubted: Bool
    /// Whether closed days have not ended yet, because a night ran while the server's clock was ahead, or the clock is behind
    /// now.
    package var isAhead: Bool
    /// Whether a recount reopens those days.
    package var reopens = false
}

/// What closing some days of an app changed.
package struct ClosedDays: Hashable, Sendable {
    /// The first day closed or restated.
    package var from: Day
    package var through: Day
    /// Cells (day, kind) whose numbers are new or different.
    package var cellsChanged: Int
    /// Days that were closed for the first time.
    package var daysClosed: Int
    /// Days closed before that now have a different number.
    package var daysRestated: Int
    /// Whether the ledger was recounted from the spans for this.
    package var isRecounted = false
    /// Devices that the recount set aside because a stored row can't be read.
    package var setAside = 0
}

/// The ledger: the numbers of each app's closed days, and the net changes that are still to be applied.
package struct DayLedger: Sendable {
    let database: Database

    /// - Parameter app: one app's id, or nil for all.
    package func work(app: String?) async throws(StoreError) -> [NightlyWork] {
        var works = try await database.rows(SQL.DayLedger.apps, [app]) { row in
            try NightlyWork(
                appNumber: row["app_number"], appID: row["app_id"],
                zone: ReportingZone(identifier: row["zone"]) ?? .utc, lastEndedDay: row["last_ended_day"],
                isDoubted: row["is_doubted"], isAhead: row["is_ahead"])
        }
        for index in works.indices where works[index].isAhead {
            // If devices' own clocks show such days, the server's clock is wrong and the closings are right.
            let last = works[index].lastEndedDay
            guard try await !database.isHeard(from: last + 3, through: last + 36_500) else { continue }
            works[index].reopens = true
            works[index].isDoubted = true
        }
        return works
    }

    /// Updates the planner's statistics on the net changes, before days are closed.
    package func analyze() async throws(StoreError) {
        try await StoreError.wrapping {
            try await database.pool.execute(script: LedgerStatements.analyze)
        }
    }

    /// The time limit for a night's wait for another one, and for its counting.
    private static let nightDeadline: Duration = .seconds(3_600)

    /// Applies the net changes of every day through `last`, or through the last closed day if that is later, and marks the
    /// days closed, in one transaction. Running it again changes nothing. First known numbers stay.
    ///
    /// - Parameters:
    ///   - recounts: whether to recount the ledger from the spans first.
    ///   - progress: called after each page of a recount with the number of devices so far.
    /// - Returns: nil if the app never sent anything, so there is no day to close.
    package func close(
        _ work: NightlyWork, through last: Day, recounts: Bool = false,
        progress: @escaping @Sendable (_ devices: Int) -> Void = { _ in }
    ) async throws(StoreError) -> ClosedDays? {
        guard recounts, try await Deployment(database: database).isDistributed() else {
            return try await closeAtOnce(work, through: last, recounts: recounts, progress: progress)
        }
        // On a cluster a recount would read spans that were reconciled since its snapshot, and count them twice.
        return try await whileNothingIsReconciled { () async throws(StoreError) in
            let wrong = try await database.transaction("DayLedger.wrongReads", readOnly: true) { transaction in
                try await transaction.wrongReads(of: work)
            }
            return try await closeAtOnce(work, through: last, recounts: true, wrongBefore: wrong, progress: progress)
        }
    }

    private func closeAtOnce(
        _ work: NightlyWork, through last: Day, recounts: Bool, wrongBefore: [WrongReads]? = nil,
        progress: @escaping @Sendable (_ devices: Int) -> Void
    ) async throws(StoreError) -> ClosedDays? {
        try await database.transaction("DayLedger.close", isolation: .repeatableRead) { transaction in
            // Before the first query, so that the snapshot is taken while no other night is at work.
            try await transaction.execute(script: SQL.DayLedger.lock, deadline: DayLedger.nightDeadline)
            if recounts, work.reopens {
                // Also today, which a zone further east might have closed: its first known numbers must cover the whole day.
                try await transaction.run(SQL.DayLedger.reopen, [work.appNumber, work.lastEndedDay])
            }
            let before = recounts ? try await LedgerContents(of: work.appNumber, transaction) : nil
            let setAside = recounts ? try await transaction.recount(work.appNumber, progress: progress) : 0
            let open = try await OpenDays(transaction, work, through: last, recounts: recounts)
            var closed: ClosedDays?
            if let night = open.night(through: last) {
                closed = try await transaction.close(
                    night, of: work, recountedFrom: before, wrongBefore: wrongBefore)
            }
            closed?.isRecounted = recounts
            closed?.setAside = setAside
            try await transaction.run(SQL.DayLedger.closed, [work.appNumber, recounts])
            return closed
        }
    }

    /// Runs a body while reconciling waits. On a cluster this replaces a snapshot of all nodes.
    func whileNothingIsReconciled<T>(
        _ body: @Sendable () async throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        try await database.transaction("DayLedger.whileNothingIsReconciled") { holder in
            // In a transaction of its own, because the body's snapshots must be younger than the lock.
            try await holder.run(SQL.AppRegistry.lock, deadline: DayLedger.nightDeadline)
            return try await body()
        }
    }
}

extension DayLedger {
    /// Records why an app's days could not be closed. If stored data or our code is at fault, the next night folds all of the
    /// app's devices and then recounts its ledger.
    package func noteNotClosed(_ work: NightlyWork, _ error: StoreError) async throws(StoreError) {
        let fault = NightFault(error)
        try await database.transaction("DayLedger.notClosed") { transaction in
            try await transaction.run(
                SQL.DayLedger.notClosed, [work.appNumber, fault.rawValue, error.description, fault.doubtsLedger])
            guard fault.doubtsLedger else { return }
            try await transaction.run(SQL.DayLedger.refold, [work.appNumber])
        }
    }

    /// Makes the next night fold all of an app's devices from their observations, and recount its ledger. If the ledger does
    /// not match the spans, either can be wrong.
    package func doubt(_ work: NightlyWork) async throws(StoreError) {
        try await database.transaction("DayLedger.doubt") { transaction in
            try await transaction.run(SQL.DayLedger.doubt, [[work.appNumber]])
            try await transaction.run(SQL.DayLedger.refold, [work.appNumber])
        }
    }

    /// For how many apps the last attempt to close their days failed, by fault; a fault that caused none is absent.
    package func appsNotClosed() async throws(StoreError) -> [NightFault: Int] {
        try await StoreError.wrapping {
            var apps: [NightFault: Int] = [:]
            for row in try await database.query(SQL.DayLedger.failures) {
                guard let fault = NightFault(rawValue: try row["fault"]) else { continue }
                apps[fault] = try row["apps"]
            }
            return apps
        }
    }
}

/// Why an app's days could not be closed. The raw value is stored, and is a metric's label.
package enum NightFault: String, Hashable, Sendable, CaseIterable {
    /// PostgreSQL was down, slow or full. The next night continues where this one stopped.
    case away
    /// Stored data is inconsistent.
    case data
    /// A right is missing or a setting is wrong, and an operator must fix it.
    case setUp = "set_up"
    /// A bug, or a schema that is not this program's.
    case ours

    /// Whether the ledger might disagree with the spans.
    var doubtsLedger: Bool { self == .data || self == .ours }

    init(_ error: StoreError) {
        self =
            switch error.fault {
            case .away: .away
            case .data: .data
            case .setUp: .setUp
            case .ours, .request: .ours
            }
    }
}

/// The days that one night works on.
private struct NightDays {
    /// Days closed for the first time.
    var new: [Day]
    /// The last closed day, if new days follow it. They begin with its levels.
    var before: Day?
    /// Net changes through this day are applied.
    var through: Day
    /// The first day that can change; nil if there are no net changes.
    var changedFrom: Day?
}

/// What is left to count for an app.
private struct OpenDays {
    var firstClosed: Day?
    var lastClosed: Day?
    /// The first day with net changes.
    var firstEntered: Day?
    /// Days that are not closed although later ones are. Their net changes are already applied, so only a recount enters them
    /// again and closes these days.
    var missing: [Day] = []

    init(_ transaction: Transaction, _ work: NightlyWork, through last: Day, recounts: Bool) async throws {
        let rows = try await transaction.query(
            LedgerStatements.open, [work.appNumber, last, work.zone.identifier], deadline: .seconds(60))
        guard let row = rows.first else { return }
        firstClosed = try row["first_closed_day"]
        lastClosed = try row["last_closed_day"]
        firstEntered = try row["first_entered_day"]
        guard recounts else { return }
        missing = try await transaction.days(SQL.DayLedger.missingDays, [work.appNumber])
    }

    /// - Returns: nil when there is nothing to close.
    func night(through last: Day) -> NightDays? {
        guard let firstClosed, let lastClosed else {
            guard let firstEntered, firstEntered <= last else { return nil }
            return NightDays(
                new: Day.days(firstEntered, last), before: nil, through: last, changedFrom: firstEntered)
        }
        // Late data can open days before the first closed one, and a night catches up on missed days.
        let earlier = firstEntered.map { Day.days($0, firstClosed - 1) } ?? []
        return NightDays(
            new: earlier + missing + Day.days(lastClosed + 1, last), before: lastClosed, through: max(last, lastClosed),
            changedFrom: firstEntered)
    }
}

extension Day {
    /// The days from one to another, both included; none when the second is earlier.
    fileprivate static func days(_ first: Day, _ last: Day) -> [Day] {
        first <= last ? (first.daysSince1970...last.daysSince1970).map { Day(daysSince1970: $0) } : []
    }
}

extension Transaction {
    /// - Parameters:
    ///   - before: the ledger's contents before a recount emptied it; nil when there was no recount.
    ///   - wrongBefore: on a cluster, the reads that were wrong before the transaction began; nil elsewhere.
    fileprivate func close(
        _ night: NightDays, of work: NightlyWork, recountedFrom before: LedgerContents?, wrongBefore: [WrongReads]?
    ) async throws -> ClosedDays {
        let app = work.appNumber
        try await run(SQL.DayLedger.openDays, [app, night.new])
        if let before = night.before {
            let following = night.new.filter { $0 > before }
            if !following.isEmpty {
                for extend in LedgerTable.all.compactMap(\.extend) {
                    _ = try await days(extend, [app, before, following])
                }
            }
        }
        // Only the table of kinds has first known numbers, which it stores for the new days.
        let kinds = try await days(LedgerTable.kinds.apply, [app, night.through, night.new])
        var changed = Set(kinds)
        for table in LedgerTable.all where table.name != LedgerTable.kinds.name {
            changed.formUnion(try await days(table.apply, [app, night.through]))
        }
        var reads = try await days(SQL.DayLedger.applyReads, [app, night.through, work.zone.identifier])
        if before != nil {
            reads += try await correctReads(of: work, through: night.through, wrongBefore: wrongBefore)
        }
        changed.formUnion(reads)
        if let first = night.changedFrom {
            for table in LedgerTable.all { _ = try await days(table.sweep, [app, first]) }
        }
        var restated = changed.subtracting(night.new)
        var cellsRestated = kinds.count { restated.contains($0) }
        if let before {
            // Everything was entered again: only days whose contents differ are restated.
            let changes = try await LedgerContents(of: app, self).changes(since: before)
            // Days that were closed too early are no longer closed.
            restated = Set(changes.map(\.day)).union(reads).subtracting(night.new).filter { $0 <= night.through }
            cellsRestated = changes.count { $0.isKind && restated.contains($0.day) }
        }
        try await run(SQL.DayLedger.markRestated, [app, restated.sorted()])
        let cells = try await value(SQL.DayLedger.cells, [app, night.new], as: Int.self) ?? 0
        return ClosedDays(
            from: min(night.through, restated.union(night.new).min() ?? night.through), through: night.through,
            cellsChanged: cells + cellsRestated, daysClosed: night.new.count,
            daysRestated: restated.count)
    }

    /// - Returns: the days that a statement returns, one for each row.
    func days(_ statement: Statement, _ parameters: [(any PostgresCodable)?]) async throws -> [Day] {
        try await query(statement, parameters, deadline: .seconds(3_600)).map { try $0["day"] as Day }
    }
}

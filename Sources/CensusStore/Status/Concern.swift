package import CensusCore

/// Something that needs a person's attention, with the command that helps.
package struct Concern: Hashable, Sendable, Encodable {
    /// The most urgent first.
    package enum Subject: String, Hashable, Sendable, CaseIterable, Comparable, Encodable {
        case database, night, loss, setAside = "set_aside", reconciliation, spool, reads, refused, webhooks

        package static func < (left: Subject, right: Subject) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package var subject: Subject
    /// Nil: it concerns all apps.
    package var appID: String?
    /// The kind that it concerns.
    package var kind: String?
    /// A sentence without its full stop.
    package var sentence: String
    /// A command that can be run as it is.
    package var command: ShellCommand

    private enum CodingKeys: CodingKey {
        case subject, appID, sentence, command
    }

    package init(_ subject: Subject, app: String? = nil, kind: String? = nil, _ sentence: String, command: ShellCommand)
    {
        self.subject = subject
        self.appID = app
        self.kind = kind
        self.sentence = sentence
        self.command = command
    }
}

extension StoreStatus {
    /// A night that takes longer was killed or hangs.
    static let longestNight: Duration = .hours(6)
    /// A day that ended this long ago should be closed: apps' days end at different times, and one night closes them all.
    static let graceOfNights: Duration = .days(1)
    /// The reconciler takes seconds.
    static let longestOrdinaryWait: Duration = .minutes(10)
    /// This share of list reads fails on every fleet; a day with fewer reads says nothing.
    static let ordinaryFailures = 0.05
    static let fewestReads = 20

    /// What needs attention, the most urgent first.
    package var concerns: [Concern] {
        (ofDatabase + ofNight + ofReconciliation + apps.flatMap { $0.concerns(at: askedAt) })
            .enumerated().sorted { ($0.element.subject, $0.offset) < ($1.element.subject, $1.offset) }.map(\.element)
    }

    private var ofDatabase: [Concern] {
        var concerns = ofWrites + blockers.map(concern)
        if let first = staleCollations.first {
            let changed = staleCollations.map { collation in
                "\(collation.name ?? collation.locale) was version \(collation.then) and is \(collation.now)"
            }
            concerns.append(
                Concern(
                    .database,
                    "texts sort differently than when this database's indexes were built, so indexes might miss rows "
                        + "(not the census's own, which sort by bytes): collation \(changed.joined(separator: ", "))",
                    command: first.remedy))
        }
        if let first = unsafeSettings.first {
            let off = unsafeSettings.map(\.description).joined(separator: ", ")
            let server = first.worker.map { worker -> ShellCommand in
                let parts = worker.utf8.split(separator: UInt8(ascii: ":")).map { String(Substring($0)) }
                return "psql -h \(parts.dropLast().joined(separator: ":")) -p \(parts.last ?? "")"
            }
            concerns.append(
                Concern(
                    .database,
                    "a crash of PostgreSQL's machine can lose acknowledged events, because \(off) "
                        + (unsafeSettings.count == 1 ? "is off" : "are off"),
                    command:
                        "\(server ?? "psql") -c \("alter system set \(first.name) = on") -c 'select pg_reload_conf()'"))
        }
        if idleWorkers > 0 {
            concerns.append(
                Concern(
                    .database,
                    "PostgreSQL is the coordinator of \(idleWorkers.counted("worker")), but no table is distributed over "
                        + "\(idleWorkers == 1 ? "it" : "them"); stop services and nights before you distribute them",
                    command: "widget-census migrate --distributed"))
        }
        return concerns
    }

    /// Why nothing can be stored.
    private var ofWrites: [Concern] {
        if isStandby {
            // Promoting a standby while its primary still runs would make two primaries, so don't suggest `pg_promote`.
            return [
                Concern(
                    .database,
                    "PostgreSQL is a standby and takes no writes; connect to its primary, or promote it if the primary is gone",
                    command: "psql -c 'select status, sender_host, sender_port from pg_stat_wal_receiver'")
            ]
        }
        guard let readOnly else { return [] }
        return [
            Concern(
                .database,
                "PostgreSQL takes no writes because default_transaction_read_only is on (\(readOnly.source)). Some systems "
                    + "set it when a disk is nearly full, so free disk space first",
                command: readOnly.remedy)
        ]
    }

    private func concern(_ session: BlockingSession) -> Concern {
        let since = session.since.map { " (since \($0))" } ?? ""
        let what =
            session.waiting > 0
            ? "blocks \(session.waiting.counted("session")) of the census"
            : "was left idle in a transaction, so tables that it read can't be dropped, migrated or vacuumed"
        return Concern(
            .database, "session \(session.pid) of the role \(session.role) \(what)\(since)",
            command: "psql -c 'select pg_terminate_backend(\(session.pid))'")
    }

    private var ofNight: [Concern] {
        guard let night else { return [] }
        if let failure = night.failure {
            // Each app reports its own failures.
            guard (night.appsFailed ?? 0) == 0 else { return [] }
            return [Concern(.night, "the last night failed: \(failure)", command: "widget-census nightly")]
        }
        guard night.finishedAt == nil, askedAt - night.startedAt > StoreStatus.longestNight else { return [] }
        return [
            Concern(
                .night, "the last night began \((askedAt - night.startedAt).asAge) and has not ended",
                command: "widget-census nightly")
        ]
    }

    private var ofReconciliation: [Concern] {
        guard longestWait > StoreStatus.longestOrdinaryWait else { return [] }
        return [
            Concern(
                .reconciliation,
                "\(pendingInWords) to be reconciled, the oldest for \(longestWait.inWords); a running `serve` does this "
                    + "within seconds",
                command: "widget-census nightly")
        ]
    }

    /// How long the oldest device has waited to be reconciled; 0 if none waits.
    package var longestWait: Duration { pendingSince.map { max(.zero, askedAt - $0) } ?? .zero }

    /// How old the last reconciled event is while others wait; nil if none waits or none was ever reconciled.
    package var lag: Duration? {
        guard devicesPending > 0, let lastEventAt else { return nil }
        return max(.zero, askedAt - lastEventAt)
    }
}

extension StoreStatus.ReadOnly {
    /// Resets the setting where it was made. The session that does so must be allowed to write.
    var remedy: ShellCommand {
        let (role, database) = (role.asSQLName, database.asSQLName)
        let reset = "reset default_transaction_read_only"
        let statement =
            switch source {
            case "database": "alter database \(database) \(reset)"
            case "user": "alter role \(role) \(reset)"
            case "database user": "alter role \(role) in database \(database) \(reset)"
            case "client", "environment variable": "show default_transaction_read_only"
            default: "alter system set default_transaction_read_only = off"
            }
        let command: ShellCommand = "PGOPTIONS='-c default_transaction_read_only=off' psql -c \(statement)"
        return statement.hasPrefix("alter system") ? command + " -c 'select pg_reload_conf()'" : command
    }
}

extension StoreStatus.App {
    /// How long ago its last counted event was, in words.
    package func lastEvent(at now: Timestamp) -> String {
        lastEventAt.map { (now - $0).asAge } ?? (firstSeenAt == nil ? "never" : "none counted")
    }

    /// Whether a night failed to run.
    func isLate(at now: Timestamp) -> Bool {
        guard let firstSeenAt, lastEventAt != nil else { return false }
        guard let lastClosed else { return now - firstSeenAt > StoreStatus.graceOfNights + .days(1) }
        return lastClosed < lastEnded + -1
    }

    fileprivate func concerns(at now: Timestamp) -> [Concern] {
        var concerns: [Concern] = []
        if let failure {
            concerns.append(
                Concern(
                    .night, app: id, "its days could not be closed: \(failure)",
                    command: "widget-census nightly --app \(id)"))
        } else if isDoubted {
            concerns.append(
                Concern(
                    .night, app: id, "some of its numbers don't match the spans; the next night counts them again",
                    command: "widget-census nightly --app \(id)"))
        } else if isLate(at: now) {
            let last = lastClosed.map { "the last closed day is \($0)" } ?? "no day is closed yet"
            concerns.append(
                Concern(
                    .night, app: id, "no night has run: \(last), but \(lastEnded) has ended",
                    command: "widget-census nightly"))
        } else if let lastClosed, lastClosed > lastEnded + 1 {
            concerns.append(
                Concern(
                    .night, app: id,
                    "days through \(lastClosed) are closed and have not ended, because a night ran while the server's clock was ahead",
                    command: "widget-census nightly --rebuild --app \(id)"))
        }
        // Each kind once, whatever versions took it away.
        var named: [String] = []
        for kind in openLosses where !named.contains(kind) {
            named.append(kind)
            concerns.append(
                Concern(
                    .loss, app: id, kind: kind, "an update takes the kind \(kind) away",
                    command: "widget-census losses show \(kind) --app \(id)"))
        }
        if devicesSetAside > 0 {
            concerns.append(
                Concern(
                    .setAside, app: id,
                    "\(devicesSetAside.counted("device")) can't be reconciled, and keep\(devicesSetAside == 1 ? "s" : "") "
                        + "the old numbers" + (setAsideReason.map { ": \($0)" } ?? ""),
                    command: "widget-census nightly --app \(id)"))
        }
        if reads >= StoreStatus.fewestReads, Double(readsFailed) > Double(reads) * StoreStatus.ordinaryFailures {
            let share = (Double(readsFailed) / Double(reads)).asPercentage
            concerns.append(
                Concern(
                    .reads, app: id, "\(readsFailed.grouped) of today's \(reads.counted("read")) failed (\(share))",
                    command: "widget-census report coverage --app \(id) --since \(lastEnded + -6)"))
        }
        if eventsRefused > 0 {
            let isCut = eventsRefused >= StoreStatus.countLimit
            concerns.append(
                Concern(
                    .refused, app: id,
                    (isCut ? "over " : "")
                        + "\(eventsRefused.counted("event")) \(eventsRefused == 1 ? "was" : "were") refused today and yesterday",
                    command: "widget-census report refused --app \(id) "
                        + "--since \(ReportingZone.utc.day(of: now) + -1)"))
        }
        if webhooksFailing + messagesGivenUp > 0 {
            let words = [
                webhooksFailing > 0 ? "\(webhooksFailing.counted("webhook")) failed on the last message" : nil,
                messagesGivenUp > 0 ? "\(messagesGivenUp.counted("message")) given up in the last week" : nil,
            ]
            concerns.append(
                Concern(
                    .webhooks, app: id, words.compactMap { $0 }.joined(separator: ", "),
                    command: "widget-census webhooks list --app \(id)"))
        }
        return concerns
    }
}

extension Duration {
    /// How long ago something was, or how far ahead of our clock: 12 min ago, 52 min ahead.
    package var asAge: String { "\(inWords) \(self > .seconds(-1) ? "ago" : "ahead")" }

    /// Roughly, in its largest unit, and without a sign: 40 s, 12 min, 5 h, 3 days.
    package var inWords: String {
        let seconds = abs(Int(self / .seconds(1)))
        switch seconds {
        case ..<100: return "\(seconds) s"
        case ..<5_400: return "\((seconds + 30) / 60) min"
        case ..<172_800: return "\((seconds + 1_800) / 3_600) h"
        default: return "\((seconds / 86_400).grouped) days"
        }
    }
}

internal import CensusCore
internal import CensusStore
internal import Nightly
internal import Pages

// The summary of a night.

extension NightlyJob.Summary {
    /// The summary for people.
    var text: String {
        var lines: [Phrase] = nights.filter { $0.failure == nil }.map(\.line)
        lines += incidents.map { appID, incident in
            let command: ShellCommand = "widget-census losses show \(incident.kind) --app \(appID)"
            return "\(appID): LOSS: \(incident.headline); see \(code: command)"
        }
        lines += verdicts.map { appID, verdict in
            "\(appID): \(verdict.kind)\(verdict.surface.onSurface) is \(verdict.readiness.verdict.rawValue)"
        }
        lines += failed.map { "FAILED: \($0)" }
        if nights.isEmpty, failures.isEmpty {
            lines.append("there is no app yet: add one with \(code: "widget-census apps add APP_ID")")
        }
        lines.append(
            """
            reconciled \(reconciled.devices, "device") and \(reconciled.observations, "observation"); \
            \(reconciled.spansChanged, "span") changed
            """)
        lines += partitionLines + (verification?.lines ?? [])
        let steps = NightStep.allCases.compactMap { step in
            seconds(step).map { "\(step.rawValue) \(($0 * 10).rounded() / 10) s" }
        }
        return (lines.map(\.text) + [steps.joined(separator: ", ")]).joined(separator: "\n") + "\n"
    }

    private var partitionLines: [Phrase] {
        var lines: [Phrase] = []
        if let made = partitionsMade, let dropped = partitionsDropped, made + dropped > 0 {
            lines.append("\(made, "partition") created, \(dropped) dropped")
        }
        if let putOff = partitionsPutOff, putOff > 0 {
            lines.append(
                """
                \(putOff, "partition") \(putOff == 1 ? "was" : "were") put off, because another session, perhaps a backup, locks \
                census.observation. The next night creates or drops \(putOff == 1 ? "it" : "them")
                """)
        }
        return lines
    }
}

extension NightlyJob.Night {
    fileprivate var line: Phrase {
        guard let closed else {
            return "\(appID): nothing to close yet, because no device sent anything before the last day ended"
        }
        return """
            \(appID): closed through \(closed.through): \(closed.daysClosed, "day") new, \(closed.daysRestated) restated, \
            \(closed.cellsChanged, "number") (day, kind) new or changed\
            \(closed.isRecounted ? "; its ledger was recounted from the spans" : "")
            """
    }
}

extension NightlyJob.Summary: Encodable {
    /// The summary for programs. Steps that the night didn't reach are absent.
    package func encode(to encoder: any Encoder) throws {
        var seconds: [String: Double] = [:]
        for step in NightStep.allCases { seconds[step.rawValue] = self.seconds(step)?.toTheMillisecond }
        let members: Members = [
            "devices": reconciled.devices, "observations": reconciled.observations,
            "spans_changed": reconciled.spansChanged, "devices_set_aside": setAside, "devices_implausible": implausible,
            "partitions_made": partitionsMade, "partitions_dropped": partitionsDropped,
            "partitions_put_off": partitionsPutOff, "faults": verification?.faults, "apps": nights.map(\.members),
            "incidents": incidents.map { "\($0.appID): \($0.incident.headline)" }, "failures": failed,
            "seconds": seconds,
        ]
        try members.encode(to: encoder)
    }
}

extension NightlyJob.Night {
    /// Without days if no device ever sent anything, and with a failure if its days could not be closed.
    fileprivate var members: Members {
        [
            "app_id": appID, "from": closed?.from, "through": closed?.through, "days_closed": closed?.daysClosed ?? 0,
            "days_restated": closed?.daysRestated ?? 0, "numbers_changed": closed?.cellsChanged ?? 0,
            "recounted": closed?.isRecounted ?? false, "failure": failure?.description,
        ]
    }
}

extension Double {
    fileprivate var toTheMillisecond: Double { (self * 1_000).rounded() / 1_000 }
}

extension Verification {
    fileprivate var lines: [Phrase] {
        let notes = broken.filter { $0.severity == .warn }.map { "note: \($0.sentence)" }
        let verdict = holds ? "the ledger and every report hold" : "THE LEDGER DOES NOT HOLD:"
        return (notes + [verdict] + faults).map { Phrase($0) }
    }

    /// Everything that is wrong, one sentence each.
    fileprivate var faults: [String] {
        differences.map { appID, found in
            "\(appID): \(found.table)\(found.day.map { " of \($0)" } ?? "") says \(found.ledger) where "
                + "\(found.counted) were counted from the spans: \(found.cell)"
        } + broken.filter { $0.severity == .fail }.map(\.sentence)
    }
}

extension ReportCheck {
    /// The check that failed.
    fileprivate var sentence: String { "\(report): not true that \(claim) (\(found.counted("row")))" }
}

internal import CensusCore
internal import CensusStore
internal import Foundation
internal import Nightly
internal import Pages

/// What a night did, for programs; steps that were not reached are absent.
struct NightSummary: Encodable {
    struct App: Encodable {
        var app_id: String
        /// The days that were closed or restated; absent when nothing was ever heard.
        var from: String?
        var through: String?
        var days_closed: Int
        var days_restated: Int
        var numbers_changed: Int
        /// Its ledger was counted again from the spans.
        var recounted: Bool
        /// Why its days could not be closed; absent when they were.
        var failure: String?
    }

    var devices: Int
    var observations: Int
    var spans_changed: Int
    /// Devices that are set aside.
    var devices_set_aside: Int
    var devices_implausible: Int
    var partitions_made: Int?
    var partitions_dropped: Int?
    /// Left for the next night, because another session held the table.
    var partitions_put_off: Int?
    /// Cells of the ledger and claims about reports that are wrong; absent when they were not checked.
    var faults: [String]?
    var apps: [App]
    /// Mass losses by an update that were found this night, a sentence each.
    var incidents: [String]
    /// What failed, a sentence each; the rest was done.
    var failures: [String]
    /// How long each step took.
    var seconds: [String: Double]

    init(_ summary: NightlyJob.Summary) {
        devices = summary.reconciled.devices
        observations = summary.reconciled.observations
        spans_changed = summary.reconciled.spansChanged
        devices_set_aside = summary.setAside
        devices_implausible = summary.implausible
        partitions_made = summary.partitionsMade
        partitions_dropped = summary.partitionsDropped
        partitions_put_off = summary.partitionsPutOff
        faults = summary.verification?.faults
        apps = summary.nights.map { night in
            App(
                app_id: night.appID, from: night.closed.map { "\($0.from)" },
                through: night.closed.map { "\($0.through)" }, days_closed: night.closed?.daysClosed ?? 0,
                days_restated: night.closed?.daysRestated ?? 0, numbers_changed: night.closed?.cellsChanged ?? 0,
                recounted: night.closed?.isRecounted ?? false, failure: night.failure?.description)
        }
        incidents = summary.incidents.map { "\($0.appID): \($0.incident.headline)" }
        failures = summary.failed
        seconds = [:]
        for step in NightStep.allCases { seconds[step.rawValue] = summary.seconds(step)?.toTheMillisecond }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension NightlyJob.Summary {
    /// The same for people.
    var text: String {
        var lines: [String] = []
        for night in nights where night.failure == nil {
            guard let closed = night.closed else {
                lines.append("\(night.appID): nothing to close yet: no device was heard before the last day ended")
                continue
            }
            lines.append(
                "\(night.appID): closed through \(closed.through): \(closed.daysClosed.counted("day")) new, "
                    + "\(closed.daysRestated.grouped) restated, "
                    + "\(closed.cellsChanged.grouped) numbers (day, kind) new or changed"
                    + (closed.isRecounted ? "; its ledger was recounted from the spans" : ""))
        }
        lines += incidents.map { appID, incident in
            "\(appID): LOSS: \(incident.headline); see `\(ShellCommand("widget-census losses show \(incident.kind) --app \(appID)"))`"
        }
        lines += verdicts.map { appID, verdict in
            let place = verdict.surface.onSurface
            return "\(appID): \(verdict.kind)\(place) is \(verdict.readiness.verdict.rawValue)"
        }
        lines += failed.map { "FAILED: \($0)" }
        if nights.isEmpty, failures.isEmpty {
            lines.append("there is no app yet: add one with `widget-census apps add APP_ID`")
        }
        lines.append(
            "reconciled \(reconciled.devices.grouped) devices and \(reconciled.observations.grouped) observations; "
                + "\(reconciled.spansChanged.grouped) spans changed")
        if let made = partitionsMade, let dropped = partitionsDropped, made + dropped > 0 {
            lines.append("\(made.grouped) partitions made, \(dropped.grouped) dropped")
        }
        if let putOff = partitionsPutOff, putOff > 0 {
            lines.append(
                "\(putOff.grouped) partitions were put off: somebody, a backup perhaps, holds census.observation. The next "
                    + "night makes or drops them")
        }
        if let verification {
            lines += verification.broken.filter { $0.severity == .warn }.map { "note: \($0.sentence)" }
            lines.append(verification.holds ? "the ledger and every report hold" : "THE LEDGER DOES NOT HOLD:")
            lines += verification.faults
        }
        let steps = NightStep.allCases.compactMap { step in
            seconds(step).map { "\(step.rawValue) \(($0 * 10).rounded() / 10) s" }
        }
        return (lines + [steps.joined(separator: ", ")]).map(\.printable).joined(separator: "\n")
    }
}

extension Double {
    fileprivate var toTheMillisecond: Double { (self * 1_000).rounded() / 1_000 }
}

extension Verification {
    /// What is wrong, a sentence each.
    var faults: [String] {
        differences.map { appID, found in
            "\(appID): \(found.table)\(found.day.map { " of \($0)" } ?? "") says \(found.ledger) where "
                + "\(found.counted) were counted from the spans: \(found.cell)"
        } + broken.filter { $0.severity == .fail }.map(\.sentence)
    }
}

extension ReportCheck {
    /// The claim that does not hold.
    fileprivate var sentence: String { "\(report): not true that \(claim) (\(found.grouped) rows)" }
}

internal import CensusStore
internal import Foundation
internal import Nightly

/// What a night did, for programs: absent members were not come to.
struct NightSummary: Encodable {
    struct App: Encodable {
        var app_id: String
        /// The days that were counted; absent when nothing was ever held.
        var from: String?
        var through: String?
        var days_changed: Int
        var numbers_changed: Int
    }

    var devices: Int
    var observations: Int
    var spans_changed: Int
    /// Devices that are set aside.
    var devices_set_aside: Int
    var apps: [App]
    /// How long each step took.
    var seconds: [String: Double]

    init(_ summary: NightlyJob.Summary) {
        devices = summary.reconciled.devices
        observations = summary.reconciled.observations
        spans_changed = summary.reconciled.spansChanged
        devices_set_aside = summary.setAside
        apps = summary.nights.map { night in
            App(
                app_id: night.appID, from: night.closed.map { "\($0.from)" },
                through: night.closed.map { "\($0.through)" }, days_changed: night.closed?.daysChanged ?? 0,
                numbers_changed: night.closed?.cellsChanged ?? 0)
        }
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
        for night in nights {
            guard let closed = night.closed else {
                lines.append("\(night.appID): nothing to close yet: no widget was held when the last day ended")
                continue
            }
            let days = closed.from == closed.through ? "\(closed.from)" : "\(closed.from) to \(closed.through)"
            lines.append(
                "\(night.appID): closed \(days), \(closed.daysChanged.grouped) days changed, "
                    + "\(closed.cellsChanged.grouped) numbers (day, kind) new or changed")
        }
        if nights.isEmpty { lines.append("there is no app yet: add one with `widget-census apps add APP_ID`") }
        lines.append(
            "reconciled \(reconciled.devices.grouped) devices and \(reconciled.observations.grouped) observations; "
                + "\(reconciled.spansChanged.grouped) spans changed")
        let steps = NightStep.allCases.compactMap { step in
            seconds(step).map { "\(step.rawValue) \(($0 * 10).rounded() / 10) s" }
        }
        return (lines + [steps.joined(separator: ", ")]).joined(separator: "\n")
    }
}

extension Double {
    fileprivate var toTheMillisecond: Double { (self * 1_000).rounded() / 1_000 }
}

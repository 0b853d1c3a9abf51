package import CensusCore
internal import Foundation
internal import Postgres

/// A change of an app's settings, with what it did to the verdicts on its kinds.
package struct SettingAct: Hashable, Sendable {
    /// Its names are those of `apps list`.
    package struct Change: Hashable, Sendable, Codable {
        package var setting: String
        package var from: String
        package var to: String
    }

    /// The verdict on one kind of one surface that was legacy or retired; the names are those of `census.setting_act.verdicts`.
    package struct Verdict: Hashable, Sendable, Codable {
        package var surface: String
        package var kind: String
        package var devices_possible: Int
        package var devices_silent: Int
        package var before: String
        package var after: String
    }

    package var actor: String
    /// Why, in the person's words.
    package var reason: String?
    /// In the app's zone; nil for an act that was recorded just now.
    package var day: Day?
    package var changes: [Change]
    package var verdicts: [Verdict]

    /// - Parameters:
    ///   - before: the app before the change, and the verdicts on its kinds then.
    ///   - after: the same kinds, judged again.
    init(
        by actor: String, because reason: String?, before: (app: App, verdicts: [KindVerdict]),
        after: (app: App, verdicts: [KindVerdict])
    ) {
        self.actor = actor
        self.reason = reason
        changes = App.settings.compactMap { setting in
            let (former, new) = (setting.value(before.app), setting.value(after.app))
            return former.hasBytes(of: new) ? nil : Change(setting: setting.name, from: former, to: new)
        }
        verdicts = zip(before.verdicts, after.verdicts).map { former, new in
            Verdict(
                surface: new.surface, kind: new.kind, devices_possible: new.figures.possible,
                devices_silent: new.figures.silent, before: former.readiness.verdict.rawValue,
                after: new.readiness.verdict.rawValue)
        }
    }

    package init(
        by actor: String, because reason: String?, day: Day?, changes: [Change], verdicts: [Verdict]
    ) {
        self.actor = actor
        self.reason = reason
        self.day = day
        self.changes = changes
        self.verdicts = verdicts
    }

    init(_ row: Row) throws {
        let decoder = JSONDecoder()
        actor = try row["actor"]
        reason = try row["reason"]
        day = try row["acted_on"]
        changes = try decoder.decode([Change].self, from: Data((try row["changes"] as String).utf8))
        verdicts = try decoder.decode([Verdict].self, from: Data((try row["verdicts"] as String).utf8))
    }

    func parameters(_ app: App) throws -> [(any PostgresCodable)?] {
        [app.number, actor, reason, try changes.json(), try verdicts.json()]
    }
}

extension App {
    /// How one setting is shown.
    package struct Setting: Sendable {
        package var name: String
        package var isNumber: Bool
        package var value: @Sendable (App) -> String
    }

    /// All settings, under the names of `apps list`.
    package static let settings: [Setting] = [
        Setting(name: "zone", isNumber: false) { $0.zone },
        Setting(name: "window_days", isNumber: true) { "\($0.windowDays)" },
        Setting(name: "limit_devices", isNumber: true) { "\($0.readiness.devices)" },
        Setting(name: "limit_share", isNumber: true) { "\($0.readiness.share)" },
        Setting(name: "ready_days", isNumber: true) { "\($0.readiness.days)" },
        Setting(name: "coverage", isNumber: true) { "\($0.readiness.coverage)" },
        Setting(name: "doubted_builds", isNumber: false) { $0.doubtedBuilds.sorted().joined(separator: " ") },
        Setting(name: "false_alarms", isNumber: true) { "\($0.falseAlarms)" },
        Setting(name: "max_kinds", isNumber: true) { "\($0.caps.kinds)" },
        Setting(name: "max_families", isNumber: true) { "\($0.caps.families)" },
    ]
}

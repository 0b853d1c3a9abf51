internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

/// How a page is printed.
enum PageFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

/// What `kinds show` says, for programs; absent members are unknown, or do not apply to an active kind.
struct KindRecordPage: Encodable {
    struct Condition: Encodable {
        var name: String
        var is_met: Bool
        var figure: String
        var limit: String
    }

    struct Holders: Encodable {
        var day: String
        var app_version: String
        var platform: String
        var os_version: String?
        var devices_certain: Int
        var devices_possible: Int
    }

    struct Act: Encodable {
        var day: String?
        var lifecycle: String
        var by: String
        var reason: String?
        var replaced_by: String?
        var devices_certain: Int
        var devices_possible: Int
        var verdict: String?
    }

    struct Loss: Encodable {
        var to_version: String
        var state: String
        var lost: Int
        var devices_at_risk: Int
    }

    struct Acknowledgement: Encodable {
        var fingerprint: String
        var rule: String?
        var app_version: String?
        var max_loss: Int
        var until: String
        var by: String
        var reason: String
    }

    var app_id: String
    var kind: String
    var surface: String
    var lifecycle: String
    var verdict: String?
    var reason: String?
    var conditions: [Condition]?
    var devices_certain: Int
    var devices_possible: Int
    var devices_expected: Double?
    var devices_silent: Int?
    var devices_active: Int?
    var limit_devices: Int?
    var forecast: String?
    var holders: [Holders]
    var losses: [Loss]
    var acts: [Act]
    var acknowledgements: [Acknowledgement]

    init(_ page: KindPage) {
        app_id = page.appID
        kind = page.kind
        surface = page.surface
        lifecycle = page.now.lifecycle.rawValue
        devices_certain = page.now.devicesCertain
        devices_possible = page.now.devicesPossible
        if let judged = page.judged {
            let (figures, readiness) = (judged.figures, judged.readiness)
            verdict = readiness.verdict.rawValue
            reason = readiness.reason
            conditions = readiness.conditions.map {
                Condition(name: $0.name.rawValue, is_met: $0.isMet, figure: $0.figure, limit: $0.limit)
            }
            devices_expected = figures.expected
            devices_silent = figures.silent
            devices_active = figures.active
            limit_devices = readiness.limit
            forecast = readiness.forecast.sentence
        }
        holders = page.holders.map {
            Holders(
                day: "\($0.day)", app_version: $0.appVersion, platform: $0.platform,
                os_version: $0.osVersion.isEmpty ? nil : $0.osVersion, devices_certain: $0.certain,
                devices_possible: $0.possible)
        }
        losses = page.incidents.map {
            Loss(
                to_version: $0.toVersion, state: $0.state.rawValue, lost: $0.figures.updates.lost,
                devices_at_risk: $0.devicesAtRisk)
        }
        acts = page.acts.map {
            Act(
                day: $0.day?.description, lifecycle: $0.decision.lifecycle.rawValue, by: $0.decision.actor,
                reason: $0.decision.reason, replaced_by: $0.decision.replacedBy, devices_certain: $0.devicesCertain,
                devices_possible: $0.devicesPossible, verdict: $0.verdict?.rawValue)
        }
        acknowledgements = page.acknowledged.map { record in
            let given = record.acknowledgement
            return Acknowledgement(
                fingerprint: given.fingerprint, rule: record.change?.rule, app_version: record.change?.appVersion,
                max_loss: given.maximumLoss, until: "\(given.until)", by: given.by, reason: given.reason)
        }
    }
}

extension Encodable {
    /// As programs read it, with a line end.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}

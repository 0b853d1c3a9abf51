internal import CensusCore
internal import Foundation

/// A row of `census.readiness`, named like its columns.
struct ReadinessRecord: Encodable {
    /// One condition of the verdict.
    struct Condition: Encodable {
        var name: String
        var is_met: Bool
        var figure: String
        var limit: String
    }

    struct Figures: Encodable {
        var band: String
        var marked_on: String?
        var replaced_by: String?
        var replacement_versions: Int?
        var conditions: [Condition]
    }

    var app_number: Int32
    var day: String
    var surface: String
    var kind: String
    var lifecycle: String
    var devices_certain: Int
    var devices_possible: Int
    var devices_expected: Double
    var devices_silent: Int
    var devices_active: Int
    var devices_reporting: Int
    var devices_with_replacement: Int?
    var limit_devices: Int
    var half_life_days: Double?
    var half_life_low: Double?
    var half_life_high: Double?
    var ready_on: String?
    var ready_on_earliest: String?
    var ready_on_latest: String?
    var forecast: String
    var verdict: String
    var reason: String
    var figures: Figures

    init(_ verdict: KindVerdict, appNumber: Int32, day: Day) {
        let (figures, readiness) = (verdict.figures, verdict.readiness)
        app_number = appNumber
        self.day = day.description
        surface = verdict.surface
        kind = verdict.kind
        lifecycle = figures.lifecycle.rawValue
        devices_certain = figures.certain
        devices_possible = figures.possible
        devices_expected = figures.expected
        devices_silent = figures.silent
        devices_active = figures.active
        devices_reporting = figures.reporting
        devices_with_replacement = figures.withReplacement
        limit_devices = readiness.limit
        half_life_days = readiness.forecast.halfLife?.estimate
        half_life_low = readiness.forecast.halfLife?.low
        half_life_high = readiness.forecast.halfLife?.high
        if case .ready(let on) = readiness.forecast.outcome {
            ready_on = on.estimate.description
            ready_on_earliest = on.low.description
            ready_on_latest = on.high?.description
        }
        forecast = readiness.forecast.sentence
        self.verdict = readiness.verdict.rawValue
        reason = readiness.reason
        self.figures = Figures(
            band: readiness.band.rawValue, marked_on: figures.markedOn?.description, replaced_by: figures.replacement,
            replacement_versions: figures.replacement == nil ? nil : figures.replacementVersions,
            conditions: readiness.conditions.map {
                Condition(name: $0.name.rawValue, is_met: $0.isMet, figure: $0.figure, limit: $0.limit)
            })
    }
}

extension Encodable {
    /// JSON as statement parameter.
    func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}

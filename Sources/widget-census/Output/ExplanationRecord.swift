internal import CensusCore
internal import Foundation

/// An explanation for programs. Times are RFC 3339; absent members are unknown.
struct ExplanationRecord: Encodable {
    struct Step: Encodable {
        var at: String
        var heard: Heard?
        /// Whether it is from before ``folded_through``, and was not folded again.
        var is_left_out: Bool
        var rule: String?
        var remark: String?
        var changes: [Change]
    }

    struct Heard: Encodable {
        var id: String
        var type: String
        var surface: String
        var installation: String
        var app_version: String
        var platform: String
        var os_version: String?
        var booted_at: String?
        var rebooted: Bool?
        var first_launched_at: String?
        var widgets: [Widget]
    }

    struct Widget: Encodable {
        var kind: String
        var family: String?
        var intent: String?
        var configuration: String?
        var instance: String?
        var count: Int?
    }

    struct Numbers: Encodable {
        var certain: Int
        var possible: Int
        /// The possible ones that are not certain: those that may be stale, and those that are expected to be real.
        var suspect: Int
        var presumed: Int
        /// The possible ones that are not counted for the kind: an event left open whether it meant them.
        var either: Int
        var reported: Int
    }

    struct Change: Encodable {
        var surface: String
        var widget: Widget
        var cause: String
        var rule: String
        var before: Numbers
        var after: Numbers
        var still_there: Int?
    }

    struct Span: Encodable {
        var surface: String
        var widget: Widget
        var from: String
        var to: String?
        var level: Numbers
        var still_there: Int?
        var began_cause: String
        var began_rule: String
        var ended_cause: String?
        var ended_rule: String?
    }

    var steps: [Step]
    var spans: [Span]
    var is_settled: Bool
    var is_cloned: Bool
    var suspect_since: String?
    var silent_at: String?
    var folded_through: String?

    init(_ explanation: Explanation) {
        steps = explanation.steps.map(Step.init)
        spans = explanation.spans.map(Span.init)
        is_settled = explanation.state.installation?.isSettled ?? false
        is_cloned = explanation.state.isCloned
        suspect_since = explanation.state.suspectSince?.description
        silent_at = explanation.silentAt?.description
        folded_through = explanation.foldedThrough?.description
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension ExplanationRecord.Step {
    init(_ step: Explanation.Step) {
        self.init(
            at: step.at.description, heard: step.heard.map(ExplanationRecord.Heard.init),
            is_left_out: step.isLeftOut,
            rule: step.remark?.rule?.rawValue, remark: step.remark?.text,
            changes: step.changes.map(ExplanationRecord.Change.init))
    }
}

extension ExplanationRecord.Heard {
    init(_ heard: Observation) {
        let said = heard.circumstances
        var widgets = heard.event.placements.sorted().map { ExplanationRecord.Widget($0) }
        if case .reported(let claimed) = heard.event {
            widgets = claimed.sorted { $0.key < $1.key }.map { ExplanationRecord.Widget($0.key, count: $0.value) }
        }
        self.init(
            id: heard.id, type: heard.event.type.rawValue, surface: heard.surface.rawValue,
            installation: heard.installation.description, app_version: said.appVersion,
            platform: said.platform.rawValue, os_version: said.osVersion, booted_at: said.bootedAt?.description,
            rebooted: said.rebooted, first_launched_at: said.firstLaunchedAt?.description, widgets: widgets)
    }
}

extension ExplanationRecord.Widget {
    init(_ placement: Placement, count: Int? = nil) {
        self.init(
            kind: placement.kind, family: placement.family, intent: placement.intent,
            configuration: placement.configuration, instance: placement.instance, count: count)
    }
}

extension ExplanationRecord.Numbers {
    init(_ level: Level) {
        self.init(
            certain: level.certain, possible: level.possibleInFamily, suspect: level.suspect, presumed: level.presumed,
            either: level.either,
            reported: level.reported)
    }
}

extension ExplanationRecord.Change {
    init(_ change: Explanation.LevelChange) {
        self.init(
            surface: change.surface.rawValue, widget: .init(change.placement), cause: change.change.cause.rawValue,
            rule: change.change.rule.rawValue, before: .init(change.before), after: .init(change.after),
            still_there: change.stillThere)
    }
}

extension ExplanationRecord.Span {
    init(_ span: CensusCore.Span) {
        self.init(
            surface: span.surface.rawValue, widget: .init(span.placement), from: span.from.description,
            to: span.to?.description, level: .init(span.level), still_there: span.stillThere,
            began_cause: span.began.cause.rawValue, began_rule: span.began.rule.rawValue,
            ended_cause: span.ended?.cause.rawValue, ended_rule: span.ended?.rule.rawValue)
    }
}

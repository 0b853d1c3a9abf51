internal import CensusCore
package import CensusStore

extension StepHindrance {
    /// With what to do about it in the console.
    func phrase(on kind: String) -> Phrase {
        let sentence = Phrase(withCode: sentence(on: kind).ended)
        return switch self {
        case .replacesItself, .unknownReplacement: sentence.capitalized
        case .notLegacy: "\(sentence) Mark it first, then wait until few devices have it."
        case .active: "\(sentence) Mark it again, or tick the box to retire it on the other surfaces only."
        case .notReady: "\(sentence.capitalized) To retire it all the same, go back and tick the box."
        }
    }
}

extension KindProspect {
    /// What a step would do, most important first.
    package func effects(of step: KindStep) -> [Phrase] {
        let isNoChange = !listed.isEmpty && listed.allSatisfy { $0.lifecycle == step.decision.lifecycle }
        var effects: [Phrase] = isNoChange ? ["\(name: step.kind) is already \(step.decision.lifecycle.rawValue)."] : []
        if let overridden {
            effects.append(
                "\(Phrase(withCode: overridden.sentence(on: step.kind).ended).capitalized) You retire it all the same.")
        }
        let places = listed.filter { $0.lifecycle != step.decision.lifecycle || step.decision.replacedBy != nil }
        for listed in places where !isNoChange {
            let figures = verdicts.first { $0.surface == listed.place }?.figures
            effects += listed.effects(of: step.decision.lifecycle, figures)
        }
        if let replacement = step.decision.replacedBy, !isReplaced(by: replacement) {
            effects.append(
                """
                Records that \(name: replacement) replaces it; the verdict requires that this kind has shipped in \
                \(Readiness.replacementVersions) versions.
                """)
        }
        guard !isNoChange else { return effects }
        switch step.decision.lifecycle {
        case .legacy:
            if listed.contains(where: { $0.lifecycle == .retired }) {
                effects.append("Takes back that it was retired. The days since it was first marked still count.")
            }
            if listed.contains(where: { $0.lifecycle == .active }) {
                effects.append("Begins the time for which a kind must be legacy before it can be dropped\(waiting).")
            }
            effects.append("You can reopen it at any time.")
        case .active:
            effects.append("If you mark it again, that time begins again\(waiting).")
            effects += accepted.map { Phrase($0.reminder.ended) }
        case .retired: break
        }
        return effects
    }
}

extension KindProspect {
    private func isReplaced(by kind: String) -> Bool {
        !verdicts.isEmpty && verdicts.allSatisfy { $0.figures.replacement?.hasBytes(of: kind) == true }
    }

    /// How long a kind must be legacy, as its verdict says.
    private var waiting: String {
        let age = verdicts.lazy.flatMap(\.readiness.conditions).first { $0.name == .age }
        return age.map { " (\($0.limit))" } ?? ""
    }
}

extension ListedKind {
    /// What a decision does to the kind on its surface.
    fileprivate func effects(of lifecycle: Lifecycle, _ figures: ReadinessFigures?) -> [Phrase] {
        guard place == Surface.widget.rawValue else {
            return [
                """
                \(name: kind)\(place.onSurface): \(holding("has", "have")) it. No device hides it, because this surface has no \
                gallery.
                """
            ]
        }
        return switch lifecycle {
        case .legacy:
            ["Lets apps hide \(name: kind) from \(others(figures)); \(holding("keeps", "keep")) it."] + limited(figures)
        case .active:
            ["Shows \(name: kind) in the gallery again to \(others(figures))."] + limited(figures)
        case .retired:
            [
                """
                Lets apps hide \(name: kind) from every device that lacks it. \(holding("still has", "still have")) it\
                \(figures.map { ", and \($0.silent.grouped) more had it when they fell silent" } ?? "").
                """,
                "Their loss, when the release without it comes, opens no incident.",
            ]
        }
    }

    /// How many devices have it, with a verb.
    private func holding(_ one: String, _ many: String) -> String {
        let devices = devicesPossible.counted("device", one, many)
        return devicesCertain == devicesPossible ? devices : "\(devicesCertain.grouped) to \(devices)"
    }

    /// The active devices without it. A device whose list isn't known doesn't hide it, nor does one with iOS 14.
    private func others(_ figures: ReadinessFigures?) -> String {
        guard let figures else { return "devices that lack it" }
        let lacking = max(0, figures.active - devicesPossible)
        return "at most "
            + min(lacking, figures.lists?.listing ?? lacking).counted("device", "that lacks it", "that lack it")
    }

    private func limited(_ figures: ReadinessFigures?) -> [Phrase] {
        guard let figures else { return [] }
        return [
            """
            Only apps that apply the gallery policy follow this: \(figures.applying) of \(figures.active, "active device") \
            \(figures.applying == 1 ? "does" : "do").
            """
        ]
    }
}

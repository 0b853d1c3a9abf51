// The words in which an explanation describes what was heard.

extension Timestamp {
    /// RFC 3339 without fractions, for people to compare.
    package var toTheSecond: String {
        let text = description
        guard let point = text.firstIndex(of: ".") else { return text }
        return text[..<point] + "Z"
    }
}

extension Explanation {
    /// When the device leaves, or left, every count because it isn't heard from; nil for a device that was never counted.
    package func silence(now: Timestamp) -> String? {
        silentAt.map { end in
            end > now
                ? "stops counting at \(end.toTheSecond) unless it is heard from before"
                : "stopped counting at \(end.toTheSecond): it has not been heard from since"
        }
    }
}

extension Level {
    package func fate(stillThere: Int?) -> String {
        guard let stillThere else { return " (\(suspect) suspect)" }
        return stillThere == 0 ? " (suspect; gone later)" : " (suspect; \(stillThere) of \(suspect) proved later)"
    }
}

extension Placement {
    package var summary: String {
        [kind, family, intent, configuration, instance.map { "#\($0)" }].compactMap { $0 }.joined(separator: " · ")
    }
}

extension Observation {
    package var summary: String {
        var text = event.type.rawValue
        switch event {
        case .reported(let claimed):
            let widgets = claimed.sorted { $0.key < $1.key }.map {
                ($0.value > 1 ? "\($0.value)× " : "") + $0.key.summary
            }
            text += " [" + widgets.joined(separator: ", ") + "]"
        case .readFailed: text += " with an error"
        case .appOpened: break
        case .happened(_, to: let widget): text += " \(widget.summary)"
        case .restored(let instances):
            let renamed = instances.sorted { $0.key < $1.key }.map { "\($0.key.text)→\($0.value)" }
            text += " " + renamed.joined(separator: " ")
        }
        if surface != .widget { text += " on \(surface.rawValue)" }
        let system = [circumstances.platform.rawValue, circumstances.osVersion].compactMap { $0 }.joined(separator: " ")
        return text + " (\(circumstances.appVersion), \(system))"
    }
}

internal import CensusCore

// An explanation as JSON; absent members are unknown.

extension DeviceHistory: Encodable {
    package func encode(to encoder: any Encoder) throws {
        let state = explanation.state
        let members: Members = [
            "steps": explanation.steps.map(\.members), "spans": explanation.spans.map(\.members),
            "is_settled": state.installation?.isSettled ?? false, "is_cloned": state.isCloned,
            "suspect_since": state.suspectSince, "silent_at": explanation.silentAt,
            "folded_through": explanation.foldedThrough,
        ]
        try members.encode(to: encoder)
    }
}

extension Explanation.Step {
    fileprivate var members: Members {
        [
            "at": at, "heard": heard?.members, "is_left_out": isLeftOut, "rule": remark?.rule?.rawValue,
            "remark": remark?.text, "changes": changes.map(\.members),
        ]
    }
}

extension Observation {
    fileprivate var members: Members {
        var widgets = event.placements.sorted().map { $0.members() }
        if case .reported(let claimed) = event {
            widgets = claimed.sorted { $0.key < $1.key }.map { $0.key.members(count: $0.value) }
        }
        return [
            "id": id, "type": event.type.rawValue, "surface": surface.rawValue,
            "installation": installation.description, "app_version": circumstances.appVersion,
            "platform": circumstances.platform.rawValue, "os_version": circumstances.osVersion,
            "booted_at": circumstances.bootedAt, "rebooted": circumstances.rebooted,
            "first_launched_at": circumstances.firstLaunchedAt, "widgets": widgets,
        ]
    }
}

extension Placement {
    fileprivate func members(count: Int? = nil) -> Members {
        [
            "kind": kind, "family": family, "intent": intent, "configuration": configuration, "instance": instance,
            "count": count,
        ]
    }
}

extension Level {
    /// Possible placements that are not certain are `suspect` if they might be gone, and `presumed` if they are expected to be
    /// real. `either` placements don't count for the kind, because an event left open whether it meant them.
    fileprivate var members: Members {
        [
            "certain": certain, "possible": possibleInFamily, "suspect": suspect, "presumed": presumed,
            "either": either, "reported": reported,
        ]
    }
}

extension Explanation.LevelChange {
    fileprivate var members: Members {
        [
            "surface": surface.rawValue, "widget": placement.members(), "cause": change.cause.rawValue,
            "rule": change.rule.rawValue, "before": before.members, "after": after.members, "still_there": stillThere,
        ]
    }
}

extension Span {
    fileprivate var members: Members {
        [
            "surface": surface.rawValue, "widget": placement.members(), "from": from, "to": to, "level": level.members,
            "still_there": stillThere, "began_cause": began.cause.rawValue, "began_rule": began.rule.rawValue,
            "ended_cause": ended?.cause.rawValue, "ended_rule": ended?.rule.rawValue,
        ]
    }
}

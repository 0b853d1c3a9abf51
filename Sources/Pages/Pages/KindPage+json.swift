internal import CensusCore
internal import CensusStore

extension KindPage: Encodable {
    /// Absent members are unknown, or do not apply to an active kind.
    package func encode(to encoder: any Encoder) throws {
        let (figures, readiness) = (judged?.figures, judged?.readiness)
        let members: Members = [
            "app_id": app, "kind": kind, "surface": surface, "lifecycle": listed.lifecycle.rawValue,
            "devices_certain": listed.devicesCertain, "devices_possible": listed.devicesPossible,
            "verdict": readiness?.verdict.rawValue, "reason": readiness?.reason, "conditions": readiness?.conditions,
            "devices_expected": figures?.expected, "devices_silent": figures?.silent, "devices_active": figures?.active,
            "limit_devices": readiness?.limit, "forecast": readiness?.forecast.sentence,
            "holders": holders.map(\.members), "losses": incidents.map(\.members), "acts": acts.map(\.members),
            "acknowledgements": accepted.map(\.members),
        ]
        try members.encode(to: encoder)
    }
}

extension KindHolders {
    fileprivate var members: Members {
        [
            "day": day, "app_version": appVersion, "platform": platform,
            "os_version": osVersion.isEmpty ? nil : osVersion, "devices_certain": certain, "devices_possible": possible,
        ]
    }
}

extension LossIncident {
    fileprivate var members: Members {
        [
            "to_version": toVersion, "state": state.rawValue, "lost": figures.updates.lost,
            "devices_at_risk": devicesAtRisk,
        ]
    }
}

extension KindAct {
    fileprivate var members: Members {
        [
            "day": day, "lifecycle": decision.lifecycle.rawValue, "by": decision.actor, "reason": decision.reason,
            "replaced_by": decision.replacedBy, "devices_certain": devicesCertain, "devices_possible": devicesPossible,
            "verdict": verdict?.rawValue,
        ]
    }
}

extension AcknowledgementRecord {
    fileprivate var members: Members {
        let given = acknowledgement
        return [
            "fingerprint": given.fingerprint, "rule": change?.rule, "app_version": change?.appVersion,
            "max_loss": given.maximumLoss, "until": given.until, "by": given.by, "reason": given.reason,
        ]
    }
}

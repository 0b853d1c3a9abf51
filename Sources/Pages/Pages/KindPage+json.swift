internal import CensusCore
internal import CensusStore

extension KindPage: Encodable {
    /// Absent members are unknown or don't apply to an active kind.
    package func encode(to encoder: any Encoder) throws {
        let readiness = judged?.readiness
        let figures = (judged ?? supposed)?.figures
        let members: Members = [
            "app_id": app, "kind": kind, "surface": surface, "as_of": figures?.lastEnded,
            "gallery_policy": galleryAnswer?.rawValue, "lifecycle": listed.lifecycle.rawValue,
            "devices_certain": listed.devicesCertain, "devices_possible": listed.devicesPossible,
            "verdict": readiness?.verdict.rawValue, "reason": readiness?.reason, "conditions": readiness?.conditions,
            "devices_expected": figures?.expected, "devices_silent": figures?.silent, "devices_active": figures?.active,
            "share_of_active": figures?.shareOfActive,
            "share_as_of": figures?.shareOfActive == nil ? nil : figures?.activeOn,
            "band": figures?.shareOfActive == nil ? nil : (readiness ?? supposed?.readiness)?.band.rawValue,
            "replaced_by": figures?.replacement,
            "devices_with_replacement": figures?.withReplacement,
            "devices_silent_by_age": figures?.silentByAge.map(\.members),
            "limit_devices": readiness?.limit, "forecast": readiness?.forecast.sentence,
            "half_life_days": readiness?.forecast.halfLife?.members, "not_before": readiness?.earliest?.day,
            "if_marked": supposed?.members,
            "holders": holders.map(\.members), "losses": incidents.map(\.members), "acts": acts.map(\.members),
            "setting_acts": settingActs.map(settingMembers),
            "acknowledgements": accepted.map(\.members), "loss_acts": lossActs.map(\.members),
        ]
        try members.encode(to: encoder)
    }
}

extension KindPage {
    private func settingMembers(_ act: SettingAct) -> Members {
        let verdict = verdict(in: act)
        return [
            "day": act.day, "by": act.actor, "reason": act.reason, "changes": act.changes,
            "verdict_before": verdict?.before, "verdict_after": verdict?.after,
        ]
    }
}

extension KindVerdict {
    /// What marking an active kind today would lead to.
    fileprivate var members: Members {
        [
            "verdict": readiness.verdict.rawValue, "reason": readiness.reason, "conditions": readiness.conditions,
            "limit_devices": readiness.limit, "devices_applying_policy": figures.applying,
            "half_life_days": readiness.forecast.halfLife?.members, "not_before": readiness.earliest?.day,
            "outlooks": figures.outlooks.map(\.members),
        ]
    }
}

extension ReadinessFigures.Outlook {
    fileprivate var members: Members {
        [
            "days": weeks * 7, "lost_a_day": leavingADay, "added_a_day": installedADay,
            "if_still_offered": shown.members, "if_hidden": hidden.members,
        ]
    }
}

extension BaseForecast {
    fileprivate var members: Members {
        switch outcome {
        case .ready(let on):
            ["ready_on": on.estimate, "ready_on_earliest": on.low, "ready_on_latest": on.high, "forecast": sentence]
        case .never(let level): ["levels_off_near": level, "forecast": sentence]
        case .notEnoughData: ["forecast": sentence]
        }
    }
}

extension SilentHolders {
    fileprivate var members: Members {
        ["from_months": months.lowerBound, "to_months": months.upperBound, "devices": devices]
    }
}

extension BaseForecast.Interval<Double> {
    fileprivate var members: Members { ["estimate": estimate, "low": low, "high": high] }
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
            "to_version": toVersion, "state": state.rawValue, "headline": headline,
            "upgraders": figures.updates.pairs, "lost": figures.updates.lost, "devices_at_risk": devicesAtRisk,
        ]
    }
}

extension LossActs.Entry {
    fileprivate var members: Members {
        [
            "day": act.day, "to_version": toVersion, "state": act.state.rawValue, "by": act.actor, "reason": act.reason,
            "upgraders": act.upgraders, "lost": act.lost,
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
            "day": ReportingZone.utc.day(of: given.at), "fingerprint": given.fingerprint, "rule": change?.rule,
            "app_version": change?.appVersion,
            "max_loss": given.maximumLoss, "until": given.until, "by": given.by, "reason": given.reason,
        ]
    }
}

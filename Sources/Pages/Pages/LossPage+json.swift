internal import CensusCore
internal import CensusStore

extension LossPage: Encodable {
    /// Uses the member names of webhooks. Absent members are unknown or don't apply.
    package func encode(to encoder: any Encoder) throws {
        let figures = incident.figures
        let isWatched = incident.state == .watched
        let members: Members = [
            "app_id": app, "surface": incident.surface, "kind": incident.kind, "to_version": incident.toVersion,
            "from_versions": incident.fromVersions, "state": incident.state.rawValue, "opened_on": incident.openedOn,
            "judged_on": incident.judgedOn, "headline": incident.headline, "upgraders": figures.updates.pairs,
            "lost": figures.updates.lost, "loss_rate": figures.updates.lostShare,
            "ordinary_rate": figures.ordinaryShare, "accepted_beforehand": figures.excused,
            "devices_at_risk": incident.devicesAtRisk, "smallest_detectable_rate": figures.smallestSeen,
            "evidence": figures.evidence, "evidence_threshold": incident.threshold,
            "remarks": incident.remarks + incident.unheard, "why_no_incident": whyNoIncident,
            "advice": isWatched ? nil : incident.advice, "acts": acts.map(\.members),
        ]
        try members.encode(to: encoder)
    }
}

extension LossAct {
    fileprivate var members: Members {
        [
            "day": day, "state": state.rawValue, "by": actor, "reason": reason, "upgraders": upgraders, "lost": lost,
        ]
    }
}

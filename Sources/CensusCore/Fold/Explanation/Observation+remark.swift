extension Observation {
    /// What the changes of levels don't say; nil if they say everything.
    ///
    /// - Parameters:
    ///   - changesLevels: whether the observation changed what is held.
    ///   - isTied: whether its order among the others of its instant and surface is unknown and makes a difference.
    func remark(
        before: DeviceState, after: DeviceState, changesLevels: Bool, isTied: Bool
    ) -> Explanation.Remark? {
        if !circumstances.isCounted {
            return .init(rule: nil, text: "channel \(circumstances.channel): stored, but never counted")
        }
        if before.endedInstallations.contains(installation) {
            return .init(
                rule: .reinstall, text: "from an installation that has ended: changes nothing; the device is cloned")
        }
        let own = isTied ? Explanation.Remark.tied : ownRemark(before, changesLevels: changesLevels)
        var texts: [String] = []
        var rule: Rule?
        if before.installation?.id != installation {
            rule = before.installation == nil ? nil : .reinstall
            let launched = circumstances.firstLaunchedAt.map { "first launched \($0)" } ?? "first launch unknown"
            texts.append("a new installation, \(launched)")
        }
        if before.installation?.id == installation, before.installation?.isSettled == false,
            after.installation?.isSettled == true
        {
            rule = .reboot
            texts.append("the device has booted since the first launch, so its lists are true from now on")
        }
        if let own {
            rule = own.rule ?? rule
            texts.append(own.text)
        }
        return texts.isEmpty ? nil : .init(rule: rule, text: texts.joined(separator: "; "))
    }

    private func ownRemark(_ before: DeviceState, changesLevels: Bool) -> Explanation.Remark? {
        let isWidgetKit = circumstances.platform.isWidgetKit
        switch event {
        case .readFailed(let domain, let code):
            return .init(rule: .readFailed, text: "the read failed (\(domain) \(code)): says nothing about widgets")
        case .happened(let act, to: _):
            switch act.sign {
            case .rendered:
                guard isWidgetKit, surface != .today else { return nil }
                return .init(rule: .signOfLife, text: "rendering proves nothing, because galleries render, too")
            case .added, .gone:
                guard isEcho(before), !changesLevels else { return nil }
                return .init(rule: .event, text: "repeats the report before it, so it changes nothing")
            case .used: return nil
            }
        case .reported, .restored, .appOpened: return nil
        }
    }

    private func isEcho(_ before: DeviceState) -> Bool {
        before.installation?.id == installation && before.isEcho(self)
    }
}

extension Explanation.Remark {
    fileprivate static let tied = Explanation.Remark(
        rule: nil, text: "its order among others of this instant is unknown: the bounds hold in every order")
}

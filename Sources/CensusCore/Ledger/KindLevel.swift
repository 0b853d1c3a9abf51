/// What one device holds of one kind when a day ends, as it is counted.
struct KindLevel: Hashable, Sendable {
    private(set) var amounts = KindAmounts()
    /// What first claimed the suspects, when only they make the kind possible and nothing has settled them.
    private(set) var unsettled: ClaimCell?
    private(set) var byFamily: [Text: InstallAmounts] = [:]
    private(set) var version: VersionCell?

    init() {}

    /// - Parameters:
    ///   - spans: those of one kind and surface that are live when the day ends.
    ///   - isSilent: the device is silent when the day ends, and fell silent with the kind at most a year before.
    init(_ spans: [Span], phase: Phase?, isSilent: Bool) {
        amounts.devicesSilent = isSilent ? 1 : 0
        guard !spans.isEmpty else { return }
        var isStillThere = false
        var claim: ClaimCell?
        for span in spans {
            let level = span.level
            amounts.widgetsCertain += level.certain
            amounts.widgetsPossible += level.possible
            amounts.widgetsReported += level.reported
            amounts.widgetsSuspect += level.suspect
            if let stillThere = span.stillThere {
                amounts.widgetsStillThere += stillThere
                amounts.widgetsGone += level.suspect - stillThere
            } else if level.suspect > 0, let mine = span.claim.map(ClaimCell.init) {
                claim = claim.map { $0.precedes(mine) ? mine : $0 } ?? mine
            }
            isStillThere = isStillThere || level.presumed > 0 || span.stillThere ?? 0 > 0
            byFamily[Text(span.placement.family ?? ""), default: InstallAmounts()].add(span)
        }
        amounts.devicesCertain = amounts.widgetsCertain > 0 ? 1 : 0
        amounts.devicesPossible = amounts.widgetsPossible > 0 ? 1 : 0
        amounts.devicesReported = amounts.widgetsReported > 0 ? 1 : 0
        amounts.devicesStillThere = amounts.widgetsCertain == 0 && isStillThere ? 1 : 0
        if amounts.widgetsCertain == 0, !isStillThere { unsettled = claim }
        version = phase.map { VersionCell($0.traits) }
    }
}

extension VersionAmounts {
    init(_ kind: KindAmounts) {
        self.init()
        devicesCertain = kind.devicesCertain
        devicesPossible = kind.devicesPossible
        widgetsCertain = kind.widgetsCertain
        widgetsPossible = kind.widgetsPossible
    }
}

extension InstallAmounts {
    /// Another placement of a family on the same device.
    fileprivate mutating func add(_ span: Span) {
        widgetsCertain += span.level.certain
        widgetsPossible += span.level.possibleInFamily
        widgetsReported += span.level.reported
        devicesCertain = widgetsCertain > 0 ? 1 : 0
        devicesPossible = widgetsPossible > 0 ? 1 : 0
    }
}

extension ClaimCell {
    /// One of several claims stands for the device; which one must not depend on their order.
    func precedes(_ other: ClaimCell) -> Bool {
        (platform.rawValue, Text(osVersion), rule.rawValue)
            < (other.platform.rawValue, Text(other.osVersion), other.rule.rawValue)
    }
}

extension KindCell {
    init(day: Day, _ span: Span) { self.init(day: day, surface: span.surface, kind: span.placement.kind) }
}

extension SpanHistory.Key {
    init(_ span: Span) { self.init(surface: span.surface, placement: span.placement) }
}

/// What the ledger counts for one kind on one device when a day ends.
struct KindLevel: Hashable, Sendable {
    private(set) var amounts = KindAmounts()
    /// The first claim of the suspects, if only suspects make the kind possible and none of them has a known outcome.
    private(set) var unsettled: ClaimCell?
    private(set) var byFamily: [Text: InstallAmounts] = [:]
    private(set) var byIntent: [Text: IntentAmounts] = [:]
    private(set) var version: VersionCell?

    init() {}

    /// - Parameters:
    ///   - spans: the spans of one kind and surface that are live when the day ends.
    ///   - isSilent: whether the device is silent when the day ends, and fell silent with the kind at most a year before.
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
        byIntent = Dictionary(grouping: spans) { Text($0.placement.intent ?? "") }.mapValues(IntentAmounts.init)
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
    /// Adds another placement of a family on the same device.
    fileprivate mutating func add(_ span: Span) {
        widgetsCertain += span.level.certain
        widgetsPossible += span.level.possibleInFamily
        widgetsReported += span.level.reported
        devicesCertain = widgetsCertain > 0 ? 1 : 0
        devicesPossible = widgetsPossible > 0 ? 1 : 0
    }
}

extension IntentAmounts {
    /// - Parameter spans: a device's live spans of one kind and intent.
    fileprivate init(_ spans: [Span]) {
        self.init()
        let certain = spans.filter { $0.level.certain > 0 }
        devicesCertain = certain.isEmpty ? 0 : 1
        devicesPossible = spans.contains { $0.level.possibleInFamily > 0 } ? 1 : 0
        deviceConfigurations = Set(certain.compactMap { $0.placement.configuration.map { Text($0) } }).count
    }
}

extension ClaimCell {
    /// Only one of a device's claims is counted, and the choice must not depend on their order.
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

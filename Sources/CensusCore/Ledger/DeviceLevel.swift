/// What the ledger counts for one active device when a day ends, whatever the kinds.
struct DeviceLevel: Hashable, Sendable {
    private(set) var amounts = DeviceAmounts()
    /// Its certain widgets on the surfaces `widget` and `today`.
    private var certain = 0
    private var possible = 0

    /// - Parameter levels: those of its widgets when the day ends.
    init(_ levels: some Sequence<Level>, _ traits: Phase.Traits) {
        for level in levels {
            certain += level.certain
            possible += level.possible
        }
        amounts.active = 1
        amounts.withWidget = certain > 0 ? 1 : 0
        amounts.withWidgetPossible = possible > 0 ? 1 : 0
        amounts.reporting = traits.isReporting ? 1 : 0
        amounts.cloned = traits.isCloned ? 1 : 0
    }

    /// By numbers of widgets.
    var widgetCounts: [(widgets: Int, WidgetCountAmounts)] {
        var (lower, upper) = (WidgetCountAmounts(), WidgetCountAmounts())
        lower.devicesCertain = 1
        upper.devicesPossible = 1
        return [(certain, lower), (possible, upper)]
    }
}

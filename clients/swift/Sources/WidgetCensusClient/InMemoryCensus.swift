/// Takes the place of ``WidgetCensus`` in previews and unit tests. It keeps what the app tells, and sends nothing.
public final class InMemoryCensus: Census {
    private struct State {
        var events: [WidgetEvent] = []
        var reports = 0
        var isOptedOut = false
        var isAwaited = false
        var counts: Bool { !isOptedOut && !isAwaited }
    }

    private let state: Locked<State>
    private let hiding: GalleryPolicy

    /// - Parameters:
    ///   - hiding: the kinds that the policy hides.
    ///   - consent: if required, nothing is recorded before ``optIn()``.
    public init(hiding: Set<String> = [], consent: ConsentRequirement = .notRequired) {
        state = Locked(State(isAwaited: consent == .required))
        self.hiding = GalleryPolicy(version: hiding.isEmpty ? nil : 1, hiding: hiding)
    }

    /// The events recorded so far, in order.
    public var events: [WidgetEvent] { state.withValue { $0.events } }
    /// How often the app reported.
    public var reports: Int { state.withValue { $0.reports } }
    public var isOptedOut: Bool { state.withValue { $0.isOptedOut } }

    public func report() async { state.withValue { if $0.counts { $0.reports += 1 } } }

    public func send() async {}

    public func record(_ event: WidgetEvent) { state.withValue { if $0.counts { $0.events.append(event) } } }

    /// As in ``WidgetCensus``, nothing from before remains.
    @discardableResult
    public func optOut() -> Bool {
        state.withValue { $0 = State(isOptedOut: true) }
        return true
    }

    @discardableResult
    public func optIn() -> Bool {
        state.withValue { ($0.isOptedOut, $0.isAwaited) = (false, false) }
        return true
    }

    @discardableResult
    public func policy() async -> GalleryPolicy { knownPolicy }

    public var knownPolicy: GalleryPolicy { state.withValue { $0.counts } ? hiding : .showsAll }
}

/// The `data` of a webhook message about one mass loss, as defined in docs/reference/webhook.schema.json.
public struct MassLossMessage: Hashable, Sendable {
    /// What happened. It determines the message's type.
    public enum Occasion: String, Hashable, Sendable, CaseIterable {
        case opened, acknowledged, closed
        /// At least twice as many devices have lost the kind as the previous message said.
        case grown
        /// The incident can grow no further, whether or not anybody closed it.
        case ended
    }

    /// What people have done about the loss.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case open, acknowledged, closed
    }

    public var appID: String
    public var surface: Surface
    @Bytewise public var kind: String
    /// The version that devices updated to and lost the kind.
    @Bytewise public var toVersion: String
    /// The versions that devices with losses updated from.
    public var fromVersions: [Text]
    /// Devices that updated and held the kind before.
    public var upgraders: Int
    /// How many of these no longer hold it.
    public var lost: Int
    /// Losses per update.
    public var lossRate: Double
    /// The rate among devices that did not update, in the same nights and on the same scale; nil if there are none.
    public var ordinaryRate: Double?
    /// The e-value, see ``LossEvidence``.
    public var evidence: Double
    /// Devices that hold the kind and have not updated yet.
    public var devicesAtRisk: Int
    /// The smallest rate that these numbers could have shown; nil if they could show none.
    public var smallestDetectableRate: Double?
    /// In the app's zone.
    public var openedOn: Day
    public var state: State
    /// The losses in a sentence without its full stop.
    public var headline: String
    /// What to do now, in a sentence without its full stop.
    public var advice: String

    public init(
        appID: String, surface: Surface, kind: String, toVersion: String, fromVersions: [String], upgraders: Int,
        lost: Int, lossRate: Double, ordinaryRate: Double?, evidence: Double, devicesAtRisk: Int,
        smallestDetectableRate: Double?, openedOn: Day, state: State, headline: String, advice: String
    ) {
        self.appID = appID
        self.surface = surface
        self.kind = kind
        self.toVersion = toVersion
        self.fromVersions = fromVersions.map { Text($0) }
        self.upgraders = upgraders
        self.lost = lost
        self.lossRate = lossRate
        self.ordinaryRate = ordinaryRate
        self.evidence = evidence
        self.devicesAtRisk = devicesAtRisk
        self.smallestDetectableRate = smallestDetectableRate
        self.openedOn = openedOn
        self.state = state
        self.headline = headline
        self.advice = advice
    }
}

extension MassLossMessage {
    func writeMembers(to json: inout JSONBuilder) {
        json.member("app_id", appID)
        json.member("surface", surface.rawValue)
        json.member("kind", kind)
        json.member("to_version", toVersion)
        json.member("from_versions", fromVersions.map(\.text))
        json.member("upgraders", upgraders)
        json.member("lost", lost)
        json.member("loss_rate", lossRate)
        json.member("ordinary_rate", ordinaryRate)
        json.member("evidence", evidence)
        json.member("devices_at_risk", devicesAtRisk)
        json.member("smallest_detectable_rate", smallestDetectableRate)
        json.member("opened_on", openedOn.description)
        json.member("state", state.rawValue)
        json.member("advice", advice)
    }

    func summary(_ occasion: Occasion) -> String {
        let title =
            switch occasion {
            case .opened: "Updates to \(toVersion) take \(kind)\(surface.rawValue.surfaceInBrackets) away"
            case .grown:
                "The loss of \(kind)\(surface.rawValue.surfaceInBrackets) in updates to \(toVersion) has doubled"
            case .acknowledged: "Somebody acknowledged the loss of \(kind) in updates to \(toVersion)"
            case .closed: "Somebody closed the loss of \(kind) in updates to \(toVersion)"
            case .ended: "The loss of \(kind) in updates to \(toVersion) can grow no further"
            }
        let figures = "\(title): \(headline)."
        return occasion == .opened || occasion == .grown ? "\(figures) What to do: \(advice)." : figures
    }
}

extension JSONBuilder {
    /// Writes null for a number that is not finite, because JSON has no infinity.
    fileprivate mutating func member(_ name: String, _ number: Double?) {
        member(name) { $0.literal(number.flatMap { $0.isFinite ? "\($0)" : nil } ?? "null") }
    }
}

/// A person's acceptance of a loss, up to a number of devices and until a day.
public struct PreflightAcknowledgement: Hashable, Sendable, Decodable {
    public var fingerprint: String
    public var maximumLoss: Int
    /// The last day on which it applies, in UTC.
    public var until: Day
    public var by: String
    public var reason: String
    public var at: Timestamp

    public init(fingerprint: String, maximumLoss: Int, until: Day, by: String, reason: String, at: Timestamp) {
        self.fingerprint = fingerprint
        self.maximumLoss = maximumLoss
        self.until = until
        self.by = by
        self.reason = reason
        self.at = at
    }

    public enum State: String, Hashable, Sendable {
        case holds
        /// It accepts no loss: a person took back an earlier one.
        case withdrawn
        case expired
    }

    /// The state on a day in UTC, unless another acknowledgement replaced it.
    public func state(on today: Day) -> State { maximumLoss == 0 ? .withdrawn : until < today ? .expired : .holds }
}

/// A change with the loss it causes.
public struct PreflightFinding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable {
        /// More devices might lose widgets than allowed.
        case fail
        /// It isn't known whether devices lose widgets.
        case unknown
        /// Devices lose widgets, but no more than allowed.
        case allowed
        /// Devices lose widgets, and a person accepted the loss.
        case acknowledged
        /// No loss, but a risk.
        case warn
        /// A change that hits no device.
        case none
    }

    public enum Consent: Hashable, Sendable {
        case none
        case holds(PreflightAcknowledgement)
        case expired(PreflightAcknowledgement)
        case withdrawn(PreflightAcknowledgement)
        /// The loss is now larger than the one that was acknowledged.
        case exceeded(PreflightAcknowledgement)
    }

    public var change: PreflightChange
    /// Twelve hexadecimal digits that identify the change, whatever it costs.
    public var fingerprint: String
    public var severity: Severity
    public var consent: Consent
    public var loss: PreflightLoss
    /// By the version on the devices, oldest first.
    public var byVersion: [(version: Text, loss: PreflightLoss)] {
        versions.map { ($0.version, $0.loss) }
    }

    var versions: [VersionLoss]

    struct VersionLoss: Hashable, Sendable {
        var version: Text
        var loss: PreflightLoss
    }
}

extension PreflightRule {
    /// What people lose.
    public enum Loss: String, Hashable, Sendable {
        case widget
        /// At least those; perhaps the widget, too.
        case settings
    }

    /// What its findings take away; nil if nothing is known to be lost.
    public var loss: Loss? {
        switch self {
        case .familyUnknown, .intentAdded, .intentUnknown, .unprefixedIntent: nil
        case .kindDropped, .kindRenamed, .providerMoved, .allFamiliesDropped, .familyDropped, .intentChanged: .widget
        case .intentDropped: .settings
        }
    }

    /// Whether its findings count against the limit.
    public var isLossy: Bool { loss != nil }
}

extension PreflightFinding {
    var isAcknowledged: Bool {
        if case .holds = consent { true } else { false }
    }

    mutating func decide(isTooMuch: Bool) {
        if change.rule == .unprefixedIntent {
            severity = .warn
        } else if loss.devicesPossible == 0 {
            severity = .none
        } else if change.rule == .intentAdded {
            severity = .warn
        } else if isAcknowledged {
            severity = .acknowledged
        } else if change.rule == .familyUnknown || change.rule == .intentUnknown {
            severity = .unknown
        } else {
            severity = isTooMuch ? .fail : .allowed
        }
    }
}

extension PreflightFinding.Consent {
    init(_ acknowledgement: PreflightAcknowledgement?, _ loss: PreflightLoss, _ today: Day) {
        self =
            switch (acknowledgement, acknowledgement?.state(on: today)) {
            case (let given?, .withdrawn): .withdrawn(given)
            case (let given?, .expired): .expired(given)
            case (let given?, _): loss.devicesPossible > given.maximumLoss ? .exceeded(given) : .holds(given)
            case (nil, _): .none
            }
    }
}

/// The rule that changed a device's state (design section 4); the name is stored and shown.
public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// R1: a successful report is the whole truth for its surface, less suspects.
    case report
    /// R3: between reports an event adds or takes one.
    case event
    /// R4: a new installation id on a known device.
    case reinstall
    /// R6: the first successful report after a reboot ends suspicion.
    case reboot
    /// R8: not heard from for the activity window.
    case silent
}

/// What a change means to the person who reads `report.changes`.
public enum Cause: String, Hashable, Sendable, CaseIterable {
    case installed, removed, configured, reinstalled, silent, returned
}

/// Why a span began or ended.
public struct Change: Hashable, Sendable {
    public var cause: Cause
    public var rule: Rule

    public init(_ cause: Cause, by rule: Rule) {
        self.cause = cause
        self.rule = rule
    }
}

/// The rule that changed a device's state (docs/why/reconciliation.md). Its name is stored and shown.
public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// R1: a successful report is the whole truth for its surface, except for suspects.
    case report
    /// R2: a failed read changes nothing.
    case readFailed = "read_failed"
    /// R3: between reports an event adds or removes one.
    case event
    /// R4: a new installation id on a known device.
    case reinstall
    /// R5: a device never seen before, minutes after its first launch.
    case freshInstall = "fresh_install"
    /// R6: the first successful report after a reboot ends suspicion.
    case reboot
    /// R7: somebody uses a widget, so it exists.
    case signOfLife = "sign_of_life"
    /// R8: for an activity window, the device wasn't heard from, or a surface wasn't confirmed.
    case silent
    /// R9: an update of the app removed a kind.
    case upgradeLoss = "upgrade_loss"
    /// R10: Android's placements are instances.
    case androidInstance = "android_instance"
    /// R11: the Today surface has no list.
    case today
    /// Not a rule of the fold: somebody asked for the device to be forgotten.
    case forgotten

    /// Its number in docs/why/reconciliation.md, such as `R4`. A forgotten device is never explained.
    public var number: String { "R\((Rule.allCases.firstIndex(of: self) ?? 0) + 1)" }
}

/// What a change means to readers of `report.changes`.
public enum Cause: String, Hashable, Sendable, CaseIterable {
    case installed, removed, configured, reinstalled
    case upgradeLoss = "upgrade_loss"
    case silent, returned, forgotten
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

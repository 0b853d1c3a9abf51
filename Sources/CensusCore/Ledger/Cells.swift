// The cells of the ledger: what is counted apart.

/// A row of `kind_day`.
public struct KindCell: Hashable, Sendable {
    public var day: Day
    public var surface: Surface
    @Bytewise public var kind: String
}

/// A row of `kind_day_unsettled`: devices whose suspects nothing has settled, by what claimed them first.
public struct UnsettledCell: Hashable, Sendable {
    public var kind: KindCell
    public var claim: ClaimCell
}

/// What claimed suspects first, as it is counted.
public struct ClaimCell: Hashable, Sendable {
    public var platform: Platform
    /// Empty when unknown.
    @Bytewise public var osVersion: String
    public var rule: Rule

    init(_ claim: Claim) {
        platform = claim.platform
        osVersion = claim.osVersion ?? ""
        rule = claim.rule
    }
}

/// A row of `install_day`.
public struct InstallCell: Hashable, Sendable {
    public var kind: KindCell
    /// Empty where the app does not send it.
    @Bytewise public var family: String
    public var version: VersionCell
}

/// What a device runs.
public struct VersionCell: Hashable, Sendable {
    @Bytewise public var appVersion: String
    /// Major and minor; empty when not sent.
    @Bytewise public var osVersion: String
    public var platform: Platform

    init(_ traits: Phase.Traits) {
        appVersion = traits.appVersion
        osVersion = traits.osRelease ?? ""
        platform = traits.platform
    }
}

/// A row of `device_day`.
public struct DeviceCell: Hashable, Sendable {
    public var day: Day
    public var version: VersionCell
    /// 0: none was applied.
    public var galleryPolicy: Int64
}

/// A row of `change_day`.
public struct ChangeCell: Hashable, Sendable {
    public var kind: KindCell
    @Bytewise public var family: String
    public var cause: Cause
}

/// A row of `outcome_day`.
public struct OutcomeCell: Hashable, Sendable {
    public var day: Day
    public var claim: ClaimCell
}

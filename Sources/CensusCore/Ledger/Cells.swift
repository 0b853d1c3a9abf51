// The cells of the ledger: what is counted apart. Strings are compared and hashed byte for byte, as PostgreSQL does.

/// A row of `kind_day`.
public struct KindCell: Hashable, Sendable {
    public var day: Day
    public var surface: Surface
    public var kind: String

    public static func == (left: KindCell, right: KindCell) -> Bool {
        left.day == right.day && left.surface == right.surface && left.kind.hasBytes(of: right.kind)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(day)
        hasher.combine(surface)
        kind.hashBytes(into: &hasher)
    }
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
    public var osVersion: String
    public var rule: Rule

    init(_ claim: Claim) {
        platform = claim.platform
        osVersion = claim.osVersion ?? ""
        rule = claim.rule
    }

    public static func == (left: ClaimCell, right: ClaimCell) -> Bool {
        left.platform == right.platform && left.osVersion.hasBytes(of: right.osVersion) && left.rule == right.rule
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(platform)
        osVersion.hashBytes(into: &hasher)
        hasher.combine(rule)
    }
}

/// A row of `install_day`.
public struct InstallCell: Hashable, Sendable {
    public var kind: KindCell
    /// Empty where the app does not send it.
    public var family: String
    public var version: VersionCell

    public static func == (left: InstallCell, right: InstallCell) -> Bool {
        left.kind == right.kind && left.family.hasBytes(of: right.family) && left.version == right.version
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        family.hashBytes(into: &hasher)
        hasher.combine(version)
    }
}

/// What a device runs.
public struct VersionCell: Hashable, Sendable {
    public var appVersion: String
    /// Major and minor; empty when not sent.
    public var osVersion: String
    public var platform: Platform

    init(_ traits: Phase.Traits) {
        appVersion = traits.appVersion
        osVersion = traits.osRelease ?? ""
        platform = traits.platform
    }

    public static func == (left: VersionCell, right: VersionCell) -> Bool {
        left.appVersion.hasBytes(of: right.appVersion) && left.osVersion.hasBytes(of: right.osVersion)
            && left.platform == right.platform
    }

    public func hash(into hasher: inout Hasher) {
        appVersion.hashBytes(into: &hasher)
        osVersion.hashBytes(into: &hasher)
        hasher.combine(platform)
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
    public var family: String
    public var cause: Cause

    public static func == (left: ChangeCell, right: ChangeCell) -> Bool {
        left.kind == right.kind && left.family.hasBytes(of: right.family) && left.cause == right.cause
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        family.hashBytes(into: &hasher)
        hasher.combine(cause)
    }
}

/// A row of `outcome_day`.
public struct OutcomeCell: Hashable, Sendable {
    public var day: Day
    public var claim: ClaimCell
}

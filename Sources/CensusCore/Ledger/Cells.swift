// The ledger's cells: the combinations that are counted separately.

/// Identifies one row of a ledger table.
public protocol LedgerCell: Hashable, Sendable {
    /// The columns that store it.
    static var columns: [CellColumn<Self>] { get }
}

/// The value in one column of a cell.
public enum CellValue: Hashable, Sendable {
    case day(Day)
    case text(String)
    case number(Int64)
    case flag(Bool)
}

/// A column of a cell, and how to get its value.
public struct CellColumn<Cell>: Sendable {
    public let name: String
    public let value: @Sendable (Cell) -> CellValue

    init(_ name: String, _ value: @escaping @Sendable (Cell) -> CellValue) {
        self.name = name
        self.value = value
    }
}

extension Array {
    /// The columns of a part, for a larger cell that contains the part.
    fileprivate func of<Part, Cell>(
        _ part: @escaping @Sendable (Cell) -> Part
    ) -> [CellColumn<Cell>] where Element == CellColumn<Part> {
        map { column in CellColumn(column.name) { column.value(part($0)) } }
    }
}

/// A row of `kind_day`.
public struct KindCell: LedgerCell {
    public var day: Day
    public var surface: Surface
    @Bytewise public var kind: String

    public static let columns: [CellColumn<KindCell>] = [
        CellColumn("day") { .day($0.day) },
        CellColumn("surface") { .text($0.surface.rawValue) },
        CellColumn("kind") { .text($0.kind) },
    ]
}

extension KindCell {
    /// A kind on no particular day: its `day` is ``Day/first``.
    public init(surface: Surface, kind: String) { self.init(day: .first, surface: surface, kind: kind) }
}

/// A row of `kind_day_unsettled`: devices whose suspects have no known outcome, by the suspects' first claim.
public struct UnsettledCell: LedgerCell {
    public var kind: KindCell
    public var claim: ClaimCell

    public static let columns: [CellColumn<UnsettledCell>] =
        KindCell.columns.of { $0.kind } + ClaimCell.columns.of { $0.claim }
}

/// What the ledger distinguishes about the first claim of suspects.
public struct ClaimCell: Hashable, Sendable {
    public var platform: Platform
    /// Empty if unknown.
    @Bytewise public var osVersion: String
    public var rule: Rule

    init(_ claim: Claim) {
        platform = claim.platform
        osVersion = claim.osVersion ?? ""
        rule = claim.rule
    }

    static let columns: [CellColumn<ClaimCell>] = [
        CellColumn("platform") { .text($0.platform.rawValue) },
        CellColumn("os_version") { .text($0.osVersion) },
        CellColumn("claim_rule") { .text($0.rule.rawValue) },
    ]
}

/// A row of `install_day`.
public struct InstallCell: LedgerCell {
    public var kind: KindCell
    /// Empty if the app doesn't send it.
    @Bytewise public var family: String
    public var version: VersionCell

    public static let columns: [CellColumn<InstallCell>] =
        KindCell.columns.of { $0.kind } + [CellColumn("family") { .text($0.family) }]
        + VersionCell.columns.of { $0.version }
}

/// The versions that a device runs, and its platform.
public struct VersionCell: Hashable, Sendable {
    @Bytewise public var appVersion: String
    /// Major and minor version; empty if not sent.
    @Bytewise public var osVersion: String
    public var platform: Platform

    init(_ traits: Phase.Traits) {
        appVersion = traits.appVersion
        osVersion = traits.osRelease ?? ""
        platform = traits.platform
    }

    static let columns: [CellColumn<VersionCell>] = [
        CellColumn("app_version") { .text($0.appVersion) },
        CellColumn("os_version") { .text($0.osVersion) },
        CellColumn("platform") { .text($0.platform.rawValue) },
    ]
}

/// A row of `version_day`.
public struct KindVersionCell: LedgerCell {
    public var kind: KindCell
    public var version: VersionCell

    public static let columns: [CellColumn<KindVersionCell>] =
        KindCell.columns.of { $0.kind } + VersionCell.columns.of { $0.version }
}

/// A row of `device_day`.
public struct DeviceCell: LedgerCell {
    public var day: Day
    public var version: VersionCell
    /// 0: no policy was applied.
    public var galleryPolicy: Int64

    public static let columns: [CellColumn<DeviceCell>] =
        [CellColumn("day") { .day($0.day) }] + VersionCell.columns.of { $0.version }
        + [CellColumn("gallery_policy") { .number($0.galleryPolicy) }]
}

/// A row of `widget_count_day`.
public struct WidgetCountCell: LedgerCell {
    public var day: Day
    public var platform: Platform
    /// At most ``most``, which stands for more, too.
    public var widgets: Int64

    static let most: Int64 = 11

    public static let columns: [CellColumn<WidgetCountCell>] = [
        CellColumn("day") { .day($0.day) },
        CellColumn("platform") { .text($0.platform.rawValue) },
        CellColumn("widgets") { .number($0.widgets) },
    ]
}

/// A row of `intent_day`.
public struct IntentCell: LedgerCell {
    public var kind: KindCell
    /// Empty if the app sends none.
    @Bytewise public var intent: String

    public static let columns: [CellColumn<IntentCell>] =
        KindCell.columns.of { $0.kind } + [CellColumn("intent") { .text($0.intent) }]
}

/// A row of `change_day`.
public struct ChangeCell: LedgerCell {
    public var kind: KindCell
    @Bytewise public var family: String
    public var cause: Cause

    public static let columns: [CellColumn<ChangeCell>] =
        KindCell.columns.of { $0.kind } + [
            CellColumn("family") { .text($0.family) },
            CellColumn("cause") { .text($0.cause.rawValue) },
        ]
}

/// A row of `move_day`: the changes of `change_day` and those in numbers of devices, by the versions that the device ran then.
public struct MoveCell: LedgerCell {
    public var kind: KindCell
    public var cause: Cause
    /// Nil if unknown.
    public var version: VersionCell?

    public static let columns: [CellColumn<MoveCell>] =
        KindCell.columns.of { $0.kind } + [
            CellColumn("cause") { .text($0.cause.rawValue) },
            CellColumn("app_version") { .text($0.version?.appVersion ?? "") },
            CellColumn("os_version") { .text($0.version?.osVersion ?? "") },
            CellColumn("platform") { .text($0.version?.platform.rawValue ?? "") },
        ]
}

/// A row of `use_day`.
public struct UseCell: LedgerCell {
    public var kind: KindCell
    public var use: Use

    public static let columns: [CellColumn<UseCell>] =
        KindCell.columns.of { $0.kind } + [CellColumn("use") { .text($0.use.rawValue) }]
}

/// A row of `active_day`.
public struct ActiveCell: LedgerCell {
    public var day: Day
    public var scope: ActiveScope
    public var platform: Platform

    public static let columns: [CellColumn<ActiveCell>] = [
        CellColumn("day") { .day($0.day) },
        CellColumn("scope") { .text($0.scope.name) },
        CellColumn("surface") { .text($0.scope.surface?.rawValue ?? "") },
        CellColumn("kind") { .text($0.scope.kind?.text ?? "") },
        CellColumn("family") { .text($0.scope.family?.text ?? "") },
        CellColumn("platform") { .text($0.platform.rawValue) },
    ]
}

/// Which active devices are counted: all, or those that certainly hold a widget of a surface, kind or family.
public struct ActiveScope: Hashable, Sendable {
    /// Nil: all devices, with or without a widget.
    public var surface: Surface?
    /// Nil: any kind.
    public var kind: Text?
    /// Nil: any family, sent or not.
    public var family: Text?

    static let everyone = ActiveScope()

    public var name: String {
        guard surface != nil else { return "all" }
        switch (kind, family) {
        case (nil, nil): return "surface"
        case (nil, _): return "family"
        case (_, nil): return "kind"
        default: return "kind_family"
        }
    }
}

/// A row of `cohort_day`. Its day is the last of a week.
public struct CohortCell: LedgerCell {
    public var kind: KindCell
    /// The Monday of the week in which its devices placed the kind.
    public var week: Day

    public static let columns: [CellColumn<CohortCell>] =
        KindCell.columns.of { $0.kind } + [CellColumn("week") { .day($0.week) }]
}

/// A row of `lifetime_day`: devices whose first time with a kind ended, or that were lost sight of. Its day is the last of a
/// week.
public struct LifetimeCell: LedgerCell {
    public var cohort: CohortCell
    /// From placing the kind until the end; from 28 days on rounded down to whole weeks, so that there are few cells.
    public var days: Int64
    public var cause: Cause

    static let exactDays: Int64 = 28

    init(cohort: CohortCell, days: Int64, cause: Cause) {
        self.cohort = cohort
        self.days = days < LifetimeCell.exactDays ? days : days / 7 * 7
        self.cause = cause
    }

    public static let columns: [CellColumn<LifetimeCell>] =
        CohortCell.columns.of { $0.cohort } + [
            CellColumn("days") { .number($0.days) },
            CellColumn("cause") { .text($0.cause.rawValue) },
        ]
}

/// A row of `first_widget_day`: devices first heard from in one week, by how long they took to hold a widget. Its day is the
/// last of a week.
public struct FirstWidgetCell: LedgerCell {
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// Its first list already had a widget, so nobody knows when it was placed.
        case before
        /// It was placed 0 to 28 days after the device was first heard from.
        case days
        case later
        case never
    }

    public var day: Day
    public var platform: Platform
    /// The Monday of the week in which its devices were first heard from.
    public var week: Day
    public var outcome: Outcome
    /// 0 unless the outcome is ``Outcome/days``.
    public var days: Int64 = 0

    static let mostDays: Int64 = 28

    public static let columns: [CellColumn<FirstWidgetCell>] = [
        CellColumn("day") { .day($0.day) },
        CellColumn("platform") { .text($0.platform.rawValue) },
        CellColumn("week") { .day($0.week) },
        CellColumn("outcome") { .text($0.outcome.rawValue) },
        CellColumn("days") { .number($0.days) },
    ]
}

/// A row of `engagement_day`: devices first heard from in one week, in one of their weeks. Its day is the Sunday by which that
/// week has ended for all of them.
public struct EngagementCell: LedgerCell {
    public var day: Day
    /// The Monday of the week in which its devices were first heard from.
    public var week: Day
    /// Whether they held a widget, certainly or possibly, at some time in their first seven days.
    public var hasWidget: Bool

    public static let columns: [CellColumn<EngagementCell>] = [
        CellColumn("day") { .day($0.day) },
        CellColumn("week") { .day($0.week) },
        CellColumn("has_widget") { .flag($0.hasWidget) },
    ]
}

/// A row of `overlap_day`: two kinds of one surface, in byte order.
public struct OverlapCell: LedgerCell {
    public var kind: KindCell
    @Bytewise public var other: String

    public static let columns: [CellColumn<OverlapCell>] =
        KindCell.columns.of { $0.kind } + [CellColumn("other_kind") { .text($0.other) }]
}

/// A row of `outcome_day`.
public struct OutcomeCell: LedgerCell {
    public var day: Day
    public var claim: ClaimCell

    public static let columns: [CellColumn<OutcomeCell>] =
        [CellColumn("day") { .day($0.day) }] + ClaimCell.columns.of { $0.claim }
}

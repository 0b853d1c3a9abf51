// The amounts in the ledger's cells: integers that can be added up.

/// The numbers of one cell of a ledger table.
public protocol Amounts: Hashable, Sendable {
    /// All zero.
    init()

    /// Calls `body` for each amount, with its column and with the same amount of `other`.
    ///
    /// This is the only list of a table's amounts: addition, storage and SQL statements are derived from it. Because it is
    /// inlined, adding is a hundred times as fast as with a list of key paths.
    mutating func eachAmount(
        beside other: Self, _ body: (_ column: String, _ amount: inout Int, _ other: Int) -> Void)
}

extension Amounts {
    public static var columns: [String] {
        var columns: [String] = []
        var none = Self()
        none.eachAmount(beside: Self()) { column, _, _ in columns.append(column) }
        return columns
    }

    /// In the order of ``columns``.
    public func forEach(_ body: (Int) -> Void) {
        var copy = self
        copy.eachAmount(beside: self) { _, _, amount in body(amount) }
    }

    /// - Parameter times: 1 to add, -1 to subtract.
    public mutating func add(_ other: Self, times: Int) {
        eachAmount(beside: other) { _, amount, other in amount += times * other }
    }
}

public struct KindAmounts: Amounts {
    public var devicesCertain = 0
    public var devicesPossible = 0
    /// Devices without a certain widget, but with a presumed one or with a suspect that proved to be real.
    public var devicesStillThere = 0
    public var devicesReported = 0
    /// Devices that fell silent with the kind at most a year ago. No other amount counts them.
    public var devicesSilent = 0
    public var widgetsCertain = 0
    public var widgetsPossible = 0
    public var widgetsReported = 0
    public var widgetsSuspect = 0
    public var widgetsGone = 0
    public var widgetsStillThere = 0

    public init() {}

    public mutating func eachAmount(beside other: KindAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_certain", &devicesCertain, other.devicesCertain)
        body("devices_possible", &devicesPossible, other.devicesPossible)
        body("devices_still_there", &devicesStillThere, other.devicesStillThere)
        body("devices_reported", &devicesReported, other.devicesReported)
        body("devices_silent", &devicesSilent, other.devicesSilent)
        body("widgets_certain", &widgetsCertain, other.widgetsCertain)
        body("widgets_possible", &widgetsPossible, other.widgetsPossible)
        body("widgets_reported", &widgetsReported, other.widgetsReported)
        body("widgets_suspect", &widgetsSuspect, other.widgetsSuspect)
        body("widgets_gone", &widgetsGone, other.widgetsGone)
        body("widgets_still_there", &widgetsStillThere, other.widgetsStillThere)
    }
}

public struct InstallAmounts: Amounts {
    public var devicesCertain = 0
    public var devicesPossible = 0
    public var widgetsCertain = 0
    public var widgetsPossible = 0
    public var widgetsReported = 0

    public init() {}

    public mutating func eachAmount(beside other: InstallAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_certain", &devicesCertain, other.devicesCertain)
        body("devices_possible", &devicesPossible, other.devicesPossible)
        body("widgets_certain", &widgetsCertain, other.widgetsCertain)
        body("widgets_possible", &widgetsPossible, other.widgetsPossible)
        body("widgets_reported", &widgetsReported, other.widgetsReported)
    }
}

public struct VersionAmounts: Amounts {
    public var devicesCertain = 0
    public var devicesPossible = 0
    public var widgetsCertain = 0
    public var widgetsPossible = 0

    public init() {}

    public mutating func eachAmount(beside other: VersionAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_certain", &devicesCertain, other.devicesCertain)
        body("devices_possible", &devicesPossible, other.devicesPossible)
        body("widgets_certain", &widgetsCertain, other.widgetsCertain)
        body("widgets_possible", &widgetsPossible, other.widgetsPossible)
    }
}

public struct DeviceAmounts: Amounts {
    public var active = 0
    public var withWidget = 0
    public var withWidgetPossible = 0
    public var reporting = 0
    public var cloned = 0

    public init() {}

    public mutating func eachAmount(beside other: DeviceAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_active", &active, other.active)
        body("devices_with_widget", &withWidget, other.withWidget)
        body("devices_with_widget_possible", &withWidgetPossible, other.withWidgetPossible)
        body("devices_reporting", &reporting, other.reporting)
        body("devices_cloned", &cloned, other.cloned)
    }
}

/// Devices by their number of certain widgets, and by their number of possible ones.
public struct WidgetCountAmounts: Amounts {
    public var devicesCertain = 0
    public var devicesPossible = 0

    public init() {}

    public mutating func eachAmount(beside other: WidgetCountAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_certain", &devicesCertain, other.devicesCertain)
        body("devices_possible", &devicesPossible, other.devicesPossible)
    }
}

public struct IntentAmounts: Amounts {
    public var devicesCertain = 0
    public var devicesPossible = 0
    /// Distinct configurations of each device, added up.
    public var deviceConfigurations = 0

    public init() {}

    public mutating func eachAmount(beside other: IntentAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_certain", &devicesCertain, other.devicesCertain)
        body("devices_possible", &devicesPossible, other.devicesPossible)
        body("device_configurations", &deviceConfigurations, other.deviceConfigurations)
    }
}

public struct ChangeAmounts: Amounts {
    public var added = 0
    public var removed = 0

    public init() {}

    public mutating func eachAmount(beside other: ChangeAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("widgets_added", &added, other.added)
        body("widgets_removed", &removed, other.removed)
    }
}

public struct MoveAmounts: Amounts {
    public var widgetsAdded = 0
    public var widgetsRemoved = 0
    /// Devices that certainly hold the kind now, and did not before.
    public var devicesAdded = 0
    public var devicesRemoved = 0

    public init() {}

    public mutating func eachAmount(beside other: MoveAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("widgets_added", &widgetsAdded, other.widgetsAdded)
        body("widgets_removed", &widgetsRemoved, other.widgetsRemoved)
        body("devices_added", &devicesAdded, other.devicesAdded)
        body("devices_removed", &devicesRemoved, other.devicesRemoved)
    }
}

public struct UseAmounts: Amounts {
    public var devices = 0
    public var events = 0

    public init() {}

    public mutating func eachAmount(beside other: UseAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices", &devices, other.devices)
        body("events", &events, other.events)
    }
}

/// Devices heard from within the activity window, and how many of them were heard from recently.
public struct ActiveAmounts: Amounts {
    /// On the day itself.
    public var daily = 0
    /// In the seven days up to and including it.
    public var weekly = 0
    public var inWindow = 0

    public init() {}

    public mutating func eachAmount(beside other: ActiveAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_daily", &daily, other.daily)
        body("devices_weekly", &weekly, other.weekly)
        body("devices_in_window", &inWindow, other.inWindow)
    }
}

/// The week's change of a cohort. A cohort's numbers are the sums of all weeks so far.
public struct CohortAmounts: Amounts {
    /// The cohort's size, entered in its own week only.
    public var placed = 0
    public var certain = 0
    public var possible = 0

    public init() {}

    public mutating func eachAmount(beside other: CohortAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices_placed", &placed, other.placed)
        body("devices_certain", &certain, other.certain)
        body("devices_possible", &possible, other.possible)
    }
}

public struct EngagementAmounts: Amounts {
    /// The cohort's size, entered for its first week only.
    public var devices = 0
    /// Devices heard from in the week.
    public var active = 0
    /// The days on which they were, added up.
    public var activeDays = 0

    public init() {}

    public mutating func eachAmount(beside other: EngagementAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("devices", &devices, other.devices)
        body("devices_active", &active, other.active)
        body("active_days", &activeDays, other.activeDays)
    }
}

public struct OutcomeAmounts: Amounts {
    public var settled = 0
    public var stillThere = 0
    /// How long the settled suspects had been suspect, added up.
    public var seconds = 0

    public init() {}

    public mutating func eachAmount(beside other: OutcomeAmounts, _ body: (String, inout Int, Int) -> Void) {
        body("suspects_settled", &settled, other.settled)
        body("suspects_still_there", &stillThere, other.stillThere)
        body("suspect_seconds", &seconds, other.seconds)
    }
}

/// The amount in tables that count only devices.
extension Int: Amounts {
    public mutating func eachAmount(beside other: Int, _ body: (String, inout Int, Int) -> Void) {
        body("devices", &self, other)
    }
}

/// Net changes by cell. Cells whose changes cancel out are dropped.
public struct NetAmounts<Cell: LedgerCell, Value: Amounts>: Hashable, Sendable {
    public private(set) var byCell: [Cell: Value] = [:]

    public init() {}

    /// The columns of a row, except the app's number.
    public static var columns: [String] { Cell.columns.map(\.name) + Value.columns }

    mutating func add(_ value: Value, to cell: Cell, times: Int = 1) {
        guard value != Value() else { return }
        byCell[cell, default: Value()].add(value, times: times)
        if byCell[cell] == Value() { byCell[cell] = nil }
    }

    /// Raises a level by `value` on the first of the days, and lowers it again after the last.
    mutating func add(_ value: Value, during days: Days, times: Int, _ cell: (Day) -> Cell) {
        add(value, to: cell(days.from), times: times)
        if days.to != .last { add(value, to: cell(days.to), times: -times) }
    }

    public mutating func add(_ other: NetAmounts) {
        for (cell, value) in other.byCell { add(value, to: cell) }
    }
}

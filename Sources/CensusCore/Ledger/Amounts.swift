// What is counted in the cells of the ledger: integers that add up.

/// Numbers that can be more or less by others.
public protocol Amounts: Hashable, Sendable {
    init()
    /// - Parameter times: 1 or -1.
    mutating func add(_ other: Self, times: Int)
}

public struct KindAmounts: Amounts {
    public var devicesCertain = 0
    public var devicesPossible = 0
    /// Not certain, yet proved later, or presumed, to have been there.
    public var devicesStillThere = 0
    public var devicesReported = 0
    public var widgetsCertain = 0
    public var widgetsPossible = 0
    public var widgetsReported = 0
    public var widgetsSuspect = 0
    public var widgetsGone = 0
    public var widgetsStillThere = 0

    public init() {}

    public mutating func add(_ other: KindAmounts, times: Int) {
        devicesCertain += times * other.devicesCertain
        devicesPossible += times * other.devicesPossible
        devicesStillThere += times * other.devicesStillThere
        devicesReported += times * other.devicesReported
        widgetsCertain += times * other.widgetsCertain
        widgetsPossible += times * other.widgetsPossible
        widgetsReported += times * other.widgetsReported
        widgetsSuspect += times * other.widgetsSuspect
        widgetsGone += times * other.widgetsGone
        widgetsStillThere += times * other.widgetsStillThere
    }
}

public struct InstallAmounts: Amounts {
    public var devicesCertain = 0
    public var devicesPossible = 0
    public var widgetsCertain = 0
    public var widgetsPossible = 0
    public var widgetsReported = 0

    public init() {}

    public mutating func add(_ other: InstallAmounts, times: Int) {
        devicesCertain += times * other.devicesCertain
        devicesPossible += times * other.devicesPossible
        widgetsCertain += times * other.widgetsCertain
        widgetsPossible += times * other.widgetsPossible
        widgetsReported += times * other.widgetsReported
    }
}

public struct DeviceAmounts: Amounts {
    public var active = 0
    public var withWidget = 0
    public var reporting = 0
    public var cloned = 0

    public init() {}

    public mutating func add(_ other: DeviceAmounts, times: Int) {
        active += times * other.active
        withWidget += times * other.withWidget
        reporting += times * other.reporting
        cloned += times * other.cloned
    }
}

public struct ChangeAmounts: Amounts {
    public var added = 0
    public var removed = 0

    public init() {}

    public mutating func add(_ other: ChangeAmounts, times: Int) {
        added += times * other.added
        removed += times * other.removed
    }
}

public struct OutcomeAmounts: Amounts {
    public var settled = 0
    public var stillThere = 0
    /// Seconds for which the settled ones had been suspect, all together.
    public var seconds = 0

    public init() {}

    public mutating func add(_ other: OutcomeAmounts, times: Int) {
        settled += times * other.settled
        stillThere += times * other.stillThere
        seconds += times * other.seconds
    }
}

extension Int: Amounts {
    public mutating func add(_ other: Int, times: Int) { self += times * other }
}

/// Net changes by cell; what adds up to nothing is not kept.
public struct NetAmounts<Cell: Hashable & Sendable, Value: Amounts>: Hashable, Sendable {
    public private(set) var byCell: [Cell: Value] = [:]

    public init() {}

    mutating func add(_ value: Value, to cell: Cell, times: Int = 1) {
        guard value != Value() else { return }
        byCell[cell, default: Value()].add(value, times: times)
        if byCell[cell] == Value() { byCell[cell] = nil }
    }

    public mutating func add(_ other: NetAmounts) {
        for (cell, value) in other.byCell { add(value, to: cell) }
    }
}

/// What a number of another tool counts on one day.
public enum TheirMeasure: String, CaseIterable, Sendable {
    /// Devices that have the kind.
    case devices
    /// Placed widgets.
    case widgets
    /// Widgets placed on the day.
    case installed
    /// Widgets removed on the day.
    case removed

    /// Our best number for it.
    public func ours(on day: CountedDay) -> Double {
        switch self {
        case .devices: day.devicesExpected
        case .widgets: day.widgetsExpected
        case .installed: Double(day.addedInstalled)
        case .removed: Double(day.removedRemoved)
        }
    }

    /// How many events told of such changes; nil for levels.
    public func events(on day: CountedDay) -> Int? {
        switch self {
        case .devices, .widgets: nil
        case .installed: day.eventsInstalled
        case .removed: day.eventsRemoved
        }
    }

    /// Our lower and upper bound. Changes have none: only certain ones are counted.
    public func bounds(on day: CountedDay) -> ClosedRange<Int>? {
        switch self {
        case .devices: day.devicesCertain...max(day.devicesCertain, day.devicesPossible)
        case .widgets: day.widgetsCertain...max(day.widgetsCertain, day.widgetsPossible)
        case .installed, .removed: nil
        }
    }
}

extension CountedDay {
    /// Between its bounds where the expected devices are between theirs.
    var widgetsExpected: Double {
        let width = Double(devicesPossible - devicesCertain)
        let share = width > 0 ? (devicesExpected - Double(devicesCertain)) / width : 1
        return Double(widgetsCertain) + share * Double(widgetsPossible - widgetsCertain)
    }
}

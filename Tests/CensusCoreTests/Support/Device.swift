import Fleet

@testable import CensusCore

/// Tells the story of one device, from its first launch on day 0, and folds it.
struct Device: Telling {
    var observations: [Observation] = []
    var circumstances: Observation.Circumstances
    var installation: UInt64 = 1
    var bootWords: BootWords? = .time
    var window = ActivityWindow()
    var doubtedBuilds: Set<String> = []

    /// The phone has been up for ten days, so what it reports is not suspect.
    init(_ platform: Platform = .ios, window: ActivityWindow = ActivityWindow()) {
        circumstances = .init(
            platform: platform, osVersion: "14.3", appVersion: "1.0", bootedAt: .day(-10), firstLaunchedAt: .day(0))
        self.window = window
    }

    /// A known device whose app was deleted on day 3, and which lists these widgets on day 4.
    static func suspected(_ claims: [Placement: Int] = [.weather: 1]) -> Device {
        var device = Device()
        device.reports([:], .day(1))
        device.reinstalls(.day(3))
        device.reports(claims, .day(4))
        return device
    }

    var fold: DeviceFold { DeviceFold(window: window, doubtedBuilds: doubtedBuilds) }
    var state: DeviceState { fold.fold(observations) }
    func level(_ placement: Placement, on surface: Surface = .widget) -> Level {
        state.surfaces[surface]?.holdings[placement] ?? .none
    }
    /// The spans, a line each: `weather 1…3 certain 2 possible 2 installed…removed`.
    var story: [String] { state.spans.map(\.line) }
    /// The spans, including changes by time before the device falls silent.
    var outlook: [String] { fold.spans(of: state).map(\.line) }
    /// The outcomes of the suspects, span by span.
    var outcomes: [Int?] { state.spans.filter { $0.level.suspect > 0 }.map(\.stillThere) }
}

extension Placement {
    static let weather = Placement(kind: "weather", family: "systemSmall")
    static let search = Placement(kind: "search", family: "systemMedium")

    static func weather(_ configuration: String) -> Placement {
        Placement(kind: "weather", family: "systemSmall", intent: "CityIntent", configuration: configuration)
    }
}

extension Timestamp {
    /// Nine in the morning, UTC, of a day counted from 2026-01-01.
    static func day(_ number: Int64, hour: Int64 = 9, minute: Int64 = 0, second: Int64 = 0) -> Timestamp {
        Timestamp(seconds: 1_767_225_600 + number * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// The day, with the time if it is not 9:00.
    var story: String {
        let seconds = (microseconds - Timestamp.day(0, hour: 0).microseconds) / 1_000_000
        let (hour, minute, second) = (seconds % 86_400 / 3_600, seconds % 3_600 / 60, seconds % 60)
        let clock = second != 0 ? "@\(hour):\(minute):\(second)" : minute != 0 ? "@\(hour):\(minute)" : "@\(hour)"
        return "\(seconds / 86_400)" + (clock == "@9" ? "" : clock)
    }
}

extension Span {
    var line: String {
        let name = placement.kind + (placement.configuration.map { "(\($0))" } ?? "")
        let outcome = stillThere.map { " there \($0)" } ?? ""
        return
            "\(name)\(placement.instance.map { "#\($0)" } ?? "") \(from.story)…\(to?.story ?? "") certain \(level.certain) possible \(level.possible)\(outcome) "
            + "\(began.cause)…" + (ended.map { "\($0.cause)" } ?? "")
    }
}

extension Level {
    /// Certain, presumed, suspect and reported, at a glance.
    static func of(certain: Int = 0, presumed: Int = 0, suspect: Int = 0, reported: Int) -> Level {
        Level(certain: certain, presumed: presumed, suspect: suspect, reported: reported)
    }
}

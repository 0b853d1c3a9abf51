import CensusCore

/// One thing that a person or the phone does.
enum Act: Sendable {
    case installApp
    case deleteApp
    case updateApp
    case openApp
    case place(Placement)
    case remove(Placement)
    /// On the widget; the app opens then, which is an act of its own.
    case tap(Placement)
    case restart
    case updateSystem(OperatingSystem)
}

struct Occurrence: Sendable {
    var at: Timestamp
    var act: Act

    init(_ act: Act, at time: Timestamp) {
        self.at = time
        self.act = act
    }
}

import CensusCore

/// One thing that a person or the phone does.
///
/// Moving a widget is none: no system tells of it, and the list stays as it was.
enum Act: Sendable {
    case installApp
    case deleteApp
    /// While the app is not there: the device id is lost.
    case wipeKeychain
    case updateApp
    case openApp
    case place(Placement)
    /// The configuration screen is left before the widget is there.
    case abandon(Placement)
    case remove(Placement)
    case configure(Placement, to: String)
    /// On the widget; the app opens then, which is an act of its own.
    case tap(Placement)
    /// The system asks for a widget's content, whoever sees it.
    case render(Placement)
    case restart
    case updateSystem(OperatingSystem)
    /// The launcher takes its layout from its own backup: Android gives the widgets new instances.
    case restoreLayout
    /// A new phone takes over from a backup.
    case changePhone(OperatingSystem)
}

struct Occurrence: Sendable {
    var at: Timestamp
    var act: Act

    init(_ act: Act, at time: Timestamp) {
        self.at = time
        self.act = act
    }
}

import CensusCore

/// One thing that a person or the phone does.
///
/// Moving a widget is not an act, because no system reports it, and the list stays the same.
enum Act: Sendable {
    case installApp
    case deleteApp
    /// The device id is lost. Only while the app is not installed.
    case wipeKeychain
    case updateApp
    case openApp
    case place(Placement)
    /// The configuration screen is cancelled before the widget is placed.
    case abandon(Placement)
    case remove(Placement)
    case configure(Placement, to: String)
    /// A tap on the widget. It opens the app, which is a separate act.
    case tap(Placement)
    /// The system asks for a widget's content, whether or not anyone sees it.
    case render(Placement)
    case restart
    case updateSystem(OperatingSystem)
    /// The launcher restores its layout from its own backup, and Android gives the widgets new instances.
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

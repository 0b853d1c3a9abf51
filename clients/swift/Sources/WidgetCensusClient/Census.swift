/// What an app tells about its widgets. ``WidgetCensus`` counts them; ``InMemoryCensus`` takes its place in previews and tests.
///
/// No call throws or waits for the network, unless it says so.
public protocol Census: Sendable {
    /// Reads which widgets are on the home screen, and stores a report of them. Call this whenever the app comes to the
    /// foreground.
    ///
    /// When this returns, the report is stored. It is sent afterwards, with everything that waits.
    func report() async

    /// Sends what is stored. Await it in a background task, so that the system doesn't suspend the app meanwhile.
    ///
    /// It returns when everything was sent, when the client must wait before it tries again, or when the task is cancelled, which
    /// cancels the request. What was not sent stays stored.
    func send() async

    /// Stores an event. The methods named for what happened, such as ``opened(_:family:intent:on:)``, call this.
    func record(_ event: WidgetEvent)

    /// The user objects. Deletes the waiting events, stores and sends nothing until ``optIn()``, in the app and its extensions,
    /// and has the service erase this device, with retries. You can call this at every start.
    ///
    /// - Returns: false if the objection could not be recorded, or not everything was deleted; call it again.
    @discardableResult
    func optOut() -> Bool

    /// The user agrees. After an objection, the device starts over with a new id. Otherwise nothing happens, unless you pass
    /// ``ConsentRequirement/required``: then counting starts with the first call. You can call this at every start.
    ///
    /// - Returns: false in an extension, and if it failed; call it again. Until then nothing is stored or sent.
    @discardableResult
    func optIn() -> Bool

    /// Returns the kinds to hide from the gallery. Reads the list, reports it if it differs from the newest, and asks the
    /// service unless its last response is less than an hour old.
    ///
    /// In an extension, returns ``knownPolicy``.
    @discardableResult
    func policy() async -> GalleryPolicy

    /// The kinds to hide from the gallery, from what is stored on the device. For a widget's body, which can't wait.
    ///
    /// After an update of the app or the system, nothing is hidden until the app has asked again.
    var knownPolicy: GalleryPolicy { get }
}

// `kind` is WidgetKit's. `family` is WidgetKit's name for it (`systemSmall`); there are overloads for `WidgetFamily`. `intent` is
// the class name of the configuration intent. Leave out what you don't know.

extension Census {
    /// The user placed a widget. Call this only if the app is certain; lists show it, too.
    public func installed(
        _ kind: String, family: String? = nil, intent: String? = nil, on surface: Surface = .widget
    ) {
        record(WidgetEvent(.installed, kind, family: family, intent: intent, on: surface))
    }

    /// The user removed a widget. Call this only if the app is certain.
    public func removed(_ kind: String, family: String? = nil, intent: String? = nil, on surface: Surface = .widget) {
        record(WidgetEvent(.removed, kind, family: family, intent: intent, on: surface))
    }

    /// The user changed a widget's settings.
    public func configured(
        _ kind: String, family: String? = nil, intent: String? = nil, on surface: Surface = .widget
    ) {
        record(WidgetEvent(.configured, kind, family: family, intent: intent, on: surface))
    }

    /// The user tapped a widget, or a button in it. Call this in `perform()` of the button's `AppIntent`.
    public func opened(_ kind: String, family: String? = nil, intent: String? = nil, on surface: Surface = .widget) {
        record(WidgetEvent(.opened, kind, family: family, intent: intent, on: surface))
    }

    /// WidgetKit requested a timeline, but not for a preview.
    public func rendered(_ kind: String, family: String? = nil, intent: String? = nil, on surface: Surface = .widget) {
        record(WidgetEvent(.rendered, kind, family: family, intent: intent, on: surface))
    }
}

/// Where a placement lives.
///
/// Queued files have these words, so a new case raises `QueuedEvent.format`.
public enum Surface: String, Codable, Sendable, CaseIterable {
    case widget, control
    case liveActivity = "live_activity"
}

/// Something that happened to one widget.
public struct WidgetEvent: Hashable, Sendable {
    public enum Act: String, Sendable, CaseIterable { case installed, removed, configured, opened, rendered }

    public var act: Act
    public var kind: String
    public var family: String?
    public var intent: String?
    public var surface: Surface

    public init(
        _ act: Act, _ kind: String, family: String? = nil, intent: String? = nil, on surface: Surface = .widget
    ) {
        self.act = act
        self.kind = kind
        self.family = family
        self.intent = intent
        self.surface = surface
    }
}

/// The body of one `POST /v1/events`, checked against the contract. It still has raw ids, so it must not outlive its request.
public struct Batch: Sendable {
    public var appID: String
    public var deviceID: String
    public var installationID: String
    /// The same for all events of the batch. Times are on the server's clock.
    public var circumstances: Observation.Circumstances
    /// In the order sent.
    public var events: [Result<BatchEvent, RefusedEvent>]
    /// At most 100.
    public var warnings: [BatchWarning] = []

    /// Families and versions past an app's cap are counted under this name, which doesn't count against any cap itself.
    public static let other = "(other)"
}

/// One event that passed the server's checks.
public struct BatchEvent: Hashable, Sendable {
    public var index: Int
    public var id: String
    /// `at` as sent.
    public var occurredAt: Timestamp
    /// `at` on the server's clock.
    public var at: Timestamp
    public var surface: Surface
    public var source: String?
    public var event: EncodedEvent
}

/// One refused event, with the bytes that were sent.
public struct RefusedEvent: Error, Hashable, Sendable {
    public var index: Int
    /// The event's id, if it could be read.
    public var id: String?
    public var refusal: Refusal
    public var source: [UInt8]

    public init(index: Int, id: String?, refusal: Refusal, source: [UInt8]) {
        self.index = index
        self.id = id
        self.refusal = refusal
        self.source = source
    }
}

/// An event encoded as it is stored, with what the server needs to know about it.
///
/// The server encodes events one by one instead of keeping each ``Event``: a body of 8 MiB can have hundreds of thousands of
/// widgets, and each takes five times as much memory in a dictionary as in its bytes.
public struct EncodedEvent: Hashable, Sendable {
    public let type: EventType
    /// ``Event/content``.
    public let content: [UInt8]
    /// The pairs of kind and family in it, sorted, each once.
    public let models: [Placement.Model]
    /// ``Event/listed``.
    public let listed: Int
    /// Whether it is a report whose list could not be read.
    public let isFailedRead: Bool

    /// The same event with renamed families. Counts of placements that become equal are added.
    ///
    /// - Parameter renamed: returns nil for a family that stays.
    public func renamingFamilies(_ renamed: (String) -> String?) -> EncodedEvent {
        guard let event = try? decoded() else { return self }
        func rename(_ placement: Placement) -> Placement {
            guard let name = placement.family.flatMap(renamed) else { return placement }
            var placement = placement
            placement.family = name
            return placement
        }
        switch event {
        case .reported(let claimed):
            return EncodedEvent(.reported(Dictionary(claimed.map { (rename($0.key), $0.value) }, uniquingKeysWith: +)))
        case .happened(let act, let placement): return EncodedEvent(.happened(act, to: rename(placement)))
        case .readFailed, .restored, .appOpened: return self
        }
    }

    /// - Throws: ``StoredContentError``, but never after ``init(_:)``.
    public func decoded() throws(StoredContentError) -> Event { try Event(type, content: content) }
}

extension EncodedEvent {
    public init(_ event: Event) {
        if case .reported(let claimed) = event {
            self.init(WidgetList(claimed))
        } else {
            self.init(
                type: event.type, content: event.content, models: event.placements.map(\.model), listed: event.listed,
                isFailedRead: event.isFailedRead)
        }
    }

    /// A successful report.
    init(_ list: WidgetList) {
        self.init(
            type: .widgetsReported, content: list.content, models: list.models, listed: list.widgets.count,
            isFailedRead: false)
    }
}

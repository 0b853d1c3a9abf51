/// One body of `POST /v1/events`, checked against the contract. It still holds raw ids, so it must not outlive its request.
public struct Batch: Sendable {
    public var appID: String
    public var deviceID: String
    public var installationID: String
    /// Shared by all events of the batch; times are on the server's clock.
    public var circumstances: Observation.Circumstances
    /// In the order sent.
    public var events: [Result<BatchEvent, RefusedEvent>]
    /// At most 100, about what are probably mistakes.
    public var warnings: [BatchWarning] = []

    /// What a family or version past an app's cap is counted as. It is no name of its own, and counts against no cap.
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

/// One event that did not pass, with the bytes that were sent.
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

/// An event as it is stored, with what the server needs to know of it.
///
/// It replaces the ``Event``: a body of 8 MiB can hold hundreds of thousands of widgets, and each takes five times as much
/// memory in a dictionary as in its bytes. So events become bytes one by one.
public struct EncodedEvent: Hashable, Sendable {
    public let type: EventType
    /// ``Event/content``.
    public let content: [UInt8]
    /// The kinds and families it names, in order, each pair once.
    public let models: [Placement.Model]
    /// ``Event/listed``.
    public let listed: Int
    /// Whether it is a report whose list could not be read.
    public let isFailedRead: Bool

    /// The same event, with families renamed; placements that are then equal are added up.
    ///
    /// - Parameter renamed: nil where the family stays.
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
        case .readFailed, .restored: return self
        }
    }

    /// - Throws: ``StoredContentError``, never for what ``init(_:)`` made.
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

    /// A report that could be read.
    init(_ list: WidgetList) {
        self.init(
            type: .widgetsReported, content: list.content, models: list.models, listed: list.widgets.count,
            isFailedRead: false)
    }
}

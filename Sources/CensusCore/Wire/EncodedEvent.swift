/// An event as it is stored, with what the door asks of it.
///
/// Instead of an ``Event``: a body of 8 MiB can hold hundreds of thousands of widgets, and each takes five times as much in
/// a dictionary as in its bytes. So events become bytes one by one.
public struct EncodedEvent: Hashable, Sendable {
    public let type: EventType
    /// ``Event/content``.
    public let content: [UInt8]
    /// The kinds and families that it names, each pair once.
    public let models: [Placement.Model]
    /// Widgets that a report lists, instances that an event renames; else 0.
    public let listed: Int
    /// A report whose list could not be read.
    public let isFailedRead: Bool

    public init(_ event: Event) {
        type = event.type
        content = event.content
        let models = event.placements.map(\.model)
        self.models = models.count < 2 ? models : Array(Set(models))
        listed =
            switch event {
            case .reported(let claimed): claimed.count
            case .restored(let instances): instances.count
            default: 0
            }
        isFailedRead = if case .readFailed = event { true } else { false }
    }

    /// - Throws: ``StoredContentError``, never for what ``init(_:)`` made.
    public func decoded() throws(StoredContentError) -> Event { try Event(type, content: content) }
}

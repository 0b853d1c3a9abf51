/// One body of `POST /v1/events`, checked against the contract. It still holds raw ids: it must not outlive the door.
public struct Batch: Sendable {
    public var appID: String
    public var deviceID: String
    public var installationID: String
    /// As every event of the batch shares them, on the server's clock.
    public var circumstances: Observation.Circumstances
    /// In the order sent.
    public var events: [Result<BatchEvent, RefusedEvent>]
}

/// One event that passed the door's checks.
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

/// One event that did not, with the bytes that were sent.
public struct RefusedEvent: Error, Hashable, Sendable {
    public var index: Int
    /// The event's id where it could be read.
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

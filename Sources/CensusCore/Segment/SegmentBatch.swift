/// What a client of Segment's HTTP API sent: a batch of calls, or one. Read only as far as widgets are concerned.
///
/// The calls about widgets become bodies of `POST /v1/events`, one for each context, which ``BatchDecoder`` reads: so they are
/// checked, refused and warned about like everything else. docs/segment.md says which fields are taken.
public struct SegmentBatch: Sendable {
    private let document: JSONDocument
    private let calls: [JSONDocument.Index]

    /// Deeper than Segment's clients nest; calls that are not ours must not get in the way.
    private static let maximumDepth = 100

    /// - Throws: ``EnvelopeError``: it is neither a batch nor a call.
    public init(_ body: [UInt8]) throws(EnvelopeError) {
        do throws(JSONError) {
            document = try JSONDocument(
                body, maximumDepth: SegmentBatch.maximumDepth, allowsHalfSurrogates: true)
        } catch {
            throw EnvelopeError(error)
        }
        guard document.kind(at: JSONDocument.root) == .object else {
            throw .malformed("the body must be an object", at: "")
        }
        guard let list = document.member("batch", of: JSONDocument.root) else {
            calls = [JSONDocument.root]
            return
        }
        guard document.kind(at: list) == .array else {
            throw .malformed("`batch` must be an array", at: "/batch")
        }
        calls = document.elements(of: list)
    }

    /// The key, where the client sends it in the body and in no header.
    public var writeKey: String? { document.member("writeKey", of: JSONDocument.root).flatMap(document.string) }

    public var count: Int { calls.count }

    /// The calls about widgets, as bodies of `POST /v1/events` with at most `limit` events each; and what is wrong with
    /// those that do not identify the device.
    ///
    /// - Parameters:
    ///   - appID: whose key it is.
    ///   - received: the server's clock, for clients that do not say when they sent.
    public func bodies(
        appID: String, received: Timestamp, limit: Int
    ) -> (bodies: [SegmentBody], faults: [EnvelopeError]) {
        var bodies: [SegmentBody] = []
        var faults: [EnvelopeError] = []
        // By their bytes: contexts are compared as devices are.
        var open: [Text: Int] = [:]
        for (position, call) in calls.enumerated() {
            guard let type = SegmentCall.type(of: call, in: document) else { continue }
            let pointer = calls == [JSONDocument.root] ? "" : "/batch/\(position)"
            let call = SegmentCall(document: document, call: call, pointer: pointer)
            do throws(EnvelopeError) {
                let envelope = try call.envelope(appID: appID, received: received)
                if let index = open[Text(envelope)], bodies[index].calls < limit {
                    bodies[index].add(call.event(type))
                } else {
                    open[Text(envelope)] = bodies.count
                    bodies.append(SegmentBody(envelope: envelope, event: call.event(type), pointer: pointer))
                }
            } catch {
                faults.append(error)
            }
        }
        return (bodies, faults)
    }
}

/// A body of `POST /v1/events` made of calls.
public struct SegmentBody: Sendable {
    public private(set) var calls = 1
    /// RFC 6901: its first call, in what was sent.
    public let pointer: String
    private var text: String

    fileprivate init(envelope: String, event: String, pointer: String) {
        self.pointer = pointer
        text = "{\(envelope),\"events\":[\(event)"
    }

    fileprivate mutating func add(_ event: String) {
        text += "," + event
        calls += 1
    }

    public var bytes: [UInt8] { Array((text + "]}").utf8) }
}

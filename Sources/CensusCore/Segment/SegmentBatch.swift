/// A body of Segment's HTTP API: a batch of calls, or one call. Only calls about widgets are read.
///
/// These become bodies of `POST /v1/events`, one for each context, which ``BatchDecoder`` decodes. So they are checked and
/// refused, and get warnings, like all other events. docs/guides/segment.md lists the fields.
public struct SegmentBatch: Sendable {
    private let document: JSONDocument
    private let calls: [JSONDocument.Index]

    /// Deeper than Segment's clients nest, so that calls about other things never fail the batch.
    private static let maximumDepth = 100
    /// The most calls about widgets. Segment's clients send a hundred calls at once, or 500 KB of them.
    private static let mostCalls = 4_000

    /// - Throws: ``EnvelopeError`` if it is neither a batch nor a call.
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
        let wanted = calls.lazy.filter { [document] in SegmentCall.type(of: $0, in: document) != nil }
        guard wanted.prefix(SegmentBatch.mostCalls + 1).count <= SegmentBatch.mostCalls else {
            throw EnvelopeError(
                verdict: .tooLarge, code: "too_many_events",
                message: "the batch has more than \(SegmentBatch.mostCalls) calls about widgets; split it in half",
                pointer: "/batch")
        }
    }

    /// The key in the body, which some clients send instead of a header.
    public var writeKey: String? {
        document.member("writeKey", of: JSONDocument.root).flatMap(document.string).flatMap { $0.isEmpty ? nil : $0 }
    }

    public var count: Int { calls.count }

    /// The calls about widgets as bodies of `POST /v1/events`, with at most `limit` events each, and the calls without a valid
    /// sender.
    ///
    /// - Parameters:
    ///   - appID: the app of the key.
    ///   - received: the server's clock, for calls without a `sentAt`.
    public func bodies(
        appID: String, received: Timestamp, limit: Int
    ) -> (bodies: [SegmentBody], faults: [SegmentFault]) {
        var bodies: [SegmentBody] = []
        var faults: [SegmentFault] = []
        // Compared by bytes, because ids of devices are, too.
        var open: [Text: Int] = [:]
        for position in calls.indices {
            guard let type = SegmentCall.type(of: calls[position], in: document) else { continue }
            let call = call(position)
            do throws(EnvelopeError) {
                let envelope = try call.envelope(appID: appID, received: received)
                if let index = open[Text(envelope)], bodies[index].calls < limit {
                    bodies[index].add(call, type, position)
                } else {
                    open[Text(envelope)] = bodies.count
                    bodies.append(SegmentBody(envelope, call, type, position))
                }
            } catch {
                faults.append(SegmentFault(error: error, positions: [position]))
            }
        }
        return (bodies, faults)
    }

    /// Unreadable calls as batches of refused events, so that they are stored and shown like other refused events.
    public func refused(_ fault: SegmentFault, appID: String) -> [Batch] {
        let code = fault.error.pointer.hasSuffix("/sentAt") ? "invalid_time" : "invalid_id"
        let refusal = Refusal.translated(code: code, message: fault.error.message)
        let refused = fault.positions.map { call($0).refused(refusal, index: $0) }
        return Dictionary(grouping: refused) { Text($0.device) }.sorted { $0.key < $1.key }.map { device, refused in
            Batch(
                appID: appID, deviceID: device.text, installationID: device.text,
                circumstances: Observation.Circumstances(platform: .ios, appVersion: "unknown"),
                events: refused.map { .failure($0.event) })
        }
    }

    private func call(_ position: Int) -> SegmentCall {
        SegmentCall(
            document: document, call: calls[position],
            pointer: calls == [JSONDocument.root] ? "" : "/batch/\(position)")
    }
}

/// Calls that can't be read, and why, with the sender's names of fields.
public struct SegmentFault: Hashable, Sendable {
    public var error: EnvelopeError
    /// The calls' indexes in the batch, in ascending order; at least one.
    public var positions: [Int]
}

/// A body of `POST /v1/events` made from calls.
public struct SegmentBody: Sendable {
    private struct Call: Sendable {
        /// In the batch as sent.
        var position: Int
        /// RFC 6901, in the batch as sent.
        var pointer: String
        var type: EventType
        /// The name of the field that has its time.
        var time: String
    }

    private var sent: [Call] = []
    /// Of the first call.
    private let names: SegmentNames
    private var text: String

    fileprivate init(_ envelope: String, _ call: SegmentCall, _ type: EventType, _ position: Int) {
        names = call.names
        text = "{\(envelope),\"events\":["
        add(call, type, position)
    }

    fileprivate mutating func add(_ call: SegmentCall, _ type: EventType, _ position: Int) {
        text += (sent.isEmpty ? "" : ",") + call.event(type)
        sent.append(Call(position: position, pointer: call.pointer, type: type, time: call.time))
    }

    public var calls: Int { sent.count }

    public var bytes: [UInt8] { Array((text + "]}").utf8) }

    /// - Parameters:
    ///   - message: what is wrong with the body.
    ///   - pointer: RFC 6901, in the body.
    public func fault(_ message: String, code: String, at pointer: String) -> SegmentFault {
        // The offset would be one in this body, which nobody sent.
        let message = message.firstRange(of: ", at byte ").map { String(message[..<$0.lowerBound]) } ?? message
        let told = names.translated(message, at: pointer, calls: sent.map(\.pointer))
        let error = EnvelopeError(verdict: .malformed, code: code, message: told.message, pointer: told.pointer)
        return SegmentFault(error: error, positions: sent.map(\.position))
    }

    /// Replaces our field names in refusals and warnings by the sender's.
    public func translate(_ batch: inout Batch) {
        for index in batch.events.indices {
            guard case .failure(var refused) = batch.events[index], sent.indices.contains(index) else { continue }
            var names = names
            names.time = sent[index].time
            refused.refusal = names.translated(refused.refusal, of: sent[index].type)
            batch.events[index] = .failure(refused)
        }
        let pointers = sent.map(\.pointer)
        for index in batch.warnings.indices {
            let warning = batch.warnings[index]
            let told = names.translated(warning.message, at: warning.pointer, calls: pointers)
            batch.warnings[index].message = told.message
            batch.warnings[index].pointer = told.pointer
        }
    }
}

/// Maps our fields to the sender's, so that messages name the fields that were sent.
struct SegmentNames: Sendable {
    /// A pointer (RFC 6901) in a call or in the batch.
    enum Place: Sendable {
        case call(String)
        case batch(String)
    }

    /// By pointer in a body of `POST /v1/events`.
    private var envelope: [String: Place] = [:]
    /// The name of the field that has an event's time.
    var time = "timestamp"

    mutating func set(_ ours: String, _ place: Place) { envelope[ours] = place }

    /// The field's name, such as `context.device.id`, and its pointer; nil if it has no counterpart.
    private func field(at pointer: String, of call: String) -> (name: String, pointer: String)? {
        switch envelope[pointer] {
        case nil: return nil
        case .call(let path): return (String(path.dropFirst()).replacing("/", with: "."), call + path)
        case .batch(let path): return (String(path.dropFirst()).replacing("/", with: "."), path)
        }
    }

    /// - Parameters:
    ///   - calls: the pointers (RFC 6901) of the body's calls, in order.
    func translated(_ message: String, at pointer: String, calls: [String]) -> (message: String, pointer: String) {
        guard let first = calls.first else { return (message, pointer) }
        if let field = field(at: pointer, of: first) {
            let ours = pointer.split(separator: "/").last ?? ""
            return (message.replacing("`\(ours)`", with: "`\(field.name)`"), field.pointer)
        }
        let parts = pointer.split(separator: "/")
        guard parts.first == "events", parts.count > 1, let index = Int(parts[1]), calls.indices.contains(index) else {
            return (message, first)
        }
        let rest = parts.dropFirst(2)
        let path =
            switch rest.first {
            case nil: ""
            case "id": "/messageId"
            case "at": "/" + time
            case "widget": "/properties" + rest.dropFirst().map { "/\($0)" }.joined()
            default: "/properties" + rest.map { "/\($0)" }.joined()
            }
        return (message, calls[index] + path)
    }

    func translated(_ refusal: Refusal, of type: EventType) -> Refusal {
        var names = ["id": "messageId", "at": time, "sent_at": "sentAt", "widget": "properties"]
        let parts =
            type == .widgetsReported
            ? ["surface", "source", "widgets", "error"]
            : ["surface", "source", "kind", "family", "intent", "configuration", "instance"]
        for part in parts { names[part] = "properties.\(part)" }
        var message = ""
        // Every second piece was between backticks.
        for (position, piece) in refusal.message.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            message += position == 0 ? "" : "`"
            message += position % 2 == 1 ? names[String(piece)] ?? String(piece) : String(piece)
        }
        return .translated(code: refusal.code, message: message)
    }
}

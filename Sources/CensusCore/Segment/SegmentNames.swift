/// What a sender's fields are called, and where they stand: errors about ours are told about those.
struct SegmentNames: Sendable {
    /// RFC 6901.
    enum Place: Sendable {
        case call(String)
        case batch(String)
    }

    /// By their place in a body of `POST /v1/events`.
    private var envelope: [String: Place] = [:]
    /// The field that an event's time is read from.
    var time = "timestamp"

    mutating func set(_ ours: String, _ place: Place) { envelope[ours] = place }

    /// The field's name, its parts divided by full stops, and where it stands; nil for what has no counterpart.
    private func field(at pointer: String, of call: String) -> (name: String, pointer: String)? {
        switch envelope[pointer] {
        case nil: return nil
        case .call(let path): return (String(path.dropFirst()).replacing("/", with: "."), call + path)
        case .batch(let path): return (String(path.dropFirst()).replacing("/", with: "."), path)
        }
    }

    /// - Parameters:
    ///   - calls: RFC 6901: the calls of the body, in order.
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
        // Every second piece stands between backticks.
        for (position, piece) in refusal.message.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            message += position == 0 ? "" : "`"
            message += position % 2 == 1 ? names[String(piece)] ?? String(piece) : String(piece)
        }
        return .translated(code: refusal.code, message: message)
    }
}

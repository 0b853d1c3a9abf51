/// What a request's head says about its body.
enum AnnouncedBody: Equatable {
    case none
    case bytes(Int)
    /// Chunked: its length is unknown.
    case chunked

    /// - Parameters:
    ///   - length: Content-Length, which the parser has read: one past our numbers is too large, whatever it is.
    ///   - isCoded: whether there is a Transfer-Encoding.
    init(length: String?, isCoded: Bool) {
        if let length {
            let bytes = Int(length) ?? .max
            self = bytes == 0 ? .none : .bytes(bytes)
        } else {
            self = isCoded ? .chunked : .none
        }
    }

    /// Nil for a chunked one.
    var bytes: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes
        case .chunked: nil
        }
    }
}

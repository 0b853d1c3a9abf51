/// What a request's head says about its body.
enum AnnouncedBody: Equatable {
    case none
    case bytes(Int)
    /// Chunked: its length is unknown.
    case chunked

    /// - Parameters:
    ///   - length: Content-Length.
    ///   - isCoded: whether there is a Transfer-Encoding.
    init(length: String?, isCoded: Bool) {
        if let length {
            self = Int(length).map { $0 == 0 ? .none : .bytes($0) } ?? .chunked
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

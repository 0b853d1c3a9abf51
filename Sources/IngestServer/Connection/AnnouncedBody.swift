/// The length of a request's body, as its head announces it.
enum AnnouncedBody: Equatable {
    case none
    case bytes(Int)
    /// Of unknown length.
    case chunked

    /// - Parameters:
    ///   - length: the Content-Length, which the parser has checked. One that doesn't fit an `Int` counts as the largest.
    ///   - isCoded: whether there is a Transfer-Encoding.
    init(length: String?, isCoded: Bool) {
        if let length {
            let bytes = Int(length) ?? .max
            self = bytes == 0 ? .none : .bytes(bytes)
        } else {
            self = isCoded ? .chunked : .none
        }
    }

    /// Nil for a chunked body.
    var bytes: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes
        case .chunked: nil
        }
    }
}

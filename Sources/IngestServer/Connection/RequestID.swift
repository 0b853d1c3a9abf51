internal import HTTPTypes
internal import Synchronization

/// Identifies a request in its response and in the log, so that a sender's complaint leads to the line.
struct RequestID: Sendable, CustomStringConvertible {
    private(set) var description: String

    /// Differs between processes. It is not a secret.
    private static let prefix = String(UInt64.random(in: .min ... .max), radix: 16)
    private static let count = Atomic<Int>(0)

    init() {
        let number = RequestID.count.wrappingAdd(1, ordering: .relaxed).newValue
        description = "\(RequestID.prefix)-\(String(number, radix: 16))"
    }

    /// The sender's own id if it is short and plain, otherwise a new one.
    init(_ request: Request) {
        self.init()
        if let sent = request.headers[.requestID] ?? request.headers[.xRequestID], RequestID.isPlain(sent) {
            description = sent
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

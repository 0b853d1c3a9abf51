import Foundation

/// A response as read from the wire.
struct RawResponse: Equatable {
    var status: Int
    /// Names are in lower case. Of repeated headers the last one counts.
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    init(head: String) throws {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw NotHTTP(line: lines[0])
        }
        self.status = status
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw NotHTTP(line: line) }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    struct NotHTTP: Error {
        var line: String
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(body))
    }

    /// The response to a batch, accepted or rejected.
    var answer: Answer { get throws { try decoded() } }
}

/// Every field that a response to a batch can have.
struct Answer: Decodable, Equatable {
    struct Rejected: Decodable, Equatable {
        var index: Int
        var id: String?
        var code: String
        var message: String?
    }

    var accepted: Int?
    var rejected: [Rejected]?
    var code: String?
    var message: String?
    var pointer: String?
}

internal import NIOHTTP1

/// Violations of RFC 9112 that the parser lets through.
enum HeadFault: String {
    /// Required in HTTP/1.1 (section 3.2).
    case noHost = "no_host"
    case twoHosts = "two_hosts"
    /// Not a host with an optional port (RFC 3986, section 3.2.2).
    case badHost = "bad_host"
    /// A coding other than chunked, which is not supported, or any coding in HTTP/1.0 (sections 6.1 and 7). A proxy in front of
    /// the server might see another end of the body.
    case coding = "transfer_coding"

    var message: String {
        switch self {
        case .noHost: "the Host header is missing; HTTP/1.1 requires it"
        case .twoHosts: "there is more than one Host header; send exactly one"
        case .badHost: "the Host header is not a host with an optional port"
        case .coding:
            "Transfer-Encoding can only be chunked, once, and in HTTP/1.1; to compress, send Content-Encoding: gzip"
        }
    }
}

/// What a request's head says about its connection.
struct HeadFindings: Equatable {
    var fault: HeadFault?
    /// Whether the connection ends with the response, because the client speaks HTTP/1.0 or asks for it.
    var closes = false
    var body = AnnouncedBody.none
    /// Whether the client sent `Expect: 100-continue` (RFC 9110, section 10.1.1).
    var expectsWord = false

    init(version: HTTPVersion, headers: some Sequence<(name: String, value: String)>) {
        var (hosts, codings) = (0, 0)
        var length: String?
        var isChunked = false
        for (name, value) in headers {
            // Compare lengths first, because most headers are none of these.
            switch name.utf8.count {
            case 4 where name.lowercased() == "host":
                hosts += 1
                if !HeadFindings.isHost(value) { fault = .badHost }
            case 6 where name.lowercased() == "expect": expectsWord = value.lowercased() == "100-continue"
            // The parser stops after an upgrade, even if the protocol stays the same.
            case 7 where name.lowercased() == "upgrade": closes = true
            case 10 where name.lowercased() == "connection":
                closes = closes || value.lowercased().split(separator: ",").contains { $0.trimmed == "close" }
            case 14 where name.lowercased() == "content-length": length = value
            case 17 where name.lowercased() == "transfer-encoding":
                codings += 1
                isChunked = value.lowercased() == "chunked"
            default: break
            }
        }
        let isCurrent = (version.major, version.minor) >= (1, 1)
        if codings > 1 || (codings == 1 && !(isChunked && isCurrent)) {
            fault = .coding
        } else if hosts > 1 {
            fault = .twoHosts
        } else if hosts == 0, isCurrent {
            fault = .noHost
        }
        if fault != nil || !isCurrent { closes = true }
        if !isCurrent { expectsWord = false }
        body = AnnouncedBody(length: length, isCoded: codings > 0)
    }
}

extension HeadFindings {
    private static let marks = Array("-.:_~%@!$&'()*+,;=[]".utf8)

    private static func isHost(_ value: String) -> Bool {
        value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            default: marks.contains(byte)
            }
        }
    }
}

extension HTTPHeaders {
    /// Removes the white space that ends a value and is no part of it (RFC 9112, section 5.1). The parser only removes the one
    /// that begins it.
    mutating func trimValues() {
        guard contains(where: { $0.value.utf8.last == 0x20 || $0.value.utf8.last == 0x09 }) else { return }
        self = HTTPHeaders(map { ($0.name, String($0.value[...].trimmed)) })
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}

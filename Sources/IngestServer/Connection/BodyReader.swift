internal import CensusCore
internal import HTTPTypes
internal import NIOCore

/// A request's body as it arrived.
struct SentBody {
    var bytes: [UInt8]
    var isCompressed: Bool
}

/// Reads a request's body within the contract's limits, its deadline and the memory budget.
struct BodyReader: Sendable {
    /// Bytes that a connection might have read and not passed on yet.
    private static let readAhead = IncomingBody.readAhead + (32 << 10)

    var limits: Limits
    /// What to do about a body that is too large.
    var remedy = "compress it, or split the batch in half"

    /// - Parameter reservation: grows to the size of the body before it is read.
    func read(_ request: Request, _ reservation: Admission.Reservation) async throws
        -> SentBody
    {
        let isCompressed = try isCompressed(request)
        return SentBody(bytes: try await collect(request, reservation), isCompressed: isCompressed)
    }

    /// - Throws: ``Problem``: 415 for an unsupported encoding.
    func isCompressed(_ request: Request) throws -> Bool {
        switch request.headers[.contentEncoding]?.lowercased() ?? "identity" {
        case "identity": false
        case "gzip", "x-gzip": true
        default:
            throw Problem(
                .unsupportedMediaType, "unsupported_encoding", "Content-Encoding must be gzip or absent")
        }
    }

    private func collect(
        _ request: Request, _ reservation: Admission.Reservation
    ) async throws -> [UInt8] {
        guard let sent = request.body else { return [] }
        let declared = request.announced.bytes
        if let declared, declared > limits.bodyBytes { throw tooLarge }
        // The length of a chunked body is unknown, so it reserves memory in steps, ahead of what is read.
        try reservation.resize(to: declared ?? BodyReader.readAhead)
        sent.ask()
        var body: [UInt8] = []
        body.reserveCapacity(declared ?? 1_024)
        do {
            while let buffer = try await sent.next() {
                guard body.count + buffer.readableBytes <= limits.bodyBytes else { throw tooLarge }
                body.append(contentsOf: buffer.readableBytesView)
                if declared == nil, min(body.count + BodyReader.readAhead, limits.bodyBytes) > reservation.bytes {
                    try reservation.resize(to: min(body.count + 2 * BodyReader.readAhead, limits.bodyBytes))
                }
            }
        } catch let failure as IncomingBody.Failure {
            throw problem(failure)
        }
        return body
    }

    func problem(_ failure: IncomingBody.Failure) -> Problem {
        switch failure {
        case .tooSlow:
            Problem(
                .requestTimeout, "too_slow",
                "the request took longer than \(limits.requestDeadline.components.seconds) s to arrive; retry")
        case .cut:
            Problem(
                .badRequest, "body_cut_short",
                "the body is incomplete: it ended early, has an invalid chunk or trailer, or arrived in too many small chunks; nothing was accepted"
            )
        }
    }

    private var tooLarge: Problem {
        Problem(
            .contentTooLarge, "body_too_large",
            "the body is larger than \(limits.bodyBytes) bytes; \(remedy)")
    }
}

extension Problem {
    init(_ failure: Inflater.Failure) {
        switch failure {
        case .broken: self.init(.badRequest, "invalid_gzip", "the body is not valid gzip, or is cut short")
        case .tooLarge(let limit):
            self.init(
                .contentTooLarge, "body_too_large",
                "the body inflates to more than \(limit) bytes; split the batch in half")
        }
    }
}

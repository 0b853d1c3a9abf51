internal import CensusCore
internal import HTTPTypes
internal import Hummingbird

/// A request's body as it arrived.
struct SentBody {
    var bytes: [UInt8]
    var isCompressed: Bool
}

/// Reads a request's body within the contract's limits, in time, and as far as there is room for it.
struct BodyReader: Sendable {
    /// What a connection may have read and not passed on yet: NIO's ten parts, each as large as a read (``HeadWatch``).
    private static let readAhead = 160 << 10

    var limits: Limits
    let deadlines: RequestDeadlines

    /// - Parameter reservation: made as large as the body before it is read.
    func read(_ request: Request, _ context: ConnectionContext, _ reservation: Admission.Reservation) async throws
        -> SentBody
    {
        let encoding = request.headers[.contentEncoding]?.lowercased() ?? "identity"
        guard encoding == "identity" || encoding == "gzip" else {
            throw Problem(
                .unsupportedMediaType, "unsupported_encoding", "Content-Encoding must be gzip or absent")
        }
        return SentBody(bytes: try await collect(request, context, reservation), isCompressed: encoding == "gzip")
    }

    private func collect(
        _ request: Request, _ context: ConnectionContext, _ reservation: Admission.Reservation
    ) async throws -> [UInt8] {
        let reading = context.bodyDeadline
        let declared = context.body.bytes
        if let declared, declared > limits.bodyBytes { throw tooLarge }
        // The length of a chunked body is unknown: it gets room in steps, ahead of what is read.
        try reservation.resize(to: declared ?? BodyReader.readAhead)
        context.entry?.use()
        var body: [UInt8] = []
        body.reserveCapacity(declared ?? 1_024)
        do {
            // When this throws, the deadline stays for the rest of the body.
            for try await buffer in request.body {
                guard body.count + buffer.readableBytes <= limits.bodyBytes else { throw tooLarge }
                body.append(contentsOf: buffer.readableBytesView)
                if declared == nil, min(body.count + BodyReader.readAhead, limits.bodyBytes) > reservation.bytes {
                    try reservation.resize(to: min(body.count + 2 * BodyReader.readAhead, limits.bodyBytes))
                }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            if reading?.isExpired == true { throw tooSlow }
            throw Problem(.badRequest, "broken_request", "the body could not be read to its end")
        }
        if let reading {
            if reading.isExpired { throw tooSlow }
            deadlines.end(reading)
        }
        // The connection was cut before the end: no client is left to answer, and there is nothing to keep.
        if let declared, body.count < declared { throw Problem(.badRequest, "body_cut_short", "the body ended early") }
        return body
    }

    private var tooLarge: Problem {
        Problem(
            .contentTooLarge, "body_too_large",
            "the body is larger than \(limits.bodyBytes) bytes: compress it, or send halves")
    }

    private var tooSlow: Problem {
        let seconds = limits.requestDeadline.components.seconds
        return Problem(.requestTimeout, "too_slow", "the request took longer than \(seconds) s: send it again")
    }
}

extension Problem {
    init(_ failure: Inflater.Failure) {
        switch failure {
        case .broken: self.init(.badRequest, "invalid_gzip", "the body is not gzip, or is cut short")
        case .tooLarge(let limit):
            self.init(
                .contentTooLarge, "body_too_large", "the body inflates to more than \(limit) bytes: send halves")
        }
    }
}

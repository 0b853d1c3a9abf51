internal import CensusCore
internal import HTTPTypes
internal import Hummingbird

/// Reads a request's body within the contract's limits: on the wire, inflated, and in time.
struct BodyReader: Sendable {
    let limits: Limits
    let deadlines: RequestDeadlines

    /// - Returns: the body, inflated.
    func read(_ request: Request, _ context: DoorContext) async throws -> [UInt8] {
        let encoding = request.headers[.contentEncoding]?.lowercased() ?? "identity"
        guard encoding == "identity" || encoding == "gzip" else {
            throw Problem(
                .unsupportedMediaType, "unsupported_encoding", "Content-Encoding must be gzip or absent")
        }
        let body = try await collect(request, context.reading)
        guard encoding == "gzip" else { return body }
        do throws(Inflater.Failure) {
            return try Inflater.inflate(body, limit: limits.inflatedBytes)
        } catch {
            switch error {
            case .broken: throw Problem(.badRequest, "invalid_gzip", "the body is not gzip, or is cut short")
            case .tooLarge(let limit):
                throw Problem(
                    .contentTooLarge, "body_too_large", "the body inflates to more than \(limit) bytes: send halves")
            }
        }
    }

    /// - Parameter reading: goes on when this throws: what is left of the body has the same deadline.
    private func collect(_ request: Request, _ reading: RequestDeadlines.Reading?) async throws -> [UInt8] {
        let declared = request.headers[.contentLength].flatMap { Int($0) }
        if let declared, declared > limits.bodyBytes { throw tooLarge }
        var body: [UInt8] = []
        body.reserveCapacity(declared ?? 1_024)
        do {
            for try await buffer in request.body {
                guard body.count + buffer.readableBytes <= limits.bodyBytes else { throw tooLarge }
                body.append(contentsOf: buffer.readableBytesView)
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
        // The connection was cut before the end: there is nobody left to answer, and nothing to keep.
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

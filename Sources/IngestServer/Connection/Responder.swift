internal import NIOCore

/// Answers requests.
protocol Responder: Sendable {
    /// Called on the connection's event loop when a request's head has arrived.
    func begin(_ request: Request) -> Beginning

    func respond(to request: Request) async -> Response

    func respond(to fault: ParseFault) -> Response
}

/// Why there is no request that could be answered.
enum ParseFault {
    case headTooLarge
    case notHTTP
}

enum Beginning {
    case answer(Response)
    /// Collect the body, which is small, and pass it to the taker on the event loop.
    case collect(any BodyTaker)
    /// Call ``Responder/respond(to:)``.
    case later
}

/// Answers a request with a small body.
protocol BodyTaker: Sendable {
    /// - Parameter answer: called on the event loop, now or later.
    /// - Returns: nil; or, if the request has to wait, the request to pass to ``Responder/respond(to:)``.
    func take(_ body: ByteBuffer, on loop: any EventLoop, _ answer: @escaping @Sendable (Response) -> Void) -> Request?

    /// - Returns: the response to a body that did not arrive.
    func fail(_ failure: IncomingBody.Failure) -> Response
}

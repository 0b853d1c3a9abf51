internal import NIOCore

/// A batch small enough to be read on its connection's event loop, as nearly all are.
final class PlainReport: BodyTaker {
    private let work: IngestHandler.Work
    private let visitor: Visitor

    init(work: IngestHandler.Work, visitor: Visitor) {
        self.work = work
        self.visitor = visitor
    }

    func take(_ body: ByteBuffer, on loop: any EventLoop, _ answer: @escaping @Sendable (Response) -> Void) -> Request?
    {
        do {
            return try work.handler.events.store(body, of: work.request, from: visitor, on: loop) { [work] result in
                switch result {
                case .success(let response): answer(work.end(response))
                case .failure(let problem): answer(work.end(problem))
                }
            }
        } catch {
            answer(work.end(error))
            return nil
        }
    }

    func fail(_ failure: IncomingBody.Failure) -> Response { work.end(work.handler.events.reader.problem(failure)) }
}

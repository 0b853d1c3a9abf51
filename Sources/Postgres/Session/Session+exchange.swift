internal import CLibPQ

extension Session {
    /// Sends one statement and reads until the server has answered all of it.
    ///
    /// After an interruption or the deadline it sends a cancel request. If the server doesn't answer within ``cancelGrace``,
    /// the connection is abandoned. In every other case a sound connection is ready for the next statement.
    ///
    /// - Parameters:
    ///   - mayCommit: whether the outcome is unknown if the connection is lost.
    ///   - copy: the rows for the COPY in the statement.
    ///   - send: gives the statement to libpq, and returns 0 if libpq refuses it.
    ///   - receive: called with each successful result, in order.
    func exchange(
        _ statement: Statement, _ watch: Watch, mayCommit: Bool, copy: [CopyRows]? = nil,
        send: (OpaquePointer) -> Int32, receive: (ResultHandle) -> Void
    ) throws(PostgresError) {
        guard fate == .sound else { throw PostgresError(.connectionLost, statement: statement.name) }
        guard !watch.isInterrupted || watch.grace != nil else {
            throw PostgresError(.cancelled, statement: statement.name)
        }
        guard send(connection) == 1 else { throw refusal(statement) }
        var exchange = Exchange(statement, watch, mayCommit: mayCommit)
        while let result = try nextResult(&exchange) {
            switch result.status {
            case PGRES_COPY_IN:
                try feed(copy, &exchange)
            case PGRES_COPY_OUT, PGRES_COPY_BOTH:
                fate = .lost
                throw PostgresError(
                    .wrongUse, statement: statement.name, explanation: "COPY TO STDOUT is not supported")
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
                if exchange.report == nil { exchange.report = ServerMessage(result.pointer) }
            default:
                receive(result)
            }
        }
        settle(&exchange)
        let isBroken = PQstatus(connection) != CONNECTION_OK
        // An error without a code is libpq's own, which means that it has lost track of the protocol.
        let isLost = isBroken || (exchange.report != nil && exchange.report?.state == nil)
        if isLost { fate = .lost }
        if let failure = exchange.failure(isLost: isLost) { throw failure }
    }

    /// - Returns: nil after the server has answered everything.
    private func nextResult(_ exchange: inout Exchange) throws(PostgresError) -> ResultHandle? {
        while true {
            // Flushing also reads if the socket is full, so look for an answer after it and before waiting.
            let isFlushing = isFlushing
            // A broken connection isn't busy either; libpq then makes up a result with the error.
            guard PQisBusy(connection) == 1 else { return PQgetResult(connection).map(ResultHandle.init) }
            try step(&exchange, writing: isFlushing)
        }
    }

    /// Sends as much as the socket takes.
    ///
    /// - Returns: whether libpq has more to send.
    var isFlushing: Bool { PQflush(connection) == 1 }

    /// Waits once for the server, an interruption or the deadline.
    func step(_ exchange: inout Exchange, writing: Bool) throws(PostgresError) {
        let ready = SocketWait.wait(
            PQsocket(connection), reading: true, writing: writing, wakeUp, until: exchange.watch.deadline)
        // The connection's status shows a failure.
        if ready.canRead { _ = PQconsumeInput(connection) }
        guard exchange.reason == nil else {
            guard !exchange.watch.isOver else { throw giveUp(exchange) }
            return
        }
        if exchange.watch.isInterrupted {
            if let grace = exchange.watch.grace {
                exchange.watch = exchange.watch.hurried(by: grace)
                return
            }
            exchange.reason = .cancelled
        } else if exchange.watch.isOver {
            exchange.reason = .deadlineExceeded
        } else {
            return
        }
        exchange.watch = Watch(cancelGrace, nil)
        exchange.cancel = CancelRequest.send(for: connection, wakeUp: wakeUp)
        if exchange.cancel == nil { throw giveUp(exchange) }
    }

    private func giveUp(_ exchange: Exchange) -> PostgresError {
        fate = .unanswered
        return exchange.unanswered
    }

    /// Waits until the server has processed a cancel request, because it must not hit the next statement.
    private func settle(_ exchange: inout Exchange) {
        guard let cancel = exchange.cancel else { return }
        while !cancel.isDone {
            guard !exchange.watch.isOver else {
                fate = .unanswered
                return
            }
            _ = SocketWait.wait(-1, reading: false, writing: false, wakeUp, until: exchange.watch.deadline)
        }
    }
}

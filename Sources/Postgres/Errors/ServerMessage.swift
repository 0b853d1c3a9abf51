internal import CLibPQ

/// Everything the server said about one error. All but the fields named safe may quote data.
final class ServerMessage: Sendable {
    let severity: String?
    let state: SQLState?
    let message: String
    let detail: String?
    let hint: String?
    let position: String?
    let context: String?
    /// Safe: names from the schema.
    let schema: String?
    let table: String?
    let column: String?
    let dataType: String?
    let constraint: String?
    /// Safe: the function in the server's source that raised the error; unlike the message it is never translated.
    let routine: String?

    /// - Parameter result: a PGresult of an error.
    init(_ result: OpaquePointer) {
        // libpq's PG_DIAG_* macros are C characters, which Swift does not import.
        let field = { (code: Unicode.Scalar) in
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        severity = field("V") ?? field("S")
        state = field("C").map(SQLState.init(rawValue:))
        message = field("M") ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
        detail = field("D")
        hint = field("H")
        position = field("P")
        context = field("W")
        schema = field("s")
        table = field("t")
        column = field("c")
        dataType = field("d")
        constraint = field("n")
        routine = field("R")
    }

    /// An error libpq knows only as text, such as one while connecting.
    init(message: String, state: SQLState?, routine: String? = nil) {
        self.message = message
        self.state = state
        severity = nil
        detail = nil
        hint = nil
        position = nil
        context = nil
        schema = nil
        table = nil
        column = nil
        dataType = nil
        constraint = nil
        self.routine = routine
    }

    /// Whether a Citus coordinator lost a worker during a statement, for which it has no code: it is an internal error
    /// then, raised where the coordinator looks after its connections, or waits for them while it is itself shut down.
    var isOfLostWorker: Bool {
        guard state == .internalError, let routine else { return false }
        return ServerMessage.routinesThatLoseWorkers.contains(routine)
    }

    /// Whether a Citus worker does not let its coordinator in, which it will go on doing. Citus has one code for all that keeps
    /// it from connecting; behind it stands what libpq said.
    var isOfClosedWorker: Bool {
        routine == "ReportConnectionError" && ServerMessage.refusals.contains { message.contains($0) }
    }

    /// Whether the message is Citus's own about such a worker: it names the worker, and no data. What a worker said may.
    var namesWorker: Bool { isOfLostWorker && routine != "ReportResultError" }

    /// The message on one line. Citus passes on what libpq says, which has several, with tabs.
    var line: String {
        message.split { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control } }
            .joined(separator: " ")
    }

    private static let refusals = ["fe_sendauth:", "authentication failed", "pg_hba.conf", "does not exist"]

    /// Not `ReportCopyError`, which tells of duplicates, too.
    private static let routinesThatLoseWorkers: Set<String> = [
        "CheckRemoteTransactionsHealth", "FinishConnectionIO", "MarkRemoteTransactionFailed", "ProcessWaitEvents",
        "ProcessWaitEventsForSocketClosed", "ReportResultError", "WaitForAllConnections",
    ]

    /// Whether the statement was prepared on a schema that has since changed, or is no longer there: preparing it again helps.
    var isStalePlan: Bool {
        state == .invalidStatementName || (state == .featureNotSupported && routine == "RevalidateCachedQuery")
    }
}

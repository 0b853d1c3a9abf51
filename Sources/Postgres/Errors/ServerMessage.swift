internal import CLibPQ

/// Everything the server said about one error. All fields can quote data unless their comment says that they are safe.
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
    /// Safe: the function in the server's source code that raised the error. Unlike the message, it is never translated.
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

    /// An error that libpq reports only as text, such as one while connecting.
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

    /// Whether a Citus coordinator lost a worker during a statement. Citus has no code for that: it raises an internal error in
    /// functions that manage the coordinator's connections, or that wait for them while the coordinator shuts down.
    var isOfLostWorker: Bool {
        guard state == .internalError, let routine else { return false }
        return ServerMessage.routinesThatLoseWorkers.contains(routine)
    }

    /// Whether a Citus worker rejects its coordinator, and will do so until somebody reconfigures it. Citus has one code for
    /// all failures to connect, and adds libpq's message.
    var isOfClosedWorker: Bool {
        routine == "ReportConnectionError" && ServerMessage.refusals.contains { message.contains($0) }
    }

    /// Whether Citus itself wrote the message about a lost worker. Such a message names the worker but no data, unlike one
    /// that a worker sent.
    var namesWorker: Bool { isOfLostWorker && routine != "ReportResultError" }

    /// The message on one line. Citus passes on libpq's messages, which have several lines, with tabs.
    var line: String {
        message.split { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control } }
            .joined(separator: " ")
    }

    private static let refusals = ["fe_sendauth:", "authentication failed", "pg_hba.conf", "does not exist"]

    /// Not `ReportCopyError`, which also reports duplicates.
    private static let routinesThatLoseWorkers: Set<String> = [
        "CheckRemoteTransactionsHealth", "FinishConnectionIO", "MarkRemoteTransactionFailed", "ProcessWaitEvents",
        "ProcessWaitEventsForSocketClosed", "ReportResultError", "WaitForAllConnections",
    ]

    /// Whether the prepared statement no longer exists, or the schema changed after it was prepared. Preparing it again helps.
    var isStalePlan: Bool {
        state == .invalidStatementName || (state == .featureNotSupported && routine == "RevalidateCachedQuery")
    }
}

internal import ArgumentParser
internal import CensusStore
internal import EmbeddedPostgres
internal import Postgres
internal import Spool
internal import UnixSignals

/// How the program ends.
enum ExitStatus: Int32 {
    case done = 0
    /// The question was understood, and the answer is no.
    case no = 1
    case wrongUsage = 2
    /// PostgreSQL can't be reached, is full or too slow: the same command may work later.
    case storeAway = 3
    /// A fault of this program or of its schema (sysexits.h, EX_SOFTWARE).
    case ours = 70
    /// Ended by a signal: 128 and its number, as a shell says it.
    case interrupted = 130
    case terminated = 143

    init(_ error: any Error) {
        switch error {
        case let error as StoreError:
            self =
                switch error.fault {
                case .away: .storeAway
                case .request, .data: .wrongUsage
                case .ours: .ours
                }
        case let error as Interrupted: self = error.signal == .sigint ? .interrupted : .terminated
        case is UsageError: self = .wrongUsage
        case is EmbeddedPostgresError: self = .storeAway
        case let error as SpoolError: self = error.isWrongUsage ? .wrongUsage : .storeAway
        case let error as PostgresError: self = error.isStoreAway ? .storeAway : .ours
        case let code as ExitCode: self = ExitStatus(rawValue: code.rawValue) ?? .ours
        default: self = WidgetCensus.exitCode(for: error) == .success ? .done : .wrongUsage
        }
    }
}

/// An error whose description is written for the person at the terminal.
protocol ExplainedError: Error, CustomStringConvertible {}

extension StoreError: ExplainedError {}
extension EmbeddedPostgresError: ExplainedError {}
extension PostgresError: ExplainedError {}
extension SpoolError: ExplainedError {}

extension SpoolError {
    /// Whether it takes a person; a process that still has the folder, or a full disk, may be gone at the next start.
    fileprivate var isWrongUsage: Bool {
        switch self {
        case .inUse, .diskFull, .broken: false
        case .notPrivate, .folder, .otherLayout: true
        }
    }
}

/// Something was asked for that can't be: what, and what to do instead.
struct UsageError: ExplainedError {
    var description: String

    init(_ description: String) { self.description = description }
}

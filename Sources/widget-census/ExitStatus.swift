internal import ArgumentParser
internal import CensusStore
internal import EmbeddedPostgres
internal import IngestServer
internal import Postgres
internal import Spool
internal import UnixSignals

/// The program's exit statuses. The units in deploy/ list those after which systemd does not restart the service.
enum ExitStatus: Int32 {
    case done = 0
    /// The check failed: the command ran, and its result is negative.
    case no = 1
    /// Invalid usage, configuration, permissions, folder or schema; needs manual action.
    case wrongUsage = 2
    /// PostgreSQL is unreachable, full or too slow, an address is taken, or a disk is full: the same command can work later.
    case storeAway = 3
    /// The spool's disk is full, broken or read-only, or another process uses its folder (sysexits.h, EX_IOERR); can work later.
    case spoolAway = 74
    /// An internal error: a bug in this program or in its schema (sysexits.h, EX_SOFTWARE).
    case ours = 70
    /// Ended by a signal: 128 plus its number, as in a shell.
    case hungUp = 129
    case interrupted = 130
    case quit = 131
    /// 128 plus SIGPIPE, which the process would otherwise have died from.
    case readerLeft = 141
    case terminated = 143

    init(_ error: any Error) {
        switch error {
        case let error as StoreError:
            self = error.takesPerson ? .wrongUsage : error.fault == .away ? .storeAway : .ours
        case let error as Interrupted:
            self =
                switch error.signal {
                case .sighup: .hungUp
                case .sigint: .interrupted
                case .sigquit: .quit
                default: .terminated
                }
        case is UsageError, is BrokenManifest: self = .wrongUsage
        case is Refusal: self = .no
        case is LostAnswer, is Unreachable: self = .storeAway
        case let error as EmbeddedServerError: self = error.takesPerson ? .wrongUsage : .storeAway
        case let error as ListenFailure: self = error.takesPerson ? .wrongUsage : .storeAway
        case let error as SpoolError: self = error.isWrongUsage ? .wrongUsage : .spoolAway
        case let error as PostgresError: self = ExitStatus(error.blame)
        case let code as ExitCode: self = ExitStatus(rawValue: code.rawValue) ?? .ours
        default: self = WidgetCensus.exitCode(for: error) == .success ? .done : .wrongUsage
        }
    }
}

extension ExitStatus {
    init(_ blame: Blame) {
        self =
            switch blame {
            case .store, .conflict: .storeAway
            case .data, .setUp: .wrongUsage
            case .program: .ours
            }
    }
}

extension ListenFailure {
    /// False without a code: a name that can't be resolved might resolve once the network is up.
    fileprivate var takesPerson: Bool { code.map(SystemFault.takesPerson) ?? false }
}

/// An error with a description for the user at the terminal.
protocol ExplainedError: Error, CustomStringConvertible {}

extension StoreError: ExplainedError {}
extension EmbeddedServerError: ExplainedError {}
extension PostgresError: ExplainedError {}
extension ListenFailure: ExplainedError {}
extension SpoolError: ExplainedError {}

extension SpoolError {
    /// Whether it needs manual action. A process that still uses the folder, or a full disk, might be gone at the next start.
    fileprivate var isWrongUsage: Bool {
        switch self {
        case .inUse, .disk, .diskFull, .broken: false
        case .notPrivate, .folder: true
        }
    }
}

/// The check failed. The description says why, and what to do about it.
struct Refusal: ExplainedError {
    var description: String

    init(_ description: String) { self.description = description }
}

/// The command can't be run as given. The description says why, and what to do instead.
struct UsageError: ExplainedError {
    var description: String

    init(_ description: String) { self.description = description }
}

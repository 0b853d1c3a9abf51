internal import ArgumentParser
internal import CensusStore
internal import EmbeddedPostgres
internal import IngestServer
internal import Postgres
internal import Spool
internal import UnixSignals

/// How the program ends; deploy/ says after which of these the service is started again.
enum ExitStatus: Int32 {
    case done = 0
    /// The question was understood, and the answer is no.
    case no = 1
    /// A command, setting, right, folder or schema is not as it must be: a person has to act.
    case wrongUsage = 2
    /// PostgreSQL can't be reached, is full or too slow, an address is taken, a disk is full: the same command may work later.
    case storeAway = 3
    /// The disk of the spool is full or broken, or another process has its folder (sysexits.h, EX_IOERR): later it may work.
    case spoolAway = 74
    /// A fault of this program or of its schema (sysexits.h, EX_SOFTWARE).
    case ours = 70
    /// Ended by a signal: 128 and its number, as a shell says it.
    case hungUp = 129
    case interrupted = 130
    case quit = 131
    /// As the signal that it would otherwise be, SIGPIPE.
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
    /// A name that can't be resolved may be resolvable once the network is up.
    fileprivate var takesPerson: Bool { code.map(SystemFault.takesPerson) ?? false }
}

/// An error whose description is written for the person at the terminal.
protocol ExplainedError: Error, CustomStringConvertible {}

extension StoreError: ExplainedError {}
extension EmbeddedServerError: ExplainedError {}
extension PostgresError: ExplainedError {}
extension ListenFailure: ExplainedError {}
extension SpoolError: ExplainedError {}

extension SpoolError {
    /// Whether it takes a person; a process that still has the folder, or a full disk, may be gone at the next start.
    fileprivate var isWrongUsage: Bool {
        switch self {
        case .inUse, .diskFull, .broken: false
        case .notPrivate, .folder: true
        }
    }
}

/// The answer is no: why, and what to do about it.
struct Refusal: ExplainedError {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Something impossible was asked for: what, and what to do instead.
struct UsageError: ExplainedError {
    var description: String

    init(_ description: String) { self.description = description }
}

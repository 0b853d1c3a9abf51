#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// One run of a program to its end.
///
/// Not Foundation's Process: on Linux that leaves a socket open in the child to learn of its end, pg_ctl hands it on to
/// the server, and waiting for pg_ctl then lasts as long as the server runs.
struct Command: Sendable {
    struct Outcome: Sendable {
        /// The exit status; 128 + signal when a signal ended it.
        let status: Int32
        let output: String
        let errors: String

        var succeeded: Bool { status == 0 }

        /// Both streams, for an error that shows what the program said.
        var text: String { (output + errors).trimmed }
    }

    let program: String
    let arguments: [String]

    /// Runs the program in `/`, in a session of its own, and waits; blocks the thread.
    ///
    /// Output goes to unnamed files, not pipes: processes that inherit those cannot keep us waiting for the end of a stream.
    /// A session of its own keeps a Ctrl-C in the terminal from ending initdb half-way.
    func run() throws -> Outcome {
        guard let output = UnnamedFile(), let errors = UnnamedFile() else {
            throw EmbeddedServerError.file(path: "/tmp", action: "make a file in", code: errno)
        }
        var process: pid_t = 0
        let code = spawn(&process, output: output.descriptor, errors: errors.descriptor)
        guard code == 0 else { throw EmbeddedServerError.cannotRun(program: program, code: code) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw EmbeddedServerError.cannotRun(program: program, code: errno) }
        }
        let signal = status & 0x7f
        return Outcome(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: output.contents(),
            errors: errors.contents())
    }

    /// A list of what is passed on, rather than what is not: the service's secrets are none of the server's business.
    static func environment() -> [String] {
        let own = ProcessInfo.processInfo.environment
        let passed = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"].compactMap { name in
            own[name].map { "\(name)=\($0)" }
        }
        return passed + ["LC_ALL=C", "TZ=UTC", "PGCLIENTENCODING=UTF8", "PGCONNECT_TIMEOUT=10"]
    }
}

extension String {
    /// Without white space at either end.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}

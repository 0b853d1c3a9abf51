#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// A program that runs to its end.
///
/// It doesn't use Foundation's Process. On Linux that leaves a socket open in the child to learn of its end. pg_ctl hands the
/// socket on to the server, so waiting for pg_ctl would last as long as the server runs.
struct Command: Sendable {
    struct Outcome: Sendable {
        /// The exit status; 128 + signal when a signal ended it.
        let status: Int32
        let output: String
        let errors: String

        var succeeded: Bool { status == 0 }

        /// Both streams, for an error that shows the program's messages.
        var text: String { (output + errors).trimmed }
    }

    let program: String
    let arguments: [String]

    /// Runs the program in `/`, in its own session, and blocks the thread until it ends.
    ///
    /// Output goes to unnamed files, not pipes, because a process that inherits a pipe would keep us waiting for its end.
    /// The session keeps a Ctrl-C in the terminal from ending initdb half-way.
    func run() throws -> Outcome {
        guard let output = UnnamedFile(), let errors = UnnamedFile() else {
            throw EmbeddedServerError.file(path: "/tmp", action: "create a file in", code: errno)
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

    /// Lists the variables to pass on, and not those to hold back, because the server must not get the service's secrets.
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

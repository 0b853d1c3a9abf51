internal import Foundation

/// Corrects signal handlers and file descriptors inherited from the parent process, before anything else runs.
enum ProcessSetUp {
    /// Whether SIGHUP was already ignored: a program started with `nohup` must outlive the terminal.
    static let outlivesTerminal: Bool = {
        let before = signal(SIGHUP, SIG_DFL)
        let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if isIgnored { signal(SIGHUP, SIG_IGN) }
        return isIgnored
    }()

    static func run() {
        _ = outlivesTerminal
        // Otherwise the next file we open would take the descriptor of a closed standard error, and receive the log.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
        for number in ignored { signal(number, SIG_IGN) }
        // A process that ignores SIGCHLD can't wait for its children.
        signal(SIGCHLD, SIG_DFL)
    }

    /// Signals that end a process by default and that we have no use for. Dying from one would leave our PostgreSQL running.
    ///
    /// When SIGPIPE and SIGXFSZ are ignored, the write itself fails with an error.
    private static var ignored: [Int32] {
        var numbers = [SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXFSZ]
        #if os(Linux)
            numbers += [SIGIO, SIGPWR, SIGSTKFLT] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
        #endif
        return numbers
    }
}

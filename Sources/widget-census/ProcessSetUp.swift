internal import Foundation

/// What the process is given by whoever starts it, put right before anything else happens.
enum ProcessSetUp {
    /// Whether SIGHUP was ignored before: who starts a program with `nohup` wants it to outlive the terminal.
    static let outlivesTerminal: Bool = {
        let before = signal(SIGHUP, SIG_DFL)
        let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if isIgnored { signal(SIGHUP, SIG_IGN) }
        return isIgnored
    }()

    static func run() {
        _ = outlivesTerminal
        // A file that took the place of a closed standard error would get the log.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
        for number in ignored { signal(number, SIG_IGN) }
        // Who ignores it can't wait for the end of what it started.
        signal(SIGCHLD, SIG_DFL)
    }

    /// Signals that end a process by default and tell us nothing: our PostgreSQL would stay behind.
    ///
    /// SIGPIPE and SIGXFSZ are errors of the write that meets them.
    private static var ignored: [Int32] {
        var numbers = [SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXFSZ]
        #if os(Linux)
            numbers += [SIGIO, SIGPWR, SIGSTKFLT] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
        #endif
        return numbers
    }
}

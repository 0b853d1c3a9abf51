#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Command {
    /// Starts the process with an empty stdin, default signals, and only the two given descriptors.
    ///
    /// - Returns: 0, or errno.
    func spawn(_ process: inout pid_t, output: Int32, errors: Int32) -> Int32 {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }

        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

        // The service ignores SIGTERM to receive it through Dispatch; ignored signals stay ignored across exec.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let common = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        #if canImport(Glibc)
            // POSIX_SPAWN_SETSID of <spawn.h>, which Swift's Glibc module hides (it is behind _GNU_SOURCE, as closefrom
            // is).
            let flags = common | 0x80
            // A server that inherits a caller's pipe keeps it open: `widget-census report | cat` would never end.
            for descriptor in Self.openDescriptors() { posix_spawn_file_actions_addclose(&actions, descriptor) }
        #else
            let flags = common | Int32(POSIX_SPAWN_SETSID) | Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))

        // The user postgres might have no access to our working folder, and its programs need one that they can enter.
        let words = ["/bin/sh", "-c", #"cd / && exec "$@""#, "sh", program] + arguments
        let argumentStrings = words.map { strdup($0) } + [nil]
        let environmentStrings = Self.environment().map { strdup($0) } + [nil]
        defer { for string in argumentStrings + environmentStrings { free(string) } }
        return posix_spawn(&process, words[0], &actions, &attributes, argumentStrings, environmentStrings)
    }

    /// Lists our descriptors above stdio. One that another thread opens meanwhile has close-on-exec, like all of Swift's.
    private static func openDescriptors() -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
    }
}

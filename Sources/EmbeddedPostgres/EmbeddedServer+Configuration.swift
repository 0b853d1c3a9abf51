#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

extension EmbeddedServer {
    /// Where the private PostgreSQL lives and how it is set.
    package struct Configuration: Sendable {
        /// Folder of the cluster, its socket, log and locks. A relative path starts at the working folder.
        package var dataDirectory: String

        /// Whether the folder and the cluster in it are made when absent.
        package var makes: Bool

        /// Settings of postgresql.conf that win over the file and over our own, except those that keep the server
        /// private.
        package var settings: [String: String]

        /// Folders to look for the server's programs in, first match wins; nil looks where packages install them.
        package var programDirectories: [String]?

        package init(
            dataDirectory: String, makes: Bool = true, settings: [String: String] = [:],
            programDirectories: [String]? = nil
        ) {
            self.dataDirectory = dataDirectory
            self.makes = makes
            self.settings = settings
            self.programDirectories = programDirectories
        }
    }

    /// The data folder if the user names none.
    ///
    /// - Returns: `/var/lib/widget-census` for root, else `widget-census` in `$XDG_DATA_HOME` or in `~/.local/share`.
    package static func defaultDataDirectory(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        defaultDataDirectory(environment: environment, isRoot: geteuid() == 0)
    }

    package static func defaultDataDirectory(environment: [String: String], isRoot: Bool) -> String {
        if isRoot { return "/var/lib/widget-census" }
        // The XDG specification: a relative path is invalid and is to be ignored.
        if let dataHome = environment["XDG_DATA_HOME"], dataHome.hasPrefix("/") {
            return dataHome + "/widget-census"
        }
        let named = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = named ?? FileManager.default.homeDirectoryForCurrentUser.path
        return home + "/.local/share/widget-census"
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

extension EmbeddedServer {
    /// The private PostgreSQL's folder and settings.
    package struct Configuration: Sendable {
        /// The folder of the cluster, its socket, log and locks. A relative path starts at the working folder.
        package var dataDirectory: String

        /// Whether to create the folder and its cluster if they are missing.
        package var makes: Bool

        /// Settings that override postgresql.conf and our own, except those that keep the server private.
        package var settings: [String: String]

        /// Folders to search for the server's programs; the first match is used. Nil searches where packages install them.
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

    /// Whether a data folder has a private PostgreSQL, running or not.
    package static func exists(in dataDirectory: String) -> Bool {
        (try? DataFolder(dataDirectory))?.holdsCluster ?? false
    }

    /// - Throws: ``EmbeddedServerError`` if no PostgreSQL is installed that could run in a data folder.
    package static func requirePrograms(in dataDirectory: String) throws {
        _ = try ServerPrograms.find(for: DataFolder(dataDirectory), in: nil)
    }

    /// Returns the data folder to use if the user names none.
    ///
    /// - Returns: `/var/lib/widget-census` for root, else `widget-census` in `$XDG_DATA_HOME` or in `~/.local/share`.
    package static func defaultDataDirectory(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        defaultDataDirectory(environment: environment, isRoot: geteuid() == 0)
    }

    package static func defaultDataDirectory(environment: [String: String], isRoot: Bool) -> String {
        if isRoot { return "/var/lib/widget-census" }
        // XDG's specification says to ignore a relative path.
        if let dataHome = environment["XDG_DATA_HOME"], dataHome.hasPrefix("/") {
            return dataHome + "/widget-census"
        }
        let named = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = named ?? FileManager.default.homeDirectoryForCurrentUser.path
        return home + "/.local/share/widget-census"
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// An installed PostgreSQL: the folder of its programs, and its major version.
struct ServerPrograms: Sendable {
    /// The oldest version that we test with.
    static let oldestMajor = 15

    let directory: String
    let major: Int

    func path(of program: String) -> String { directory + "/" + program }

    /// Finds the programs for a folder: those of its cluster's version, or the first found if there is no cluster yet.
    ///
    /// - Parameter directories: nil searches where Debian, Red Hat and Homebrew install them, newest first, then the folder
    ///   from `pg_config`, then `PATH`.
    static func find(for folder: DataFolder, in directories: [String]?) throws -> ServerPrograms {
        let searched = directories ?? packageDirectories() + pathDirectories()
        let installed = searched.lazy.compactMap(ServerPrograms.init(directory:))
        guard let cluster = clusterMajor(of: folder) else {
            guard let first = installed.first else { throw EmbeddedServerError.noPrograms(searched: searched) }
            return first
        }
        if let matching = installed.first(where: { $0.major == cluster }) { return matching }
        let majors = Set(installed.map(\.major)).sorted()
        guard !majors.isEmpty else { throw EmbeddedServerError.noPrograms(searched: searched) }
        throw EmbeddedServerError.versionNotInstalled(folder: folder.path, cluster: cluster, installed: majors)
    }

    /// Nil unless the folder has a complete server of a supported version, because PATH often has only the client's programs.
    private init?(directory: String) {
        self.directory = directory
        let programs = ["initdb", "pg_ctl", "postgres", "psql"]
        guard programs.allSatisfy({ access(directory + "/" + $0, X_OK) == 0 }) else { return nil }
        // "postgres (PostgreSQL) 15.8 (Debian 15.8-1)"; a release candidate says "17rc1".
        let version = try? Command(program: directory + "/postgres", arguments: ["--version"]).run().output
        let number = version?.split(separator: ") ").dropFirst().first?.prefix { $0.isWholeNumber }
        guard let major = number.flatMap({ Int($0) }), major >= Self.oldestMajor else { return nil }
        self.major = major
    }

    private static func clusterMajor(of folder: DataFolder) -> Int? {
        let text = try? String(contentsOfFile: folder.cluster + "/PG_VERSION", encoding: .utf8)
        return text.flatMap { Int($0.trimmed) }
    }

    private static func packageDirectories() -> [String] {
        let patterns = [
            ("/usr/lib/postgresql", "", "/bin"), ("/usr", "pgsql-", "/bin"),
            ("/opt/homebrew/opt", "postgresql@", "/bin"), ("/usr/local/opt", "postgresql@", "/bin"),
        ]
        let found = patterns.flatMap { folder, prefix, suffix -> [(major: Int, directory: String)] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.compactMap { name in
                guard name.hasPrefix(prefix), let major = Int(name.dropFirst(prefix.count)) else { return nil }
                return (major: major, directory: "\(folder)/\(name)\(suffix)")
            }
        }
        return found.sorted { $0.major > $1.major }.map(\.directory)
    }

    private static func pathDirectories() -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let directories = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        guard let tool = directories.map({ $0 + "/pg_config" }).first(where: { access($0, X_OK) == 0 }),
            let outcome = try? Command(program: tool, arguments: ["--bindir"]).run(), outcome.succeeded
        else { return directories }
        return [outcome.text] + directories
    }
}

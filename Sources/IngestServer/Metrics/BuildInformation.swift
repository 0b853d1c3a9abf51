internal import CensusStore

/// What this program is.
package enum BuildInformation {
    package static let version = "0.1.0"

    #if DEBUG
        private static let configuration = "debug"
    #else
        private static let configuration = "release"
    #endif

    static func write(to exposition: inout Exposition) {
        exposition.add(.buildInfo, [([version, "\(Migrator.currentVersion)", configuration], "1")])
    }
}

internal import ArgumentParser
internal import CensusCore
internal import Fleet

/// iOS versions separated by commas, or `none`.
struct VersionList: ExpressibleByArgument, CustomStringConvertible {
    var versions: Set<OperatingSystem>

    init(versions: Set<OperatingSystem>) {
        self.versions = versions
    }

    init?(argument: String) {
        let named = argument == "none" ? [] : argument.split(separator: ",").map { OperatingSystem(String($0)) }
        let versions = named.compactMap { $0 }
        guard versions.count == named.count else { return nil }
        self.versions = Set(versions)
    }

    var description: String {
        versions.isEmpty ? "none" : Version.sorted(versions.map(\.description)).joined(separator: ",")
    }

    var defaultValueDescription: String { description }
}

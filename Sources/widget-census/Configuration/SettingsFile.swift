internal import CensusCore
internal import Foundation

/// A file of NAME=VALUE lines.
///
/// It is read as bytes, because a carriage return and a line feed together are one `Character`. No message quotes a value,
/// because it might be a secret, or be followed by one.
struct SettingsFile {
    private(set) var values: [String: String] = [:]

    /// Settings whose values can contain spaces.
    private static let spaced: Set<String> = [
        "CENSUS_SECRET", "CENSUS_SECRET_FILE", "DATABASE_URL_FILE", "CENSUS_DATA_DIR", "CENSUS_SPOOL_DIR",
        "CENSUS_CONFIG", "CENSUS_CONSOLE_TRUSTED_PROXY",
    ]

    /// Settings that a file can't have, and why.
    private static let outside = [
        "CENSUS_CONFIG": "names this file, so set it in the environment or with --config",
        "CENSUS_APP": "is for people at a shell, so set it in the environment",
    ]

    private static let names = Set(Settings.names.keys).subtracting(outside.keys).union(Settings.databaseNames)

    /// - Throws: ``UsageError``, which names the line.
    init(_ path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw UsageError(unreadable: path, error)
        }
        if data.isUTF16 {
            throw UsageError("the configuration file \(path) is UTF-16; save it as UTF-8")
        }
        let lines = data.withoutByteOrderMark.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let place = "\(path):\(index + 1)"
            guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self) else {
                throw UsageError("\(place): not UTF-8")
            }
            try take(text.trimmingCharacters(in: .whitespaces), at: place)
        }
    }

    private mutating func take(_ line: String, at place: String) throws {
        if line.isEmpty || line.hasPrefix("#") { return }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingCharacters(in: .whitespaces)
        if let reason = SettingsFile.outside[name] { throw UsageError("\(place): \(name) \(reason)") }
        guard parts.count == 2, SettingsFile.names.contains(name) else {
            // The rest of the line might be a secret without its name, or without the equals sign.
            let known = name.prefix { $0 == "_" || ("A"..."Z").contains($0) }
            let name = String(known)
            let found = name.hasPrefix("CENSUS_") ? ", found \(name.brief)\(Settings.meant(name))" : ""
            let names = SettingsFile.names.sorted().joined(separator: ", ")
            throw UsageError("\(place): expected NAME=VALUE with one of \(names)\(found)")
        }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        if let fault = SettingsFile.fault(in: value, of: name) { throw UsageError("\(place): \(name) \(fault)") }
        values[name] = value
    }

    /// Describes what makes a value invalid for any setting, without quoting it; nil if nothing does.
    static func fault(in value: String, of name: String) -> String? {
        if let scalar = value.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
            let number = String(scalar.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: 4 - number.count) + number
            return "contains a control character, U+\(padded)"
                + (scalar == "\r" ? ", perhaps from a file with Windows line ends" : "") + ": remove it"
        }
        // Bytes that are not UTF-8 are read as this character. Secrets that differ only in such bytes would be the same.
        if value.unicodeScalars.contains("\u{FFFD}") { return "is not UTF-8" }
        guard value.unicodeScalars.contains(where: \.properties.isWhitespace) else { return nil }
        if let next = (Settings.known.components(separatedBy: ", ") + ["DATABASE_URL"]).first(where: {
            value.range(of: "\\s\($0)\\s*=", options: .regularExpression) != nil
        }) {
            return "is followed by \(next)= on the same line: put each setting on its own line"
        }
        let isURI = name == "DATABASE_URL" && value.contains("://")
        let isWord = Settings.names[name] != nil && !spaced.contains(name)
        guard isURI || isWord else { return nil }
        return "has a space"
            + (isURI ? ": in a URI, write it as %20" : ", which is not allowed; put a comment on its own line")
    }
}

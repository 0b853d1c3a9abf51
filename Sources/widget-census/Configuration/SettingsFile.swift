internal import Foundation

/// A file of NAME=VALUE lines.
///
/// It is read by bytes: a carriage return and the line feed after it are one `Character`. No message quotes a value, which may be
/// a secret, or have one behind it.
struct SettingsFile {
    private(set) var values: [String: String] = [:]

    /// Settings whose values may have spaces within.
    private static let spaced: Set<String> = [
        "CENSUS_SECRET", "CENSUS_DATA_DIR", "CENSUS_SPOOL_DIR", "CENSUS_CONFIG", "CENSUS_CONSOLE_TRUSTED_PROXY",
    ]

    /// - Throws: ``UsageError``, which names the line.
    init(_ path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError("the configuration file \(path) cannot be read")
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
        guard parts.count == 2, Settings.names[name] != nil || name == "DATABASE_URL", name != "CENSUS_CONFIG" else {
            // Anything else may be a secret that lacks its name, or the sign behind it.
            let known = name.prefix { $0 == "_" || ("A"..."Z").contains($0) }
            let name = String(known)
            let found = name.hasPrefix("CENSUS_") ? ", found \(name.brief)\(Settings.meant(name))" : ""
            throw UsageError("\(place): expected NAME=VALUE with one of \(Settings.known), DATABASE_URL\(found)")
        }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        if let fault = SettingsFile.fault(in: value, of: name) { throw UsageError("\(place): \(name) \(fault)") }
        values[name] = value
    }

    /// What no value of a setting can have in it, in words that do not quote it; nil where there is nothing.
    static func fault(in value: String, of name: String) -> String? {
        if let scalar = value.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
            let number = String(scalar.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: 4 - number.count) + number
            return "has a control character in it, U+\(padded)"
                + (scalar == "\r" ? ", as a file with the line ends of Windows leaves it" : "") + ": take it out"
        }
        guard value.unicodeScalars.contains(where: \.properties.isWhitespace) else { return nil }
        if let next = (Settings.known.components(separatedBy: ", ") + ["DATABASE_URL"]).first(where: {
            value.range(of: "\\s\($0)\\s*=", options: .regularExpression) != nil
        }) {
            return "has \(next)= behind it: each setting has a line of its own"
        }
        let isURI = name == "DATABASE_URL" && value.contains("://")
        let isWord = Settings.names[name] != nil && !spaced.contains(name)
        guard isURI || isWord else { return nil }
        return "has a space in it"
            + (isURI ? ": in a URI it is written %20" : ", and takes none; a comment has a line of its own")
    }
}

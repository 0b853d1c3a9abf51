/// Describes missing fields, the commonest mistake of new integrations.
extension JSONDocument {
    /// Such as "`sent_at` is missing (`sentAt` was sent)".
    ///
    /// It quotes a sent name only if its letters match one of the known names, so it never quotes data.
    func missing(_ name: StaticString, of object: Index) -> String {
        let field = name.description
        let wanted = [field.filter { $0 != "_" }] + (JSONDocument.otherNames[field] ?? [])
        // The most likely name first.
        var sent: [String: String] = [:]
        for key in keys(of: object).prefix(JSONDocument.mostMembers) {
            guard let name = string(at: key), name != field, let letters = name.letters, sent[letters] == nil else {
                continue
            }
            sent[letters] = name
        }
        let instead = wanted.lazy.compactMap { sent[$0] }.first
        return "`\(field)` is missing" + (instead.map { " (`\($0)` was sent)" } ?? "")
    }

    /// How many members are searched. No honest client sends more, and a thousand events in a batch might lack a field.
    private static let mostMembers = 32

    /// Other names that people use for our fields, as ``Swift/String/letters``.
    private static let otherNames = [
        "app": ["application"],
        "at": ["timestamp", "time", "date", "ts", "occurredat", "eventtime", "createdat"],
        "events": ["event", "batch", "data"],
        "id": ["uuid", "eventid", "messageid", "deviceid", "installationid", "bundleid", "packagename", "appid"],
        "installation": ["install"],
        "kind": ["widgetkind", "provider", "name"],
        "platform": ["os", "system"],
        "sent_at": ["timestamp", "time", "senttime"],
        "type": ["event", "eventtype", "name"],
        "version": ["appversion", "versionname"],
        "widget": ["widgets"],
        "widgets": ["widget", "placements", "configurations", "list"],
    ]
}

extension String {
    /// Its ASCII letters and digits in lower case, without `_`, `-` and spaces; nil if there is anything else.
    var letters: String? {
        guard utf8.count <= 40 else { return nil }
        var letters = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": letters.unicodeScalars.append(scalar)
            case "A"..."Z": letters += scalar.properties.lowercaseMapping
            case "_", "-", " ": continue
            default: return nil
            }
        }
        return letters
    }
}

/// Names a field that is missing, and what was sent instead: the mistakes that integrations begin with.
extension JSONDocument {
    /// A sentence without its end: "`sent_at` is missing; `sentAt` was sent".
    ///
    /// It quotes a name that was sent only where its letters are those of a name below, so it quotes no data.
    func missing(_ name: StaticString, of object: Index) -> String {
        let field = name.description
        let wanted = [field.filter { $0 != "_" }] + (JSONDocument.otherNames[field] ?? [])
        // The most common one first.
        var sent: [String: String] = [:]
        for key in keys(of: object).prefix(JSONDocument.mostMembers) {
            guard let name = string(at: key), name != field, let letters = name.letters, sent[letters] == nil else {
                continue
            }
            sent[letters] = name
        }
        let instead = wanted.lazy.compactMap { sent[$0] }.first
        return "`\(field)` is missing" + (instead.map { "; `\($0)` was sent" } ?? "")
    }

    /// Nobody sends more fields in good faith; a thousand events may lack one.
    private static let mostMembers = 32

    /// Other names that people give to our fields, as ``Swift/String/letters``.
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
    /// ASCII letters and digits in lower case, without what joins words; nil if there is anything else.
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

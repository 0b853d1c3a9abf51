internal import CensusCore
internal import Crypto

/// Turns the records of another tool into v1 batches, each with one event and the time at which the tool's server received it.
package struct HistoryTranslator: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// A line as `widget-census import` takes it.
        case batch([UInt8])
        case ignored(Omission)
        /// Why it can't be counted.
        case failed(String)
    }

    /// Why a record doesn't count, although nothing is wrong with it.
    package enum Omission: Hashable, Sendable {
        case notInMapping
        /// The mapping lists the event under `ignore`.
        case listed
        /// None of the event's meanings applies.
        case noCondition
        /// A system on which no widgets are counted, such as the web.
        case platform(String)
        /// A debug build sent it.
        case test
    }

    package struct Translation: Hashable, Sendable {
        /// The event's name in the other tool; empty if there is none.
        package var event: String
        package var outcome: Outcome
    }

    package let format: HistoryFormat
    private let mapping: HistoryMapping
    /// The properties that the mapping names.
    let expected: [MappingUse.Scope: [MappingUse.Expected]]

    package init(_ format: HistoryFormat, _ mapping: HistoryMapping) {
        self.format = format.with(mapping.fields)
        self.mapping = mapping
        var expected: [MappingUse.Scope: [MappingUse.Expected]] = [
            .record: mapping.fields.map { .init(path: RecordPath($0.value), field: $0.key) }
        ]
        for (name, meanings) in mapping.events {
            let conditions = Set(meanings.flatMap(\.conditions.keys))
            expected[.event(name)] = conditions.map { .init(path: $0, field: "where") }
            for (index, meaning) in meanings.enumerated() { expected[.meaning(name, index)] = meaning.expected }
        }
        self.expected = expected
    }

    /// The names of the events that the mapping gives a meaning.
    package var events: some Collection<String> { mapping.events.keys }

    /// The channel that the mapping gives to all events, if reports don't count it.
    package var uncountedChannel: String? {
        mapping.constants["channel"].flatMap { $0 == Observation.Circumstances.countedChannel ? nil : $0 }
    }

    /// The app's names for widgets that the mapping translates.
    var translatedNames: Set<String> { Set(mapping.names.keys) }

    /// - Parameter use: learns which of the mapping's names the record has.
    package func translate(_ exported: ExportedRecord, _ use: inout MappingUse) -> Translation {
        guard !exported.isCutOff else {
            return Translation(event: "", outcome: .failed("the file ends within an array: the export was cut short"))
        }
        let record: RecordValue
        do throws(HistoryFailure) {
            record = try read(exported)
        } catch {
            return Translation(event: "", outcome: .failed(error.reason))
        }
        let name = record.first(format.event) ?? ""
        guard !name.isEmpty else {
            return Translation(event: "", outcome: .failed("the record has no event name (\(format.event.joined))"))
        }
        guard let meanings = mapping.events[name] else {
            let isListed = mapping.ignored.contains(name)
            return Translation(event: name, outcome: .ignored(isListed ? .listed : .notInMapping))
        }
        let properties = properties(of: record)
        func note(_ scope: MappingUse.Scope, _ value: RecordValue) {
            use.note(
                scope, value, columns: { exported.header?.columns(below: format.properties.first) ?? [] },
                expecting: expected[scope] ?? [])
        }
        note(.record, record)
        note(.event(name), properties)
        guard let index = meanings.firstIndex(where: { $0.applies(to: properties) }) else {
            return Translation(event: name, outcome: .ignored(.noCondition))
        }
        if format.test.contains(where: { record[$0].map { $0.count != 0 } ?? false }) {
            return Translation(event: name, outcome: .ignored(.test))
        }
        do throws(HistoryFailure) {
            guard let platform = try platform(of: record) else {
                return Translation(event: name, outcome: .ignored(.platform(record.first(format.platform) ?? "")))
            }
            note(.meaning(name, index), properties)
            var mapped = MappedProperties(properties, known: mapping.names, longestText: format.longestText)
            defer { use.note(names: mapped.names, translating: mapping.names) }
            return Translation(
                event: name, outcome: .batch(try batch(meanings[index], name, &mapped, properties, record, platform)))
        } catch {
            return Translation(event: name, outcome: .failed(error.reason))
        }
    }

    /// A message of the decoder about a batch, with the export's names for fields.
    package func translated(_ message: String, at pointer: String = "") -> String {
        let places: [RecordPath]? =
            switch pointer {
            case "/app/id": format.app
            case "/app/version": format.version
            case "/device/os_version": format.system
            default: nil
            }
        let message = message.replacing("`at`", with: "the time (\(format.time.joined))")
        return places.map { "\(message) (\($0.joined))" } ?? message
    }

    private func read(_ exported: ExportedRecord) throws(HistoryFailure) -> RecordValue {
        if let fault = exported.header?.fault { throw HistoryFailure(fault) }
        guard let header = exported.header else {
            guard let record = try? RecordValue(json: exported.bytes) else {
                throw HistoryFailure(exported.isUTF8 ? "the line is not JSON" : ExportedRecord.notUTF8)
            }
            // Converters from Parquet write objects as texts.
            guard let place = format.properties.first, let text = record[place]?.scalar,
                let properties = RecordValue(inText: text), let members = record.allMembers
            else { return record }
            return .members(Dictionary(members + [(place.description, properties)]) { $1 })
        }
        guard exported.isUTF8 else { throw HistoryFailure(ExportedRecord.notUTF8) }
        guard let fields = CSVRow.fields(of: exported.bytes, separator: header.separator) else {
            throw HistoryFailure("the row has a quote that is not closed")
        }
        guard fields.count == header.columns.count else {
            throw HistoryFailure("the row has \(fields.count) fields, and the header \(header.columns.count)")
        }
        // An empty field is a missing one.
        let members = zip(header.columns, fields).filter { !$0.1.isEmpty }
            .map { ($0, RecordValue(inText: $1) ?? .text($1)) }
        return .members(Dictionary(members) { first, _ in first })
    }

    /// What the app sent with the event. GA4's export has a list of keys with a value of one of four types, TelemetryDeck's one of
    /// texts with a colon.
    private func properties(of record: RecordValue) -> RecordValue {
        guard let place = format.properties.first else { return record }
        guard let value = record[place] else { return record.members(below: place) ?? record }
        guard let elements = value.elements else { return value }
        var members: [String: RecordValue] = [:]
        for element in elements {
            if let key = element["key"]?.scalar, let types = element["value"] {
                members[key] =
                    types["string_value"] ?? types["int_value"] ?? types["double_value"] ?? types["float_value"]
            } else if let pair = element.scalar?.split(separator: ":", maxSplits: 1), pair.count == 2 {
                members[String(pair[0])] = .text(String(pair[1]))
            }
        }
        return .members(members)
    }

    /// - Returns: nil for one on which no widgets are counted.
    private func platform(of record: RecordValue) throws(HistoryFailure) -> Platform? {
        let names = format.platform.compactMap { record[$0]?.scalar }
        for name in names {
            if let platform = Platform(otherName: name) { return platform }
            if Platform.isOther(name) { return nil }
        }
        guard let name = names.first else {
            if let platform = mapping.constants["platform"].flatMap(Platform.init(otherName:)) { return platform }
            throw HistoryFailure("the record has no platform; give `platform` in the mapping")
        }
        throw HistoryFailure(
            "the platform \(name.prefix(40)) is none of \(Platform.allCases.map(\.rawValue).joined(separator: ", "))")
    }

    private func batch(
        _ event: HistoryMapping.Event, _ name: String, _ mapped: inout MappedProperties, _ properties: RecordValue,
        _ record: RecordValue, _ platform: Platform
    ) throws(HistoryFailure) -> [UInt8] {
        let at = try happened(record)
        let received = max(try time(format.received, of: record) ?? at, at)
        let device = try device(of: record)
        guard let app = record.first(format.app) ?? mapping.constants["app"] else {
            throw HistoryFailure("the record has no app id; give `app` in the mapping")
        }
        guard let version = record.first(format.version) ?? mapping.constants["version"] else {
            throw HistoryFailure(
                "the record has no app version (\(format.version.joined)); give `version` in the mapping")
        }
        let content = try mapped.content(of: event)
        let id = id(of: record, named: name, at, device, properties, content, on: event.surface)
        let happened = at.description
        let arrived = received == at ? happened : received.description
        var json = JSONBuilder()
        json.object { json in
            json.member("received_at", arrived)
            json.member("sent_at", arrived)
            json.member("app") {
                $0.object { json in
                    json.member("id", app)
                    json.member("version", version)
                    if let channel = mapping.constants["channel"] { json.member("channel", channel) }
                }
            }
            json.member("device") {
                $0.object { json in
                    json.member("id", device)
                    json.member("platform", platform.rawValue)
                    if let system = record.first(format.system) { json.member("os_version", system.withoutSystemName) }
                }
            }
            json.member("installation") { $0.object { json in json.member("id", device) } }
            json.member("events") { json in
                json.array([0]) { json, _ in
                    json.object { json in
                        json.member("id", id)
                        json.member("at", happened)
                        if let surface = event.surface { json.member("surface", surface) }
                        content.write(to: &json)
                    }
                }
            }
        }
        return json.bytes
    }

    private func happened(_ record: RecordValue) throws(HistoryFailure) -> Timestamp {
        let form = "; write it as 2026-11-01T10:00:00Z, or as seconds, milliseconds or microseconds since 1970"
        guard let place = record.place(format.time)?.path else {
            throw HistoryFailure("the record has no time (\(format.time.joined))")
        }
        guard let time = try time(format.time, of: record, isLocal: format.name == .mixpanel) else {
            throw HistoryFailure("`\(place)` can't be read" + form)
        }
        guard time >= .firstWidgets else {
            throw HistoryFailure("`\(place)` is before 2009, when phones had no widgets yet" + form)
        }
        return time
    }

    /// - Parameter isLocal: numbers count from 1970 in the mapping's zone, as in Mixpanel's projects from before 2023.
    /// - Returns: nil if none of the places has a time that can be read.
    private func time(
        _ places: [RecordPath], of record: RecordValue, isLocal: Bool = false
    ) throws(HistoryFailure) -> Timestamp? {
        for place in places {
            guard let value = record[place],
                let time = Timestamp(exported: value, in: mapping.zone, isLocal: isLocal)
            else { continue }
            guard time <= .now + .hours(1) else { throw HistoryFailure("`\(place)` is in the future") }
            return time
        }
        return nil
    }

    private func device(of record: RecordValue) throws(HistoryFailure) -> String {
        guard let (place, id) = record.place(format.device) else {
            throw HistoryFailure("the record has no device id (\(format.device.joined))")
        }
        if let flaw = RawID.flaw(of: id)?.flaw { throw HistoryFailure("`\(place)` \(flaw)") }
        return id
    }

    /// The event's own id, or one that another export of the same event has, too.
    private func id(
        of record: RecordValue, named name: String, _ at: Timestamp, _ device: String, _ properties: RecordValue,
        _ content: EventContent, on surface: String?
    ) -> String {
        if let id = record.first(format.id) {
            // The limit of an event's id.
            return id.utf8.count <= 100 ? id : SHA256.hash(data: Array(id.utf8)).prefix(16).hexadecimal
        }
        guard format.name == .ga4, format.properties.contains(where: { record[$0] != nil }),
            let members = properties.allMembers
        else {
            var json = JSONBuilder()
            json.object { json in
                json.member("event", name)
                json.member("device", device)
                json.member("at", at.description)
                json.member("surface", surface)
                content.write(to: &json)
            }
            return SHA256.hash(data: json.bytes).prefix(16).hexadecimal
        }
        // The table of the day differs from the one of the hours before it in everything but this.
        let parameters = members.map { "\($0.name)=\($0.value.scalar ?? "")" }.sorted()
        let identity = ([name, device, String(at.microseconds)] + parameters).joined(separator: "\n")
        return SHA256.hash(data: Array(identity.utf8)).prefix(16).hexadecimal
    }
}

extension HistoryMapping.Event {
    fileprivate func applies(to properties: RecordValue) -> Bool {
        conditions.allSatisfy { properties[$0.key]?.scalar == $0.value }
    }
}

extension HistoryFormat {
    fileprivate func with(_ fields: [String: String]) -> HistoryFormat {
        var format = self
        for (name, place) in fields {
            let places = [RecordPath(place)]
            switch name {
            case "event": format.event = places
            case "time": format.time = places
            case "received": format.received = places
            case "device": format.device = places
            case "id": format.id = places
            case "app": format.app = places
            case "version": format.version = places
            case "platform": format.platform = places
            case "os_version": format.system = places
            case "properties": format.properties = places
            default: break
            }
        }
        return format
    }
}

extension [RecordPath] {
    fileprivate var joined: String { map(\.description).joined(separator: ", ") }
}

extension RecordValue {
    fileprivate func first(_ places: [RecordPath]) -> String? { place(places)?.text }

    /// The first of the places that has a value.
    fileprivate func place(_ places: [RecordPath]) -> (path: RecordPath, text: String)? {
        // Not lazily mapped, which looks each value up twice.
        for place in places {
            if let text = self[place]?.scalar { return (place, text) }
        }
        return nil
    }

    /// A table's columns whose names begin with a path; nil if there are none.
    fileprivate func members(below path: RecordPath) -> RecordValue? {
        guard case .members(let members) = self else { return nil }
        let prefix = "\(path)."
        let below = members.compactMap {
            $0.key.hasPrefix(prefix) ? (String($0.key.dropFirst(prefix.count)), $0.value) : nil
        }
        return below.isEmpty ? nil : .members(Dictionary(below) { first, _ in first })
    }
}

extension Platform {
    /// As other tools call it, in any case.
    init?(otherName name: String) {
        switch name.lowercased() {
        case "ios", "iphone os", "iphone": self = .ios
        case "ipados", "ipad", "ipad os": self = .ipados
        case "macos", "mac os x", "mac os", "osx": self = .macos
        case "watchos": self = .watchos
        case "visionos": self = .visionos
        case "android": self = .android
        default: return nil
        }
    }

    /// Whether it is a system on which no widgets are counted.
    fileprivate static func isOther(_ name: String) -> Bool {
        ["web", "windows", "linux", "chrome os", "tvos", "roku", "server"].contains(name.lowercased())
    }
}

extension String {
    /// `iOS 17.5` is version 17.5.
    fileprivate var withoutSystemName: String {
        guard let space = lastIndex(of: " "), Platform(otherName: String(self[..<space])) != nil else { return self }
        return String(self[index(after: space)...])
    }
}

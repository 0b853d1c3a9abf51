internal import CensusCore
internal import Crypto

/// Turns the records of another tool into v1 batches, each with one event and the time at which the tool's server received it.
package struct HistoryTranslator: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// A line as `widget-census import` takes it.
        case batch([UInt8])
        /// The mapping says nothing of this event, or says that it doesn't matter.
        case ignored(isMapped: Bool)
        /// Why it can't be counted.
        case failed(String)
    }

    package struct Translation: Hashable, Sendable {
        /// The event's name in the other tool; empty if there is none.
        package var event: String
        package var outcome: Outcome
    }

    private let format: HistoryFormat
    private let mapping: HistoryMapping
    /// The names of a CSV file's columns.
    private let columns: [String]

    /// - Parameter header: the first line of a CSV file; nil for other formats.
    package init(_ format: HistoryFormat, _ mapping: HistoryMapping, header: [UInt8]? = nil) {
        self.format = format.with(mapping.fields)
        self.mapping = mapping
        columns = header.map { CSVLine.fields(of: $0) } ?? []
    }

    package func translate(_ line: [UInt8]) -> Translation {
        let record: RecordValue
        do throws(Failure) {
            record = try read(line)
        } catch {
            return Translation(event: "", outcome: .failed(error.reason))
        }
        let name = record.first(format.event) ?? ""
        guard !name.isEmpty else {
            return Translation(
                event: "", outcome: .failed("the record has no event name (\(format.event.joined(separator: ", ")))"))
        }
        guard let meanings = mapping.events[name] else {
            return Translation(event: name, outcome: .ignored(isMapped: mapping.ignored.contains(name)))
        }
        let properties = properties(of: record)
        guard let event = meanings.first(where: { $0.applies(to: properties) }) else {
            return Translation(event: name, outcome: .ignored(isMapped: true))
        }
        do throws(Failure) {
            return Translation(event: name, outcome: .batch(try batch(event, properties, record, line)))
        } catch {
            return Translation(event: name, outcome: .failed(error.reason))
        }
    }

    private struct Failure: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private func read(_ line: [UInt8]) throws(Failure) -> RecordValue {
        guard format.name == .csv else {
            guard let record = try? RecordValue(json: line) else { throw Failure("the line is not JSON") }
            return record
        }
        let fields = CSVLine.fields(of: line)
        guard fields.count == columns.count else {
            throw Failure("the line has \(fields.count) fields, and the header \(columns.count)")
        }
        // An empty field is a missing one.
        let members = zip(columns, fields).filter { !$0.1.isEmpty }.map { ($0, RecordValue.text($1)) }
        return .members(Dictionary(members) { first, _ in first })
    }

    /// What the app sent with the event. GA4's export has a list of keys with a value of one of four types.
    private func properties(of record: RecordValue) -> RecordValue {
        guard let place = format.properties.first, let value = record[place] else { return record }
        guard let parameters = value.elements else { return value }
        var members: [String: RecordValue] = [:]
        for parameter in parameters {
            guard let key = parameter["key"]?.scalar, let types = parameter["value"]?.allMembers else { continue }
            members[key] = types.lazy.compactMap { parameter["value"]?[$0.name] }.first
        }
        return .members(members)
    }

    private func batch(
        _ event: HistoryMapping.Event, _ properties: RecordValue, _ record: RecordValue, _ line: [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard let at = record.time(format.time) else {
            throw Failure("the record has no time (\(format.time.joined(separator: ", ")))")
        }
        let received = max(record.time(format.received) ?? at, at)
        guard let device = record.first(format.device) else {
            throw Failure("the record has no device id (\(format.device.joined(separator: ", ")))")
        }
        guard let app = record.first(format.app) ?? mapping.constants["app"] else {
            throw Failure("the record has no app id; give `app` in the mapping")
        }
        guard let version = record.first(format.version) ?? mapping.constants["version"] else {
            throw Failure(
                "the record has no app version (\(format.version.joined(separator: ", "))); give `version` in the mapping"
            )
        }
        let named = record.first(format.platform) ?? mapping.constants["platform"]
        guard let platform = named.flatMap({ Platform(otherName: $0) }) else {
            throw Failure(
                named == nil
                    ? "the record has no platform; give `platform` in the mapping"
                    : "the platform is none of \(Platform.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let widgets = try widgets(of: event, properties)
        let id = record.first(format.id) ?? SHA256.hash(data: line).prefix(16).hexadecimal
        var json = JSONBuilder()
        json.object { json in
            json.member("received_at", received.description)
            json.member("sent_at", received.description)
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
                        json.member("at", at.description)
                        if let surface = event.surface { json.member("surface", surface) }
                        widgets.write(to: &json)
                    }
                }
            }
        }
        return json.bytes
    }

    /// What an event says about widgets.
    private enum Content {
        case change(String, [(name: String, value: String)])
        case list([(widget: HistoryMapping.Named, count: Int)])
        case readFailed(String)
        case opened

        func write(to json: inout JSONBuilder) {
            switch self {
            case .change(let type, let members):
                json.member("type", type)
                json.member("widget") {
                    $0.object { json in for (name, value) in members { json.member(name, value) } }
                }
            case .list(let widgets):
                json.member("type", "widgets_reported")
                json.member("widgets") {
                    $0.array(widgets) { json, listed in
                        json.object { json in
                            json.member("kind", listed.widget.kind)
                            if let family = listed.widget.family { json.member("family", family) }
                            if listed.count != 1 { json.member("count", listed.count) }
                        }
                    }
                }
            case .readFailed(let reason):
                json.member("type", "widgets_reported")
                json.member("error") {
                    $0.object { json in
                        json.member("domain", reason)
                        json.member("code", 0)
                    }
                }
            case .opened: json.member("type", "app_opened")
            }
        }
    }

    private func widgets(of event: HistoryMapping.Event, _ properties: RecordValue) throws(Failure) -> Content {
        if let error = event.error.flatMap({ properties[$0]?.scalar }), error != "false", error != "0" {
            return .readFailed(String(error.prefix(100)))
        }
        switch event.meaning {
        case .opened: return .opened
        case .change(let type, let widget):
            guard let name = widget.kind.text(in: properties) else { throw Failure("the event names no kind") }
            let known = mapping.names[name]
            var members = [("kind", known?.kind ?? name)]
            if let family = widget.family?.text(in: properties) ?? known?.family { members.append(("family", family)) }
            for (name, source) in [
                ("intent", widget.intent), ("configuration", widget.configuration), ("instance", widget.instance),
            ] {
                if let value = source?.text(in: properties) { members.append((name, value)) }
            }
            return .change(type, members)
        case .list(let place, let separator, let item):
            // An empty text is an empty list. A missing one is not: the app might not have read it.
            guard let value = properties[place] else {
                throw Failure("the event has no list `\(place)`")
            }
            let names =
                value.elements?.compactMap(\.scalar)
                ?? (value.scalar ?? "").split(separator: separator).map(\.trimmed).filter { !$0.isEmpty }
            return .list(try names.map { name throws(Failure) in (try named(name, item), 1) })
        case .counts(let place, let item):
            guard let value = properties[place], let counts = value.allMembers else {
                throw Failure("the event has no object `\(place)` with counts")
            }
            return try listed(counts.map(\.name), in: value) { name throws(Failure) in try named(name, item) }
        case .flags(let flags): return try listed(flags.keys, in: properties) { flags[$0] }
        }
    }

    /// The widgets whose count is above 0.
    private func listed(
        _ names: some Sequence<String>, in counts: RecordValue,
        as widget: (String) throws(Failure) -> HistoryMapping.Named?
    ) throws(Failure) -> Content {
        var widgets: [(widget: HistoryMapping.Named, count: Int)] = []
        for name in names.sorted() {
            guard let value = counts[name] else { continue }
            guard let count = value.count, count >= 0 else { throw Failure("`\(name)` is not a count") }
            if count > 0, let widget = try widget(name) { widgets.append((widget, count)) }
        }
        return .list(widgets)
    }

    private func named(_ name: String, _ item: HistoryMapping.Pattern) throws(Failure) -> HistoryMapping.Named {
        if let known = mapping.names[name] { return known }
        guard let read = item.read(name) else { throw Failure("a widget's name is not made as `item` says") }
        guard let known = mapping.names[read.kind] else { return read }
        return HistoryMapping.Named(kind: known.kind, family: read.family ?? known.family)
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
            switch name {
            case "event": format.event = [place]
            case "time": format.time = [place]
            case "received": format.received = [place]
            case "device": format.device = [place]
            case "id": format.id = [place]
            case "app": format.app = [place]
            case "version": format.version = [place]
            case "platform": format.platform = [place]
            case "os_version": format.system = [place]
            case "properties": format.properties = [place]
            default: break
            }
        }
        return format
    }
}

extension RecordValue {
    fileprivate func first(_ places: [String]) -> String? { places.lazy.compactMap { self[$0]?.scalar }.first }

    fileprivate func time(_ places: [String]) -> Timestamp? {
        places.lazy.compactMap { self[$0].flatMap { Timestamp(exported: $0) } }.first
    }
}

extension Timestamp {
    /// Seconds, milliseconds or microseconds since 1970, or a time with or without a `T` and a zone; without one it is UTC.
    init?(exported value: RecordValue) {
        guard let text = value.scalar else { return nil }
        if let number = Double(text) {
            let microseconds = number < 1e11 ? number * 1e6 : number < 1e14 ? number * 1e3 : number
            guard microseconds > 0, microseconds < 1e16 else { return nil }
            self.init(microseconds: Int64(microseconds))
            return
        }
        var time = text.hasSuffix(" UTC") ? String(text.dropLast(4)) : text
        if time.count > 10, time.dropFirst(10).hasPrefix(" ") { time = time.prefix(10) + "T" + time.dropFirst(11) }
        let hasZone = time.hasSuffix("Z") || time.dropFirst(19).contains { $0 == "+" || $0 == "-" }
        self.init(rfc3339: hasZone ? time : time + "Z")
    }
}

extension Platform {
    /// As other tools call it, in any case.
    init?(otherName name: String) {
        switch name.lowercased() {
        case "ios", "iphone os", "iphone": self = .ios
        case "ipados", "ipad": self = .ipados
        case "macos", "mac os x", "mac os", "osx": self = .macos
        case "watchos": self = .watchos
        case "visionos": self = .visionos
        case "android": self = .android
        default: return nil
        }
    }
}

extension String {
    /// `iOS 17.5` is version 17.5.
    fileprivate var withoutSystemName: String {
        guard let space = lastIndex(of: " "), Platform(otherName: String(self[..<space])) != nil else { return self }
        return String(self[index(after: space)...])
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

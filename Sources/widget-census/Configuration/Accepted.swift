internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

/// The values that an option, an argument or a setting accepts: a description, and a parser.
///
/// Help and error messages share the description, and a value out of bounds is rejected before any work begins.
struct Accepted<Value: Sendable>: Sendable {
    /// Continues "it must be", for example "a whole number from 1 to 400".
    let words: String
    /// Shown in parentheses in help; nil if help needs none.
    let range: String?
    /// Whether a value that begins with a minus is a number, not an option.
    let isNumber: Bool
    /// For an option that is required otherwise.
    private(set) var standard: Value?
    private let read: @Sendable (String) -> Value?

    init(_ words: String, range: String? = nil, isNumber: Bool = false, _ read: @escaping @Sendable (String) -> Value?)
    {
        self.words = words
        self.range = range
        self.isNumber = isNumber
        self.read = read
    }

    /// - Throws: ``ValidationError`` with the description.
    @Sendable func parse(_ text: String) throws -> Value {
        guard let value = read(text) else { throw ValidationError("it must be \(words)") }
        return value
    }

    /// - Throws: ``UsageError`` with the setting's name and the description.
    func parse(_ text: String, named name: String) throws -> Value {
        guard let value = read(text) else {
            // Before an @ there might be a password.
            throw UsageError("\(name) \(text.contains("@") ? "" : "is \(text.brief); it ")must be \(words)")
        }
        return value
    }
}

extension Accepted where Value: FixedWidthInteger {
    /// - Parameter unit: after "a number of"; nil for a bare number.
    static func whole(_ bounds: ClosedRange<Value>, of unit: String? = nil) -> Accepted {
        let range =
            bounds.upperBound == .max ? "\(bounds.lowerBound) or more" : "\(bounds.lowerBound) to \(bounds.upperBound)"
        let from = bounds.upperBound == .max ? range : "from \(range)"
        return Accepted(
            unit.map { "a number of \($0) \(from)" } ?? "a whole number \(from)", range: range, isNumber: true
        ) { text in
            Value(text).flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}

extension Accepted<Int> {
    static let port = Accepted("a port number from 0 to 65535", range: "0 to 65535", isNumber: true) { text in
        Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }
    }
    /// Days for which a device counts, or on which a limit must hold.
    static let days = whole(AppSettings.days, of: "days")
    static let devices = whole(AppSettings.devices, of: "devices")
    static let names = whole(AppSettings.names, of: "names")
    static let retention = whole(Retention.bounds, of: "days")
    /// Per second; 0 for no limit.
    static let rate = whole(0...1_000_000_000)
    static let connections = whole(1...1_000_000)
    /// Past events that `tail` shows first.
    static let last = whole(0...1_000, of: "events")
}

extension Accepted<Int64> {
    static let webhook = Accepted("a webhook's number, as `webhooks list` shows it", isNumber: true) { text in
        Int64(text).flatMap { $0 > 0 ? $0 : nil }
    }
}

extension Accepted<Double> {
    static let share = Accepted(
        "a share from 0 to 1, or 0% to 100%", range: "0 to 1, or 0% to 100%", isNumber: true
    ) { text in
        Double(share: text).flatMap { AppSettings.shares.contains($0) ? $0 : nil }
    }
    static let falseAlarms = number(AppSettings.alarms, "a number per year", "0.000001 to 10")

    /// - Parameter range: the bounds as text.
    static func number(_ bounds: ClosedRange<Double>, _ words: String, _ range: String) -> Accepted {
        Accepted("\(words) from \(range)", range: range, isNumber: true) { text in
            Double(digits: text[...]).flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}

extension Accepted<String> {
    /// Used to look up an app, so it accepts every id that was ever allowed.
    static let app = text(1...200, "an app id of 1 to 200 characters", default: Settings.defaultApp)
    static let kind = text(1...200, "a widget kind of 1 to 200 characters")
    static let family = text(1...200, "a family of 1 to 200 characters")
    static let version = text(1...200, "a version of 1 to 200 characters")
    /// For acts, which are kept forever and shown.
    static let words = Accepted("a text of 1 to 1000 characters, in one line") {
        ActWords.acceptsName($0) ? $0 : nil
    }
    static let reason = Accepted("a reason of 1 to 1000 characters, with a letter or digit, in place of the dots") {
        ActWords.acceptsReason($0) ? $0 : nil
    }
    static let path = text(1...4_096, "a path that is not empty")
    static let address = text(1...253, "an address or a host name")
    static let url = text(1...2_000, "a URL such as https://hooks.example.com/census")
    static let newApp = Accepted("\(AppRegistry.idInWords)") { AppRegistry.accepts(id: $0) ? $0 : nil }
    static let analyst = Accepted("a name of 1 to 63 characters: a-z, 0-9 and _") { name in
        name.wholeMatch(of: /[a-z_][a-z0-9_]{0,62}/) == nil ? nil : name
    }
    static let channel = Accepted("a channel name other than production, 1 to 30 of a-z, 0-9, _ and -") { name in
        name.wholeMatch(of: /[a-z0-9_-]{1,30}/) == nil || name == Observation.Circumstances.countedChannel ? nil : name
    }
    static let key = Accepted("a key's name: twelve hexadecimal digits, as `keys list` shows") { text in
        text.wholeMatch(of: /[0-9a-f]{12}/) == nil ? nil : text
    }
    static let fingerprint = Accepted("a fingerprint: twelve hexadecimal digits, as `preflight` prints") { text in
        text.wholeMatch(of: /[0-9a-f]{12}/) == nil ? nil : text
    }

    /// Excludes U+0000, which PostgreSQL can't store.
    static func text(_ length: ClosedRange<Int>, _ words: String, default standard: String? = nil) -> Accepted {
        var accepted = Accepted(words) { text in
            length.contains(text.unicodeScalars.count) && !text.utf8.contains(0) ? text : nil
        }
        accepted.standard = standard
        return accepted
    }
}

extension Accepted {
    var parsing: SingleValueParsingStrategy { isNumber ? .unconditional : .next }

    fileprivate func help(_ text: String, _ valueName: String?) -> ArgumentHelp {
        ArgumentHelp(stringLiteral: range.map { "\(text.dropLast()) (\($0))." } ?? text).named(valueName)
    }
}

extension ArgumentHelp {
    fileprivate func named(_ valueName: String?) -> ArgumentHelp {
        var help = self
        if let valueName { help.valueName = valueName }
        return help
    }
}

extension Accepted<URL> {
    /// Spans go to `/v1/traces` below it. It is printed, so it must have no credentials, which wouldn't be sent either.
    static let collector = Accepted(
        "the base URL of a collector, without credentials, query and /v1/traces, such as http://127.0.0.1:4318"
    ) { text in
        guard let url = Accepted.server(text), url.user == nil, url.password == nil, url.query == nil,
            url.fragment == nil, !url.path.hasSuffix("/v1/traces"), !url.path.hasSuffix("/v1/traces/")
        else { return nil }
        return url
    }

    private static func server(_ text: String) -> URL? {
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), let url = URL(string: text),
            url.host?.isEmpty == false, (1...65_535).contains(url.port ?? 80)
        else { return nil }
        return url
    }

    static let server = Accepted("a server's URL, such as http://127.0.0.1:8080") { server($0) }
}

extension Option {
    /// - Parameter help: a sentence; the bounds are inserted before its full stop.
    init(_ accepted: Accepted<Value>, _ help: String, name valueName: String? = nil) where Value: Sendable {
        if let standard = accepted.standard {
            self.init(wrappedValue: standard, accepted, help, name: valueName)
        } else {
            self.init(parsing: accepted.parsing, help: accepted.help(help, valueName), transform: accepted.parse)
        }
    }

    init(wrappedValue: Value, _ accepted: Accepted<Value>, _ help: String, name valueName: String? = nil)
    where Value: Sendable {
        self.init(
            wrappedValue: wrappedValue, parsing: accepted.parsing, help: accepted.help(help, valueName),
            transform: accepted.parse)
    }

    /// - Parameter names: of the option itself, if its property has another.
    init(_ accepted: Accepted<Value>, named names: NameSpecification, _ help: String, name valueName: String)
    where Value: Sendable {
        self.init(
            name: names, parsing: accepted.parsing, help: accepted.help(help, valueName), transform: accepted.parse)
    }

    init<T: Sendable>(_ accepted: Accepted<T>, _ help: String, name valueName: String? = nil) where Value == T? {
        self.init(parsing: accepted.parsing, help: accepted.help(help, valueName), transform: accepted.parse)
    }
}

extension Argument {
    init(_ accepted: Accepted<Value>, _ help: String, name valueName: String? = nil) where Value: Sendable {
        self.init(help: accepted.help(help, valueName), transform: accepted.parse)
    }

    init<T: Sendable>(_ accepted: Accepted<T>, _ help: String, name valueName: String? = nil) where Value == T? {
        self.init(help: accepted.help(help, valueName), transform: accepted.parse)
    }

    /// One or more.
    init<T: Sendable>(_ accepted: Accepted<T>, _ help: String, name valueName: String? = nil) where Value == [T] {
        self.init(help: accepted.help(help, valueName), transform: accepted.parse)
    }
}

extension String {
    private static let longest = 60

    /// Shortened for quoting in a message.
    var brief: String { count > String.longest ? "\(prefix(String.longest))… (\(utf8.count) bytes)" : self }
}

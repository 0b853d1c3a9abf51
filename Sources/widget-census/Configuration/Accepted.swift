internal import ArgumentParser
internal import CensusCore
internal import CensusStore

/// What a flag, an argument or a setting takes: in words, and as it is read.
///
/// Each is made once, below. Help and refusals say its words, so that a value out of bounds is refused before any work begins.
struct Accepted<Value: Sendable>: Sendable {
    /// After "it is": a whole number from 1 to 400.
    let words: String
    /// For help, in brackets; nil where that would say nothing.
    let range: String?
    /// A number may begin with a minus, which does not make it an option.
    let isNumber: Bool
    private let read: @Sendable (String) -> Value?

    init(_ words: String, range: String? = nil, isNumber: Bool = false, _ read: @escaping @Sendable (String) -> Value?)
    {
        self.words = words
        self.range = range
        self.isNumber = isNumber
        self.read = read
    }

    /// - Throws: ``ValidationError`` that says the words.
    @Sendable func parse(_ text: String) throws -> Value {
        guard let value = read(text) else { throw ValidationError("it is \(words)") }
        return value
    }

    /// - Throws: ``UsageError`` that names the setting and says the words.
    func parse(_ text: String, named name: String) throws -> Value {
        guard let value = read(text) else { throw UsageError("\(name) is \(text.brief); it is \(words)") }
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
            unit.map { "a number of \($0), \(range)" } ?? "a whole number \(from)", range: range, isNumber: true
        ) { text in
            Value(text).flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}

extension Accepted<Int> {
    static let port = Accepted("a port, a number from 0 to 65535", range: "0 to 65535", isNumber: true) { text in
        Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }
    }
    /// Days that devices count for, or on which a limit must hold.
    static let days = whole(AppSettings.days, of: "days")
    static let devices = whole(AppSettings.devices, of: "devices")
    static let names = whole(AppSettings.names, of: "names")
    static let retention = whole(Retention.bounds, of: "days")
    /// Per second; zero means no limit.
    static let rate = whole(0...1_000_000_000)
    static let connections = whole(1...1_000_000)
    /// Past events that are shown first.
    static let last = whole(0...1_000, of: "events")
}

extension Accepted<Int64> {
    static let webhook = Accepted("a webhook's number, as `webhooks list` shows it", isNumber: true) { text in
        Int64(text).flatMap { $0 > 0 ? $0 : nil }
    }
}

extension Accepted<Double> {
    static let share = number(AppSettings.shares, "a share", "0 to 1")
    static let falseAlarms = number(AppSettings.alarms, "a number a year", "0.000001 to 10")

    /// - Parameter range: as people write the bounds.
    static func number(_ bounds: ClosedRange<Double>, _ words: String, _ range: String) -> Accepted {
        Accepted("\(words) from \(range)", range: range, isNumber: true) { text in
            // Not "inf", "nan" or "0x1p3", which Swift reads, too.
            guard text.utf8.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { bounds.contains($0) ? $0 : nil }
        }
    }
}

extension Accepted<String> {
    /// Looked up, so any id is accepted that an app was once added under.
    static let app = text(1...200, "an app id, 1 to 200 characters")
    static let kind = text(1...200, "a widget's kind, 1 to 200 characters")
    static let version = text(1...200, "a version, 1 to 200 characters")
    /// Acts are kept forever and shown.
    static let words = text(1...1_000, "a text of 1 to 1000 characters")
    /// The commands that we print have dots in place of it.
    static let reason = Accepted("a reason, 1 to 1000 characters, in place of the dots") { text in
        text.contains(where: \.isLetter) ? words.read(text) : nil
    }
    static let path = text(1...4_096, "a path, which is not empty")
    static let address = text(1...253, "an address or a host's name")
    static let url = text(1...2_000, "a URL such as https://hooks.example.com/census")
    static let newApp = Accepted("\(AppRegistry.idInWords)") { AppRegistry.accepts(id: $0) ? $0 : nil }
    static let analyst = Accepted("a name of 1 to 63 characters: a-z, 0-9 and _") { name in
        name.wholeMatch(of: /[a-z_][a-z0-9_]{0,62}/) == nil ? nil : name
    }
    static let channel = Accepted("a channel's name, 1 to 30 of a-z, 0-9, _ and -, and not production") { name in
        name.wholeMatch(of: /[a-z0-9_-]{1,30}/) == nil || name == Observation.Circumstances.countedChannel ? nil : name
    }
    static let key = Accepted("a key's name, the twelve hexadecimal digits that `keys list` shows") { text in
        text.wholeMatch(of: /[0-9a-f]{12}/) == nil ? nil : text
    }
    static let fingerprint = Accepted("a finding's twelve hexadecimal digits, as `preflight` prints them") { text in
        text.wholeMatch(of: /[0-9a-f]{12}/) == nil ? nil : text
    }

    /// Without U+0000, which PostgreSQL can't store.
    static func text(_ length: ClosedRange<Int>, _ words: String) -> Accepted {
        Accepted(words) { text in
            length.contains(text.unicodeScalars.count) && !text.utf8.contains(0) ? text : nil
        }
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

extension Option {
    /// - Parameter help: a sentence; its bounds are put before the full stop.
    init(_ accepted: Accepted<Value>, _ help: String, name valueName: String? = nil) where Value: Sendable {
        self.init(
            parsing: accepted.parsing, help: accepted.help(help, valueName), transform: accepted.parse)
    }

    init(wrappedValue: Value, _ accepted: Accepted<Value>, _ help: String, name valueName: String? = nil)
    where Value: Sendable {
        self.init(
            wrappedValue: wrappedValue, parsing: accepted.parsing, help: accepted.help(help, valueName),
            transform: accepted.parse)
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
}

extension String {
    private static let longest = 60

    /// For a message, which should not be drowned by what it quotes.
    var brief: String { count > String.longest ? "\(prefix(String.longest))… (\(utf8.count) bytes)" : self }
}

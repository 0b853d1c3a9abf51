internal import CensusCore

/// What one Swift file says about widgets: configurations, and constants that these can refer to.
struct SwiftSource: Sendable {
    /// A widget configuration, such as `StaticConfiguration(kind: …)`, with its modifiers.
    struct Configuration: Sendable {
        /// `StaticConfiguration`, or another of ``SwiftSource/configurations``.
        var name: String
        var arguments: [Argument]
        /// Of each `.supportedFamilies(…)`.
        var families: [[SwiftToken]] = []
        /// The types around it, outermost first.
        var types: [String]
        var line: Int

        subscript(label: String) -> [SwiftToken]? { arguments.first { $0.label == label }?.value }
    }

    struct Argument: Sendable {
        var label: String?
        var value: [SwiftToken]
    }

    /// The value of a property or of an enum's case.
    struct Constant: Sendable {
        var value: [SwiftToken]
        var types: [String]
        var path: String
    }

    static let configurations: Set<String> = [
        "StaticConfiguration", "IntentConfiguration", "AppIntentConfiguration", "ActivityConfiguration",
        "StaticControlConfiguration", "AppIntentControlConfiguration",
    ]

    /// Relative to the folder that is read.
    let path: String
    private(set) var configurations: [Configuration] = []
    /// By the type's name and the member's; the type of globals is empty.
    private(set) var constants: [String: [String: [Constant]]] = [:]
    /// The names of types, by the type that declares them and the alias.
    private(set) var aliases: [String: [String: String]] = [:]
    /// The arguments of `.supportedFamilies` that are no part of a configuration's modifiers, by the type around them.
    private(set) var looseFamilies: [String: [[SwiftToken]]] = [:]

    /// Emptied once they are read.
    private var tokens: [SwiftToken]
    private var scopes: [Scope] = []
    private var pending: Scope?
    /// The positions of `supportedFamilies` that belong to configurations.
    private var taken: Set<Int> = []

    private struct Scope {
        /// Nil: the braces of something other than a type.
        var type: String?
        var isEnum = false
    }

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.tokens = SwiftTokenizer.tokens(of: bytes)
        for position in tokens.indices { read(position) }
        tokens = []
    }

    private mutating func read(_ position: Int) {
        let token = tokens[position]
        if token.isSign("{") {
            scopes.append(pending ?? Scope())
            pending = nil
        } else if token.isSign("}") {
            _ = scopes.popLast()
        } else if let word = token.word {
            read(word, position)
        }
    }

    private mutating func read(_ word: String, _ position: Int) {
        let isMember = position > 0 && tokens[position - 1].isSign(".")
        switch word {
        case "struct", "class", "enum", "actor", "extension", "protocol":
            if !isMember { readType(word, position) }
        case "let", "var": if !isMember { readConstant(position) }
        case "case": if scopes.last?.isEnum == true { readCases(position) }
        case "typealias": readAlias(position)
        case "configuration": readParameter(position)
        case "supportedFamilies" where isMember && !taken.contains(position):
            if let value = arguments(at: position + 1)?.list.first?.value {
                looseFamilies[types.last ?? "", default: []].append(value)
            }
        case _ where SwiftSource.configurations.contains(word): readConfiguration(word, position)
        default: break
        }
    }

    private var types: [String] { scopes.compactMap(\.type) }

    private func word(_ position: Int) -> String? { tokens.indices.contains(position) ? tokens[position].word : nil }

    private func isSign(_ sign: Character, at position: Int) -> Bool {
        tokens.indices.contains(position) && tokens[position].isSign(sign)
    }

    private mutating func readType(_ keyword: String, _ position: Int) {
        guard var name = word(position + 1), !["func", "var", "let", "subscript", "init"].contains(name) else { return }
        var end = position + 2
        // An extension can name a nested type.
        while isSign(".", at: end), let next = word(end + 1) {
            name = next
            end += 2
        }
        pending = Scope(type: name, isEnum: keyword == "enum")
    }

    private mutating func readAlias(_ position: Int) {
        guard let name = word(position + 1), isSign("=", at: position + 2) else { return }
        var end = position + 3
        while isSign(".", at: end + 1), word(end + 2) != nil { end += 2 }
        if let target = word(end) { aliases[types.last ?? "", default: [:]][name] = target }
    }

    /// A provider names its intent as a parameter's type: `currentValue(configuration: CityIntent)`.
    private mutating func readParameter(_ position: Int) {
        guard let type = types.last, isSign(":", at: position + 1), let intent = word(position + 2),
            intent.first?.isUppercase == true, isSign(")", at: position + 3) || isSign(",", at: position + 3)
        else { return }
        aliases[type, default: [:]]["configuration"] = intent
    }

    private mutating func readConstant(_ position: Int) {
        guard let name = word(position + 1) else { return }
        var end = position + 2
        if isSign(":", at: end) { end = endOfType(from: end + 1) }
        if isSign("=", at: end) {
            add(name, Array(tokens[(end + 1)..<endOfExpression(from: end + 1)]))
        } else if isSign("{", at: end), let close = closing(end) {
            add(name, SwiftSource.getter(Array(tokens[(end + 1)..<close])))
        }
    }

    /// The body of a computed property, without `get` and `return`.
    private static func getter(_ body: [SwiftToken]) -> [SwiftToken] {
        var body = body
        if body.first?.word == "get", body.count > 2, body[1].isSign("{") { body = Array(body.dropFirst(2).dropLast()) }
        return body.first?.word == "return" ? Array(body.dropFirst()) : body
    }

    private mutating func readCases(_ position: Int) {
        var next = position + 1
        while let name = word(next) {
            next += 1
            guard isSign("=", at: next) else {
                add(name, [SwiftToken(content: .text([.literal(name)]), line: tokens[position].line)])
                guard isSign(",", at: next) else { return }
                next += 1
                continue
            }
            let end = endOfExpression(from: next + 1)
            add(name, Array(tokens[(next + 1)..<end]))
            guard isSign(",", at: end) else { return }
            next = end + 1
        }
    }

    private mutating func add(_ name: String, _ value: [SwiftToken]) {
        guard SwiftSource.canMatter(value) else { return }
        constants[types.last ?? "", default: [:]][name, default: []].append(
            Constant(value: value, types: types, path: path))
    }

    /// Whether a value can be a kind or a list of families, or lead to one. Most values of an app can't, and they are many.
    private static func canMatter(_ value: [SwiftToken]) -> Bool {
        guard !value.isEmpty, value.count < 200 else { return false }
        return value.count < 8
            || value.contains {
                if case .text = $0.content { true } else { $0.word.map(WidgetKitFamily.names.contains) == true }
            }
    }

    private mutating func readConfiguration(_ name: String, _ position: Int) {
        var open = position + 1
        if isSign("<", at: open) {
            while open < tokens.count, !isSign(">", at: open), !isSign("{", at: open) { open += 1 }
            open += 1
        }
        guard let (list, close) = arguments(at: open) else { return }
        var configuration = Configuration(name: name, arguments: list, types: types, line: tokens[position].line)
        var next = afterClosures(close + 1)
        while isSign(".", at: next), let modifier = word(next + 1) {
            let place = next + 1
            next += 2
            if let (list, close) = arguments(at: next) {
                if modifier == "supportedFamilies" {
                    taken.insert(place)
                    if let value = list.first?.value { configuration.families.append(value) }
                }
                next = afterClosures(close + 1)
            } else {
                next = afterClosures(next)
            }
        }
        configurations.append(configuration)
    }
}

// Finding the ends of things.
extension SwiftSource {
    /// The position of the bracket that closes the one at `open`.
    private func closing(_ open: Int) -> Int? {
        var depth = 0
        for position in open..<tokens.count {
            if tokens[position].opens { depth += 1 }
            if tokens[position].closes {
                depth -= 1
                if depth == 0 { return position }
            }
        }
        return nil
    }

    /// The arguments in the parentheses that open there; nil if none do.
    private func arguments(at open: Int) -> (list: [Argument], close: Int)? {
        guard isSign("(", at: open), let close = closing(open) else { return nil }
        let inner = Array(tokens[(open + 1)..<close])
        return (inner.split(at: ",").map(SwiftSource.argument), close)
    }

    private static func argument(_ tokens: [SwiftToken]) -> Argument {
        guard tokens.count > 2, let label = tokens[0].word, tokens[1].isSign(":") else {
            return Argument(label: nil, value: tokens)
        }
        return Argument(label: label, value: Array(tokens.dropFirst(2)))
    }

    /// Skips trailing closures.
    private func afterClosures(_ position: Int) -> Int {
        var position = position
        while true {
            let isLabelled = word(position) != nil && isSign(":", at: position + 1)
            let open = isLabelled ? position + 2 : position
            guard isSign("{", at: open), let close = closing(open) else { return position }
            position = close + 1
        }
    }

    /// The position after a type annotation.
    private func endOfType(from start: Int) -> Int {
        var position = start
        while position < tokens.count {
            if isSign("=", at: position) || isSign("{", at: position) { return position }
            let isNewLine = position > start && tokens[position].line > tokens[position - 1].line
            if isNewLine, word(position) != nil || isSign("@", at: position) { return position }
            if tokens[position].isSign("(") || tokens[position].isSign("["), let close = closing(position) {
                position = close
            } else if tokens[position].closes {
                return position
            }
            position += 1
        }
        return position
    }

    /// The position after an expression, which ends with its line unless an operator continues it.
    private func endOfExpression(from start: Int) -> Int {
        var position = start
        while position < tokens.count {
            let token = tokens[position]
            if token.closes || token.isSign(",") || token.isSign(";") { return position }
            if position > start {
                let last = tokens[position - 1]
                let goesOn = token.isSign(".") || token.isSign("+") || token.isSign("?") || token.isSign(":")
                if token.line > last.line, !goesOn, !last.isSign("+"), !last.isSign("=") { return position }
                if token.isSign("{") { return position }
            }
            if token.opens, let close = closing(position) { position = close }
            position += 1
        }
        return position
    }
}

extension [SwiftToken] {
    /// The parts between signs outside of brackets; empty parts are left out.
    func split(at sign: Character) -> [[SwiftToken]] {
        var parts: [[SwiftToken]] = [[]]
        var depth = 0
        for token in self {
            if token.opens { depth += 1 }
            if token.closes { depth -= 1 }
            if depth == 0, token.isSign(sign) { parts.append([]) } else { parts[parts.count - 1].append(token) }
        }
        return parts.filter { !$0.isEmpty }
    }
}

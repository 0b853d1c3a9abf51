internal import CensusCore

/// Finds the values of expressions in Swift sources, as far as that takes no compiler.
struct SwiftValues {
    /// By the type's name and the member's; the type of globals is empty.
    private var constants: [String: [String: [SwiftSource.Constant]]] = [:]
    private var aliases: [String: [String: String]] = [:]
    private static let greatestDepth = 16

    /// Where an expression stands: the types around it, outermost first, and its file.
    struct Place {
        var types: [String]
        var path: String
    }

    init(_ sources: [SwiftSource]) {
        for source in sources {
            for (type, members) in source.constants {
                for (name, values) in members { constants[type, default: [:]][name, default: []] += values }
            }
            for (type, names) in source.aliases { aliases[type, default: [:]].merge(names) { first, _ in first } }
        }
    }

    /// The type that `Intent` or `Configuration` stands for in a type, such as a widget's provider.
    func alias(_ names: [String], of type: String) -> String? {
        names.lazy.compactMap { aliases[type]?[$0] }.first
    }

    /// The string that a type's constant has.
    func text(_ member: String, of type: String) -> String? {
        guard let constant = constants[type]?[member]?.first else { return nil }
        return text(constant.value, Place(types: constant.types, path: constant.path))
    }

    /// The string that an expression stands for; nil if that is not clear.
    func text(_ expression: [SwiftToken], _ place: Place, depth: Int = 0) -> String? {
        guard depth < SwiftValues.greatestDepth, let first = expression.first else { return nil }
        if expression.isWrapped(in: "(") {
            return text(Array(expression.dropFirst().dropLast()), place, depth: depth + 1)
        }
        let summands = expression.split(at: "+")
        if summands.count > 1 {
            let parts = summands.compactMap { text($0, place, depth: depth + 1) }
            return parts.count == summands.count ? parts.joined() : nil
        }
        if case .text(let segments) = first.content, expression.count == 1 {
            return text(segments, place, depth: depth + 1)
        }
        if let type = SwiftValues.describedType(expression, place) { return type }
        guard let path = SwiftValues.path(expression) else { return nil }
        return only(
            candidates(path, place).map {
                text($0.value, Place(types: $0.types, path: $0.path), depth: depth + 1)
            })
    }

    private func text(_ segments: [SwiftToken.Segment], _ place: Place, depth: Int) -> String? {
        var whole = ""
        for segment in segments {
            switch segment {
            case .literal(let text): whole += text
            case .code(let expression):
                guard let text = text(expression, place, depth: depth) else { return nil }
                whole += text
            }
        }
        return whole
    }

    /// The value, if all are equal and known.
    private func only(_ values: [String?]) -> String? {
        guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// The type's name in `X.self`, `String(describing: X.self)` and the like.
    private static func describedType(_ expression: [SwiftToken], _ place: Place) -> String? {
        var inner = expression
        if inner.first?.word == "String", inner.count > 4, inner[1].isSign("("), inner[2].word == "describing",
            inner.last?.isSign(")") == true
        {
            inner = Array(inner.dropFirst(4).dropLast())
        }
        guard let path = path(inner), path.count > 1, path.last == "self" else { return nil }
        let type = path[path.count - 2]
        return type == "Self" ? place.types.last : type
    }

    /// The names in `a.b.c`; the first one is empty in `.c`. A trailing `rawValue` says nothing. Nil for other expressions.
    private static func path(_ expression: [SwiftToken]) -> [String]? {
        var names: [String] = expression.first?.isSign(".") == true ? [""] : []
        for (position, token) in expression.enumerated() {
            if let word = token.word {
                guard position == 0 || expression[position - 1].isSign(".") else { return nil }
                names.append(word)
            } else if !token.isSign(".") {
                return nil
            }
        }
        if names.last == "rawValue" { names.removeLast() }
        return names.isEmpty ? nil : names
    }

    /// What `a.b.c` can mean, best first: a member of the named type; without one, of a type around it, or a global.
    private func candidates(_ path: [String], _ place: Place) -> [SwiftSource.Constant] {
        guard let name = path.last else { return [] }
        let qualifier = path.count > 1 ? path[path.count - 2] : "self"
        let found: [SwiftSource.Constant]
        switch qualifier {
        case "self", "Self":
            let types = place.types.reversed() + [""]
            found = types.lazy.compactMap { constants[$0]?[name] }.first ?? []
        case "":
            // An enum's case without its type: clear if there is one such name in all.
            found = constants.values.flatMap { $0[name] ?? [] }
        default: found = constants[qualifier]?[name] ?? []
        }
        let near = found.filter { $0.path == place.path }
        return near.isEmpty ? found : near
    }
}

/// The families that an expression lists.
struct SwiftFamilies {
    private(set) var names: Set<String> = []
    /// Whether the list has more than one way to turn out, for example by the OS version. All of them are in it.
    private(set) var isUnion = false
    /// Whether a part of the expression could not be followed.
    private(set) var isPartial = false

    private let values: SwiftValues

    init(_ expressions: [[SwiftToken]], _ place: SwiftValues.Place, _ values: SwiftValues) {
        self.values = values
        isUnion = expressions.count > 1
        for expression in expressions { read(expression, place, depth: 0) }
    }

    private mutating func read(_ expression: [SwiftToken], _ place: SwiftValues.Place, depth: Int) {
        let summands = expression.split(at: "+")
        if depth > 8 {
            isPartial = true
        } else if expression.isWrapped(in: "[") {
            for element in Array(expression.dropFirst().dropLast()).split(at: ",") {
                if let name = SwiftFamilies.families(in: element).first, element.count <= 3 {
                    names.insert(name)
                } else {
                    follow(element, place, depth)
                }
            }
        } else if summands.count > 1 {
            for summand in summands { read(summand, place, depth: depth + 1) }
        } else {
            let found = SwiftFamilies.families(in: expression)
            names.formUnion(found)
            if found.isEmpty { follow(expression, place, depth) }
            // More than one member, such as in the branches of a getter.
            if expression.count > 3, !found.isEmpty { isUnion = true }
        }
    }

    /// Reads what a name stands for.
    private mutating func follow(_ expression: [SwiftToken], _ place: SwiftValues.Place, _ depth: Int) {
        let constants = values.candidates(of: expression, place)
        if constants.isEmpty { isPartial = true }
        for constant in constants {
            read(constant.value, .init(types: constant.types, path: constant.path), depth: depth + 1)
        }
    }

    /// WidgetKit's families that are named as members: `.systemSmall`.
    private static func families(in expression: [SwiftToken]) -> [String] {
        expression.indices.dropFirst().compactMap { position in
            guard expression[position - 1].isSign("."), let word = expression[position].word,
                WidgetKitFamily.names.contains(word)
            else { return nil }
            return word
        }
    }
}

extension SwiftValues {
    /// What the expression, a name or a path of names, stands for.
    func candidates(of expression: [SwiftToken], _ place: Place) -> [SwiftSource.Constant] {
        SwiftValues.path(expression).map { candidates($0, place) } ?? []
    }
}

extension [SwiftToken] {
    /// Whether the first token is this bracket, and closes at the end.
    fileprivate func isWrapped(in bracket: Character) -> Bool {
        guard first?.isSign(bracket) == true else { return false }
        var depth = 0
        for (position, token) in enumerated() {
            if token.opens { depth += 1 }
            if token.closes { depth -= 1 }
            if depth == 0 { return position == count - 1 }
        }
        return false
    }
}

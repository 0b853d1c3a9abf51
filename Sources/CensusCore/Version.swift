/// A version of an app or an OS, with the order in which versions are listed and compared: 58.9, 58.10, 59.0b3, 59.0.
///
/// Numbers are compared as numbers, and missing ones count as 0. A suffix makes it a pre-release, which comes before the
/// release (`59.0b3`, `2.0-rc.1`), unless the suffix is a build (`2.0+45`, `2.0 (45)`). A `v` before the numbers is skipped;
/// versions that begin with another word come last. The order is total: if two versions are equal by these rules, such as 2.0
/// and 2.0.0, their bytes decide, so that no list depends on the order in which versions arrived.
public struct Version: Hashable, Comparable, Sendable {
    public let text: String
    /// The text before the numbers, in lower case; usually empty.
    private let word: [UInt8]
    /// Without trailing zeros.
    private let numbers: [Part]
    private let stage: Stage
    private let rest: [Part]

    private enum Stage: Comparable {
        case before, release, build
    }

    /// A run of digits without leading zeros, or of other bytes in lower case. Numbers come first.
    fileprivate enum Part: Comparable {
        case number([UInt8])
        case word([UInt8])

        static func < (left: Part, right: Part) -> Bool {
            switch (left, right) {
            case (.number(let left), .number(let right)):
                left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
            case (.word(let left), .word(let right)): left.lexicographicallyPrecedes(right)
            case (.number, .word): true
            case (.word, .number): false
            }
        }
    }

    public init(_ text: String) {
        self.text = text
        var bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }[...]
        var word = Array(bytes.prefix { !$0.isDigit })
        bytes = bytes.dropFirst(word.count)
        if word == Array("v".utf8), !bytes.isEmpty { word = [] }
        self.word = word
        var numbers: [Part] = []
        while let number = bytes.takeNumber() {
            numbers.append(number)
            guard bytes.first == UInt8(ascii: "."), bytes.dropFirst().first?.isDigit == true else { break }
            bytes = bytes.dropFirst()
        }
        while numbers.last == .number([]) { numbers.removeLast() }
        self.numbers = numbers
        let follows = bytes.first { $0 != UInt8(ascii: " ") }
        let isBuild = follows == UInt8(ascii: "+") || follows == UInt8(ascii: "(")
        var rest: [Part] = []
        while let byte = bytes.first {
            if let number = bytes.takeNumber() {
                rest.append(number)
            } else if Version.separators.contains(byte) {
                bytes = bytes.dropFirst()
            } else {
                let run = Array(bytes.prefix { !$0.isDigit && !Version.separators.contains($0) })
                rest.append(.word(run))
                bytes = bytes.dropFirst(run.count)
            }
        }
        self.rest = rest
        self.stage = rest.isEmpty ? .release : isBuild ? .build : .before
    }

    /// Bytes that only separate parts.
    private static let separators = Set(" .-_+()".utf8)

    /// Whether it begins with numbers, by which versions can be ordered by age.
    public var isNumbered: Bool { word.isEmpty && !text.isEmpty }

    public static func == (left: Version, right: Version) -> Bool { left.text.hasBytes(of: right.text) }

    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    public static func < (left: Version, right: Version) -> Bool {
        if left.isNumbered != right.isNumbered { return left.isNumbered }
        if left.word != right.word { return left.word.lexicographicallyPrecedes(right.word) }
        if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
        if left.stage != right.stage { return left.stage < right.stage }
        if left.rest != right.rest { return left.rest.lexicographicallyPrecedes(right.rest) }
        return left.text.precedesByBytes(right.text)
    }

    /// In ascending order.
    public static func sorted(_ versions: some Sequence<String>) -> [String] {
        versions.map { Version($0) }.sorted().map(\.text)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the digits at the start; nil if there are none.
    fileprivate mutating func takeNumber() -> Version.Part? {
        let digits = prefix(while: \.isDigit)
        guard !digits.isEmpty else { return nil }
        self = dropFirst(digits.count)
        return .number(Array(digits.drop { $0 == UInt8(ascii: "0") }))
    }
}

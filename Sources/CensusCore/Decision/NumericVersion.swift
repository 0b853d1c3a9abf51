/// A version that is made of numbers, such as 20.12.1, in the order of its numbers: 20.9 comes before 20.12.
public struct NumericVersion: Hashable, Comparable, Sendable {
    private let numbers: [UInt64]

    /// - Returns: nil for anything but numbers with full stops between them.
    public init?(_ version: String) {
        var numbers: [UInt64] = []
        for part in version.split(separator: ".", omittingEmptySubsequences: false) {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(part) else { return nil }
            numbers.append(number)
        }
        // 20.12 and 20.12.0 are one version.
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    public static func < (left: NumericVersion, right: NumericVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }

    /// Numbered versions in the order of their numbers, then the others in the order given.
    public static func sorted(_ versions: [String]) -> [String] {
        let numbered = versions.compactMap { text in NumericVersion(text).map { (version: $0, text: text) } }
        return numbered.sorted { $0.version < $1.version }.map(\.text)
            + versions.filter { NumericVersion($0) == nil }
    }
}

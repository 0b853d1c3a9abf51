internal import Foundation

/// Selects seeds of random histories and other numerous cases. A run takes the first quarter, but at least two;
/// `scripts/test --all` takes all.
package enum Seeds {
    package static let areAll = ProcessInfo.processInfo.environment["TEST_HISTORIES"] == "all"

    package static func of(_ all: Range<UInt64>) -> Range<UInt64> {
        areAll ? all : all.prefix(max(2, all.count / 4))
    }

    /// Every fourth of some interchangeable cases; all of them with `--all`.
    package static func sample<Case>(of cases: [Case]) -> [Case] {
        areAll ? cases : stride(from: 0, to: cases.count, by: 4).map { cases[$0] }
    }

    /// - Returns: the same seeds in chunks, one chunk per test case.
    package static func of(_ all: Range<UInt64>, by size: UInt64) -> [Range<UInt64>] {
        let chosen = of(all)
        return stride(from: chosen.lowerBound, to: chosen.upperBound, by: Int(size)).map {
            $0..<min($0 + size, chosen.upperBound)
        }
    }
}

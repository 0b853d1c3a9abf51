import CensusCore
import Foundation
package import SeededRandom

extension Seeded {
    mutating func chance(of probability: Double) -> Bool { fraction() < probability }

    /// In whole milliseconds, because phones send no finer times.
    mutating func duration(_ range: ClosedRange<Duration>) -> Duration {
        let (low, high) = (range.lowerBound.microseconds / 1_000, range.upperBound.microseconds / 1_000)
        return .milliseconds(low + Int64(fraction() * Double(high - low)))
    }

    /// The time until a random event, in whole milliseconds.
    mutating func exponential(mean: Duration) -> Duration {
        .milliseconds(Int64(-log(1 - fraction()) * Double(mean.microseconds / 1_000)))
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(fraction() * Double(range.count))
    }

    /// Nil if there are no choices.
    mutating func element<Choice>(of choices: [Choice]) -> Choice? {
        choices.isEmpty ? nil : choices[number(0...choices.count - 1)]
    }

    /// Like `element(of:)`, with probabilities in proportion to the weights.
    mutating func element<Choice>(of choices: [Choice], weight: (Choice) -> Double) -> Choice? {
        choices.element(at: fraction(), weight: weight)
    }

    /// Chooses with probabilities in proportion to the weights; nil if there are no choices.
    package mutating func pick<Choice>(weighted choices: [(Choice, weight: Int)]) -> Choice? {
        var rest = below(choices.reduce(0) { $0 + $1.weight })
        return choices.first {
            rest -= $0.weight
            return rest < 0
        }?.0
    }

    /// A random UUID (version 4, RFC 9562).
    mutating func uuid() -> RandomUUID {
        RandomUUID(high: next() & ~0xF000 | 0x4000, low: next() & ~(0b11 << 62) | 0b10 << 62)
    }
}

extension Array {
    /// The element at a fraction of `0..<1`, if each element takes a share in proportion to its weight; nil if all weights are
    /// 0.
    func element(at fraction: Double, weight: (Element) -> Double) -> Element? {
        var rest = fraction * reduce(0) { $0 + weight($1) }
        for element in self {
            rest -= weight(element)
            if rest < 0 { return element }
        }
        // Rounding of the sums can leave a small rest.
        return last { weight($0) > 0 }
    }
}

/// A UUID, written in upper case, as iOS does.
struct RandomUUID: Hashable, Sendable, CustomStringConvertible {
    var high: UInt64
    var low: UInt64

    var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8]) {
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { bytes.append(UInt8(ascii: "-")) }
            let word = position < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(position % 16))) & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
    }
}

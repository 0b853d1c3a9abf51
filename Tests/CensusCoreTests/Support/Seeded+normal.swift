import SeededRandom

extension Seeded {
    /// About normal, with mean 0 and deviation 1: the sum of twelve fractions is near enough for counts.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + fraction() } }
}

/// Gives each device a fraction of `0..<1` so that any first devices are spread evenly over it.
///
/// Shares then hold in a fleet of sixty as in one of a million, whatever the seed: three gaps at most lie between the
/// multiples of an irrational number (Steinhaus).
struct EvenSpread: Sendable {
    private let step: Double
    private let start: Double

    /// - Parameter step: an irrational number; traits with different ones do not hang together.
    init(step: Double, start: Double) {
        self.step = step
        self.start = start
    }

    func fraction(ofDevice index: Int) -> Double {
        (start + Double(index) * step).truncatingRemainder(dividingBy: 1)
    }
}

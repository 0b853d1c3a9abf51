/// Places numbers on an axis that begins at zero.
struct Scale {
    /// The number at the end of the axis.
    let maximum: Int
    /// In pixels.
    let height: Double

    /// Ends at a round number.
    ///
    /// - Parameter largest: the largest number that must fit.
    init(upTo largest: Int, height: Double) {
        maximum = Scale.round(largest)
        self.height = height
    }

    /// Ends at the largest number itself, for charts without an axis.
    init(exactlyUpTo largest: Int, height: Double) {
        maximum = max(1, largest)
        self.height = height
    }

    /// Pixels from the top, to a tenth.
    func y(_ value: Double) -> Double {
        ((height - height * min(value, Double(maximum)) / Double(maximum)) * 10).rounded() / 10
    }

    /// At most three tick marks.
    var ticks: [Int] { maximum >= 2 ? [0, maximum / 2, maximum] : [0, maximum] }

    /// Rounds up to 2, 4, 6, 8 or 10 times a power of ten.
    private static func round(_ number: Int) -> Int {
        var power = 1
        while power * 10 < number { power *= 10 }
        guard number > 1 else { return 2 }
        for factor in [1, 2, 4, 6, 8] where power * factor >= number { return max(2, power * factor) }
        return power * 10
    }
}

extension Double {
    /// The shortest form for SVG: 12 and 12.5, never 12.0.
    var pixels: String {
        let tenths = Int((self * 10).rounded())
        guard tenths % 10 != 0 else { return String(tenths / 10) }
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10 == 0 ? "" : String(abs(tenths) / 10)).\(abs(tenths) % 10)"
    }
}

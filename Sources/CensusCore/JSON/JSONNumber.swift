/// Reads JSON numbers.
enum JSONNumber {
    /// The value of a valid JSON number, if it is an integer of 64 bits.
    ///
    /// Exact, unlike a conversion through `Double`, by which 0.99999999999999999999 would become 1, and -2^63 - 1 would fit.
    static func integer(_ raw: ArraySlice<UInt8>) -> Int64? {
        let text = String(decoding: raw, as: UTF8.self)
        if let plain = Int64(text) { return plain }

        let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        var digits = String(mantissa[0]) + fraction
        guard digits.contains(where: { ("1"..."9").contains($0) }) else { return 0 }

        guard let written = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
        // An integer of 64 bits, spelled with at most 64 digits, has no larger exponent. This also prevents overflow below.
        guard (-64...64).contains(written) else { return nil }
        var exponent = written - fraction.count
        while exponent < 0, digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        guard exponent >= 0 else { return nil }
        return Int64(digits + String(repeating: "0", count: exponent))
    }
}

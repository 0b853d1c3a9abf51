/// SplitMix64: a failure that names its seed can be run again.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

    /// Strings that trouble readers and writers: quotes, backslashes, control characters, all planes; never U+0000.
    mutating func string(upTo length: Int = 12) -> String {
        var text = ""
        for _ in 0..<below(length + 1) {
            switch below(8) {
            case 0: text += pick(["\"", "\\", "/", "\u{8}", "\u{C}", "\n", "\r", "\t", "\u{1}", "\u{1F}", "\u{7F}"])
            case 1: text += pick(["👩🏽‍🚀", "🇨🇿", "e\u{301}", "é", "日本", "\u{FFFF}", "\u{10FFFF}", "\u{2028}", "\u{D7FF}"])
            case 2: text.unicodeScalars.append(Unicode.Scalar(UInt16(below(0x1000) + 1)) ?? "x")
            default: text.unicodeScalars.append(Unicode.Scalar(UInt8(below(95) + 32)))
            }
        }
        return text
    }
}

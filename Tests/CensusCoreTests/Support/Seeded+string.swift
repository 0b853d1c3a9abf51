import SeededRandom

extension Seeded {
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

/// A row of numbers as a line of blocks, the largest as high as a line of text.
enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// - Parameter numbers: in order; nil is unknown, and left blank.
    static func text(_ numbers: [Double?]) -> String {
        let highest = numbers.compactMap { $0 }.max() ?? 0
        return String(
            numbers.map { number -> Character in
                guard let number else { return " " }
                guard highest > 0 else { return blocks[0] }
                return blocks[min(blocks.count - 1, Int(number / highest * Double(blocks.count - 1) + 0.5))]
            })
    }
}

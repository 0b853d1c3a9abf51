/// A line that shows how far long work has come, and when it will be done at this rate.
enum ProgressBar {
    private static let width = 30

    /// - Parameters:
    ///   - share: how much of the whole is done, from 0 to 1.
    ///   - counts: what to say next to it.
    static func line(_ share: Double, after seconds: Double, _ counts: String) -> String {
        let filled = Int(share * Double(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        let left = share > 0 ? Int((seconds / share - seconds).rounded(.up)) : 0
        return "\(bar) \(Int(share * 100)) %  \(counts), \(left) s left"
    }
}

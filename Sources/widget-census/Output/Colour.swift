/// How a verdict or a state stands out on a screen that shows colours.
enum Colour: Int {
    case red = 31
    case green = 32
    case yellow = 33

    func paint(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

    /// - Returns: nil for anything that is not a verdict.
    static func of(_ text: String, in column: String) -> Colour? {
        guard ["verdict", "state", "lifecycle"].contains(column) else { return nil }
        return switch text {
        case "ready", "retire_ready", "holds": .green
        case "not ready", "open", "failing", "gone": .red
        case "unknown", "acknowledged", "expired": .yellow
        default: nil
        }
    }
}

/// What people may write in acts, which are kept forever and shown.
package enum ActWords {
    /// In Unicode scalars.
    package static let length = 1...1_000

    package static func accepts(_ text: String) -> Bool {
        length.contains(text.unicodeScalars.count) && !text.utf8.contains(0)
    }

    /// Who acts.
    package static func acceptsName(_ text: String) -> Bool {
        accepts(text) && !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Why somebody acts. Commands that we print have `...` as a placeholder for it, which is no reason.
    package static func acceptsReason(_ text: String) -> Bool {
        text.contains { $0.isLetter || $0.isNumber } && accepts(text)
    }
}

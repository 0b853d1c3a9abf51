/// What the id of a device or installation may look like. A header must be able to carry it exactly as the body does
/// (`DELETE /v1/device`), and HTTP strips white space from the ends of a value.
public enum RawID {
    /// What is wrong with a raw id, as the rest of a sentence that begins with its name; nil if nothing is. Never quotes the
    /// id.
    public static func fault(of id: String, limits: Limits = Limits()) -> String? {
        guard id.fits(limits) else { return "is longer than \(limits.ofStrings)" }
        let scalars = id.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return "is empty" }
        guard !first.isWhitespace, !last.isWhitespace else {
            return "begins or ends with white space, which a header loses"
        }
        guard !scalars.contains(where: \.isControl) else {
            return "holds a control character, which a header cannot carry"
        }
        guard !scalars.contains("\u{FFFD}") else {
            return "holds U+FFFD, which stands for bytes that are not UTF-8: in a header nobody can tell them apart"
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Unicode's property, without consulting its tables for ASCII, which nearly every id is made of.
    fileprivate var isWhitespace: Bool {
        isASCII ? value == 0x20 || (0x9...0xD).contains(value) : properties.isWhitespace
    }

    /// Unicode's general category Cc, whose members never change.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

/// What an id of a device or installation may look like: a header must be able to name it as it stands in the body
/// (`DELETE /v1/device`), and HTTP takes white space off the ends of a value.
public enum RawID {
    /// What is wrong with a raw id, to follow its name in a sentence; nil when nothing is. It repeats none of the id.
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
        return nil
    }
}

extension Unicode.Scalar {
    /// Unicode's property, without a look at its tables for what nearly every id is made of.
    fileprivate var isWhitespace: Bool {
        isASCII ? value == 0x20 || (0x9...0xD).contains(value) : properties.isWhitespace
    }

    /// Unicode's general category Cc, whose members are fixed for ever.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

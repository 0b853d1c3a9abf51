/// The rules for ids of devices and installations. They must pass through a header unchanged (`DELETE /v1/device`), and HTTP
/// strips white space from both ends of a header's value.
public enum RawID {
    /// What is wrong with a raw id, as the predicate of a sentence about it; nil if it is valid. Never quotes the id.
    public static func fault(of id: String, limits: Limits = Limits()) -> String? {
        flaw(of: id, limits: limits).map { $0.flaw + $0.reason }
    }

    /// The same, apart from the reason, which is about headers.
    package static func flaw(of id: String, limits: Limits = Limits()) -> (flaw: String, reason: String)? {
        guard id.fits(limits) else { return ("is longer than \(limits.ofStrings)", "") }
        let scalars = id.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return ("is empty", "") }
        guard !first.isWhitespace, !last.isWhitespace else {
            return ("begins or ends with white space", ", which HTTP strips from headers")
        }
        guard !scalars.contains(where: \.isControl) else {
            return ("contains a control character", ", which a header can't carry")
        }
        guard !scalars.contains("\u{FFFD}") else {
            return ("contains U+FFFD", ", which in a header can't be told apart from bytes that are not UTF-8")
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Unicode's White_Space, without a table lookup for ASCII, because nearly every id is ASCII.
    fileprivate var isWhitespace: Bool {
        isASCII ? value == 0x20 || (0x9...0xD).contains(value) : properties.isWhitespace
    }

    /// Unicode's general category Cc, which never changes.
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

/// The frame around binary COPY rows (PostgreSQL manual, COPY, "Binary Format").
enum CopyFormat {
    /// The signature, no flags, no header extension.
    static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

    /// A row of -1 columns.
    static let trailer: [UInt8] = [0xFF, 0xFF]

    /// How much is given to libpq at once: large enough to be cheap, small enough that its own buffer stays small and a
    /// cancelled task is noticed between two pieces.
    static let pieceSize = 256 * 1024
}

internal import CLibPQ

extension Session {
    /// Sends the rows that the server has asked for, or tells it that there are none.
    func feed(_ copy: [CopyRows]?, _ exchange: inout Exchange) throws(PostgresError) {
        exchange.misuse = exchange.misuse ?? misuse(of: copy, exchange)
        exchange.hasCopied = true
        guard exchange.misuse == nil, let copy else { return try endCopy("refused by the client", &exchange) }
        var isComplete = try put(CopyFormat.header, &exchange)
        for rows in copy where isComplete { isComplete = try put(rows.bytes, &exchange) }
        if isComplete { isComplete = try put(CopyFormat.trailer, &exchange) }
        // Needed in addition to the cancel request, which a server waiting for rows doesn't notice.
        try endCopy(isComplete ? nil : "interrupted by the client", &exchange)
    }

    private func misuse(of copy: [CopyRows]?, _ exchange: Exchange) -> String? {
        guard let copy else { return "COPY FROM STDIN needs copyIn" }
        if exchange.hasCopied { return "more than one COPY FROM STDIN" }
        guard let wrong = copy.first(where: { $0.wrongWidth != nil }) else { return nil }
        return "a row has \(wrong.wrongWidth ?? 0) values, not \(wrong.columns)"
    }

    /// - Returns: false if there is no point in sending more.
    private func put(_ bytes: [UInt8], _ exchange: inout Exchange) throws(PostgresError) -> Bool {
        // A span, because Array.withUnsafeBytes doesn't support typed throws.
        try bytes.span.withUnsafeBytes { bytes throws(PostgresError) in
            var start = 0
            while start < bytes.count {
                let end = min(start + CopyFormat.pieceSize, bytes.count)
                guard try put(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), &exchange) else { return false }
                start = end
            }
            return true
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, _ exchange: inout Exchange) throws(PostgresError) -> Bool {
        let address = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        while true {
            switch PQputCopyData(connection, address, Int32(bytes.count)) {
            case 1:
                // Otherwise libpq's buffer would grow to the size of all rows.
                while bytes.count >= CopyFormat.pieceSize, exchange.reason == nil, isFlushing {
                    try step(&exchange, writing: true)
                }
                return exchange.reason == nil
            case 0: try step(&exchange, writing: true)
            default: return false
            }
            guard exchange.reason == nil else { return false }
        }
    }

    /// - Parameter message: makes the COPY fail; nil ends it normally.
    private func endCopy(_ message: String?, _ exchange: inout Exchange) throws(PostgresError) {
        while PQputCopyEnd(connection, message) == 0 { try step(&exchange, writing: true) }
    }
}

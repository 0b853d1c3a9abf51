internal import CLibPQ

/// The parameters of one statement, in binary format in a single buffer.
struct Parameters {
    /// Nil for NULL.
    let types: [PostgresType?]
    private let bytes: [UInt8]
    /// The end of each value, which is the start of the next one.
    private let ends: [Int]

    init(_ values: [(any PostgresCodable)?]) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        ends.reserveCapacity(values.count)
        for value in values {
            value?.encode(into: &bytes)
            ends.append(bytes.count)
        }
        // Even an empty value needs an address, because libpq interprets a null pointer as NULL.
        bytes.append(0)
        self.bytes = bytes
        self.ends = ends
        types = values.map { $0.map { type(of: $0).postgresType } }
    }

    /// The types for libpq; 0 lets the server infer one.
    var oids: [Oid] { types.map { $0?.rawValue ?? 0 } }

    /// Calls the body with libpq's `nParams`, `paramValues`, `paramLengths` and `paramFormats`.
    func withPointers<R>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> R
    ) -> R {
        guard !types.isEmpty else { return body(0, nil, nil, nil) }
        return bytes.withUnsafeBytes { bytes in
            var pointers: [UnsafePointer<CChar>?] = []
            var lengths: [Int32] = []
            var start = 0
            for (type, end) in zip(types, ends) {
                let address = bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
                pointers.append(type == nil ? nil : address)
                lengths.append(Int32(clamping: end - start))
                start = end
            }
            let formats = [Int32](repeating: 1, count: types.count)
            return body(Int32(types.count), pointers, lengths, formats)
        }
    }
}

/// The checksum of RFC 3720, appendix B.4 (Castagnoli), which finds every changed byte and every short burst of them.
enum CRC32C {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0x82F6_3B78 }
    }

    /// - Parameter parts: as if they stood one behind the other.
    static func checksum(_ parts: ArraySlice<UInt8>...) -> UInt32 {
        var value = UInt32.max
        table.withUnsafeBufferPointer { table in
            for part in parts {
                for byte in part { value = (value >> 8) ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
            }
        }
        return ~value
    }
}

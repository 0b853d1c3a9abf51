import CensusCore
import CensusStore
import Testing

/// Later versions must read what this one writes to a spool.
@Suite struct `BatchRows bytes` {
    @Test func `a batch keeps its rows and names`() throws {
        var names = KnownNames()
        names.kinds = ["weather", "wětter 🌦"]
        names.appVersions = ["1.0"]
        let rows = try BatchRows.sample("event", names: names, padding: 2_000)
        let again = try BatchRows(bytes: rows.bytes)
        #expect(again.bytes == rows.bytes)
        #expect(again.device == rows.device)
        #expect(again.appID == "com.example.weather")
        #expect(again.appNumber == 7)
        #expect(again.names == rows.names)
        #expect(again.count == rows.count)
        #expect(again.refusedCount == 1)
    }

    /// A change here makes batches unreadable that older programs have spooled. Add a new format, and keep reading this
    /// one.
    @Test func `format 4 hasn't changed since its first release`() throws {
        var names = KnownNames()
        names.kinds = ["weather"]
        names.families = ["systemSmall", "systemLarge"]
        names.osReleases = ["17.1"]
        let rows = try BatchRows.sample("event", names: names, hasRead: true)
        #expect(hexadecimal(rows.bytes) == Self.golden, "the layout has changed")
        #expect(try BatchRows(bytes: bytes(Self.golden)).bytes == rows.bytes)
        // Without warnings, a batch has a count and no bytes before its digest.
        let old = try BatchRows(bytes: bytes(Self.format3)).bytes
        #expect(old.dropLast(8).suffix(2) == [0, 0])
        #expect(rows.bytes.starts(with: old.dropLast(10)))
    }

    @Test func `truncated bytes are rejected, and changed ones never trap`() throws {
        let bytes = try BatchRows.sample("event").bytes
        for end in 0..<bytes.count {
            #expect(throws: BatchRows.Unreadable.damaged) { try BatchRows(bytes: Array(bytes[..<end])) }
        }
        #expect(throws: BatchRows.Unreadable.damaged) { try BatchRows(bytes: bytes + [0]) }
        #expect(throws: BatchRows.Unreadable.format(5)) { try BatchRows(bytes: [5]) }
        for position in bytes.indices {
            for bit in 0..<8 {
                var broken = bytes
                broken[position] ^= 1 << UInt8(bit)
                _ = try? BatchRows(bytes: broken)
            }
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.utf8.count, by: 2).map { offset in
            let start = text.index(text.startIndex, offsetBy: offset)
            return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
    }

    private static let golden = """
        04449ab269ac3cd92beb7e3217ed9fa99413636f6d2e6578616d706c652e7765617468657207010777656174686572020b73797\
        374656d4c617267650b73797374656d536d616c6c00010431372e3102f603001400000010449ab269ac3cd92beb7e3217ed9fa9\
        94000000076576656e742d3000000008000303c45aaea40000000008000303c45aaea40000000008000303c5314248000000000\
        400000007000000107fdf52e91887fc4343726c70c56d27220000000d7769646765745f6f70656e656400000006776964676574\
        ffffffff00000003696f730000000431372e31ffffffff00000003312e300000000a70726f64756374696f6efffffffffffffff\
        fffffffff000000477b22776964676574223a7b22636f6e66696775726174696f6e223a22222c2266616d696c79223a22737973\
        74656d536d616c6c222c226b696e64223a2277656174686572227d7dffffffff001400000010449ab269ac3cd92beb7e3217ed9\
        fa9940000000a6576656e742d7265616400000008000303c42176340000000008000303c42176340000000008000303c5314248\
        000000000400000007000000107fdf52e91887fc4343726c70c56d272200000010776964676574735f7265706f7274656400000\
        006776964676574ffffffff00000003696f730000000431372e31ffffffff00000003312e300000000a70726f64756374696f6e\
        ffffffffffffffffffffffff000000317b226572726f72223a7b22636f6465223a313130312c22646f6d61696e223a224348534\
        572726f72446f6d61696e227d7dffffffff80d0f0caabb1b00680d0f0caabb1b0060180c8e5a9a5b1b0060202018e0100090000\
        0010449ab269ac3cd92beb7e3217ed9fa994000000040000265d000000204523540f1504cd17100c4835e85b7eefd49911580f8\
        efff0599a8f283be6b9e3000000040000000700000008000303c5314248000000000c756e6b6e6f776e5f747970650000001a61\
        6e206576656e74206d75737420626520616e206f626a656374ffffffff00000002313701cd01000900000010449ab269ac3cd92\
        beb7e3217ed9fa994000000040000265d0000000d7368617265645f646576696365000000040000000700000008000303c45aae\
        a40000000008000303c53142480000000003312e300000000a2f6465766963652f6964000000656d616e7920646576696365732\
        073656e6420746869732069643a20616c6c206f66207468656d20636f756e74206173206f6e653b206d616b65206f6e65206f66\
        20796f7572206f776e20616e64206b656570206974206f766572207265696e7374616c6c735d769d146971e472
        """

    /// Written by a program that knew neither `rebooted` nor warnings.
    private static let format3 = """
        03449ab269ac3cd92beb7e3217ed9fa99413636f6d2e6578616d706c652e7765617468657207010777656174686572020b73797\
        374656d4c617267650b73797374656d536d616c6c00010431372e3102ee03001300000010449ab269ac3cd92beb7e3217ed9fa9\
        94000000076576656e742d3000000008000303c45aaea40000000008000303c45aaea40000000008000303c5314248000000000\
        400000007000000107fdf52e91887fc4343726c70c56d27220000000d7769646765745f6f70656e656400000006776964676574\
        ffffffff00000003696f730000000431372e31ffffffff00000003312e300000000a70726f64756374696f6efffffffffffffff\
        fffffffff000000477b22776964676574223a7b22636f6e66696775726174696f6e223a22222c2266616d696c79223a22737973\
        74656d536d616c6c222c226b696e64223a2277656174686572227d7d001300000010449ab269ac3cd92beb7e3217ed9fa994000\
        0000a6576656e742d7265616400000008000303c42176340000000008000303c42176340000000008000303c531424800000000\
        0400000007000000107fdf52e91887fc4343726c70c56d272200000010776964676574735f7265706f727465640000000677696\
        4676574ffffffff00000003696f730000000431372e31ffffffff00000003312e300000000a70726f64756374696f6effffffff\
        ffffffffffffffff000000317b226572726f72223a7b22636f6465223a313130312c22646f6d61696e223a224348534572726f7\
        2446f6d61696e227d7d80d0f0caabb1b00680d0f0caabb1b0060180c8e5a9a5b1b0060202018e01000900000010449ab269ac3c\
        d92beb7e3217ed9fa994000000040000265d000000204523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be\
        6b9e3000000040000000700000008000303c5314248000000000c756e6b6e6f776e5f747970650000001a616e206576656e7420\
        6d75737420626520616e206f626a656374ffffffff000000023137bbd775716c310ee2
        """
}

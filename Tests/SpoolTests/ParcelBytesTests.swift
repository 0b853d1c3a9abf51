import CensusCore
import CensusStore
import Testing

/// What lies in a spool is read by programs to come.
@Suite struct `Parcel bytes` {
    @Test func `a parcel comes back as it was, its names too`() throws {
        var names = KnownNames()
        names.kinds = ["weather", "wětter 🌦"]
        names.appVersions = ["1.0"]
        let parcel = try Parcel.sample("event", names: names, padding: 2_000)
        let again = try Parcel(bytes: parcel.bytes)
        #expect(again.bytes == parcel.bytes)
        #expect(again.device == parcel.device)
        #expect(again.appNumber == 7)
        #expect(again.names == parcel.names)
        #expect(again.count == parcel.count)
        #expect(again.refusedCount == 1)
    }

    /// A change here leaves behind what older programs have spooled: take a new format, and go on reading this one.
    @Test func `format 1 is as it was on the day it was made`() throws {
        var names = KnownNames()
        names.kinds = ["weather"]
        names.families = ["systemSmall", "systemLarge"]
        names.osReleases = ["17.1"]
        let parcel = try Parcel.sample("event", names: names)
        #expect(hexadecimal(parcel.bytes) == Self.golden, "its layout")
        #expect(try Parcel(bytes: bytes(Self.golden)).bytes == parcel.bytes)
    }

    @Test func `bytes that were cut or changed are told from a parcel, and never trap`() throws {
        let bytes = try Parcel.sample("event").bytes
        for end in 0..<bytes.count {
            #expect(throws: Parcel.Unreadable.damaged) { try Parcel(bytes: Array(bytes[..<end])) }
        }
        #expect(throws: Parcel.Unreadable.damaged) { try Parcel(bytes: bytes + [0]) }
        #expect(throws: Parcel.Unreadable.format(2)) { try Parcel(bytes: [2]) }
        for position in bytes.indices {
            for bit in 0..<8 {
                var broken = bytes
                broken[position] ^= 1 << UInt8(bit)
                _ = try? Parcel(bytes: broken)
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
        01449ab269ac3cd92beb7e3217ed9fa99407010777656174686572020b73797374656d4c617267650b73797374656d536d616c6c\
        00010431372e31011400000010449ab269ac3cd92beb7e3217ed9fa9940b000000076576656e742d300c00000008000303c45aae\
        a4000c00000008000303c45aaea4000c00000008000303c53142480008000000040000000714000000107fdf52e91887fc434372\
        6c70c56d2722110000000d7769646765745f6f70656e65640a0000000677696467657404ffffffff0700000003696f7308000000\
        0431372e3104ffffffff0700000003312e300e0000000a70726f64756374696f6e04ffffffff04ffffffff04ffffffff4b000000\
        477b22776964676574223a7b22636f6e66696775726174696f6e223a22222c2266616d696c79223a2273797374656d536d616c6c\
        222c226b696e64223a2277656174686572227d7d018e01000900000010449ab269ac3cd92beb7e3217ed9fa99400000004000026\
        5d000000204523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3000000040000000700000008000303\
        c5314248000000000c756e6b6e6f776e5f747970650000001a616e206576656e74206d75737420626520616e206f626a656374ff\
        ffffff000000023137ae8ce1ca0513f33b
        """
}

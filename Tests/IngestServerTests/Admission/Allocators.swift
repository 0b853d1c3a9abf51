import Foundation
import Testing

@testable import IngestServer

#if canImport(Glibc)
    @Suite(.serialized) struct `Allocators` {
        @Test func `memory of large bodies returns to the kernel, whatever else was freed`() throws {
            Allocator.returnLargePieces()
            // Freeing this piece would make glibc keep every smaller one.
            piece(24 << 20).deallocate()
            let before = try ProcessMemory.now()
            var small: [UnsafeMutableRawPointer] = []
            var large: [UnsafeMutableRawPointer] = []
            for _ in 0..<400 {
                large.append(piece(180 << 10))
                small.append(piece(1 << 10))
            }
            #expect(try ProcessMemory.now() - before > 50)
            for one in large { one.deallocate() }
            #expect(try ProcessMemory.now() - before < 20, "70 MiB were freed")
            for one in small { one.deallocate() }
        }

        /// Writes to the piece, so that the kernel backs it with memory.
        private func piece(_ bytes: Int) -> UnsafeMutableRawPointer {
            let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
            piece.initializeMemory(as: UInt8.self, repeating: 1, count: bytes)
            return piece
        }
    }
#endif

import SeededRandom

/// Changes of bytes, without regard for JSON.
enum ByteMutation {
    static func change(_ bytes: inout [UInt8], _ random: inout Seeded, donor: [UInt8]) {
        let position = random.below(bytes.count + 1)
        let rest = bytes.count - position
        switch random.below(9) {
        case 0 where rest > 0: bytes[position] ^= 1 << UInt8(random.below(8))
        case 1 where rest > 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.removeLast(rest)
        case 3: bytes.removeSubrange(position..<position + random.below(min(rest, 64) + 1))
        case 4: bytes.insert(contentsOf: bytes[position..<position + random.below(min(rest, 64) + 1)], at: position)
        case 5: bytes = Array(bytes[..<position] + donor[random.below(donor.count)...])
        case 6 where rest > 0:
            let word = random.pick(Words.bytes)
            bytes.replaceSubrange(position..<min(position + word.count, bytes.count), with: word)
        default: bytes.insert(contentsOf: random.pick(Words.bytes), at: position)
        }
    }
}

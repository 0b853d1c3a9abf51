import Foundation
import SeededRandom

/// Bodies of real apps, and mutations of them.
struct Corpus: Sendable {
    private let bodies: [[UInt8]]
    private let trees: [JSONTree]

    /// - Parameter folder: contains valid JSON files.
    init(folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        bodies = try names.filter { $0.hasSuffix(".json") && $0 != "expectations.json" }.map { name in
            Array(try Data(contentsOf: URL(filePath: folder).appending(path: name)))
        }
        guard !bodies.isEmpty else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: folder]) }
        trees = bodies.map(JSONTree.init)
    }

    /// The largest inflated body that the server passes to the decoder.
    private static let largest = 8 << 20

    /// The input with a number, always the same.
    func input(_ number: Int, seed: UInt64) -> [UInt8] {
        var random = Seeded(seed: seed, input: number)
        let choice = random.below(bodies.count)
        var bytes: [UInt8] = []
        if random.chance(80) {
            var tree = trees[choice]
            var mutation = TreeMutation(random: random, donors: trees)
            for _ in 0...mutation.random.below(5) { mutation.change(&tree) }
            random = mutation.random
            tree.write(to: &bytes)
            if bytes.count > Corpus.largest { bytes.removeLast(bytes.count - Corpus.largest) }
            guard random.chance(15) else { return bytes }
        } else {
            bytes = bodies[choice]
        }
        for _ in 0...random.below(3) { ByteMutation.change(&bytes, &random, donor: random.pick(bodies)) }
        return bytes
    }
}

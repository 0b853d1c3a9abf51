import Foundation

/// `decision-benchmark [--quick | --part SHARE] [faultless] [losses] [forecasts]`: tests on simulated fleets whether the
/// decision keeps its promises.
@main
struct DecisionBenchmark {
    static func main() async throws {
        guard let request = Request(CommandLine.arguments.dropFirst()) else {
            print("usage: Benchmarks/decision/run [--quick | --part SHARE] [faultless] [losses] [forecasts]")
            exit(2)
        }
        let size = request.size
        var promises: [Promise] = []
        if request.wants("faultless") { promises += try await FaultlessFleets(size).run() }
        if request.wants("losses") { promises += try await LossyReleases(size).run() }
        if request.wants("forecasts") { promises += await Forecasts(size).run() }
        print("")
        for promise in promises { print("\(promise.isKept ? "kept  " : "BROKEN") \(promise.text)") }
        exit(promises.allSatisfy(\.isKept) ? 0 : 1)
    }
}

/// A requirement for the figures.
struct Promise {
    var text: String
    var isKept: Bool
}

/// How many fleets to simulate.
struct Size {
    var faultlessFleets = 200
    var faultlessDevices = 1_000
    /// Fleets with the most holders; the smaller ones are parts of these.
    var lossBlocks = 10
    var lossHolders = [20_000, 2_000, 500]
    var forecasts = 200

    static let quick = Size(
        faultlessFleets: 4, faultlessDevices: 400, lossBlocks: 2, lossHolders: [2_000, 500], forecasts: 20)

    static func part(_ share: Double) -> Size {
        let full = Size()
        func part(_ count: Int) -> Int { max(1, Int((Double(count) * share).rounded())) }
        return Size(
            faultlessFleets: part(full.faultlessFleets), lossBlocks: part(full.lossBlocks),
            forecasts: part(full.forecasts))
    }
}

private struct Request {
    var size = Size()
    private var tables: [String] = []

    init?(_ words: ArraySlice<String>) {
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--quick": size = .quick
            case "--part":
                guard let share = words.popFirst().flatMap(Double.init), share > 0, share <= 1 else { return nil }
                size = .part(share)
            case "faultless", "losses", "forecasts": tables.append(word)
            default: return nil
            }
        }
    }

    func wants(_ table: String) -> Bool { tables.isEmpty || tables.contains(table) }
}

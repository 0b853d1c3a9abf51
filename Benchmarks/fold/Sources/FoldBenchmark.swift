import CensusCore
import Fleet

/// Measures how fast one core folds a simulated fleet.
@main
struct FoldBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        let devices = arguments.count > 1 ? Int(arguments[1]) ?? 2_000 : 2_000
        let days = arguments.count > 2 ? Int(arguments[2]) ?? 60 : 60
        let histories = try FoldBenchmark.histories(devices: devices, days: days)
        let count = histories.reduce(0) { $0 + $1.count }
        print("\(histories.count) devices, \(count) observations of \(days) days")

        let fold = DeviceFold()
        var states: [DeviceState] = []
        report("folded from the start", histories.count, count) { states = histories.map { fold.fold($0) } }
        var checkpoints: [[UInt8]] = []
        report("checkpoints written", states.count, nil) { checkpoints = states.map(fold.checkpoint(of:)) }
        report("checkpoints read", checkpoints.count, nil) {
            states = checkpoints.compactMap(fold.state(checkpoint:))
        }
        precondition(states.count == histories.count)
        let sizes = checkpoints.map(\.count).sorted()
        print("a checkpoint has \(sizes[sizes.count / 2]) bytes (median), \(sizes[sizes.count - 1]) at most")

        // As in the service: each observation by itself, onto the checkpoint before.
        report("one by one, from checkpoint to checkpoint", count, count) {
            for history in histories {
                var bytes = fold.checkpoint(of: DeviceState())
                for observation in history.sorted() {
                    guard let state = fold.state(checkpoint: bytes) else { continue }
                    bytes = fold.checkpoint(of: fold.fold(CollectionOfOne(observation), onto: state))
                }
            }
        }
    }

    private static func report(_ what: String, _ devices: Int, _ observations: Int?, _ work: () -> Void) {
        let clock = ContinuousClock()
        let seconds = (0..<3).map { _ in clock.measure(work) / .seconds(1) }.min() ?? 1
        var line = "\(what): \(Int(Double(devices) / seconds)) a second"
        if let observations { line += ", \(Int(Double(observations) / seconds)) observations a second" }
        print(line)
    }

    private static func histories(devices: Int, days: Int) throws -> [[Observation]] {
        let fleet = WeatherFleet(WeatherFleet.Plan(devices: devices, days: days, end: .now, reinstallsAMonth: 0.08))
        let decoder = BatchDecoder()
        var histories: [[Observation]] = []
        for index in 0..<devices {
            var byDevice: [String: [Observation]] = [:]
            for delivery in fleet.story(ofDevice: index).deliveries {
                let batch = try decoder.decode(delivery.body, received: delivery.receivedAt)
                for case .success(let event) in batch.events {
                    byDevice[batch.deviceID, default: []].append(
                        Observation(
                            id: event.id, occurredAt: event.occurredAt, at: event.at,
                            installation: Pseudonym(
                                high: 0, low: UInt64(batch.installationID.prefix(8), radix: 16) ?? 0),
                            surface: event.surface, circumstances: batch.circumstances, event: try event.event.decoded()
                        ))
                }
            }
            histories += byDevice.values
        }
        return histories
    }
}

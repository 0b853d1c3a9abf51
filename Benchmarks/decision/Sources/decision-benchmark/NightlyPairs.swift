import CensusCore
import Fleet

/// The key by which a night counts pairs of reports: a row of `census.pair_night`.
struct PairCell: Hashable, Sendable {
    /// Counted from the plan's first day; a night closes the day with its number.
    var night: Int
    var day: Int
    var kind: String
    var fromVersion: String
    var toVersion: String
    var stratum: LossStratum

    var isUpdate: Bool { fromVersion != toVersion }
}

/// When a phone updates to an OS release that the simulation does not have.
enum OSUpdate: Sendable {
    case never
    case at(Timestamp)
    /// Together with the app's update to a version.
    case withApp(String)

    static let release = "99.0"

    func applies(to event: BatchEvent, of circumstances: Observation.Circumstances) -> Bool {
        switch self {
        case .never: false
        case .at(let time): event.at >= time
        case .withApp(let version): circumstances.appVersion == version
        }
    }
}

/// The pairs of one phone's reports by night. It decodes and folds the phone's deliveries as the service does.
struct NightlyPairs: Sendable {
    private(set) var cells: [PairCell: ReportPairs] = [:]
    /// By kind, the days on which a pair with it ended.
    private(set) var days: [String: Set<Int>] = [:]

    /// Nights begin three hours into the day after the one that they close.
    private static let nightBegins = Duration.hours(3)

    /// - Parameter plan: begins at midnight, UTC.
    init(_ story: DeviceStory, of plan: WeatherFleet.Plan, osUpdate: OSUpdate = .never) throws {
        let fold = DeviceFold()
        let firstDay = ReportingZone.utc.day(of: plan.start)
        let decoder = BatchDecoder()
        var known: Set<String> = []
        /// By device id and night.
        var received: [String: [Int: [Observation]]] = [:]
        for delivery in story.deliveries {
            let night = Int((delivery.receivedAt - plan.start - NightlyPairs.nightBegins) / .days(1))
            let batch = try decoder.decode(delivery.body, received: delivery.receivedAt)
            let installation = NightlyPairs.pseudonym(of: batch.installationID)
            for case .success(let event) in batch.events where known.insert(event.id).inserted {
                var circumstances = batch.circumstances
                if osUpdate.applies(to: event, of: circumstances) { circumstances.osVersion = OSUpdate.release }
                received[batch.deviceID, default: [:]][max(0, night), default: []].append(
                    Observation(
                        id: event.id, occurredAt: event.occurredAt, at: event.at, installation: installation,
                        surface: event.surface, circumstances: circumstances, event: try event.event.decoded()))
            }
        }
        for nights in received.values {
            var state = DeviceState()
            var all: [Observation] = []
            var foldedThrough = Timestamp(microseconds: .min)
            for (night, observations) in nights.sorted(by: { $0.key < $1.key }) {
                all += observations
                let pairedThrough = foldedThrough
                // Later observations are folded onto the state; if any is earlier, all are folded from the start.
                let continues = observations.allSatisfy { $0.at > foldedThrough }
                state = fold.fold(continues ? observations : all, onto: continues ? state : DeviceState()) { pair in
                    guard pair.at > pairedThrough else { return }
                    let day = Int(ReportingZone.utc.day(of: pair.at).daysSince1970 - firstDay.daysSince1970)
                    let cell = PairCell(
                        night: max(night, day), day: day, kind: pair.kind, fromVersion: pair.fromVersion,
                        toVersion: pair.toVersion,
                        stratum: LossStratum(isOtherOS: pair.isOtherOS, gap: ReportGap(pair.gap)))
                    cells[cell, default: ReportPairs()].add(gap: pair.gap, isLost: pair.isLost)
                    days[pair.kind, default: []].insert(day)
                }
                foldedThrough = observations.reduce(foldedThrough) { max($0, $1.at) }
            }
        }
    }

    private static func pseudonym(of id: String) -> Pseudonym {
        let digits = id.filter { $0 != "-" }
        return Pseudonym(
            high: UInt64(digits.prefix(16), radix: 16) ?? 0, low: UInt64(digits.suffix(16), radix: 16) ?? 0)
    }
}

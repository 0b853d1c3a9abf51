@testable import CensusCore

extension DeviceReading {
    /// As it is counted when all that time alone will change lies behind.
    init(_ state: DeviceState, _ fold: DeviceFold) {
        let lastHeardAt = state.lastHeardAt ?? .day(0)
        self.init(
            spans: fold.spans(of: state), phases: state.phases, silentAt: fold.window.end(lastHeard: lastHeardAt),
            reportingUntil: state.reportedAt.map(fold.window.end(lastHeard:)), dueAt: nil, zone: fold.window.zone)
    }
}

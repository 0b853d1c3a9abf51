internal import CensusCore

/// What has to be folded before days can be dropped, and which days can be dropped then.
///
/// To read a device's base and to save it costs more than to fold a day onto it. So devices take turns: each night folds one
/// range of them, and what a device reported in a week is folded at once. A day is dropped when every range has had its turn
/// since.
struct RetentionPlan: Hashable, Sendable {
    /// The first day that is kept: observations from before it are folded.
    let keptFrom: Day
    /// Devices whose turn it is.
    let ranges: [DeviceRange]
    /// Once these are folded, the bases hold every day before this one.
    let coveredBefore: Day

    /// - Parameters:
    ///   - finished: the first day that was kept when a sweep last ended well; nil when none ever did.
    ///   - turns: in how many nights every device has its turn.
    init(keptFrom: Day, finished: Day?, turns: Int) {
        let nights = finished.map { Int(keptFrom.daysSince1970) - Int($0.daysSince1970) } ?? turns
        guard turns > 1, nights < turns else {
            self.init(all: keptFrom)
            return
        }
        let parts = DeviceRange.all.parts(turns)
        // Those of nights that were missed, too.
        let ranges = (0..<max(0, nights)).map { missed in
            let turn = (Int(keptFrom.daysSince1970) - missed) % turns
            return parts[turn < 0 ? turn + turns : turn]
        }
        // When days are kept for longer, what was folded before stays folded.
        let last = keptFrom + max(0, -nights)
        self.init(keptFrom: keptFrom, ranges: ranges, coveredBefore: min(keptFrom, last - (turns - 1)))
    }

    /// All devices have their turn.
    init(all keptFrom: Day) {
        self.init(keptFrom: keptFrom, ranges: [.all], coveredBefore: keptFrom)
    }

    private init(keptFrom: Day, ranges: [DeviceRange], coveredBefore: Day) {
        self.keptFrom = keptFrom
        self.ranges = ranges
        self.coveredBefore = coveredBefore
    }

    var isForAll: Bool { ranges == [.all] }
}

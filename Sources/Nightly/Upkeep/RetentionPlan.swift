internal import CensusCore

/// Which devices to fold before days can be dropped, and which days can be dropped then.
///
/// Reading and saving a device's base costs more than folding a day onto it. So devices take turns: each night folds one
/// range of devices, with a week of each device's observations at once. A day is dropped once every range has had its turn
/// since.
struct RetentionPlan: Hashable, Sendable {
    /// The first day that is kept; earlier observations are folded.
    let keptFrom: Day
    /// Devices whose turn it is.
    let ranges: [DeviceRange]
    /// Once these ranges are folded, the bases include every day before this one.
    let coveredBefore: Day

    /// - Parameters:
    ///   - finished: the first day that was kept when a sweep last succeeded; nil if none ever did.
    ///   - turns: the number of nights in which every device has its turn.
    init(keptFrom: Day, finished: Day?, turns: Int) {
        let nights = finished.map { Int(keptFrom.daysSince1970) - Int($0.daysSince1970) } ?? turns
        guard turns > 1, nights < turns else {
            self.init(all: keptFrom)
            return
        }
        let parts = DeviceRange.all.parts(turns)
        // Include the ranges of missed nights.
        let ranges = (0..<max(0, nights)).map { missed in
            let turn = (Int(keptFrom.daysSince1970) - missed) % turns
            return parts[turn < 0 ? turn + turns : turn]
        }
        // If the retention was raised, folded days stay folded.
        let last = keptFrom + max(0, -nights)
        self.init(keptFrom: keptFrom, ranges: ranges, coveredBefore: min(keptFrom, last - (turns - 1)))
    }

    /// A plan in which all devices have their turn.
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

internal import CensusCore
internal import Postgres

/// What arrived in many parcels, by column: a row per device, and a row per app and quarter of an hour. A quarter that a base
/// may hold has a row per device instead.
struct ArrivalColumns {
    private var device = Column<Pseudonym>()
    private var deviceApp = Column<Int32>()
    private var earliestAt = Column<Timestamp>()
    private var occurredFrom = Column<Timestamp>()
    private var quarterApp = Column<Int32>()
    private var quarterAt = Column<Timestamp>()
    private var reads = Column<Int64>()
    private var failed = Column<Int64>()
    private var quarterDevice = Column<Pseudonym>()

    /// No base is this new: dropped observations are at least a day old.
    private static let newerThanBases: Duration = .hours(24)

    private struct Quarter: Hashable {
        var appNumber: Int32
        var startsAt: Timestamp
        /// Nil where no base can hold the quarter.
        var device: Pseudonym?
    }

    /// - Parameter parcels: each device's side by side.
    init(_ parcels: [BatchRows], now: Timestamp = .now) {
        let newest = now - ArrivalColumns.newerThanBases
        var counts: [Quarter: ReadCount] = [:]
        var open: (parcel: BatchRows, arrival: Arrival)?
        for parcel in parcels {
            guard var arrival = parcel.arrival else { continue }
            for (startsAt, count) in arrival.reads {
                let quarter = Quarter(
                    appNumber: parcel.appNumber, startsAt: startsAt, device: startsAt < newest ? parcel.device : nil)
                counts[quarter, default: .none] += count
            }
            if let open, open.parcel.device == parcel.device {
                arrival.earliestAt = min(arrival.earliestAt, open.arrival.earliestAt)
                arrival.occurredFrom = min(arrival.occurredFrom, open.arrival.occurredFrom)
            } else if let open {
                append(open.parcel, open.arrival)
            }
            open = (parcel, arrival)
        }
        if let open { append(open.parcel, open.arrival) }
        for (quarter, count) in counts {
            quarterApp.append(quarter.appNumber)
            quarterAt.append(quarter.startsAt)
            reads.append(count.reads)
            failed.append(count.failed)
            quarterDevice.append(quarter.device)
        }
    }

    private mutating func append(_ parcel: BatchRows, _ arrival: Arrival) {
        device.append(parcel.device)
        deviceApp.append(parcel.appNumber)
        earliestAt.append(arrival.earliestAt)
        occurredFrom.append(arrival.occurredFrom)
    }

    /// In the order of `ObservationLog.arrived`.
    var parameters: [(any PostgresCodable)?] {
        [device, deviceApp, earliestAt, occurredFrom, quarterApp, quarterAt, reads, failed, quarterDevice]
    }
}

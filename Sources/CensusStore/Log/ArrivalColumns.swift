internal import CensusCore
internal import Postgres

/// The arrivals of many batches, by column: a row per device, and a row per app and quarter of an hour. A quarter that a base
/// can include has a row per device instead.
struct ArrivalColumns {
    private var device = Column<Pseudonym>()
    private var deviceApp = Column<Int32>()
    private var earliestAt = Column<Timestamp>()
    private var occurredFrom = Column<Timestamp>()
    private var occurredThrough = Column<Timestamp>()
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
        /// Nil if no base can include the quarter.
        var device: Pseudonym?
    }

    /// - Parameter batches: each device's side by side.
    init(_ batches: [BatchRows], now: Timestamp = .now) {
        let newest = now - ArrivalColumns.newerThanBases
        var counts: [Quarter: ReadCount] = [:]
        var open: (batch: BatchRows, arrival: Arrival)?
        for batch in batches {
            guard var arrival = batch.arrival else { continue }
            for (startsAt, count) in arrival.reads {
                let quarter = Quarter(
                    appNumber: batch.appNumber, startsAt: startsAt, device: startsAt < newest ? batch.device : nil)
                counts[quarter, default: .none] += count
            }
            if let open, open.batch.device == batch.device {
                arrival.addTimes(of: open.arrival)
            } else if let open {
                append(open.batch, open.arrival)
            }
            open = (batch, arrival)
        }
        if let open { append(open.batch, open.arrival) }
        for (quarter, count) in counts {
            quarterApp.append(quarter.appNumber)
            quarterAt.append(quarter.startsAt)
            reads.append(count.reads)
            failed.append(count.failed)
            quarterDevice.append(quarter.device)
        }
    }

    private mutating func append(_ batch: BatchRows, _ arrival: Arrival) {
        device.append(batch.device)
        deviceApp.append(batch.appNumber)
        earliestAt.append(arrival.earliestAt)
        occurredFrom.append(arrival.occurredFrom)
        occurredThrough.append(arrival.occurredThrough)
    }

    /// In the order of `ObservationLog.insert`.
    var parameters: [(any PostgresCodable)?] {
        [
            device, deviceApp, earliestAt, occurredFrom, occurredThrough, quarterApp, quarterAt, reads, failed,
            quarterDevice,
        ]
    }
}

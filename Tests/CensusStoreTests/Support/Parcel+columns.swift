import Postgres

@testable import CensusStore

extension Parcel {
    /// For `ObservationLog.append`.
    var columns: [(any PostgresCodable)?] { ObservationColumns([observations]).parameters }
}

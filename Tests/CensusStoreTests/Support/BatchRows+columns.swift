import Postgres

@testable import CensusStore

extension BatchRows {
    /// For `ObservationLog.append`.
    var columns: [(any PostgresCodable)?] { ObservationColumns([observations]).parameters }
}

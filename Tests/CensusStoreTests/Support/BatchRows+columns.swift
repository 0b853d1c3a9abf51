import Postgres

@testable import CensusStore

extension BatchRows {
    /// For `ObservationLog.append`.
    var columns: [(any PostgresCodable)?] {
        Appender.parameters(ObservationColumns([observations]), remarksOf: [self])
    }
}

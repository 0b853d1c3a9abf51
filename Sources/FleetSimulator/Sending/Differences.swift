/// When an app sends its own differences of lists: what it takes for installed and removed since it last read the list.
///
/// Only where the system does not tell of changes itself.
package enum Differences: String, Sendable, CaseIterable {
    case none
    /// 150 ms after the report of the same opening.
    case after
    /// 150 ms before the report of the same opening: the app compares first, then reports.
    case before
}

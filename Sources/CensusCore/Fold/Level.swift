/// How many equal placements a device holds at one moment.
public struct Level: Hashable, Sendable {
    /// Those that the evidence forces: the lower bound.
    public var certain: Int
    /// Those that the OS reports and that may be stale. `certain + suspect` is the upper bound.
    public var suspect: Int
    /// The naive number: what the last successful report claimed.
    public var reported: Int

    public init(certain: Int = 0, suspect: Int = 0, reported: Int = 0) {
        self.certain = certain
        self.suspect = suspect
        self.reported = reported
    }

    public static let none = Level()

    public var possible: Int { certain + suspect }
}

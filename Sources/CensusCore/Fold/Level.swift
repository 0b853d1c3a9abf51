/// How many equal placements a device holds at one moment.
public struct Level: Hashable, Sendable {
    /// Those that the evidence forces: the lower bound.
    public var certain: Int
    /// Those that nothing proves and nothing speaks against: Android's instances that were only reported, and what was
    /// not confirmed for an activity window. Possible, and expected to be real.
    public var presumed: Int
    /// Those that the OS reports and that may be stale (R4, R5). What is expected of them is measured.
    public var suspect: Int
    /// Those of which an event left open whether it meant them, since it named no family or no instance: possible here, and not
    /// counted for the kind. What holds of the kind is counted where no family, or no instance, is known.
    public var either: Int
    /// The naive number: what the last successful report claimed.
    public var reported: Int

    public init(certain: Int = 0, presumed: Int = 0, suspect: Int = 0, either: Int = 0, reported: Int = 0) {
        self.certain = certain
        self.presumed = presumed
        self.suspect = suspect
        self.either = either
        self.reported = reported
    }

    public static let none = Level()

    /// The upper bound.
    public var possible: Int { certain + presumed + suspect }
    /// The upper bound of the family alone: those of several families may add up to more than the kind's.
    public var possibleInFamily: Int { possible + either }
}

/// How many equal placements a device holds at one moment.
public struct Level: Hashable, Sendable {
    /// Those the evidence forces: the lower bound.
    public var certain: Int
    /// Those that nothing proves and nothing contradicts: Android instances that were only reported, and placements that
    /// were not confirmed for an activity window. Possible, and expected to be real.
    public var presumed: Int
    /// Those the OS reports although they may be stale (R4, R5). How many to expect is measured.
    public var suspect: Int
    /// Those an event may have meant, since it named no family or no instance: possible here, but not counted for the kind.
    /// What holds for the kind is counted on the placement without a family, or without an instance.
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
    /// The upper bound of the family alone; the families' bounds may add up to more than the kind's.
    public var possibleInFamily: Int { possible + either }
}

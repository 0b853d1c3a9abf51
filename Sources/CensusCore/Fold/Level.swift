/// How many equal placements a device holds at one moment.
public struct Level: Hashable, Sendable {
    /// Placements that the evidence proves: the lower bound.
    public var certain: Int
    /// Placements that nothing proves and nothing contradicts: Android instances that were only reported, and placements that
    /// were not confirmed for an activity window. They are possible, and expected to be real.
    public var presumed: Int
    /// Placements that the OS lists although its list might be stale (R4, R5). How many of them to expect is measured.
    public var suspect: Int
    /// Placements that an event might have meant, because it named no family or no instance: possible here, but not counted for
    /// the kind. What holds for the kind is counted on the placement without a family, or without an instance.
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
    /// The upper bound of the family alone. The bounds of a kind's families can add up to more than the kind's.
    public var possibleInFamily: Int { possible + either }
}

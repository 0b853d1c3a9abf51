/// One closed day of a kind's installed base, in devices.
public struct BaseDay: Hashable, Sendable, Decodable {
    public var day: Day
    /// Held the kind for certain when the day ended.
    public var certain: Int
    /// Held it for certain or possibly: the upper bound.
    public var possible: Int
    /// Held it when they fell silent, at most a year ago.
    public var silent: Int
    /// Got it on the day.
    public var installed: Int
    /// Lost it on the day, while heard from, less those that proved to hold it after all.
    public var removed: Int
    /// Fell silent on the day while they held it.
    public var fellSilent: Int
    /// Were heard from again on the day.
    public var returned: Int
    /// All active devices when the day ended, by which its limit is set; nil: as many as on the newest day.
    public var active: Int?

    public init(
        day: Day, certain: Int, possible: Int, silent: Int = 0, installed: Int = 0, removed: Int = 0,
        fellSilent: Int = 0, returned: Int = 0, active: Int? = nil
    ) {
        self.day = day
        self.certain = certain
        self.possible = possible
        self.silent = silent
        self.installed = installed
        self.removed = removed
        self.fellSilent = fellSilent
        self.returned = returned
        self.active = active
    }

    /// Devices that would lose the kind if it were dropped when the day ended: the upper bound.
    public var holders: Int { possible + silent }

    /// Those that left, less those that came back.
    var net: Int { removed + fellSilent - returned }
    /// How much evidence on the rate the day holds.
    var movements: Int { abs(removed) + fellSilent + returned }
}

/// A kind's installed base on one closed day, in devices.
public struct BaseDay: Hashable, Sendable, Decodable {
    public var day: Day
    /// Certainly held the kind when the day ended: the lower bound.
    public var certain: Int
    /// Certainly or possibly held it: the upper bound.
    public var possible: Int
    /// Fell silent at most a year ago, while they held it.
    public var silent: Int
    /// Devices that got it on the day.
    public var installed: Int
    /// Active devices that lost it on the day, minus those that turned out to hold it after all.
    public var removed: Int
    /// Fell silent on the day, while they held it.
    public var fellSilent: Int
    /// Silent devices that sent something again on the day.
    public var returned: Int
    /// All active devices when the day ended, which set the day's limit. Nil: as many as on the newest day.
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

    /// At most this many devices would lose the kind if it were dropped at the end of the day.
    public var holders: Int { possible + silent }

    /// Devices that left, minus those that returned.
    var net: Int { removed + fellSilent - returned }
    /// How much the day tells about the rate.
    var movements: Int { abs(removed) + fellSilent + returned }
}

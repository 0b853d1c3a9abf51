/// What one closed day has of a kind, and what makes other tools count it differently.
public struct CountedDay: Hashable, Sendable, Decodable {
    public var day: Day
    public var surface: String
    public var kind: String

    /// Devices when the day ended.
    public var devicesCertain = 0
    public var devicesPossible = 0
    public var devicesExpected = 0.0
    /// Devices whose OS listed the kind.
    public var devicesReported = 0
    /// Devices that fell silent with the kind at most a year ago.
    public var devicesSilent = 0
    /// Of the certain devices, those heard from on the day, and in the seven days that end with it.
    public var devicesDaily = 0
    public var devicesWeekly = 0

    /// Placements when the day ended.
    public var widgetsCertain = 0
    public var widgetsPossible = 0
    public var widgetsReported = 0

    /// Placements that became certain on the day, by cause.
    public var addedInstalled = 0
    public var addedConfigured = 0
    public var addedReturned = 0
    /// Placements that stopped being certain on the day, by cause.
    public var removedRemoved = 0
    public var removedConfigured = 0
    public var removedReinstalled = 0
    public var removedUpgradeLoss = 0
    public var removedSilent = 0

    /// Events of placed and of removed widgets, whatever they changed; each delivered event counts once.
    public var eventsInstalled = 0
    public var eventsRemoved = 0

    /// All active devices when the day ended, and how many reads of the widget list failed on the day.
    public var devicesActive = 0
    public var readsFailed = 0

    public init(day: Day, surface: String, kind: String) {
        self.day = day
        self.surface = surface
        self.kind = kind
    }
}

/// A period `[from, to)` in which a device held the same number of equal placements.
///
/// It is one row of the table `span`. WidgetKit's widgets have no identities, so one row for a level says everything that a row
/// per widget could. A report of a thousand equal widgets is one row.
public struct Span: Hashable, Sendable {
    public var surface: Surface
    public var placement: Placement
    public var from: Timestamp
    /// Nil for an open span.
    public var to: Timestamp?
    public var level: Level
    /// How many of the suspects proved to be real (R6, R7); nil if unknown.
    public var stillThere: Int?
    /// How many of the suspects reached their outcome with this span although neither a boot nor a use ended it. The device
    /// fell silent, the app was deleted, or an event removed them.
    public var settled: Int
    /// The first claim of the suspects.
    public var claim: Claim?
    public var began: Change
    /// How many of the placements that became certain with this span had returned from silence. `began` is the cause of the
    /// others.
    public var returned: Int
    public var ended: Change?

    public init(
        surface: Surface, placement: Placement, from: Timestamp, to: Timestamp? = nil, level: Level,
        stillThere: Int? = nil, settled: Int = 0, claim: Claim? = nil, began: Change, returned: Int = 0,
        ended: Change? = nil
    ) {
        self.surface = surface
        self.placement = placement
        self.from = from
        self.to = to
        self.level = level
        self.stillThere = stillThere
        self.settled = settled
        self.claim = claim
        self.began = began
        self.returned = returned
        self.ended = ended
    }
}

/// The first claim of a suspect: the OS whose bug would explain it, and the rule that doubts it.
public struct Claim: Hashable, Sendable {
    public var platform: Platform
    /// Major and minor version.
    @Bytewise public var osVersion: String?
    /// R4 or R5. They are measured separately, because a restored phone's widgets are real.
    public var rule: Rule

    public init(platform: Platform, osVersion: String?, rule: Rule = .reinstall) {
        self.platform = platform
        self.osVersion = osVersion
        self.rule = rule
    }

    /// The cause when a suspect proves to be real. After R4, this brings back what the new installation had ended.
    var causeOfProof: Cause { rule == .freshInstall ? .installed : .reinstalled }
}

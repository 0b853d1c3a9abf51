/// A stretch of time `[from, to)` in which a device held the same number of equal placements.
///
/// One row of the table `span`. WidgetKit's widgets have no identities, so a run of one level says everything that a row per
/// widget could, and a report of a thousand equal widgets is one row.
public struct Span: Hashable, Sendable {
    public var surface: Surface
    public var placement: Placement
    public var from: Timestamp
    /// Nil while it lasts.
    public var to: Timestamp?
    public var level: Level
    /// How many of the suspects proved to have been there (R6, R7); nil while unknown.
    public var stillThere: Int?
    /// How many of the suspects reached their outcome with this span although it ended for another reason: the device fell
    /// silent, the app was deleted, or an event took them.
    public var settled: Int
    /// What first claimed the suspects.
    public var claim: Claim?
    public var began: Change
    /// How many of those that became certain when it began had returned from silence; `began` is the cause of the others.
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

/// What first claimed a suspect: the OS whose bug would explain it, and the rule that doubts it.
public struct Claim: Hashable, Sendable {
    public var platform: Platform
    /// Major and minor.
    @Bytewise public var osVersion: String?
    /// R4 or R5. A restored phone's widgets are real, so the two are measured apart.
    public var rule: Rule

    public init(platform: Platform, osVersion: String?, rule: Rule = .reinstall) {
        self.platform = platform
        self.osVersion = osVersion
        self.rule = rule
    }

    /// The cause when a suspect turns out to be there: after R4, what the new installation took away comes back.
    var causeOfProof: Cause { rule == .freshInstall ? .installed : .reinstalled }
}

public protocol ActivityAttributes: Decodable, Encodable {
    associatedtype ContentState: Decodable, Encodable, Hashable
}

public class Activity<Attributes> where Attributes: ActivityAttributes {
    public static var activities: [Activity<Attributes>] { [] }
    public var activityState: ActivityState { .active }
}

public enum ActivityState: Sendable, Hashable {
    case active, ended, dismissed, stale
    @available(iOS 26, *) case pending
}

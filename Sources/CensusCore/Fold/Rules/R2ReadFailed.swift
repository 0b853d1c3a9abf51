/// R2 `read_failed`: a failed read is not an empty list.
///
/// It changes nothing and proves nothing. Like every observation it shows that the device was heard from, which
/// ``DeviceFold`` records before it hands the event to any rule.
extension Event {
    /// Whether the app could not read the list.
    var isFailedRead: Bool {
        if case .readFailed = self { true } else { false }
    }

    /// Whether the event only shows that the device was heard from. Every other rule ignores it.
    var saysNothing: Bool { isFailedRead || self == .appOpened }
}

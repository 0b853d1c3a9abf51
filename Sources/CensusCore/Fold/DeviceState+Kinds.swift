/// The kinds that the last report of widgets lists, and those heard of since. The gallery's answer is based on them.
///
/// They are kept apart from what the device holds, because an event can remove the last placement of a kind that the OS still
/// lists.
extension DeviceState {
    mutating func noticeKinds(_ event: Event, isWidgetKit: Bool) {
        switch event {
        case .reported(let claimed):
            surfaces[.widget, default: SurfaceState()].noticeList(of: claimed)
        case .happened(let act, to: let widget):
            switch act.sign {
            case .added, .used: noticeLife(of: widget.kind)
            case .rendered: if !isWidgetKit { noticeLife(of: widget.kind) }
            case .gone: break
            }
        // The event doesn't tell the kinds of the restored instances.
        case .restored: if !isWidgetKit { surfaces[.widget]?.listedKinds = nil }
        case .readFailed, .appOpened: break
        }
    }

    private mutating func noticeLife(of kind: String) {
        surfaces[.widget, default: SurfaceState()].kindsAliveSinceReport.insert(Text(kind))
    }
}

extension DeviceState.SurfaceState {
    fileprivate mutating func noticeList(of claimed: [Placement: Int]) {
        listedKinds.replace(with: claimed.keys.map { Text($0.kind) })
        kindsAliveSinceReport = []
    }

    /// Whether the last report lacks a kind, and no event since mentions it.
    func lacks(kind: String) -> Bool {
        guard lastReport != nil, let listedKinds else { return false }
        let kind = Text(kind)
        return !listedKinds.contains(kind) && !kindsAliveSinceReport.contains(kind)
    }
}

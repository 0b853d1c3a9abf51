/// R5 `fresh_install`: a device never seen before reports widgets within minutes of its first launch.
///
/// Either the device lost its id and the list might be stale, or the phone was restored and the widgets are real. Until it
/// boots nobody can know, so its first list makes suspects: see ``DeviceState/ruleOfSuspicion(of:)``.
extension DeviceState.Installation {
    /// How soon after the first launch a list might describe what was there before the installation.
    private static let freshness: Duration = .minutes(10)

    func isFresh(at time: Timestamp) -> Bool {
        guard let firstLaunchedAt else { return false }
        return time - firstLaunchedAt <= DeviceState.Installation.freshness
    }
}

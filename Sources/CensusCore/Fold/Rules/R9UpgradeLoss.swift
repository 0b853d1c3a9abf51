/// R9 `upgrade_loss`: an update of the app takes a whole kind away.
extension DeviceState.SurfaceState {
    /// Whether the report is the first under its version of the app, and follows one under another version.
    ///
    /// A change back to an earlier version is no update, because an extension's old process can still report beside the new
    /// app.
    func isUpdate(_ observation: Observation) -> Bool {
        guard let lastReport else { return false }
        let version = observation.circumstances.appVersion
        return !lastReport.appVersion.hasBytes(of: version) && !versions.contains(Text(version))
            && versions.count <= DeviceState.mostVersions
    }

    mutating func rememberVersion(of observation: Observation) {
        let version = observation.circumstances.appVersion
        guard !versions.contains(Text(version)) else { return }
        // Add the last report's version, too, because older programs didn't keep the versions.
        for version in [lastReport?.appVersion, version].compactMap(\.self) {
            guard versions.count <= DeviceState.mostVersions else { return }
            versions.insert(Text(version))
        }
    }
}

extension ReportCauses {
    /// Whether the placement was certain and the first report after an update lists nothing of its kind.
    func isUpgradeLoss(of placement: Placement) -> Bool {
        guard isUpdate, let old = before[placement], old.certain > 0 else { return false }
        return !after.keys.contains { $0.kind.hasBytes(of: placement.kind) }
    }
}

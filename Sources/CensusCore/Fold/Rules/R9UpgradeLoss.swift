/// R9 `upgrade_loss`: an update of the app takes a whole kind away.
extension DeviceState.SurfaceState {
    /// Whether a different version of the app sent the previous report.
    func isUpdate(_ observation: Observation) -> Bool {
        guard let lastReport else { return false }
        return !lastReport.appVersion.hasBytes(of: observation.circumstances.appVersion)
    }
}

extension ReportCauses {
    /// Whether the placement was certain, and the first report after an update lists nothing of its kind.
    func isUpgradeLoss(of placement: Placement) -> Bool {
        guard isUpdate, before[placement]?.certain ?? 0 > 0 else { return false }
        return !after.keys.contains { $0.kind.hasBytes(of: placement.kind) }
    }
}

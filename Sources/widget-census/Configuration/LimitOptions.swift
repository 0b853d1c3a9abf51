internal import ArgumentParser
internal import CensusCore
internal import CensusStore

/// The limits for when a kind is ready to be dropped.
struct LimitOptions: ParsableArguments {
    @Option(.devices, "Devices that can still have a kind when it is ready to be dropped.") var limit: Int?
    @Option(.share, "The same, as a share of the active devices; 0.0003 unless set.") var limitShare: Double?
    @Option(.days, "Consecutive closed days on which the limit must hold.") var readyDays: Int?
    @Option(.share, "Share of the active devices that must report within the window; 0.9 unless set.")
    var coverage: Double?

    var settings: AppSettings {
        var settings = AppSettings()
        settings.limitDevices = limit
        settings.limitShare = limitShare
        settings.readyDays = readyDays
        settings.minimumCoverage = coverage
        return settings
    }
}

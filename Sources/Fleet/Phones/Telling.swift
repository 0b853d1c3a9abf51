package import CensusCore

/// Makes the observations that a phone's app would send, one for each event.
///
/// The number of the installation is the lower half of an observation's pseudonym.
package protocol Telling {
    var observations: [Observation] { get set }
    /// What the app will send about itself and the phone with its next event.
    var circumstances: Observation.Circumstances { get set }
    var installation: UInt64 { get set }
    /// What the app sends about the phone's restarts; nil for nothing.
    var bootWords: BootWords? { get set }
}

extension Telling {
    /// - Parameter corrected: by how much the server shifted the time as sent.
    package mutating func happens(
        _ event: Event, _ at: Timestamp, id: String? = nil, on surface: Surface = .widget, corrected: Duration = .zero
    ) {
        observations.append(
            Observation(
                id: id ?? "event \(observations.count)", occurredAt: at - corrected, at: at,
                installation: Pseudonym(high: 0, low: installation), surface: surface, circumstances: circumstances,
                event: event))
    }

    package mutating func reports(
        _ claimed: [Placement: Int], _ at: Timestamp, on surface: Surface = .widget, corrected: Duration = .zero
    ) {
        happens(.reported(claimed), at, on: surface, corrected: corrected)
    }

    package mutating func failsToRead(_ at: Timestamp, on surface: Surface = .widget) {
        happens(.readFailed(domain: "CHSErrorDomain", code: 1101), at, on: surface)
    }

    package mutating func adds(_ widget: Placement, _ at: Timestamp, on surface: Surface = .widget) {
        happens(.installed(widget), at, on: surface)
    }
    package mutating func removes(_ widget: Placement, _ at: Timestamp, on surface: Surface = .widget) {
        happens(.removed(widget), at, on: surface)
    }
    package mutating func opens(_ widget: Placement, _ at: Timestamp, on surface: Surface = .widget) {
        happens(.opened(widget), at, on: surface)
    }
    package mutating func configures(_ widget: Placement, _ at: Timestamp, on surface: Surface = .widget) {
        happens(.configured(widget), at, on: surface)
    }
    package mutating func renders(_ widget: Placement, _ at: Timestamp, on surface: Surface = .widget) {
        happens(.rendered(widget), at, on: surface)
    }
    /// Android gives widgets new instances.
    package mutating func restores(_ instances: [Text: String], _ at: Timestamp) { happens(.restored(instances), at) }

    /// The app was deleted and is installed again.
    package mutating func reinstalls(_ launched: Timestamp?) {
        installation += 1
        circumstances.firstLaunchedAt = launched
        if bootWords?.sayWhether == true { circumstances.rebooted = false }
    }

    /// An earlier installation sends all further events.
    package mutating func speaks(as installation: UInt64) { self.installation = installation }

    /// The phone restarts; nil for a time that the app doesn't send.
    package mutating func boots(_ at: Timestamp?) {
        circumstances.bootedAt = bootWords?.sayWhen == true ? at : nil
        if bootWords?.sayWhether == true { circumstances.rebooted = at.map { _ in true } }
    }

    /// Another version of the app sends all further events.
    package mutating func upgrades(to version: String) { circumstances.appVersion = version }
}

/// The fields that an app sends about the phone's last boot.
package enum BootWords: Sendable, CaseIterable {
    /// `booted_at`, read when sending: from Android apps, and from apps older than `rebooted`.
    case time
    /// `rebooted`: the only one that Apple allows to leave the device.
    case flag
    case both

    package var sayWhen: Bool { self != .flag }
    package var sayWhether: Bool { self != .time }

    /// Always the same for one phone. Three in four WidgetKit phones send only `rebooted`.
    init(device: String, platform: Platform) {
        let lot = device.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        switch (platform.isWidgetKit, lot >> 32 & 3) {
        case (_, 0): self = .time
        case (true, _), (false, 1): self = .flag
        default: self = .both
        }
    }
}

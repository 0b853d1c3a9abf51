package import CensusCore

/// Tells what happens on a phone as its app would, one observation for each event.
///
/// Installations are numbered: the number is the lower half of an observation's pseudonym.
package protocol Telling {
    var observations: [Observation] { get set }
    /// What the app says of itself and of the phone with its next event.
    var circumstances: Observation.Circumstances { get set }
    var installation: UInt64 { get set }
    /// What the app says about the phone's restarts; nil: nothing.
    var bootWords: BootWords? { get set }
}

extension Telling {
    /// - Parameter corrected: by how much the time as sent was moved.
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
    /// Android gives new names to instances.
    package mutating func restores(_ instances: [Text: String], _ at: Timestamp) { happens(.restored(instances), at) }

    /// The app was deleted, and is installed again.
    package mutating func reinstalls(_ launched: Timestamp?) {
        installation += 1
        circumstances.firstLaunchedAt = launched
        if bootWords?.sayWhether == true { circumstances.rebooted = false }
    }

    /// From here on an earlier installation speaks.
    package mutating func speaks(as installation: UInt64) { self.installation = installation }

    /// The phone restarts; nil: at a time that the app does not say.
    package mutating func boots(_ at: Timestamp?) {
        circumstances.bootedAt = bootWords?.sayWhen == true ? at : nil
        if bootWords?.sayWhether == true { circumstances.rebooted = at.map { _ in true } }
    }

    /// Another version of the app speaks from here on.
    package mutating func upgrades(to version: String) { circumstances.appVersion = version }
}

/// What an app says about the phone's last start.
package enum BootWords: Sendable, CaseIterable {
    /// `booted_at`, read when sending: apps from before `rebooted`, and Android.
    case time
    /// `rebooted`: all that Apple lets leave the device.
    case flag
    case both

    package var sayWhen: Bool { self != .flag }
    package var sayWhether: Bool { self != .time }

    /// Always the same for one phone; three of four WidgetKit phones say nothing but `rebooted`.
    init(device: String, platform: Platform) {
        let lot = device.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        switch (platform.isWidgetKit, lot >> 32 & 3) {
        case (_, 0): self = .time
        case (true, _), (false, 1): self = .flag
        default: self = .both
        }
    }
}

import CensusCore
import Fleet

/// One device id's story as a line of JSON. Times are seconds, by a true clock.
struct SoakLife: Encodable {
    var isForgetting = false
    /// Whether the bounds must hold the truth; odd phones lie.
    var isJudged = true
    var hoards = false
    /// Among the device ids that one phone had.
    var isLast = false
    var tellsBootTime: Bool
    /// Distinguishes the events of two phones with one id.
    var idSuffix = ""
    var source: String?
    /// Later reports are left out.
    var end = Timestamp(microseconds: .max)
    private var life: Life
    /// How far its clock is ahead.
    private let skew: Duration

    init(_ life: Life, skew: Duration) {
        self.life = life
        self.skew = skew
        tellsBootTime = life.bootWords?.sayWhen == true
    }

    var told: [Observation] { life.observations.filter { $0.at < end } }

    /// Its app reports a failed read as an empty list.
    var lying: SoakLife {
        var liar = self
        for index in life.observations.indices {
            if case .readFailed = life.observations[index].event {
                liar.life.observations[index].event = .reported([:])
            }
        }
        return liar
    }

    enum CodingKeys: String, CodingKey {
        case device, app, judged, hoards, is_last, skew, boots, tells_boot_time, messages, marks
    }

    func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: CodingKeys.self)
        try line.encode(life.id, forKey: .device)
        try line.encode(isForgetting ? "forgetting" : "phones", forKey: .app)
        try line.encode(isJudged, forKey: .judged)
        try line.encode(hoards, forKey: .hoards)
        try line.encode(isLast, forKey: .is_last)
        try line.encode(skew.microseconds / 1_000_000, forKey: .skew)
        try line.encode(life.boots.map(\.spelled), forKey: .boots)
        try line.encode(tellsBootTime, forKey: .tells_boot_time)
        let told = told
        try line.encode(
            told.enumerated().map { Message($1, of: life.id, id: "\($0)\(idSuffix)", source: source) },
            forKey: .messages)
        try line.encode(
            life.marks.map { mark in
                Mark(
                    at: mark.at.spelled, surface: mark.surface.rawValue, kind: mark.kind,
                    held: mark.held.map { Held($0, count: $1) },
                    message: mark.observation.flatMap { $0 < told.count ? $0 : nil })
            }, forKey: .marks)
    }

    private struct Mark: Encodable {
        var at: Double
        var surface: String
        var kind: String?
        var held: [Held]
        /// Its place among the messages.
        var message: Int?
    }

    private struct Held: Encodable {
        var kind: String
        var family: String?
        var instance: String?
        var count: Int

        init(_ widget: Placement, count: Int) {
            (kind, family, instance) = (widget.kind, widget.family, widget.instance)
            self.count = count
        }
    }
}

/// One event as the app recorded it: its content (`body`) and its batch's `context`.
private struct Message: Encodable {
    var at: Double
    var id: String
    var body: Body
    var context: Context

    init(_ observation: Observation, of device: String, id: String, source: String?) {
        at = observation.at.spelled
        self.id = "\(device)-\(id)"
        body = Body(observation, source: source)
        context = Context(observation, of: device)
    }

    struct Body: Encodable {
        var type: String
        var surface: String?
        var source: String?
        var widget: Widget?
        var widgets: [Widget]?
        var instances: [String: String]?
        var error: Failure?

        init(_ observation: Observation, source: String?) {
            type = observation.event.type.rawValue
            let isImplied = observation.surface == .widget && observation.event.type != .widgetsReported
            surface = isImplied ? nil : observation.surface.rawValue
            switch observation.event {
            case .reported(let list):
                self.source = source ?? "app"
                widgets = list.sorted { $0.key < $1.key }.map { Widget($0.key, count: $0.value) }
            case .readFailed(let domain, let code): error = Failure(domain: domain, code: code)
            case .happened(let act, to: let placement):
                self.source = act == .rendered ? "extension" : nil
                widget = Widget(placement, count: 1)
            case .restored(let names):
                instances = Dictionary(uniqueKeysWithValues: names.map { ($0.key.text, $0.value) })
            case .appOpened: break
            }
        }
    }

    struct Widget: Encodable {
        var kind: String
        var family: String?
        var intent: String?
        var configuration: String?
        var instance: String?
        var count: Int?

        init(_ placement: Placement, count: Int) {
            (kind, family, instance) = (placement.kind, placement.family, placement.instance)
            (intent, configuration) = (placement.intent, placement.configuration)
            self.count = count > 1 ? count : nil
        }
    }

    struct Failure: Encodable {
        var domain: String
        var code: Int64
    }

    struct Context: Encodable {
        struct Device: Encodable {
            var platform: String
            var os_version: String?
            var os_build: String?
        }

        struct Installation: Encodable {
            var id: String
            var first_launched_at: Double?
            var rebooted: Bool?
        }

        var version: String
        var channel: String?
        var device: Device
        var installation: Installation
        var gallery_policy: Int64?

        init(_ observation: Observation, of device: String) {
            let said = observation.circumstances
            version = said.appVersion
            channel = said.isCounted ? nil : said.channel
            self.device = Device(platform: said.platform.rawValue, os_version: said.osVersion, os_build: said.osBuild)
            installation = Installation(
                id: "\(device)-i\(observation.installation.low)", first_launched_at: said.firstLaunchedAt?.spelled,
                rebooted: said.rebooted)
            gallery_policy = said.galleryPolicy
        }
    }
}

extension Timestamp {
    fileprivate var spelled: Double { Double(microseconds) / 1_000_000 }
}

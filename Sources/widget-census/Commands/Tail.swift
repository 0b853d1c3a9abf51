internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Tail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show an app's events as they arrive: what the server said, and what each changed by which rule.",
        examples: [
            "widget-census tail --app com.example.weather",
            "widget-census tail --app com.example.weather --device 6F1D2C9A-53B1-4E0F",
            "widget-census tail --app com.example.weather --last 100 --no-follow",
        ],
        discussion: """
            For the engineer who integrates: send from a phone and see here what happened to it. \(NamedDevice.discussion)
            Without either, all devices are shown, but only events of the last two days.

            Begins with what arrived in the last hour, and goes on until it is interrupted. An event of another channel than
            production never counts; what it would change is shown as if the device sent nothing else.
            """)

    @OptionGroup var common: CommonOptions
    @Option(.app, "The app.", name: "app id") var app: String
    @OptionGroup var named: NamedDevice
    @Option(.last, "How many events of the last hour come first.", name: "count") var last = 10
    @Flag(inversion: .prefixedNo, help: "Wait for what comes next.") var follow = true

    func run() async throws {
        try await common.census(onlyReads: true) { census in
            let app = try await census.store.apps.app(app)
            let device = named.isGiven ? try await named.name(of: app, in: census) : nil
            if device == nil {
                Terminal.say("events whose `at` is more than two days old are shown with --device only")
            }
            var reel = TailReel(after: .now - .hours(1))
            var isFirst = true
            var goesOn = true
            while goesOn {
                let began = ContinuousClock.now
                let found = try await census.store.arrivals.arrivals(
                    of: app, device: device, after: reel.readFrom, most: Tail.mostAtOnce)
                let fresh = reel.take(found)
                let shown = isFirst ? fresh.suffix(last) : fresh[...]
                Terminal.write(try await TailLines(store: census.store, app: app).text(of: shown).printableLines)
                if !isFirst, fresh.count == Tail.mostAtOnce {
                    Terminal.say("more arrived than is shown: name a device with --device")
                }
                try Terminal.endAnswer()
                isFirst = false
                // Without an index a question about all devices reads two days: it must not keep the store busy.
                let rest: Duration = max(.milliseconds(500), began.duration(to: .now) * 10)
                goesOn = follow && !Terminal.readerHasLeft
                if goesOn { goesOn = await pause(rest) }
            }
        }
    }

    /// - Returns: false when the command was interrupted, which is how it ends.
    private func pause(_ time: Duration) async -> Bool {
        do {
            try await Task.sleep(for: time)
            return true
        } catch {
            return false
        }
    }

    private static let mostAtOnce = 500
}

/// Which arrivals were shown: those that are committed late have earlier times than some already shown.
struct TailReel {
    private var shown: [Arrived: Timestamp] = [:]
    private var newest: Timestamp

    /// Longer than the server waits for a commit.
    private static let overlap: Duration = .seconds(15)

    init(after time: Timestamp) { newest = time + TailReel.overlap }

    var readFrom: Timestamp { newest - TailReel.overlap }

    /// - Returns: those that were not shown before.
    mutating func take(_ arrivals: [Arrived]) -> [Arrived] {
        let fresh = arrivals.filter { shown[$0] == nil }
        for arrival in arrivals {
            shown[arrival] = arrival.receivedAt
            newest = max(newest, arrival.receivedAt)
        }
        shown = shown.filter { $0.value > readFrom }
        return fresh
    }
}

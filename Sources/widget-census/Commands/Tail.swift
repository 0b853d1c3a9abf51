internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Tail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show an app's events as they arrive: accepted or refused, and what each one changed.",
        examples: [
            "widget-census tail --app com.example.weather",
            "widget-census tail --app com.example.weather --device 6F1D2C9A-53B1-4E0F",
            "widget-census tail --app com.example.weather --last 100 --no-follow",
        ],
        discussion: """
            Use it while you integrate the client: send events from a phone, and see what the server answered and what each event
            changed, by which rule. \(NamedDevice.discussion) Without either, events of all devices are shown, but only those of
            the last two days.

            It starts with events of the last hour, and runs until you interrupt it. Events of channels other than production
            never count; they are shown with the changes they would make if the device sent nothing else.
            """)

    @OptionGroup var common: CommonOptions
    @Option(.app, "The app.", name: "app id") var app: String
    @OptionGroup var named: NamedDevice
    @Option(.last, "How many events of the last hour to show first.", name: "count") var last = 10
    @Flag(inversion: .prefixedNo, help: "Wait for further events.") var follow = true

    func run() async throws {
        try await common.census(onlyReads: true) { census in
            let app = try await census.store.apps.app(app)
            let device = named.isGiven ? try await named.name(of: app, in: census) : nil
            if device == nil {
                Terminal.say("events whose `at` is more than two days old are shown only with --device")
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
                    Terminal.say("more events arrived than are shown: choose a device with --device")
                }
                try Terminal.endAnswer()
                isFirst = false
                // A query for all devices has no index and reads two days, so it must not run all the time.
                let rest: Duration = max(.milliseconds(500), began.duration(to: .now) * 10)
                goesOn = follow && !Terminal.readerHasLeft
                if goesOn { goesOn = await pause(rest) }
            }
        }
    }

    /// - Returns: false if a signal interrupted the command, which is how it normally ends.
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

/// Tracks which arrivals were shown. An event committed late has an earlier time than some that were already shown.
struct TailReel {
    private var shown: [Arrived: Timestamp] = [:]
    private var newest: Timestamp

    /// More than the server's timeout for a commit.
    private static let overlap: Duration = .seconds(15)

    init(after time: Timestamp) { newest = time + TailReel.overlap }

    var readFrom: Timestamp { newest - TailReel.overlap }

    /// - Returns: the arrivals not shown before.
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

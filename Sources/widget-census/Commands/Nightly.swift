internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Nightly

struct Nightly: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Close a day: reconcile, and count every day that is new or changed.",
        discussion: """
            EXAMPLES
              widget-census nightly                    the last day that has ended, and those missed before it
              widget-census nightly --day 2026-11-20
              widget-census nightly --app com.example.weather

            Running it twice changes nothing.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The last day to close, in the app's zone.", valueName: "YYYY-MM-DD"))
    var day: Day?

    @Option(help: ArgumentHelp("One app; all by default.", valueName: "app id"))
    var app: String?

    func run() async throws {
        let summary = try await common.census { census in
            try await NightlyJob(store: census.store, logger: census.logger).run(
                day: day, app: app, progress: Terminal.progress)
        }
        Terminal.endProgress()
        for night in summary.nights {
            guard let closed = night.closed else {
                print("\(night.appID): nothing to close yet: no widget was held when the last day ended")
                continue
            }
            let days = closed.from == closed.through ? "\(closed.from)" : "\(closed.from) to \(closed.through)"
            print("\(night.appID): closed \(days), \(closed.cellsChanged) numbers (day, kind) new or changed")
        }
        if summary.nights.isEmpty { print("there is no app yet: add one with `widget-census apps add APP_ID`") }
        let reconciled = summary.reconciled
        print(
            "reconciled \(reconciled.devices) devices and \(reconciled.observations) observations, "
                + "\(reconciled.spansChanged) spans changed, in \(summary.reconciling.inSeconds); "
                + "closing took \(summary.closing.inSeconds)")
        if reconciled.setAside > 0 {
            Terminal.say(
                "\(reconciled.setAside) devices could not be reconciled and were set aside: census.set_aside says why")
        }
    }
}

extension Duration {
    fileprivate var inSeconds: String { "\(((self / .seconds(1)) * 10).rounded() / 10) s" }
}

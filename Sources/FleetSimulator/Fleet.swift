package import CensusCore

/// An app's install base as its server sees it: phones, their owners' habits, and WidgetCenter's bugs.
///
/// What the fleet does is decided by the plan alone: equal plans give equal bytes.
package struct Fleet: Sendable {
    package struct Plan: Sendable, Hashable {
        package var appID: String
        package var devices: Int
        /// Stretches of 24 hours that end with `end`.
        package var days: Int
        package var seed: UInt64
        /// Everything was received before.
        package var end: Timestamp

        package init(
            appID: String = "com.example.weather", devices: Int = 60, days: Int = 14, seed: UInt64 = 1, end: Timestamp
        ) {
            self.appID = appID
            self.devices = devices
            self.days = days
            self.seed = seed
            self.end = end
        }

        var start: Timestamp { end - .days(Int64(days)) }
    }

    private let plan: Plan
    private let casting: Casting

    package init(_ plan: Plan) {
        self.plan = plan
        self.casting = Casting(plan)
    }

    /// All deliveries, in order of `receivedAt`.
    ///
    /// All of them are in memory, some 10 KB for a device and 14 days: a gigabyte for 100,000 devices. A larger fleet is
    /// to be had device by device: ``deliveries(ofDevice:)``.
    package func deliveries() -> [Delivery] {
        // By device, too, at equal times: an order of its own for every plan.
        (0..<max(0, plan.devices))
            .flatMap { device in deliveries(ofDevice: device).map { (device: device, delivery: $0) } }
            .sorted { ($0.delivery.receivedAt, $0.device) < ($1.delivery.receivedAt, $1.device) }
            .map(\.delivery)
    }

    /// One device's, in order of `receivedAt`: independent of every other device.
    package func deliveries(ofDevice index: Int) -> [Delivery] {
        var life = DeviceLife(plan: plan, casting: casting, index: index)
        // What arrives at one instant stays in the order sent.
        return life.deliveries().enumerated()
            .sorted { ($0.element.receivedAt, $0.offset) < ($1.element.receivedAt, $1.offset) }
            .map(\.element)
    }
}

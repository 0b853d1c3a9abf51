internal import CensusCore

/// An app's install base as its server sees it, beside what is true: phones, their owners' habits, and the systems' bugs.
///
/// What the fleet does is decided by the plan alone: equal plans give equal bytes.
package struct Fleet: Sendable {
    package let plan: Plan
    private let casting: Casting

    package init(_ plan: Plan) {
        self.plan = plan
        self.casting = Casting(plan)
    }

    /// Everything about one device: independent of every other device.
    package func story(ofDevice index: Int) -> DeviceStory {
        var life = DeviceLife(plan: plan, casting: casting, index: index)
        return life.story()
    }

    /// All deliveries, in order of `receivedAt`.
    ///
    /// All of them are in memory, some 10 KB for a device and 14 days: a gigabyte for 100,000 devices. A larger fleet is
    /// to be had device by device: ``story(ofDevice:)``.
    package func deliveries() -> [Delivery] {
        // By device, too, at equal times: an order of its own for every plan.
        (0..<max(0, plan.devices))
            .flatMap { device in deliveries(ofDevice: device).map { (device: device, delivery: $0) } }
            .sorted { ($0.delivery.receivedAt, $0.device) < ($1.delivery.receivedAt, $1.device) }
            .map(\.delivery)
    }

    /// One device's, in order of `receivedAt`.
    package func deliveries(ofDevice index: Int) -> [Delivery] { story(ofDevice: index).deliveries }
}

/// Reads which widgets are on the home screen. A protocol, because only Apple's systems have a WidgetCenter.
protocol WidgetList: Sendable {
    func read() async throws(ReadFailure) -> [Widget]
}

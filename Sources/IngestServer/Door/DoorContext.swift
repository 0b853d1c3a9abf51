package import Hummingbird
internal import NIOCore

/// What a request to the door knows of its connection.
package struct DoorContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel
    var body = AnnouncedBody.none
    /// The request's body, until it was read.
    var reading: RequestDeadlines.Reading?
    /// What lets the request's body in, where it is a large one.
    var entry: BodyGates.Entry?

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
        self.channel = source.channel
    }
}

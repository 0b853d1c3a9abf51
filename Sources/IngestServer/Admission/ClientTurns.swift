/// Which connections wait for their client, and which of them to close to make room: those that have waited longest.
///
/// A pure value: ``ConnectionCount`` owns it and carries out its decisions. It needs no clock, because only the order in which
/// turns begin matters. Each event takes constant time.
struct ClientTurns {
    /// Identifies one connection until it leaves.
    typealias Ticket = Int

    private enum State {
        case vacant
        /// The server waits for the client.
        case waits
        /// The server works on a complete request.
        case works
        /// It will be closed.
        case cut
    }

    private struct Place {
        var state: State
        var before: Ticket?
        var after: Ticket?
    }

    /// One in this many idle places is kept free, so that the next client always finds one.
    private static let share = 16

    let maximum: Int
    private var places: [Place] = []
    private var vacant: [Ticket] = []
    private var longest: Ticket?
    private var latest: Ticket?
    private(set) var waiting = 0
    private(set) var working = 0

    init(maximum: Int) { self.maximum = maximum }

    /// A client has connected, and the server waits for it.
    ///
    /// - Returns: its ticket, and the connections to close now.
    mutating func come() -> (Ticket, cut: [Ticket]) {
        let ticket = vacant.popLast() ?? places.count
        if ticket == places.count { places.append(Place(state: .vacant)) }
        append(ticket)
        return (ticket, makeRoom())
    }

    /// The server waits for the client: its response was written, or a part of its request has arrived.
    ///
    /// - Returns: the connections to close now, possibly including this one.
    mutating func wait(_ ticket: Ticket) -> [Ticket] {
        switch places[ticket].state {
        case .works: working -= 1
        case .waits: remove(ticket)
        case .cut, .vacant: return []
        }
        append(ticket)
        return makeRoom()
    }

    /// A complete request has arrived. If the connection was to be closed, it is spared.
    mutating func work(_ ticket: Ticket) {
        switch places[ticket].state {
        case .waits: remove(ticket)
        case .cut: break
        case .works, .vacant: return
        }
        places[ticket].state = .works
        working += 1
    }

    /// Whether it is to be closed and has not been spared since.
    func isCut(_ ticket: Ticket) -> Bool { places[ticket].state == .cut }

    mutating func leave(_ ticket: Ticket) {
        switch places[ticket].state {
        case .works: working -= 1
        case .waits: remove(ticket)
        case .cut: break
        case .vacant: return
        }
        places[ticket].state = .vacant
        vacant.append(ticket)
    }

    private mutating func makeRoom() -> [Ticket] {
        var cut: [Ticket] = []
        // The latest one stays. If all others are being answered, a place will soon be free.
        while waiting > 1, waiting + working > maximum - margin, let ticket = longest {
            remove(ticket)
            places[ticket].state = .cut
            cut.append(ticket)
        }
        return cut
    }

    private var margin: Int { max(1, (maximum - working) / ClientTurns.share) }

    private mutating func append(_ ticket: Ticket) {
        places[ticket] = Place(state: .waits, before: latest)
        if let latest { places[latest].after = ticket } else { longest = ticket }
        latest = ticket
        waiting += 1
    }

    private mutating func remove(_ ticket: Ticket) {
        let (before, after) = (places[ticket].before, places[ticket].after)
        if let before { places[before].after = after } else { longest = after }
        if let after { places[after].before = before } else { latest = before }
        waiting -= 1
    }
}

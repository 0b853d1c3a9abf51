import Testing

@testable import IngestServer

@Suite struct `Connection rooms` {
    @Test func `the maximum of connections leaves a reserve of descriptors`() {
        #expect(ConnectionLimit.fitting(2_048, descriptors: 20_000)?.maximum == 2_048)
        #expect(ConnectionLimit.fitting(2_048, descriptors: 1_024)?.maximum == 768)
        #expect(ConnectionLimit.fitting(100, descriptors: 356)?.maximum == 100)
        #expect(ConnectionLimit.fitting(2_048, descriptors: 256) == nil)
        #expect(ConnectionLimit.fitting(2_048, descriptors: 260) == nil)
        #expect(ConnectionLimit.fitting(4, descriptors: 260)?.maximum == 4)
    }

    @Test func `each time that the server fills up counts once`() {
        var room = ConnectionLimit(maximum: 2)
        for _ in 0..<2 {
            let hasRoom = room.hasRoom()
            #expect(hasRoom)
            room.come()
        }
        let asked = (0..<5).map { _ in room.hasRoom() }
        #expect(asked == Array(repeating: false, count: 5))
        #expect(room.full == 1 && room.open == 2)
        room.go()
        let again = room.hasRoom()
        room.come()
        let full = room.hasRoom()
        #expect(again && !full)
        #expect(room.full == 2 && room.opened == 3)
    }

    @Test func `the soft limit of descriptors is raised to the hard one`() {
        // The limit of this machine is unknown, but a second call can't change it.
        let limit = Descriptors.raiseLimit()
        #expect(limit >= 256 && Descriptors.raiseLimit() == limit)
    }
}

import CensusStore
import Testing

@testable import Webhooks

@Suite struct `Delivery rounds` {
    private let fault = StoreError(.away, "the store is away")

    @Test func `a round ends at once when nothing is due`() {
        var round = DeliveryRound(places: 16)
        #expect(round.next(isStopping: false) == .claim(atMost: 16))
        round.claimed(0)
        #expect(round.next(isStopping: false) == .end)
        #expect(round.attempts == 0)
    }

    @Test func `a round claims due messages whenever an attempt or a pause ends`() {
        var round = DeliveryRound(places: 3)
        #expect(round.next(isStopping: false) == .claim(atMost: 3))
        round.claimed(2)
        #expect(round.next(isStopping: false) == .pause)
        #expect(round.next(isStopping: false) == .wait)
        round.ended(nil)
        #expect(round.next(isStopping: false) == .claim(atMost: 2))
        round.claimed(0)
        #expect(round.next(isStopping: false) == .wait, "one pause at a time")
        round.paused()
        #expect(round.next(isStopping: false) == .claim(atMost: 2))
        round.claimed(0)
        #expect(round.next(isStopping: false) == .pause)
        round.ended(nil)
        #expect(round.next(isStopping: false) == .claim(atMost: 3))
        round.claimed(0)
        #expect(round.next(isStopping: false) == .end)
        #expect(round.attempts == 2)
    }

    @Test func `a round claims nothing while every slot is taken`() {
        var round = DeliveryRound(places: 2)
        #expect(round.next(isStopping: false) == .claim(atMost: 2))
        round.claimed(2)
        #expect(round.next(isStopping: false) == .pause)
        round.paused()
        #expect(round.next(isStopping: false) == .pause)
        round.ended(nil)
        #expect(round.next(isStopping: false) == .claim(atMost: 1))
    }

    @Test func `a round stops claiming after a fault, waits for its attempts, and reports the first fault`() {
        var round = DeliveryRound(places: 3)
        _ = round.next(isStopping: false)
        round.claimed(2)
        _ = round.next(isStopping: false)
        round.ended(fault)
        #expect(round.next(isStopping: false) == .wait)
        round.ended(StoreError(.ours, "another fault"))
        #expect(round.next(isStopping: false) == .end)
        #expect(round.failure == fault)
    }

    @Test func `a round ends when a claim fails`() {
        var round = DeliveryRound(places: 3)
        _ = round.next(isStopping: false)
        round.failed(fault)
        #expect(round.next(isStopping: false) == .end)
        #expect(round.failure == fault)
    }

    @Test func `a stopping round claims nothing and waits for its attempts`() {
        var round = DeliveryRound(places: 3)
        _ = round.next(isStopping: false)
        round.claimed(1)
        #expect(round.next(isStopping: true) == .wait)
        round.ended(nil)
        #expect(round.next(isStopping: true) == .end)
    }
}

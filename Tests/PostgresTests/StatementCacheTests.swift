@testable import Postgres
import Testing

@Suite struct `Statement cache` {
    @Test func `the cache finds a statement by text and types, and NULL fits any type`() {
        var cache = StatementCache(capacity: 8)
        #expect(cache.find("a", []) == nil)
        cache.insert("a", [.int8, .text], name: "s1")
        #expect(cache.find("a", [.int8, .text]) == "s1")
        #expect(cache.find("a", [nil, .text]) == "s1")
        #expect(cache.find("a", [.int4, .text]) == nil)
        #expect(cache.find("a", [.int8]) == nil)
        #expect(cache.find("b", [.int8, .text]) == nil)
    }

    @Test func `a value doesn't fit a statement that was prepared with NULL`() {
        var cache = StatementCache(capacity: 8)
        cache.insert("a", [nil], name: "s1")
        #expect(cache.find("a", [nil]) == "s1")
        #expect(cache.find("a", [.int8]) == nil)
    }

    @Test func `the cache evicts the least recently used statement first`() {
        var cache = StatementCache(capacity: 2)
        cache.insert("a", [], name: "s1")
        #expect(cache.makeRoom() == nil)
        cache.insert("b", [], name: "s2")
        #expect(cache.find("a", []) == "s1")
        #expect(cache.makeRoom() == "s2")
        #expect(cache.find("b", []) == nil)
        #expect(cache.count == 1)
    }
}

import Foundation
import PostgresTesting
import Testing

@testable import IngestServer

/// Files like the kernel's, in a test folder.
struct FakeControlGroups {
    let folder = TestFolder()
    var places = ControlGroups()

    init(_ membership: String, _ files: [String: String]) throws {
        places.root = folder.path + "/cgroup"
        places.membership = folder.path + "/membership"
        try write("membership", membership)
        for (path, text) in files { try write("cgroup/" + path, text) }
    }

    func write(_ path: String, _ text: String) throws {
        let url = URL(filePath: folder.path + "/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }
}

@Suite struct `Control groups` {
    @Test func `the tightest limit of a group and its parents applies`() throws {
        let fake = try FakeControlGroups(
            "0::/system.slice/census.service\n",
            [
                "system.slice/memory.max": "500000000\n",
                "system.slice/memory.stat": "anon 300\nfile 9999\nkernel 20\nshmem 100\nslab 7\n",
                "system.slice/census.service/memory.max": "max\n",
                "system.slice/census.service/memory.stat": "anon 1\n",
            ])
        let group = try #require(ControlGroup.own(fake.places))
        #expect(group.limit == 500_000_000)
        #expect(group.used == 420, "the kernel can drop pages of files")
    }

    @Test func `in a container the limit is in the root's files`() throws {
        let fake = try FakeControlGroups(
            "0::/docker/abc\n", ["memory.max": "268435456\n", "memory.stat": "anon 5\nshmem 1\nkernel 1\n"])
        #expect(ControlGroup.own(fake.places)?.limit == 268_435_456)
    }

    @Test func `the files of version 1 are read by their own names`() throws {
        let fake = try FakeControlGroups(
            "9:name=systemd:/\n5:cpu,memory:/census\n",
            [
                "memory/census/memory.limit_in_bytes": "1000\n",
                "memory/census/memory.stat": "cache 70\nrss 10\ntotal_rss 30\ntotal_shmem 4\n",
                "memory/memory.limit_in_bytes": "9223372036854771712\n",
            ])
        let group = try #require(ControlGroup.own(fake.places))
        #expect(group.limit == 1_000 && group.used == 34)
    }

    @Test func `memory of sockets counts as used`() throws {
        let fake = try FakeControlGroups(
            "0::/\n", ["memory.max": "1000\n", "memory.stat": "anon 5\nfile 70\nsock 20\nshmem 1\nkernel 1\n"])
        #expect(ControlGroup.own(fake.places)?.used == 27)
    }

    @Test func `without a control group the limit is three quarters of what the process has plus what is available`()
        throws
    {
        var fake = try FakeControlGroups("0::/\n", ["memory.max": "max\n"])
        fake.places.machine = fake.folder.path + "/meminfo"
        fake.places.pages = fake.folder.path + "/statm"
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        for (available, resident, isShort) in [(4_000, 11_999, false), (4_000, 12_001, true), (100_000, 200, false)] {
            try fake.write("statm", "99999 \(resident) 5 1 0 7 0\n")
            try fake.write(
                "meminfo", "MemTotal: 9999999 kB\nMemFree: 5 kB\nMemAvailable: \(available * page / 1_024) kB\n")
            #expect(MachineMemory(fake.places).isShort == isShort, "\(resident)")
        }
        fake.places.machine = "/nowhere"
        #expect(!MachineMemory(fake.places).isShort)
    }

    @Test func `a missing limit or file means no limit`() throws {
        #expect(ControlGroup.own(try FakeControlGroups("0::/\n", ["memory.max": "max\n"]).places) == nil)
        #expect(ControlGroup.own(try FakeControlGroups("8:pids:/\n", [:]).places) == nil)
        var missing = ControlGroups()
        missing.membership = "/nowhere"
        #expect(ControlGroup.own(missing) == nil)
    }

    @Test func `past three quarters of the memory posts get 503, and below that 202 again`() async throws {
        let fake = try FakeControlGroups(
            "0::/\n", ["memory.max": "4000\n", "memory.stat": "anon 3000\nshmem 0\nkernel 0\n"])
        var options = ServerOptions()
        options.controlGroups = fake.places
        try await IngestTestServer.open(options: options) { server in
            #expect(try await server.accepts())
            try fake.write("cgroup/memory.stat", "anon 3001\nshmem 0\nkernel 0\n")
            var response = try await server.post(Sample(Sample.opened()))
            for _ in 0..<100 where response.status == 202 {
                try await Task.sleep(for: .milliseconds(50))
                response = try await server.post(Sample(Sample.opened()))
            }
            #expect(response.status == 503)
            #expect(try response.answer.code == "overloaded")
            #expect(response.headers["retry-after"] == "2")
            #expect(try await server.get("/livez").status == 200)
            #expect(try await server.get("/readyz").status == 200)
            for path in ["/openapi.json", "/v1/gallery-policy", "/console/login", "/nowhere"] {
                #expect(try await server.get(path).status == (path == "/nowhere" ? 404 : 503), "\(path)")
            }
            #expect(try await server.scrape()[#"widget_census_turned_away_total{reason="memory"}"#] >= 1)
            try fake.write("cgroup/memory.stat", "anon 100\nshmem 0\nkernel 0\n")
            for _ in 0..<100 where try await !server.accepts() { try await Task.sleep(for: .milliseconds(50)) }
            #expect(try await server.accepts())
        }
    }
}

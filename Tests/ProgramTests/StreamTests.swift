import Foundation
import PostgresTesting
import Testing

@testable import widget_census

@Suite struct `Standard streams` {
    /// The service once ended with SIGILL when it logged that it listens, and its PostgreSQL stayed behind.
    @Test(arguments: ["exec 2>/dev/full", "exec 2>&-", "exec >&-"])
    func `a full or closed stream doesn't end a service`(prologue: String) async throws {
        var (program, folder) = try await Program.embedded()
        defer { folder.remove() }
        program.prologue = prologue
        let port = 21_000 + Int.random(in: 0..<9_000)
        let service = try program.start(["serve", "--port", "\(port)"])
        let answer = try await TestProcess.run(
            "curl", "-s", "--retry", "60", "--retry-delay", "1", "--retry-connrefused", "http://127.0.0.1:\(port)/livez"
        )
        #expect(!answer.isEmpty)
        #expect(service.process.isRunning)
        kill(service.process.processIdentifier, SIGTERM)
        #expect(await service.finished().status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/postgres/postmaster.pid"))
    }

    @Test(arguments: ["exec 2>/dev/full", "exec 2>&-"]) func `a command without standard error prints its output`(
        prologue: String
    ) async throws {
        var program = Program.onDatabase(try await TestDatabase.migrated())
        program.prologue = prologue
        #expect(try await program.run("apps", "add", "com.example.a").output == "added com.example.a\n")
    }

    /// A command with a private PostgreSQL once ignored that its reader had left, and the PostgreSQL stayed behind.
    @Test func `a command whose reader leaves exits 141 and stops its server`() async throws {
        let (_, folder) = try await Program.embedded()
        defer { folder.remove() }
        let script = """
            export CENSUS_DATA_DIR='\(folder.path)/data'
            "$0" status 2>&1 | true; echo ${PIPESTATUS[0]}
            "$0" simulate --devices 300 --days 30 --output - | head -c 10 > /dev/null; echo ${PIPESTATUS[0]}
            """
        let printed = try await TestProcess.run("bash", "-c", script, Program.path)
        #expect(printed == "141\n141\n", "\(printed)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/postgres/postmaster.pid"))
    }
}

@Suite struct `Signals` {
    private func service(_ prologue: String? = nil) async throws -> (Running, TestFolder) {
        var (program, folder) = try await Program.embedded()
        program.prologue = prologue
        let service = try program.start(["serve", "--port", "0"])
        #expect(try await service.says("listens on http://127.0.0.1:"))
        return (service, folder)
    }

    private func ends(_ service: Running, in folder: TestFolder) async {
        let outcome = await service.finished()
        #expect(outcome.status == 0 && service.process.terminationReason == .exit)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/postgres/postmaster.pid"))
        folder.remove()
    }

    /// These signals used to end the service at once, and its PostgreSQL stayed behind.
    @Test(arguments: [SIGHUP, SIGQUIT, SIGINT, SIGTERM]) func `a signal stops the service and its PostgreSQL, with 0`(
        signal: Int32
    ) async throws {
        let (service, folder) = try await service()
        kill(service.process.processIdentifier, signal)
        await ends(service, in: folder)
    }

    @Test func `other signals don't end the service`() async throws {
        let (service, folder) = try await service()
        for signal in [SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGVTALRM, SIGPROF, SIGXFSZ, 34, 64] {
            kill(service.process.processIdentifier, signal)
        }
        try await Task.sleep(for: .milliseconds(300))
        #expect(service.process.isRunning)
        kill(service.process.processIdentifier, SIGTERM)
        await ends(service, in: folder)
    }

    @Test func `a closed terminal doesn't end a service that was started with nohup`() async throws {
        let (service, folder) = try await service("trap '' HUP")
        kill(service.process.processIdentifier, SIGHUP)
        try await Task.sleep(for: .milliseconds(300))
        #expect(service.process.isRunning)
        kill(service.process.processIdentifier, SIGTERM)
        await ends(service, in: folder)
    }
}

@Suite struct `Log backlog` {
    private func notice(_ dropped: Int) -> [UInt8] { Array("\(dropped) dropped\n".utf8) }

    /// In any order of writes and reads, a line is handed over in order, or counted where it is missing.
    @Test(arguments: UInt64(0)..<20) func `the backlog loses no line without counting it`(seed: UInt64) {
        var random = Seeded(seed)
        var backlog = LogBacklog(limit: 60)
        var (next, seen) = (0, 0)
        func read(_ bytes: [UInt8]?) {
            for line in String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n") {
                if let dropped = line.wholeMatch(of: /([0-9]+) dropped/) {
                    seen += Int(dropped.1) ?? 0
                } else {
                    #expect(line == "line \(seen)")
                    seen += 1
                }
            }
        }
        for _ in 0..<500 {
            if Int.random(in: 0..<3, using: &random) > 0 {
                backlog.add(Array("line \(next)\n".utf8))
                next += 1
            } else {
                read(backlog.take(notice: notice))
            }
        }
        while let bytes = backlog.take(notice: notice) { read(bytes) }
        #expect(seen == next && backlog.isEmpty)
    }

    /// A pipe that nobody read once stopped every request.
    @Test(.timeLimit(.minutes(1)))
    func `an unread pipe blocks no writer, and the log says later how many lines are missing`() async throws {
        let pipe = Pipe()
        let stream = LogStream(pipe.fileHandleForWriting.fileDescriptor, backlog: LogBacklog(limit: 10_000))
        let began = ContinuousClock.now
        for number in 0..<50_000 { stream.write("line \(number)\n") }
        stream.flush()
        #expect(ContinuousClock.now - began < .seconds(30))
        // Lines can be missing in several places.
        let (counted, missing) = await withCheckedContinuation {
            (continuation: CheckedContinuation<(Int, [Int]), Never>) in
            Thread.detachNewThread {
                var (text, counted, missing) = ("", 0, [Int]())
                repeat {
                    text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
                    missing = text.matches(of: /lines=([0-9]+)[^\n]*\n/).map { Int($0.1) ?? 0 }
                    counted = text.utf8.count { $0 == UInt8(ascii: "\n") } - missing.count + missing.reduce(0, +)
                } while counted < 50_000
                continuation.resume(returning: (counted, missing))
            }
        }
        #expect(counted == 50_000)
        #expect(!missing.isEmpty)
    }
}
